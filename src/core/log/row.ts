import { cellWidth, columnsAfter } from './cellWidth.js'
import { PLAIN } from './style.js'

/** A line as text. `runs` are pairs: an offset, and the number of the style from there on; before the first: plain. */
export interface StyledText {
  readonly text: string
  readonly runs: readonly number[]
}

/** A column that nothing was written to: a blank inside a line, nothing at its end. */
const UNWRITTEN = ''
/** The same in a row that is text. */
const GAP = '\x01'
/** The second column of a wide character. */
const TAIL = '\0'

/** Characters are inserted and deleted only in lines up to so many columns, since each moves all behind it. */
const MAX_SHIFTED = 1_024

/** A longer line is not changed inside: its cells would take many times its memory. In UTF-16 units. */
const MAX_EDITED = 1 << 20

/**
 * A line that is being written. While it only grows it is text (tabs kept, since nothing stands in the way of reading
 * them later); the first change inside of it makes it cells, one string for each column.
 */
export class Row {
  text = ''
  runs: number[] = []
  /** By column; null while the row is text. */
  cells: string[] | null = null
  styles: number[] = []
  /** The columns of the text less what was added since they were counted. */
  #columns = 0
  #uncounted = ''

  /** Adds text at the end of a row without cells, or farther to the right. */
  append(text: string, style: number, column = 0): void {
    if (column > 0 && column > this.columns) this.append(GAP.repeat(column - this.columns), PLAIN)
    if (style !== (this.runs.at(-1) ?? PLAIN)) this.runs.push(this.text.length, style)
    this.text += text
    this.#uncounted += text
  }

  /** The column behind everything in the row, a trailing tab included. */
  get columns(): number {
    if (this.cells !== null) return this.cells.length
    if (this.#uncounted !== '') {
      this.#columns = columnsAfter(this.#uncounted, this.#columns)
      this.#uncounted = ''
    }
    return this.#columns
  }

  /** Whether the row is too long to be changed inside. */
  get isFixed(): boolean {
    return this.cells === null && this.text.length > MAX_EDITED
  }

  /** Whether there is nothing to be seen in it. */
  get isEmpty(): boolean {
    return this.cells === null ? /^\t*$/.test(this.text) : this.cells.length === 0
  }

  /** Makes cells of the text. */
  edit(): void {
    if (this.cells !== null) return
    const { text, runs } = this
    this.cells = []
    for (let i = 0, from = 0, style = PLAIN; i <= runs.length; i += 2) {
      const to = runs[i] ?? text.length
      const parts = text.slice(from, to).split('\t')
      let column = this.cells.length
      for (const [k, part] of parts.entries()) {
        if (k > 0) column = (column | 7) + 1
        if (part !== '') column = this.write(column, part, style)
      }
      // A trailing tab of this run is the beginning of the next.
      while (this.cells.length < column) this.#pushUnwritten()
      from = to
      style = runs[i + 1] ?? PLAIN
    }
    this.#trim()
    this.text = this.#uncounted = ''
    this.runs = []
  }

  /** Writes over what is in the cells from `column` on; the column behind it is returned. */
  write(column: number, text: string, style: number): number {
    const cells = this.cells as string[]
    const { styles } = this
    while (cells.length < column) this.#pushUnwritten()
    if (cells[column] === TAIL) this.#clear(column - 1)
    if (simple.test(text)) {
      for (let i = 0; i < text.length; i++) {
        cells[column] = text[i] as string
        styles[column++] = style
      }
    } else {
      for (const character of text) {
        const width = cellWidth(character.codePointAt(0) as number)
        if (width === 0 && column > 0) {
          cells[column - (cells[column - 1] === TAIL ? 2 : 1)] += character
          continue
        }
        // A wide character may have ended where this one begins to write.
        cells[column] = character === GAP ? UNWRITTEN : character
        styles[column++] = style
        if (width === 2) {
          cells[column] = TAIL
          styles[column++] = style
        }
      }
    }
    if (cells[column] === TAIL) {
      this.#clear(column)
      this.#trim()
    }
    return column
  }

  /** Empties the columns from `from` up to before `to`; behind the last column that is left the row ends. */
  erase(from: number, to: number): void {
    if (from >= this.columns) return
    if (from === 0 && to >= this.columns) {
      this.text = ''
      this.runs = []
      this.cells = null
      this.styles = []
      this.#columns = 0
      this.#uncounted = ''
      return
    }
    if (this.isFixed) return
    this.edit()
    const cells = this.cells as unknown as string[]
    if (cells[from] === TAIL) this.#clear(from - 1)
    if (cells[to] === TAIL) this.#clear(to)
    cells.fill(UNWRITTEN, from, to)
    this.styles.fill(PLAIN, from, to)
    this.#trim()
  }

  /** Takes `count` columns out at `column`; what is behind moves to the left. */
  delete(column: number, count: number): void {
    if (column >= this.columns || this.columns > MAX_SHIFTED) return
    this.erase(column, column + count)
    this.edit()
    this.cells?.splice(column, count)
    this.styles.splice(column, count)
  }

  /** Puts `count` empty columns in at `column`; what is behind moves to the right. */
  insert(column: number, count: number): void {
    if (column >= this.columns || this.columns + count > MAX_SHIFTED) return
    this.edit()
    const cells = this.cells as unknown as string[]
    if (cells[column] === TAIL) {
      this.#clear(column - 1)
      this.#clear(column)
    }
    cells.splice(column, 0, ...Array.from({ length: count }, () => UNWRITTEN))
    this.styles.splice(column, 0, ...Array.from({ length: count }, () => PLAIN))
  }

  /** The row as text, tabs and unwritten columns as blanks. */
  read(): StyledText {
    if (this.cells === null) return expandTabs(this.text.replaceAll(GAP, ' '), this.runs)
    const runs: number[] = []
    let text = ''
    let last = PLAIN
    for (let column = 0; column < this.cells.length; column++) {
      const cell = this.cells[column] as string
      if (cell === TAIL) continue
      const style = this.styles[column] as number
      if (style !== last) runs.push(text.length, (last = style))
      text += cell === UNWRITTEN ? ' ' : cell
    }
    return { text, runs }
  }

  /** A copy that can be written to on its own. */
  copy(): Row {
    const row = new Row()
    row.text = row.#uncounted = this.text
    row.runs = this.runs.slice()
    row.cells = this.cells?.slice() ?? null
    row.styles = this.styles.slice()
    return row
  }

  /** Empties a column: half of a wide character can not stand alone. */
  #clear(column: number): void {
    ;(this.cells as string[])[column] = UNWRITTEN
    this.styles[column] = PLAIN
  }

  #pushUnwritten(): void {
    this.styles[(this.cells as string[]).push(UNWRITTEN) - 1] = PLAIN
  }

  #trim(): void {
    const cells = this.cells as string[]
    let { length } = cells
    while (length > 0 && cells[length - 1] === UNWRITTEN) length--
    cells.length = this.styles.length = length
  }
}

const simple = /^[ -~]*$/

/** The text with blanks up to the next multiple of 8 columns for each tab; for those at the end there are none. */
export function expandTabs(text: string, runs: readonly number[]): StyledText {
  if (!text.includes('\t')) return { text, runs }
  const expanded: number[] = []
  let out = ''
  /** The column of the cursor, and the column behind `out`. */
  let column = 0
  let end = 0
  /** Where the part begins in `text`, and the run that it begins in. */
  let from = 0
  let run = -2
  for (const [k, part] of text.split('\t').entries()) {
    if (k > 0) {
      column = (column | 7) + 1
      from++
    }
    if (part === '') continue
    if (column > end) {
      if (expanded.length > 0) expanded.push(out.length, PLAIN)
      out += ' '.repeat(column - end)
    }
    while (run + 2 < runs.length && (runs[run + 2] as number) <= from) run += 2
    if (run >= 0) expanded.push(out.length, runs[run + 1] as number)
    for (; run + 2 < runs.length && (runs[run + 2] as number) < from + part.length; run += 2) {
      expanded.push(out.length + (runs[run + 2] as number) - from, runs[run + 3] as number)
    }
    out += part
    end = column = columnsAfter(part, column)
    from += part.length
  }
  return { text: out, runs: expanded }
}
