import { Input } from './input.js'
import { expandTabs, type Row, type StyledText } from './row.js'
import type { Screen, ScreenState } from './screen.js'
import { PLAIN, type Styles } from './style.js'

/** The lines of a page that had to be worked through cell by cell, each followed by a line feed. */
interface Folded {
  readonly text: string
  readonly starts: Uint32Array
  /** Pairs as in `StyledText`, of offsets in `text`; at the beginning of each line the style is plain again. */
  readonly runs: Uint32Array
}

/**
 * About 64 kB of input and the lines that it makes. Input is kept as it came, in pieces: what reads the same as it was
 * sent needs no second copy, and a late chunk can be put into it. A page begins where a line begins; everything that
 * reading it depends on is its `entry`.
 *
 * Its lines are found in one of three ways: in the input itself if that is text and line feeds; in the input without
 * its escape sequences if those only select styles (then at once for the line that is asked for); else in `folded`.
 */
export class Page {
  /** The state in which the first line begins. */
  entry: ScreenState
  /** Where the screen begins instead, if the input before was given up (see `Fold`). */
  base: Screen | null = null
  /** While lines are found in the input: the state behind it. */
  state: ScreenState
  input = new Input()
  /** The input after late chunks or a removal. The lines stay those of `input` until the page is read again. */
  changed: Input | null = null
  /** An unfinished sequence at the end of the input so far, not in `input` yet. */
  rest = ''
  /** Lines that begin in this page; the last one of an open page may be empty. */
  lines = 1
  /** Where lines begin in the input; only so many as `lines` count, and only while `folded` and `screen` are null. */
  starts = new Uint32Array(1)
  /** The input has escape sequences (for styles) or carriage returns (before line feeds). */
  isMarked = false
  /** While the page is open and its input more than text and styles. */
  screen: Screen | null = null
  folded: Folded | null = null
  /** Closed pages end with a line feed. */
  isOpen = true
  /** The input was given up: the lines stay as they are. */
  isFinal = false
  /** The page is closed when its input is longer. */
  limit: number
  #alternateLength = 0
  #textLength = -1
  #lineStyles: Uint32Array | null = null
  #lineStylesLength = -1

  constructor(entry: ScreenState, limit: number) {
    this.entry = entry
    this.state = entry
    this.limit = limit
  }

  /** UTF-16 units drawn on the alternate screen. */
  get alternateLength(): number {
    return this.screen?.alternateLength ?? this.#alternateLength
  }

  /** Line feeds end the lines of a closed page; an open one has a last line without. */
  #lineEnd(line: number): number {
    if (line + 1 < this.lines) return (this.starts[line + 1] as number) - 1
    return this.input.length - (this.isOpen ? 0 : 1)
  }

  /** The text of a line and its style runs. */
  line(line: number, styles: Styles): StyledText {
    if (this.screen !== null) return (this.screen.rows[line] as Row).read()
    if (this.folded !== null) return this.#foldedLine(this.folded, line)
    const input = this.input.slice(this.starts[line] as number, this.#lineEnd(line))
    const style = this.isMarked ? (this.#stylesOfLines(styles)[line] as number) : this.entry.style
    return readLine(input, style, styles)
  }

  /** The length of a line and a part of it, without reading the rest where that can be. */
  part(line: number, from: number, to: number, styles: Styles): StyledText & { readonly length: number } {
    if (this.screen === null && this.folded === null && !this.isMarked && !this.input.hasTabs) {
      const start = this.starts[line] as number
      const length = this.#lineEnd(line) - start
      const text = this.input.slice(start + Math.min(from, length), start + Math.min(to, length))
      return { text, length, runs: this.entry.style === PLAIN ? [] : [0, this.entry.style] }
    }
    const { text, runs } = this.line(line, styles)
    if (from === 0 && to >= text.length) return { text, runs, length: text.length }
    const shifted: number[] = []
    for (let i = 0; i < runs.length; i += 2)
      shifted.push(Math.max(0, (runs[i] as number) - from), runs[i + 1] as number)
    return { text: text.slice(from, to), runs: shifted, length: text.length }
  }

  /** All lines, a line feed behind each but the last of an open page. */
  text(): string {
    if (this.folded !== null) return this.folded.text
    if (this.screen !== null) return this.screen.rows.map((row) => row.read().text).join('\n')
    let text = this.input.pieces.join('')
    if (this.isMarked) text = withoutMarks(text)
    return this.input.hasTabs ? text.replace(/^.*\t.*$/gm, (line) => expandTabs(line, []).text) : text
  }

  /** Whether `pieces` are the same as `text()`. */
  get isText(): boolean {
    return this.screen === null && this.folded === null && !this.isMarked && !this.input.hasTabs
  }

  /** Not less than `textLength`, and cheaper. */
  get maxTextLength(): number {
    if (this.screen !== null) {
      // A mark takes no column: it is counted with the input.
      return this.screen.rows.reduce(
        (sum, row) => sum + 1 + (row.cells?.length ?? row.text.length * 8),
        this.input.length,
      )
    }
    if (this.#textLength >= 0) return this.#textLength
    return this.folded !== null ? this.folded.text.length : this.input.length * (this.input.hasTabs ? 8 : 1)
  }

  /** The length of `text()` in UTF-16 units. */
  get textLength(): number {
    if (this.isText) return this.input.length
    if (this.isOpen) return this.text().length
    return this.#textLength < 0 ? (this.#textLength = this.text().length) : this.#textLength
  }

  /** Whether an open page has nothing to be seen in its last line. */
  get endsEmpty(): boolean {
    if (this.screen !== null) return (this.screen.rows.at(-1) as Row).isEmpty
    if (!this.isOpen) return false
    const start = this.starts[this.lines - 1] as number
    // Looking at the beginning is nearly always enough; the line may be very long.
    return (
      unseen.test(this.input.slice(start, start + 1_024)) && unseen.test(this.input.slice(start, this.input.length))
    )
  }

  /** Closes the page: it ends with a line feed and gets no more input. `state` is the state behind it. */
  close(state: ScreenState): void {
    if (this.screen !== null) {
      this.#alternateLength = this.screen.alternateLength
      this.setFolded(this.screen.rows.slice(0, -1))
      this.screen = null
    } else {
      this.lines--
      this.starts = this.starts.slice(0, this.lines)
    }
    this.state = state
    this.isOpen = false
    this.input.seal()
  }

  /** Sets the lines. */
  setFolded(rows: readonly Row[]): void {
    this.folded = fold(rows)
    this.lines = rows.length
    this.starts = new Uint32Array(0)
  }

  #foldedLine({ text, starts, runs }: Folded, line: number): StyledText {
    const from = starts[line] as number
    const to = (line + 1 < starts.length ? (starts[line + 1] as number) : text.length) - 1
    let low = 0
    let high = runs.length >> 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((runs[middle * 2] as number) < from) low = middle + 1
      else high = middle
    }
    const own: number[] = []
    for (let i = low * 2; i < runs.length && (runs[i] as number) < to; i += 2) {
      own.push((runs[i] as number) - from, runs[i + 1] as number)
    }
    return { text: text.slice(from, to), runs: own }
  }

  /** The style at the beginning of each line, found on the first reading of a page with styles. */
  #stylesOfLines(styles: Styles): Uint32Array {
    if (this.#lineStyles !== null && this.#lineStylesLength === this.input.length) return this.#lineStyles
    const found = new Uint32Array(this.lines)
    const input = this.input.pieces.join('')
    let line = 0
    let { style } = this.entry
    for (let at = input.indexOf('\x1b'); at >= 0; at = input.indexOf('\x1b', at)) {
      for (; line < this.lines && (this.starts[line] as number) <= at; line++) found[line] = style
      const end = input.indexOf('m', at)
      style = styles.select(style, input, at + 2, end)
      at = end
    }
    found.fill(style, line)
    this.#lineStylesLength = this.input.length
    return (this.#lineStyles = found)
  }
}

/** Reads a line of input whose escape sequences all select styles. */
function readLine(input: string, style: number, styles: Styles): StyledText {
  let end = input.length
  while (end > 0 && input.charCodeAt(end - 1) === 0x0d) end--
  const runs: number[] = []
  let text = ''
  let from = 0
  for (;;) {
    let at = input.indexOf('\x1b', from)
    if (at < 0) at = end
    if (at > from) {
      if (style !== (runs.at(-1) ?? PLAIN)) runs.push(text.length, style)
      text += input.slice(from, at)
    }
    if (at >= end) return expandTabs(text, runs)
    from = input.indexOf('m', at) + 1
    style = styles.select(style, input, at + 2, from - 1)
  }
}

const unseen = /^(?:\t|\x1b\[[\d;:]*m)*$/

/** The text without sequences that select styles, and with line feeds only for line ends. */
function withoutMarks(text: string): string {
  const lines = text.replaceAll('\r', '')
  return lines.includes('\x1b') ? lines.replace(/\x1b\[[\d;:]*m/g, '') : lines
}

function fold(rows: readonly Row[]): Folded {
  const starts = new Uint32Array(rows.length)
  const runs: number[] = []
  const parts: string[] = []
  let length = 0
  for (let i = 0; i < starts.length; i++) {
    const row = (rows[i] as Row).read()
    starts[i] = length
    for (let k = 0; k < row.runs.length; k += 2) runs.push(length + (row.runs[k] as number), row.runs[k + 1] as number)
    parts.push(row.text)
    length += row.text.length + 1
  }
  return { text: parts.length > 0 ? `${parts.join('\n')}\n` : '', starts, runs: Uint32Array.from(runs) }
}
