import {
  columnsAfter,
  type Log,
  type LogLine,
  type LogSearch,
  type LogTail,
  type SearchOptions,
} from '../../core/index.js'
import { type CellFont, fontOf, forgetFonts } from './CellFont.js'
import { LogRow, type MatchedPart } from './LogRow.js'
import { LogSelection } from './LogSelection.js'
import { drawFirst, noteChange, requestDraw, requestWork, type Scheduled, unschedule } from './logScheduler.js'
import { observeElement } from './sharedObservers.js'

/** How a log is shown. */
export interface LogViewOptions {
  /** The height of a row of text in px. */
  readonly lineHeight: number
  /** Rows seen at once where there is no layout to tell. */
  readonly maxLines: number
  readonly isWrapped: boolean
  /** Beside the line with that number, which counts from 1. */
  readonly timeOf: ((lineNumber: number) => string | undefined) | undefined
  /** Holes with a later `visibleAt` are not told yet. */
  readonly gapsUntil: number
  readonly words: LogWords
}

/** What stands among the lines. */
export interface LogWords {
  readonly lines: (count: number) => string
  readonly droppedLines: (count: number) => string
  readonly numberingSkips: (count: number) => string
  readonly moreCharacters: (count: number) => string
}

/** What the box around a log shows of it. */
export interface LogViewState {
  /** The end is shown, and kept to. */
  readonly isFollowing: boolean
  /** Lines that have come since the reader left the end. */
  readonly newLines: number
  readonly alternateLength: number
  readonly refusedChunks: number
  /** Absent while nothing is searched for. */
  readonly search: LogSearchState | undefined
}

/** What was found. */
export interface LogSearchState {
  readonly count: number
  readonly isCapped: boolean
  readonly isWorking: boolean
  readonly error: string | null
  /** The match that the reader is at; -1 while there is none. */
  readonly current: number
}

/** A place in a log. */
export interface LogPlace {
  /** The line's index plus the lines dropped before it. */
  readonly number: number
  /** In UTF-16 units. */
  readonly offset: number
}

/** UTF-16 units of a line that are mounted; laying out much more would stop the page. */
const maxLineLength = 10_000
/** Room for what says that a line is longer, before and behind it. */
const hintColumns = 80
/** Browsers make no element higher than some millions of px: above this, large jumps are mapped. */
const maxHeight = 8_000_000
/** Rows that are mounted above and below those in sight. */
const overscan = 8
/** So much pending output, in UTF-16 units, is shown before it is worked off. */
const muchPending = 1 << 17
/** While more than can be shown comes in, what has been worked off is shown this often, in ms. */
const hurriedMs = 100
/** Lines that an estimate of heights looks at. */
const samples = 256

interface Placed {
  readonly line: number
  /** Of the line, below its note if it has one. */
  readonly top: number
  readonly hasNote: boolean
}

const now = () => performance.now()

/**
 * Shows a log in a scrolling element: mounts the rows in sight, follows the end until the reader leaves it, and keeps in
 * place what is read, whatever comes or goes above it.
 *
 * What is read is held by its line, the anchor, not by a distance from the top. While the whole height is known and an
 * element can have it, both say the same. Else (more lines, or lines that wrap) scrolling by little moves the anchor by
 * as much, a long jump goes to the same fraction of the lines, and near an end the two are made to agree.
 */
export class LogView implements Scheduled {
  isNear = false
  readonly #log: Log
  readonly #scroller: HTMLElement
  readonly #space: HTMLElement
  readonly #numbers: HTMLElement | null
  readonly #lines: HTMLElement
  readonly #count: HTMLElement | null
  readonly #selection: LogSelection
  readonly #ends: (() => void)[] = []
  readonly #listeners = new Set<() => void>()
  #options: LogViewOptions
  #state: LogViewState
  #rows: LogRow[] = []
  /** By line number; rows of lines that are shown ahead of the work have negative ones. */
  #mounted = new Map<number, LogRow>()
  #notes = new Map<number, HTMLElement>()
  #noteLines: readonly number[] = []
  #noteTexts: readonly string[] = []
  #version = -1
  #height = -1
  #widest = 0
  #digits = 0
  #viewHeight = 0
  #viewWidth = 0
  #scrollTop = 0
  #anchor = { line: 0, offset: 0 }
  #dropped = 0
  #isFollowing = true
  /** The pointer is down on the lines. */
  #isHeld = false
  #leftAt = 0
  /** Rows of text that a line takes, as estimated from some of them, and for what. */
  #rowsPerLine = { value: 1, lineCount: 0, columns: 0 }
  #search: LogSearch | undefined
  #searchOf: { readonly query: string; readonly options: SearchOptions } | undefined
  #isSearching = false
  #current: { readonly number: number; readonly from: number } | undefined
  /** A part of a very long line that is mounted instead of its beginning. */
  #part = { number: -1, from: 0 }

  constructor(
    log: Log,
    elements: {
      scroller: HTMLElement
      space: HTMLElement
      numbers: HTMLElement | null
      lines: HTMLElement
      count: HTMLElement | null
    },
    options: LogViewOptions,
  ) {
    this.#log = log
    this.#scroller = elements.scroller
    this.#space = elements.space
    this.#numbers = elements.numbers
    this.#lines = elements.lines
    this.#count = elements.count
    this.#options = options
    this.#state = initialState
    this.#selection = new LogSelection(this.#scroller, this.#lines, {
      rows: () => this.#mounted,
      textOf: (from, to) => this.textBetween(from, to),
      all: () => this.#log.text(),
      onSelected: () => this.leave(),
    })
    this.#listen()
    this.#ends.push(
      log.subscribe(() => noteChange(this)),
      observeElement(this.#scroller, ({ isNear = this.isNear }) => {
        this.isNear = isNear
        this.readSize()
        if (isNear) requestDraw(this)
      }),
      () => this.#selection.end(),
    )
    // What there is already is shown with the first frame.
    if (log.lineCount > 0 || log.pendingLength > 0) {
      this.isNear = true
      drawFirst(this)
    }
  }

  /** Lets everything go. */
  end(): void {
    this.#hasEnded = true
    for (const end of this.#ends) end()
    unschedule(this)
    this.#listeners.clear()
    this.#lines.replaceChildren()
  }

  /** What the box shows; another object whenever it changes. */
  get state(): LogViewState {
    return this.#state
  }

  /** Calls `listener` when `state` has changed. Returns what ends it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  setOptions(options: LogViewOptions): void {
    if (options === this.#options) return
    this.#counted = -1
    const isOther = options.isWrapped !== this.#options.isWrapped
    if (options.words !== this.#options.words) this.#counted = -1
    this.#options = options
    if (isOther) {
      this.#widest = 0
      this.#height = -1
      for (const row of this.#rows) row.height = 0
    }
    this.draw(0)
    this.scroll()
  }

  get pendingLength(): number {
    return this.#log.pendingLength
  }

  work(budgetMs: number): boolean {
    const until = now() + budgetMs
    const isLeft = this.#log.work(budgetMs, now)
    if (isLeft || this.#search === undefined) return isLeft
    this.#isSearching = this.#search.work(Math.max(1, until - now()), now)
    return this.#isSearching
  }

  /** Goes to the end and stays there. */
  follow(): void {
    this.#isFollowing = true
    requestDraw(this)
  }

  /** Stays with what is in sight. */
  leave(): void {
    if (!this.#isFollowing) return
    this.#isFollowing = false
    this.#leftAt = this.#log.lineCount + this.#log.droppedLines
    requestDraw(this)
  }

  /** Shows the first line. */
  goToStart(): void {
    this.leave()
    this.#anchor = { line: 0, offset: 0 }
    this.#settle(true)
    requestDraw(this)
  }

  /** Shows the line with that index in the middle. */
  goToLine(line: number): void {
    this.leave()
    this.#anchor = { line: Math.max(0, Math.min(line, this.#log.lineCount - 1)), offset: 0 }
    this.#move(-(this.#viewHeight - this.#options.lineHeight) / 2)
    this.#settle(true)
    requestDraw(this)
  }

  /** Selects everything, mounted or not. */
  selectAll(): void {
    this.#log.finish()
    this.leave()
    this.#selection.selectAll()
  }

  /** What stands from one place to another, with lines that are not mounted. */
  textBetween(from: LogPlace, to: LogPlace): string {
    const { droppedLines } = this.#log
    const parts: string[] = []
    for (let { number } = from; number <= to.number; number++) {
      const begin = number === from.number ? from.offset : 0
      const end = number === to.number ? to.offset : Infinity
      parts.push(this.#log.line(number - droppedLines, begin, end)?.text ?? '')
    }
    return parts.join('\n')
  }

  /** Looks for something in the whole log, and goes to the first match at or behind what is in sight. */
  search(query: string, options: SearchOptions): void {
    this.#searchOf = query === '' ? undefined : { query, options }
    this.#search = query === '' ? undefined : this.#log.search(query, options)
    this.#current = undefined
    this.#isSearching = this.#search !== undefined && this.#search.error === null
    if (this.#isSearching && this.#search !== undefined) {
      this.#isSearching = this.#search.work(4, now)
      this.#toMatch(this.#search.indexFrom(this.#topLine(), 0), false)
    }
    requestWork(this)
    this.draw(0)
    this.scroll()
    this.#showMatch()
  }

  /** Goes `by` matches on, around at the ends. */
  step(by: number): void {
    const search = this.#search
    if (search === undefined || search.count === 0) return
    const current = this.#currentIndex()
    const isAt = current !== undefined
    const from = current ?? search.indexFrom(this.#topLine(), 0) - (by > 0 ? 1 : 0)
    this.#toMatch((from + by + search.count) % search.count, isAt)
    this.draw(0)
    this.scroll()
    this.#showMatch()
  }

  #toMatch(index: number, isStep: boolean): void {
    const search = this.#search
    const match = search?.match(index) ?? (isStep ? undefined : search?.match(0))
    if (match === undefined) return
    const number = match.line + this.#log.droppedLines
    this.#current = { number, from: match.from }
    const isFar = match.to > maxLineLength
    this.#part = { number, from: isFar ? Math.max(0, match.from - 1_000) : 0 }
    this.goToLine(match.line)
  }

  /** Brings the match that the reader is at into sight sideways, too. */
  #showMatch(): void {
    const match = this.#lines.querySelector('[data-current]')
    if (match === null) return
    const { left, right } = match.getBoundingClientRect()
    const box = this.#scroller.getBoundingClientRect()
    if (left >= box.left && right <= box.right) return
    this.#scroller.scrollLeft += left - box.left - this.#viewWidth / 2
  }

  #currentIndex(): number | undefined {
    if (this.#current === undefined || this.#search === undefined) return undefined
    const line = this.#current.number - this.#log.droppedLines
    const index = this.#search.indexFrom(line, this.#current.from)
    const match = this.#search.match(index)
    return match?.line === line && match.from === this.#current.from ? index : undefined
  }

  #topLine(): number {
    return this.#isFollowing ? Math.max(0, this.#lineAt(this.#totalHeight() - this.#viewHeight)) : this.#anchor.line
  }

  draw(budgetMs: number): boolean {
    if (this.#hasEnded) return false
    const log = this.#log
    const isAtEnd = this.#isFollowing && !this.#isHeld
    // While much is pending its end is shown at once, where that is sure to be right, and the work left to idle times.
    let tail = isAtEnd && log.pendingLength > muchPending ? this.#tail() : undefined
    const isLeft = tail?.isAhead === true || (budgetMs > 0 ? log.work(budgetMs, now) : log.pendingLength > 0)
    if (isLeft && isAtEnd && tail?.isAhead !== true) {
      // What is shown here is gone with the next frame: more work does more for the reader.
      if (budgetMs > 0 && now() - this.#drawnAt < hurriedMs) return true
      tail ??= this.#tail()
    }
    this.#drawnAt = now()
    if (this.#search !== undefined && this.#searchOf !== undefined && !isLeft)
      this.#isSearching ||= this.#search.work(0, now)
    this.#selection.read()
    this.#followLines()
    this.#readNotes()
    const ahead = tail?.isAhead ? tail.lines : undefined
    if (ahead !== undefined) this.#drawEnd(ahead)
    else if (isAtEnd) this.#drawEnd(undefined)
    else this.#drawAnchor()
    this.#selection.restore()
    this.#tell()
    return isLeft || this.#isSearching
  }

  get #font(): CellFont {
    return (this.#knownFont ??= fontOf(this.#lines))
  }

  scroll(): void {
    if (!this.#isScrollDue) return
    this.#isScrollDue = false
    // The end is where the browser says, should the box have another height than it had.
    this.#scroller.scrollTop = this.#isFollowing && !this.#isHeld ? this.#height : this.#scrollTop
  }

  #tail(): LogTail {
    return this.#log.tail(this.#rowsInSight() + overscan)
  }

  /** Finds the anchor again after lines were dropped or put in above it. */
  #followLines(): void {
    const { droppedLines, version, lineCount } = this.#log
    if (this.#version === version && droppedLines === this.#dropped) return
    const follow = (number: number) => (this.#version < 0 ? number : this.#log.follow(number, this.#version))
    const line = follow(this.#anchor.line + this.#dropped) - droppedLines
    if (line < 0) this.#anchor = { line: 0, offset: 0 }
    else if (line !== this.#anchor.line)
      this.#anchor = { ...this.#anchor, line: Math.min(line, Math.max(0, lineCount - 1)) }
    if (this.#current !== undefined) this.#current = { ...this.#current, number: follow(this.#current.number) }
    this.#selection.move(follow)
    this.#dropped = droppedLines
    this.#version = version
  }

  /** The notes among the lines: what was dropped above the first, and holes where they are. */
  #readNotes(): void {
    const { words, gapsUntil } = this.#options
    const texts = new Map<number, string>()
    const { droppedLines } = this.#log
    if (droppedLines > 0) texts.set(0, words.droppedLines(droppedLines))
    const counts = new Map<number, number>()
    for (const { line, gap } of this.#log.gaps()) {
      if ((gap.visibleAt ?? -Infinity) <= gapsUntil) counts.set(line, (counts.get(line) ?? 0) + (gap.count ?? 1))
    }
    for (const [line, count] of counts) {
      const said = texts.get(line)
      texts.set(line, said === undefined ? words.numberingSkips(count) : `${said}, ${words.numberingSkips(count)}`)
    }
    this.#noteLines = [...texts.keys()].sort((a, b) => a - b)
    this.#noteTexts = this.#noteLines.map((line) => texts.get(line) as string)
  }

  #notesBefore(line: number): number {
    let low = 0
    let high = this.#noteLines.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#noteLines[middle] as number) < line) low = middle + 1
      else high = middle
    }
    return low
  }

  #hasNote(line: number): boolean {
    return this.#noteLines.length > 0 && this.#noteLines[this.#notesBefore(line)] === line
  }

  /** The height of a line and its note; of lines that wrap what was measured, else as their columns tell. */
  #heightOf(line: number): number {
    const { lineHeight } = this.#options
    return (this.#hasNote(line) ? lineHeight : 0) + this.#textHeight(line)
  }

  #textHeight(line: number): number {
    const { lineHeight, isWrapped } = this.#options
    if (!isWrapped) return lineHeight
    const known = this.#mounted.get(line + this.#dropped)?.height ?? 0
    return known > 0 ? known : this.#rowsOf(this.#log.line(line, 0, maxLineLength)) * lineHeight
  }

  #rowsOf(line: LogLine | undefined): number {
    return Math.max(1, Math.ceil(columnsAfter(line?.text ?? '', 0) / this.#columns()))
  }

  #columns(): number {
    const gutter = Math.max(5, this.#digits) + 2
    return Math.max(8, Math.floor(this.#viewWidth / this.#font.columnWidth) - gutter)
  }

  #totalHeight(): number {
    return this.#topOf(this.#log.lineCount)
  }

  /** How far the line is from the first; where lines wrap, an estimate. */
  #topOf(line: number): number {
    const { lineHeight } = this.#options
    return (line * this.#perLine() + this.#notesBefore(line)) * lineHeight
  }

  /** The line that is there. */
  #lineAt(top: number): number {
    const { lineHeight } = this.#options
    const perLine = this.#perLine() * lineHeight
    const last = Math.max(0, this.#log.lineCount - 1)
    let high = Math.min(last, Math.max(0, Math.floor(top / perLine)))
    let low = Math.max(0, high - this.#noteLines.length)
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#topOf(middle) <= top) low = middle
      else high = middle - 1
    }
    return low
  }

  /** Rows of text that a line takes. */
  #perLine(): number {
    if (!this.#options.isWrapped) return 1
    const { lineCount } = this.#log
    const known = this.#rowsPerLine
    const columns = this.#columns()
    if (columns === known.columns && lineCount >= known.lineCount && lineCount < known.lineCount * 1.5 + 16)
      return known.value
    const step = Math.max(1, Math.floor(lineCount / samples))
    let rows = 0
    let count = 0
    for (let line = 0; line < lineCount; line += step, count++) {
      rows += this.#rowsOf(this.#log.line(line, 0, maxLineLength))
    }
    this.#rowsPerLine = { value: count === 0 ? 1 : rows / count, lineCount, columns }
    return this.#rowsPerLine.value
  }

  #rowsInSight(): number {
    return Math.ceil(this.#viewHeight / this.#options.lineHeight) + 1
  }

  /** What is above and below the anchor's point; near an end, or where no line wraps, exactly. */
  #distances(): { readonly above: number; readonly below: number } {
    const { line, offset } = this.#anchor
    const { lineCount } = this.#log
    const total = this.#totalHeight()
    if (!this.#options.isWrapped) {
      const above = this.#topOf(line) + offset
      return { above, below: total - above }
    }
    const near = 4 * this.#rowsInSight()
    let above = offset
    let below = -offset
    if (line <= near) for (let i = 0; i < line; i++) above += this.#heightOf(i)
    else above = this.#topOf(line) + offset
    if (lineCount - line <= near) for (let i = line; i < lineCount; i++) below += this.#heightOf(i)
    else below = total - this.#topOf(line) - offset
    return { above, below }
  }

  /** Moves the anchor by so many px. */
  #move(by: number): void {
    if (!this.#options.isWrapped) {
      const top = Math.max(0, this.#topOf(this.#anchor.line) + this.#anchor.offset + by)
      const line = this.#lineAt(top)
      this.#anchor = { line, offset: top - this.#topOf(line) }
      return
    }
    let { line, offset } = this.#anchor
    offset += by
    while (offset < 0 && line > 0) offset += this.#heightOf(--line)
    const last = this.#log.lineCount - 1
    for (let height = this.#heightOf(line); offset >= height && line < last; height = this.#heightOf(line)) {
      offset -= height
      line++
    }
    this.#anchor = { line, offset: Math.max(0, offset) }
  }

  /** Works out the height of the space and where in it the anchor is; `isJump` where it may be anywhere. */
  #settle(isJump: boolean): { readonly height: number; readonly scrollTop: number } {
    const view = this.#viewHeight
    let { above, below } = this.#distances()
    if (below < view && above > 0) {
      this.#move(Math.max(-above, below - view))
      ;({ above, below } = this.#distances())
    }
    const total = above + below
    const isExact = !this.#options.isWrapped && total <= maxHeight
    const isNearTop = above < 3 * view
    const isNearEnd = below < 4 * view
    if (isExact || (isNearTop && isNearEnd)) return this.#scrollTo(total, above)
    const height = Math.min(Math.max(total, 12 * view), maxHeight)
    const range = height - view
    let scrollTop = this.#scrollTop
    if (isNearTop) scrollTop = above
    else if (isNearEnd) scrollTop = height - below
    else if (isJump || scrollTop < view || scrollTop > range - view) {
      scrollTop = Math.min(Math.max((above / Math.max(1, total - view)) * range, 1.5 * view), range - 1.5 * view)
    }
    return this.#scrollTo(height, scrollTop)
  }

  #scrollTo(height: number, scrollTop: number): { readonly height: number; readonly scrollTop: number } {
    if (height !== this.#height) {
      this.#height = height
      this.#space.style.height = `${height}px`
    }
    if (Math.abs(scrollTop - this.#scrollTop) >= 0.5) {
      this.#scrollTop = Math.max(0, Math.min(scrollTop, height - this.#viewHeight))
      this.#isScrollDue = true
    }
    return { height, scrollTop }
  }

  /** Shows the last lines, or those that are known ahead of the work. */
  #drawEnd(ahead: readonly LogLine[] | undefined): void {
    const { lineHeight, isWrapped } = this.#options
    const lineCount = ahead?.length ?? this.#log.lineCount
    const total = Math.max(this.#totalHeight(), lineCount * lineHeight)
    const lineOf = (line: number) => ahead?.[line] ?? this.#log.line(line, ...this.#partOf(line))
    let height = Math.min(total, maxHeight)
    const place = (): Placed[] => {
      const until = height - this.#viewHeight - overscan * lineHeight
      const placed: Placed[] = []
      let top = height
      for (let line = lineCount - 1; line >= 0 && top > until; line--) {
        const hasNote = ahead === undefined && this.#hasNote(line)
        const key = ahead === undefined ? line + this.#dropped : line - lineCount
        const known = this.#mounted.get(key)?.height ?? 0
        top -= isWrapped ? known || this.#rowsOf(lineOf(line)) * lineHeight : lineHeight
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
    let placed = place()
    if (this.#write(placed, ahead)) placed = place()
    this.#placeAll(placed, ahead)
    this.#scrollTo(height, Math.max(0, height - this.#viewHeight))
    if (ahead !== undefined) return
    const first = placed.findIndex(({ top }) => top + lineHeight > this.#scrollTop)
    const { line, top, hasNote } = placed[Math.max(0, first)] ?? { line: 0, top: 0, hasNote: false }
    this.#anchor = { line, offset: Math.max(0, this.#scrollTop - top + (hasNote ? lineHeight : 0)) }
  }

  /** Shows the lines around the anchor. */
  #drawAnchor(): void {
    const { scrollTop } = this.#settle(false)
    const { lineCount } = this.#log
    const { lineHeight } = this.#options
    const margin = overscan * lineHeight
    const place = (): Placed[] => {
      const { line: from, offset } = this.#anchor
      const placed: Placed[] = []
      let top = scrollTop - offset
      for (let line = from; line < lineCount && top < scrollTop + this.#viewHeight + margin; line++) {
        const hasNote = this.#hasNote(line)
        placed.push({ line, top: top + (hasNote ? lineHeight : 0), hasNote })
        top += this.#heightOf(line)
      }
      top = scrollTop - offset
      for (let line = from - 1; line >= 0 && top > scrollTop - margin; line--) {
        top -= this.#heightOf(line)
        const hasNote = this.#hasNote(line)
        placed.unshift({ line, top: top + (hasNote ? lineHeight : 0), hasNote })
      }
      return placed
    }
    let placed = place()
    if (this.#write(placed, undefined)) placed = place()
    // Measured lines may be lower than thought: there is place for more.
    if (this.#options.isWrapped && this.#write(placed, undefined)) placed = place()
    this.#placeAll(placed, undefined)
  }

  /** The part of a line that is mounted. */
  #partOf(line: number): [from: number, to: number] {
    const from = this.#part.number === line + this.#dropped ? this.#part.from : 0
    return [from, from + maxLineLength]
  }

  /** Fills rows for the lines, in their order. Returns whether heights have changed by it. */
  #write(placed: readonly Placed[], ahead: readonly LogLine[] | undefined): boolean {
    const { timeOf, isWrapped, words } = this.#options
    const dropped = this.#dropped
    const keyOf = (line: number) => (ahead === undefined ? line + dropped : line - ahead.length)
    const keys = placed.map(({ line }) => keyOf(line))
    // The ends of what is selected stay mounted, so that the browser goes on showing it as selected.
    for (const number of ahead === undefined ? this.#selection.numbers() : []) {
      if (number >= dropped && !keys.includes(number) && number < dropped + this.#log.lineCount) keys.push(number)
    }
    keys.sort((a, b) => a - b)
    const wanted = new Set(keys)
    const free: LogRow[] = []
    for (const [key, row] of this.#mounted) if (!wanted.has(key)) free.push(row)
    const isForward = (keys[0] ?? 0) >= (this.#mounted.keys().next().value ?? 0)
    const before = this.#mounted
    const mounted = new Map<number, LogRow>()
    const rows: LogRow[] = []
    const written: LogRow[] = []
    let next = 0
    for (const key of keys) {
      const row = before.get(key) ?? free[next++] ?? new LogRow(document)
      const [from, to] = ahead === undefined ? this.#partOf(key - dropped) : [0, maxLineLength]
      const whole = ahead?.[key + ahead.length]
      const line = whole === undefined ? this.#log.line(key - dropped, from, to) : cutLine(whole)
      if (line === undefined) continue
      const isChanged = row.write(
        {
          line,
          from,
          matches: ahead === undefined ? this.#matchesIn(key - dropped) : [],
          number: ahead === undefined ? key + 1 : undefined,
          time: ahead === undefined ? timeOf?.(key + 1) : undefined,
          hint: words.moreCharacters,
        },
        () => this.#font,
      )
      if (isChanged || row.height === 0) {
        row.height = 0
        written.push(row)
        if (!isWrapped) {
          const hints = from > 0 || from + line.text.length < line.length ? hintColumns : 0
          this.#widest = Math.max(this.#widest, columnsAfter(line.text, 0) + hints)
        }
      }
      mounted.set(key, row)
      rows.push(row)
    }
    for (const row of free.slice(next)) row.element.remove()
    this.#mounted = mounted
    this.#rows = rows
    this.#order(isForward)
    this.#setWidth(ahead === undefined ? this.#log.lineCount + dropped : 0)
    if (!isWrapped || written.length === 0) return false
    for (const row of written) row.height = row.element.offsetHeight
    return true
  }

  /** Puts the rows into the order of their lines, moving as few as can be. */
  #order(isForward: boolean): void {
    const lines = this.#lines
    if (isForward) {
      let next: Node | null = null
      for (let i = this.#rows.length - 1; i >= 0; i--) {
        const { element } = this.#rows[i] as LogRow
        if (element.parentNode !== lines || element.nextSibling !== next) lines.insertBefore(element, next)
        next = element
      }
    } else {
      let at = lines.firstChild
      for (const { element } of this.#rows) {
        if (element === at) at = element.nextSibling
        else lines.insertBefore(element, at)
      }
    }
  }

  #placeAll(placed: readonly Placed[], ahead: readonly LogLine[] | undefined): void {
    const { lineHeight } = this.#options
    const dropped = this.#dropped
    const notes = new Map<number, HTMLElement>()
    const isPlaced = new Set<number>()
    for (const { line, top, hasNote } of placed) {
      const key = ahead === undefined ? line + dropped : line - ahead.length
      this.#mounted.get(key)?.place(top)
      isPlaced.add(key)
      if (!hasNote) continue
      const note = this.#notes.get(key) ?? document.createElement('div')
      const text = this.#noteTexts[this.#notesBefore(line)] ?? ''
      note.dataset.slot = 'tool-call-log-note'
      if (note.textContent !== text) note.textContent = text
      note.style.top = `${top - lineHeight}px`
      if (note.parentNode === null) this.#space.append(note)
      notes.set(key, note)
    }
    // Pinned rows stand as far away as they are, or out of sight at least.
    for (const [key, row] of this.#mounted) {
      if (!isPlaced.has(key)) row.place(key < (placed[0]?.line ?? 0) + dropped ? -10 * lineHeight : this.#height)
    }
    for (const [key, note] of this.#notes) if (!notes.has(key)) note.remove()
    this.#notes = notes
    if (this.#numbers !== null) this.#number(this.#numbers, ahead === undefined ? placed : [])
  }

  /** Writes the numbers beside the lines: all of them one text, which costs far less than a box for each. */
  #number(element: HTMLElement, placed: readonly Placed[]): void {
    const { lineHeight } = this.#options
    let text = ''
    for (const { line, hasNote } of placed) {
      const number = line + this.#dropped + 1
      const rows = Math.round(this.#textHeight(line) / lineHeight)
      text += `${hasNote ? '\n' : ''}${number}${'\n'.repeat(rows)}`
    }
    const [first] = placed
    if (first !== undefined) element.style.top = `${first.top - (first.hasNote ? lineHeight : 0)}px`
    if (element.textContent !== text) element.textContent = text
  }

  #setWidth(count: number): void {
    const digits = String(count).length
    if (digits > this.#digits) {
      this.#digits = digits
      this.#scroller.style.setProperty('--tcd-log-number-width', `${digits}ch`)
    }
    // It does not shrink when a long line goes out of sight: what is read would move.
    const width = this.#options.isWrapped ? '' : `calc(${this.#widest}ch + var(--tcd-log-gutter))`
    if (this.#space.style.minWidth !== width && width !== this.#minWidth)
      this.#space.style.minWidth = this.#minWidth = width
  }
  #minWidth = ''
  #knownFont: CellFont | undefined
  #isScrollDue = false
  #drawnAt = -Infinity
  #hasEnded = false
  #counted = -1

  #matchesIn(line: number): readonly MatchedPart[] {
    const search = this.#search
    if (search === undefined || search.error !== null || search.count === 0) return noMatches
    const matches: MatchedPart[] = []
    const current = this.#current
    const isCurrentLine = current?.number === line + this.#dropped
    for (let i = search.indexFrom(line, 0); matches.length < 1_000; i++) {
      const match = search.match(i)
      if (match?.line !== line) break
      matches.push({ from: match.from, to: match.to, isCurrent: isCurrentLine && current?.from === match.from })
    }
    return matches.length > 0 ? matches : noMatches
  }

  readSize(): void {
    const { clientHeight, clientWidth } = this.#scroller
    const { lineHeight, maxLines } = this.#options
    const width = clientWidth || 640
    // While all of it fits, the box may still grow with it.
    const canGrow = Number.isFinite(maxLines) && clientHeight >= this.#height - 1
    this.#viewHeight = canGrow ? Math.max(clientHeight, Math.min(maxLines, 200) * lineHeight) : clientHeight
    if (width !== this.#viewWidth && this.#options.isWrapped) for (const row of this.#rows) row.height = 0
    this.#viewWidth = width
  }

  #tell(): void {
    const { lineCount, droppedLines, alternateLength, refusedChunks } = this.#log
    // By hand: it changes with nearly every frame, and nothing else around the lines does.
    if (this.#count !== null && this.#counted !== lineCount + droppedLines) {
      this.#counted = lineCount + droppedLines
      this.#count.textContent = this.#options.words.lines(this.#counted)
    }
    const search = this.#search && {
      count: this.#search.count,
      isCapped: this.#search.isCapped,
      isWorking: this.#isSearching,
      error: this.#search.error,
      current: this.#currentIndex() ?? -1,
    }
    const newLines = this.#isFollowing ? 0 : Math.max(0, lineCount + droppedLines - this.#leftAt)
    const next: LogViewState = {
      isFollowing: this.#isFollowing,
      newLines,
      alternateLength,
      refusedChunks,
      search,
    }
    if (JSON.stringify(next) === JSON.stringify(this.#state)) return
    this.#state = next
    for (const listener of this.#listeners) listener()
  }

  #listen(): void {
    const listen = <Name extends keyof HTMLElementEventMap>(
      name: Name,
      act: (event: HTMLElementEventMap[Name]) => void,
    ) => {
      this.#scroller.addEventListener(name, act, { passive: name !== 'keydown' })
      this.#ends.push(() => this.#scroller.removeEventListener(name, act))
    }
    const release = () => {
      this.#isHeld = false
      document.removeEventListener('pointerup', release)
      document.removeEventListener('pointercancel', release)
      requestDraw(this)
    }
    this.#ends.push(release)
    listen('scroll', () => this.#onScroll())
    listen('wheel', ({ deltaY, ctrlKey }) => {
      if (deltaY < 0 && !ctrlKey && this.#scrollTop > 0) this.leave()
    })
    // While something is being selected, or a finger is on it, nothing moves.
    listen('pointerdown', ({ button, target }) => {
      if (button !== 0 || target === this.#scroller) return
      this.#isHeld = true
      document.addEventListener('pointerup', release)
      document.addEventListener('pointercancel', release)
    })
    listen('keydown', (event) => this.#onKey(event))
    const onFont = () => {
      forgetFonts()
      this.#knownFont = undefined
      for (const row of this.#rows) row.forget()
      requestDraw(this)
    }
    document.fonts?.addEventListener('loadingdone', onFont)
    this.#ends.push(() => document.fonts?.removeEventListener('loadingdone', onFont))
  }

  #onKey(event: KeyboardEvent): void {
    const { key, altKey, shiftKey } = event
    const isCommand = event.ctrlKey || event.metaKey
    if (altKey || shiftKey || event.defaultPrevented) return
    if (key === 'Home') this.goToStart()
    else if (key === 'End') this.follow()
    else if (isCommand && key.toLowerCase() === 'a') this.selectAll()
    else {
      if ((key === 'ArrowUp' || key === 'PageUp') && this.#scrollTop > 0) this.leave()
      return
    }
    event.preventDefault()
  }

  #onScroll(): void {
    // It is told of a place that this view is about to leave.
    if (this.#isScrollDue) return
    const { scrollTop } = this.#scroller
    const by = scrollTop - this.#scrollTop
    if (Math.abs(by) < 1) return
    const { lineHeight, isWrapped } = this.#options
    const view = this.#viewHeight
    const isAtEnd = scrollTop + view >= this.#height - 2
    // The browser itself moves it when the box grows.
    if (this.#isFollowing && isAtEnd) {
      this.#scrollTop = scrollTop
      return
    }
    if (by < 0) this.leave()
    this.#scrollTop = scrollTop
    const total = this.#totalHeight()
    if (!isWrapped && total <= maxHeight) {
      const line = this.#lineAt(scrollTop)
      this.#anchor = { line, offset: scrollTop - this.#topOf(line) }
    } else if (Math.abs(by) <= 3 * view) this.#move(by)
    else {
      const top = (scrollTop / Math.max(1, this.#height - view)) * Math.max(0, total - view)
      const line = this.#lineAt(top)
      this.#anchor = { line, offset: isWrapped ? 0 : top - this.#topOf(line) }
    }
    if (by > 0 && (isAtEnd || this.#distances().below - view <= lineHeight / 2)) this.#isFollowing = true
    requestDraw(this)
  }
}

const noMatches: readonly MatchedPart[] = []

/** What a box shows before there is a view, on a server too. */
export const initialState: LogViewState = {
  isFollowing: true,
  newLines: 0,
  alternateLength: 0,
  refusedChunks: 0,
  search: undefined,
}

function cutLine(line: LogLine): LogLine {
  if (line.text.length <= maxLineLength) return line
  return {
    ...line,
    text: line.text.slice(0, maxLineLength),
    runs: line.runs
      .filter(({ from }) => from < maxLineLength)
      .map((run) => ({ ...run, to: Math.min(run.to, maxLineLength) })),
  }
}
