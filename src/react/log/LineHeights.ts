import { columnsAfter, type Log, type LogLine } from '../../core/index.js'
import type { LogNotes } from './LogNotes.js'
import { maxLineLength } from './LogRow.js'
import type { TextGrid } from './TextGrid.js'

/** Lines that an estimate of heights looks at. */
const samples = 256

/**
 * How high the lines of a log are, and with that where each stands. Where no line wraps all is known. Else a line is as
 * high as its row was measured or as its columns tell, and where it stands is an estimate, made of some of the lines: to
 * add up the heights of all would take the longer the more there are.
 */
export class LineHeights {
  readonly #log: Log
  readonly #grid: TextGrid
  readonly #notes: LogNotes
  readonly #measured: (line: number) => number
  /** Rows of text that a line takes, as estimated from some of them, and for what. */
  #rowsPerLine = { value: 1, lineCount: 0, columns: 0 }

  /** `measured` is the height of a line's row in px, 0 where it is not known. */
  constructor(log: Log, grid: TextGrid, notes: LogNotes, measured: (line: number) => number) {
    this.#log = log
    this.#grid = grid
    this.#notes = notes
    this.#measured = measured
  }

  /** Of all lines, in px. */
  get total(): number {
    return this.topOf(this.#log.lineCount)
  }

  /** The height of a line and its note. */
  of(line: number): number {
    return (this.#notes.has(line) ? this.#grid.lineHeight : 0) + this.ofText(line)
  }

  /** The height of a line without its note. */
  ofText(line: number): number {
    if (!this.#grid.isWrapped) return this.#grid.lineHeight
    return this.#measured(line) || this.estimate(this.#log.line(line, 0, maxLineLength))
  }

  /** The height of a line that wraps, as its columns tell. */
  estimate(line: LogLine | undefined): number {
    return this.#rowsOf(line) * this.#grid.lineHeight
  }

  /** How far the line is from the first. */
  topOf(line: number): number {
    return (line * this.#perLine() + this.#notes.before(line)) * this.#grid.lineHeight
  }

  /** The line that is there. */
  lineAt(top: number): number {
    const perLine = this.#perLine() * this.#grid.lineHeight
    const last = Math.max(0, this.#log.lineCount - 1)
    let high = Math.min(last, Math.max(0, Math.floor(top / perLine)))
    let low = Math.max(0, high - this.#notes.count)
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.topOf(middle) <= top) low = middle
      else high = middle - 1
    }
    return low
  }

  #rowsOf(line: LogLine | undefined): number {
    return Math.max(1, Math.ceil(columnsAfter(line?.text ?? '', 0) / this.#grid.columns))
  }

  /** Rows of text that a line takes. */
  #perLine(): number {
    if (!this.#grid.isWrapped) return 1
    const { lineCount } = this.#log
    const { columns } = this.#grid
    const known = this.#rowsPerLine
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
}
