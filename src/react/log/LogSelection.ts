import type { Log } from '../../core/index.js'
import type { MountedRows } from './MountedRows.js'

/** A place in a log. */
interface LogPlace {
  /** The line's index plus the lines dropped before it. */
  readonly number: number
  /** In UTF-16 units. */
  readonly offset: number
}

/**
 * What the reader selects in a log. The browser knows of the rows that are mounted only; here it is held by lines, so
 * that it can be copied whole, and stays when rows come and go.
 */
export class LogSelection {
  readonly #log: Log
  readonly #scroller: HTMLElement
  readonly #lines: HTMLElement
  readonly #rows: MountedRows
  readonly #onSelected: () => void
  readonly #ends: (() => void)[] = []
  #anchor: LogPlace | undefined
  #focus: LogPlace | undefined
  #isAll = false
  /** Something in the log is selected, or about to be. */
  #isWatching = false

  /** `onSelected` is called when something is selected. */
  constructor(log: Log, scroller: HTMLElement, lines: HTMLElement, rows: MountedRows, onSelected: () => void) {
    this.#log = log
    this.#scroller = scroller
    this.#lines = lines
    this.#rows = rows
    this.#onSelected = onSelected
    const onCopy = (event: ClipboardEvent) => this.#copy(event)
    const onStart = () => this.#watch(true)
    scroller.addEventListener('copy', onCopy)
    scroller.addEventListener('selectstart', onStart)
    this.#ends.push(
      () => scroller.removeEventListener('copy', onCopy),
      () => scroller.removeEventListener('selectstart', onStart),
      () => this.#watch(false),
    )
  }

  end(): void {
    for (const end of this.#ends) end()
  }

  /** The numbers of the lines in which it begins and ends: their rows have to stay mounted. */
  numbers(): readonly number[] {
    if (this.#isAll || this.#anchor === undefined || this.#focus === undefined) return []
    return [this.#anchor.number, this.#focus.number]
  }

  selectAll(): void {
    this.#isAll = true
    this.#anchor = this.#focus = undefined
    this.#watch(true)
    this.restore()
  }

  /** Learns what is selected now, before rows are filled anew. */
  read(): void {
    if (this.#isWatching) this.#onChange()
  }

  /** Lines have other numbers now. */
  renumber(follow: (number: number) => number): void {
    if (this.#anchor) this.#anchor = { ...this.#anchor, number: follow(this.#anchor.number) }
    if (this.#focus) this.#focus = { ...this.#focus, number: follow(this.#focus.number) }
  }

  /** Has the browser show it again, after rows were filled anew. */
  restore(): void {
    const selection = this.#selection()
    if (selection === null) return
    if (this.#isAll) {
      if (!this.#isWhole(selection)) selection.selectAllChildren(this.#lines)
      return
    }
    if (this.#anchor === undefined || this.#focus === undefined) return
    const rows = this.#rows.byKey
    const anchor = rows.get(this.#anchor.number)?.domOf(this.#anchor.offset)
    const focus = rows.get(this.#focus.number)?.domOf(this.#focus.offset)
    if (anchor === undefined || focus === undefined) return
    if (
      samePlace(this.#placeOf(selection.anchorNode, selection.anchorOffset), this.#anchor) &&
      samePlace(this.#placeOf(selection.focusNode, selection.focusOffset), this.#focus)
    )
      return
    selection.setBaseAndExtent(...anchor, ...focus)
  }

  #selection(): Selection | null {
    // Chromium tells what is selected in a shadow root there only, and others by the document.
    const root = this.#scroller.getRootNode() as Partial<Pick<Document, 'getSelection'>>
    return root.getSelection === undefined ? this.#scroller.ownerDocument.getSelection() : root.getSelection()
  }

  #watch(isWatching: boolean): void {
    this.#isWatching = isWatching
    const document = this.#scroller.ownerDocument
    if (isWatching) document.addEventListener('selectionchange', this.#onChange)
    else document.removeEventListener('selectionchange', this.#onChange)
  }

  readonly #onChange = (): void => {
    const selection = this.#selection()
    if (selection === null) return
    if (this.#isAll && this.#isWhole(selection)) return
    this.#isAll = false
    const anchor = this.#placeOf(selection.anchorNode, selection.anchorOffset)
    const focus = this.#placeOf(selection.focusNode, selection.focusOffset)
    if ((anchor === undefined && focus === undefined) || selection.isCollapsed) {
      this.#anchor = this.#focus = undefined
      if (anchor === undefined) this.#watch(false)
      return
    }
    // A beginning outside of the log leaves it where it was last.
    this.#anchor = anchor ?? this.#anchor
    this.#focus = focus ?? (anchor && this.#edge(selection)) ?? this.#focus
    this.#onSelected()
  }

  /** Where what is in sight begins or ends, whichever is nearer to the end of a selection that was drawn out of the log. */
  #edge({ focusNode, focusOffset }: Selection): LogPlace | undefined {
    const range = this.#scroller.ownerDocument.createRange()
    range.selectNodeContents(this.#lines)
    const isBehind = range.comparePoint(focusNode as Node, focusOffset) > 0
    const { top, bottom } = this.#scroller.getBoundingClientRect()
    const inSight = [...this.#rows.byKey.values()].filter(({ element }) => {
      const row = element.getBoundingClientRect()
      return row.bottom > top + 1 && row.top < bottom - 1
    })
    const row = inSight.at(isBehind ? -1 : 0)
    return row && this.#placeOf(...row.domOf(isBehind ? Infinity : 0))
  }

  #isWhole({ anchorNode, anchorOffset, focusNode, focusOffset, isCollapsed }: Selection): boolean {
    if (isCollapsed) return false
    if (anchorNode === this.#lines && focusNode === this.#lines) return true
    // In a shadow root Chromium tells of the first and the last text instead.
    const rows = [...this.#rows.byKey.values()]
    const [first, last] = [rows[0]?.domOf(0), rows.at(-1)?.domOf(Infinity)]
    if (first === undefined || last === undefined) return false
    return (
      samePlace(this.#placeOf(anchorNode, anchorOffset), this.#placeOf(...first)) &&
      samePlace(this.#placeOf(focusNode, focusOffset), this.#placeOf(...last))
    )
  }

  #placeOf(node: Node | null, offset: number): LogPlace | undefined {
    if (node === null || !this.#lines.contains(node)) return undefined
    if (node === this.#lines) {
      const rows = [...this.#rows.byKey]
      const [number] = rows[Math.min(offset, rows.length - 1)] ?? []
      return number === undefined ? undefined : { number, offset: offset < rows.length ? 0 : Infinity }
    }
    for (const [number, row] of this.#rows.byKey) {
      const at = row.offsetOf(node, offset)
      if (at !== undefined) return { number, offset: at }
    }
    return undefined
  }

  #copy(event: ClipboardEvent): void {
    if (event.clipboardData === null || event.target instanceof HTMLInputElement) return
    let text: string | undefined
    if (this.#isAll) text = this.#log.text()
    else if (this.#anchor !== undefined && this.#focus !== undefined) {
      const [from, to] = isBefore(this.#anchor, this.#focus) ? [this.#anchor, this.#focus] : [this.#focus, this.#anchor]
      text = textBetween(this.#log, from, to)
    }
    if (text === undefined) return
    event.clipboardData.setData('text/plain', text)
    event.preventDefault()
  }
}

const samePlace = (a: LogPlace | undefined, b: LogPlace | undefined) =>
  a?.number === b?.number && a?.offset === b?.offset
const isBefore = (a: LogPlace, b: LogPlace) => a.number < b.number || (a.number === b.number && a.offset <= b.offset)

/** What stands from one place to another, with lines that are not mounted. */
function textBetween(log: Log, from: LogPlace, to: LogPlace): string {
  const { droppedLines } = log
  const parts: string[] = []
  for (let { number } = from; number <= to.number; number++) {
    const begin = number === from.number ? from.offset : 0
    const end = number === to.number ? to.offset : Infinity
    parts.push(log.line(number - droppedLines, begin, end)?.text ?? '')
  }
  return parts.join('\n')
}
