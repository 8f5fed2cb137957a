import { columnsAfter, type Log, type LogLine } from '../../core/index.js'
import { LogRow, type MatchedPart, maxLineLength, type RowContent } from './LogRow.js'
import type { LogViewOptions } from './logViewOptions.js'
import type { PlacedLine } from './placedLine.js'
import type { TextGrid } from './TextGrid.js'
import type { ViewSearch } from './ViewSearch.js'

/** Room for what says that a line is longer, before and behind it, in columns. */
const hintColumns = 80

const noMatches: readonly MatchedPart[] = []
const noRows: ReadonlyMap<number, LogRow> = new Map()

/**
 * The rows that are mounted, in the order of their lines. Those whose lines are shown no longer are filled with other
 * lines, and only what a line does not share with what its row showed before is written.
 */
export class MountedRows {
  readonly #log: Log
  readonly #space: HTMLElement
  readonly #lines: HTMLElement
  readonly #grid: TextGrid
  readonly #search: ViewSearch
  readonly #font = () => this.#grid.font
  #rows = new Map<number, LogRow>()
  /** Columns of the longest line that was mounted. */
  #widest = 0
  #minWidth = ''

  constructor(log: Log, space: HTMLElement, lines: HTMLElement, grid: TextGrid, search: ViewSearch) {
    this.#log = log
    this.#space = space
    this.#lines = lines
    this.#grid = grid
    this.#search = search
  }

  /** In the order of their lines; another map after each `write`. See `keyOf`. */
  get byKey(): ReadonlyMap<number, LogRow> {
    return this.#rows
  }

  /** What a line's row is found by: its number, its index plus the lines dropped; in `ahead`, a negative one. */
  keyOf(line: number, ahead: readonly LogLine[] | undefined): number {
    return ahead === undefined ? line + this.#log.droppedLines : line - ahead.length
  }

  /** What of a line is mounted, or is to be. */
  lineOf(line: number, ahead: readonly LogLine[] | undefined): LogLine | undefined {
    if (ahead !== undefined) return ahead[line] && cutLine(ahead[line])
    const from = this.#search.partOf(line)
    return this.#log.line(line, from, from + maxLineLength)
  }

  /** The height of a row in px as it was measured; 0 if it was not. */
  heightOf(key: number): number {
    return this.#rows.get(key)?.height ?? 0
  }

  /**
   * Fills rows for these lines, of the log or, where the work has not come to them yet, of `ahead`; the lines with the
   * numbers `pinned` have rows, too. Where lines wrap, measures what has changed: returns whether anything was measured.
   */
  write(
    placed: readonly PlacedLine[],
    ahead: readonly LogLine[] | undefined,
    pinned: readonly number[],
    options: LogViewOptions,
  ): boolean {
    const { isWrapped } = this.#grid
    const keys = this.#keysOf(placed, ahead, pinned)
    const wanted = new Set(keys)
    const isForward = (keys[0] ?? 0) >= (this.#rows.keys().next().value ?? 0)
    let kept: ReadonlyMap<number, LogRow> = this.#rows
    let free = [...kept].filter(([key]) => !wanted.has(key)).map(([, row]) => row)
    // Where most lines are new, writing all rows where they stand costs less than moving them.
    if (!isWrapped && keys.length === placed.length && free.length * 2 > kept.size) {
      free = [...kept.values()]
      kept = noRows
    }
    const rows = new Map<number, LogRow>()
    const inOrder: LogRow[] = []
    const written: LogRow[] = []
    let next = 0
    for (const key of keys) {
      const row = kept.get(key) ?? free[next++] ?? new LogRow(document)
      const content = this.#contentOf(key, ahead, options)
      if (content === undefined) continue
      if (row.write(content, this.#font) || row.height === 0) {
        row.height = 0
        written.push(row)
        if (!isWrapped) this.#widest = Math.max(this.#widest, columnsOf(content))
      }
      rows.set(key, row)
      inOrder.push(row)
    }
    for (const row of free.slice(next)) row.element.remove()
    this.#rows = rows
    this.#order(inOrder, isForward)
    this.#setWidth(ahead === undefined ? this.#log.lineCount + this.#log.droppedLines : 0)
    if (!isWrapped || written.length === 0) return false
    for (const row of written) row.height = row.element.offsetHeight
    return true
  }

  /** Has the next `write` measure the rows. */
  forgetHeights(): void {
    for (const row of this.#rows.values()) row.height = 0
  }

  /** Has the lines be as wide as the longest that is mounted from now on. */
  forgetWidth(): void {
    this.#widest = 0
  }

  /** Has the next `write` fill the rows anew. */
  forgetContent(): void {
    for (const row of this.#rows.values()) row.forget()
  }

  #keysOf(
    placed: readonly PlacedLine[],
    ahead: readonly LogLine[] | undefined,
    pinned: readonly number[],
  ): readonly number[] {
    const { droppedLines, lineCount } = this.#log
    const keys = placed.map(({ line }) => this.keyOf(line, ahead))
    for (const number of pinned) {
      if (number >= droppedLines && !keys.includes(number) && number < droppedLines + lineCount) keys.push(number)
    }
    return keys.sort((a, b) => a - b)
  }

  #contentOf(
    key: number,
    ahead: readonly LogLine[] | undefined,
    { timeOf, words }: LogViewOptions,
  ): RowContent | undefined {
    const index = ahead === undefined ? key - this.#log.droppedLines : key + ahead.length
    const line = this.lineOf(index, ahead)
    if (line === undefined) return undefined
    const hint = words.moreCharacters
    // What needs the line's number has to wait for the work.
    if (ahead !== undefined) return { line, from: 0, matches: noMatches, number: undefined, time: undefined, hint }
    const from = this.#search.partOf(index)
    return { line, from, matches: this.#search.matchesIn(index), number: key + 1, time: timeAt(timeOf, key + 1), hint }
  }

  /** Puts the rows into this order, moving as few as can be. */
  #order(rows: readonly LogRow[], isForward: boolean): void {
    const lines = this.#lines
    if (isForward) {
      let next: Node | null = null
      for (let i = rows.length - 1; i >= 0; i--) {
        const { element } = rows[i] as LogRow
        if (element.parentNode !== lines || element.nextSibling !== next) lines.insertBefore(element, next)
        next = element
      }
    } else {
      let at = lines.firstChild
      for (const { element } of rows) {
        if (element === at) at = element.nextSibling
        else lines.insertBefore(element, at)
      }
    }
  }

  /** Has the lines be as wide as the longest, with room for numbers up to `count` beside them. */
  #setWidth(count: number): void {
    this.#grid.makeRoomFor(count)
    // It does not shrink when a long line goes out of sight: what is read would move.
    const width = this.#grid.isWrapped ? '' : `calc(${this.#widest}ch + var(--tcd-log-gutter))`
    if (width !== this.#minWidth) this.#space.style.minWidth = this.#minWidth = width
  }
}

/** What the host says; where it throws, nothing: a line is shown without. */
function timeAt(timeOf: LogViewOptions['timeOf'], number: number): string | undefined {
  try {
    return timeOf?.(number)
  } catch {
    return undefined
  }
}

function columnsOf({ line, from }: RowContent): number {
  const isWhole = from === 0 && line.text.length >= line.length
  return columnsAfter(line.text, 0) + (isWhole ? 0 : hintColumns)
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
