import type { Log, LogLine, LogTail } from '../../core/index.js'
import type { LineHeights } from './LineHeights.js'
import type { LogNotes } from './LogNotes.js'
import type { LogSelection } from './LogSelection.js'
import type { LogViewOptions } from './logViewOptions.js'
import type { MountedRows } from './MountedRows.js'
import type { PlacedLine } from './placedLine.js'
import { maxHeight, type ScrollAnchor } from './ScrollAnchor.js'
import type { TextGrid } from './TextGrid.js'

/** Rows that are mounted above and below those in sight. */
const overscan = 8
/** Lines that wrap are measured so often at most before a frame: each time is a layout. */
const maxRounds = 3

/** What a window shows, and where. */
interface LogWindowParts {
  readonly grid: TextGrid
  readonly notes: LogNotes
  readonly rows: MountedRows
  readonly heights: LineHeights
  readonly anchor: ScrollAnchor
  readonly selection: LogSelection
  /** Where the numbers of the lines are written; null where they are not shown. */
  readonly numbers: HTMLElement | null
  /** Where the rows are mounted. */
  readonly lines: HTMLElement
}

/**
 * The lines of a log that are shown, in sight and a little beyond: which these are and where they stand, with their notes and
 * numbers. Lines that wrap are placed as high as they are thought to be, mounted and measured, and placed again.
 */
export class LogWindow {
  readonly #log: Log
  readonly #grid: TextGrid
  readonly #notes: LogNotes
  readonly #rows: MountedRows
  readonly #heights: LineHeights
  readonly #anchor: ScrollAnchor
  readonly #selection: LogSelection
  readonly #numbers: HTMLElement | null
  readonly #lines: HTMLElement
  /** Of the first row and its note, in px. */
  #top = Number.NaN

  constructor(log: Log, parts: LogWindowParts) {
    this.#log = log
    this.#grid = parts.grid
    this.#notes = parts.notes
    this.#rows = parts.rows
    this.#heights = parts.heights
    this.#anchor = parts.anchor
    this.#selection = parts.selection
    this.#numbers = parts.numbers
    this.#lines = parts.lines
  }

  /** As many last lines as a window shows, ahead of the work where that is certain to be right. */
  tail(): LogTail {
    return this.#log.tail(this.#grid.rowsInSight + overscan)
  }

  /** Shows the last lines, or those that are known ahead of the work. */
  showEnd(ahead: readonly LogLine[] | undefined, options: LogViewOptions): void {
    const { lineHeight, isWrapped, viewHeight } = this.#grid
    const lineCount = ahead?.length ?? this.#log.lineCount
    let height = Math.min(Math.max(this.#heights.total, lineCount * lineHeight), maxHeight)
    const place = (): readonly PlacedLine[] => {
      const until = height - viewHeight - overscan * lineHeight
      const placed: PlacedLine[] = []
      let top = height
      for (let line = lineCount - 1; line >= 0 && top > until; line--) {
        const hasNote = ahead === undefined && this.#notes.has(line)
        top -= isWrapped ? this.#heightAtEnd(line, ahead) : lineHeight
        placed.push({ line, top, hasNote })
        if (hasNote) top -= lineHeight
      }
      // All is mounted: now it is known how high it is.
      if (isWrapped && ahead === undefined && (placed.at(-1)?.line ?? 0) === 0 && top !== 0) {
        height -= top
        return placed.map((each) => ({ ...each, top: each.top - top })).toReversed()
      }
      return placed.toReversed()
    }
    const placed = this.#mount(place, ahead, options)
    this.#place(placed, ahead)
    this.#anchor.settleAtEnd(height)
    if (ahead !== undefined) return
    const { scrollTop } = this.#anchor
    const first = placed.findIndex(({ top }) => top + lineHeight > scrollTop)
    const { line, top, hasNote } = placed[Math.max(0, first)] ?? { line: 0, top: 0, hasNote: false }
    this.#anchor.set(line, Math.max(0, scrollTop - top + (hasNote ? lineHeight : 0)))
  }

  /** Shows the lines around the anchor. */
  showAnchor(options: LogViewOptions): void {
    if (this.#anchor.isPlaceHeld) {
      this.#write(this.#around(this.#anchor.scrollTop), undefined, options)
      this.#anchor.releasePlace()
    }
    const scrollTop = this.#anchor.settle(false)
    this.#place(
      this.#mount(() => this.#around(scrollTop), undefined, options),
      undefined,
    )
  }

  /** Has lines mounted, and placed again once they are measured: they may be lower than thought, with place for more. */
  #mount(
    place: () => readonly PlacedLine[],
    ahead: readonly LogLine[] | undefined,
    options: LogViewOptions,
  ): readonly PlacedLine[] {
    let placed = place()
    for (let round = 0; round < maxRounds && this.#write(placed, ahead, options); round++) placed = place()
    return placed
  }

  /** The lines in sight around the anchor and a little beyond, as high as they are thought to be. */
  #around(scrollTop: number): readonly PlacedLine[] {
    const { lineCount } = this.#log
    const { lineHeight, viewHeight } = this.#grid
    const { line: from, offset } = this.#anchor
    const margin = overscan * lineHeight
    const placed: PlacedLine[] = []
    let top = scrollTop - offset
    for (let line = from; line < lineCount && top < scrollTop + viewHeight + margin; line++) {
      const hasNote = this.#notes.has(line)
      placed.push({ line, top: top + (hasNote ? lineHeight : 0), hasNote })
      top += this.#heights.of(line)
    }
    top = scrollTop - offset
    for (let line = from - 1; line >= 0 && top > scrollTop - margin; line--) {
      top -= this.#heights.of(line)
      const hasNote = this.#notes.has(line)
      placed.unshift({ line, top: top + (hasNote ? lineHeight : 0), hasNote })
    }
    return placed
  }

  /** The height of a line that wraps, of the log or of `ahead`. */
  #heightAtEnd(line: number, ahead: readonly LogLine[] | undefined): number {
    return this.#rows.heightOf(this.#rows.keyOf(line, ahead)) || this.#heights.estimate(this.#rows.lineOf(line, ahead))
  }

  #write(placed: readonly PlacedLine[], ahead: readonly LogLine[] | undefined, options: LogViewOptions): boolean {
    // The ends of what is selected stay mounted, so that the browser goes on showing it as selected.
    return this.#rows.write(placed, ahead, ahead === undefined ? this.#selection.numbers() : [], options)
  }

  #place(placed: readonly PlacedLine[], ahead: readonly LogLine[] | undefined): void {
    const { lineHeight } = this.#grid
    const { droppedLines } = this.#log
    const [first] = placed
    if (first !== undefined) this.#moveTo(first.top - (first.hasNote ? lineHeight : 0))
    const rows = this.#rows.byKey
    const isPlaced = new Set<number>()
    for (const { line, hasNote } of placed) {
      const key = this.#rows.keyOf(line, ahead)
      rows.get(key)?.flow(hasNote ? lineHeight : 0)
      isPlaced.add(key)
    }
    // Pinned rows stand as far away as they are, or out of sight at least.
    const firstNumber = (first?.line ?? 0) + droppedLines
    for (const [key, row] of rows) {
      if (!isPlaced.has(key)) row.pin(key < firstNumber ? -10 * lineHeight : this.#anchor.height - this.#top)
    }
    this.#notes.place(placed, droppedLines, lineHeight)
    if (this.#numbers !== null) this.#number(this.#numbers, ahead === undefined ? placed : [])
  }

  /** Has the first row, and the numbers beside it, stand there. */
  #moveTo(top: number): void {
    if (top === this.#top) return
    this.#top = top
    this.#lines.style.top = `${top}px`
    if (this.#numbers !== null) this.#numbers.style.top = `${top}px`
  }

  /** Writes the numbers beside the lines: all of them one text, which costs far less than a box for each. */
  #number(element: HTMLElement, placed: readonly PlacedLine[]): void {
    const { lineHeight } = this.#grid
    const { droppedLines } = this.#log
    let text = ''
    for (const { line, hasNote } of placed) {
      const rows = Math.round(this.#heights.ofText(line) / lineHeight)
      text += `${hasNote ? '\n' : ''}${line + droppedLines + 1}${'\n'.repeat(rows)}`
    }
    if (element.textContent !== text) element.textContent = text
  }
}
