import { checkedLink } from './checkedLink.js'
import { Row } from './row.js'
import { PLAIN, type Styles } from './style.js'

/** Where a saved cursor stands (ESC 7): a row, a column, and the style in force. */
export interface SavedCursor {
  readonly row: number
  readonly column: number
  readonly style: number
}

/** What the meaning of further output depends on, at the beginning of a line behind everything else. */
export interface ScreenState {
  readonly style: number
  /** The row that counts as the first of the screen; rows are counted from the new line, so it is at most 0. */
  readonly origin: number
  readonly saved: SavedCursor | null
  /** Output goes to the alternate screen. */
  readonly alternate: boolean
}

/** How a log reads its input. */
export interface ScreenOptions {
  /** Rows of the screen: how far up the cursor can go. */
  readonly rows: number
  /** Whether a line feed returns to the first column. */
  readonly lfImpliesCr: boolean
}

/** Gives the rows before those of a screen when the cursor goes up to them; null if there are none. */
export type RowsAbove = () => readonly Row[] | null

/** The cursor stands behind all that is in a row that is text. */
const END = -1
/** The cursor goes no farther than this column, or the end of the line, and repeats no character more often. */
const MAX_COLUMN = 512
/** The cursor goes no farther below the last line, and no more lines are inserted at once. */
const MAX_BELOW = 64
/** So much of what was printed is remembered, in UTF-16 units: one character and its marks. */
const PRINTED = 32
/** Control sequences and strings that are longer are not understood, only swallowed. */
const MAX_SEQUENCE = 4_096

/** A row without anything, which stands for any number of them; the first writing puts a row of its own there. */
const EMPTY = new Row()

const IN_STRING = 1
const IN_CSI = 2

/**
 * A terminal of a number of rows and unlimited columns. Meaning of the sequences as in
 * https://invisible-island.net/xterm/ctlseqs/ctlseqs.html; what differs, so that a log keeps what was printed:
 *
 * - the alternate screen is not shown, its output counted; scroll regions and SU, SD, RI at the top are ignored;
 * - ED 2 begins a new screen below (none if the last line is empty); ED 3 and RIS erase nothing;
 * - BEL ends every string sequence, not only OSC; a line feed ends an open one, which then has no effect;
 * - what a few bytes can add is bounded (see the constants).
 */
export class Screen {
  rows: Row[] = [new Row()]
  /** The cursor. `row` may be behind the last one: rows begin to exist when written to. */
  row = 0
  column = END
  style: number
  origin: number
  saved: SavedCursor | null
  alternate: boolean
  /** UTF-16 units drawn on the alternate screen. */
  alternateLength = 0
  /** What is being swallowed until its end comes. */
  #skipping = 0
  /** The end of what was printed since the last control, for REP. */
  #printed = ''

  readonly #styles: Styles
  readonly #options: ScreenOptions
  readonly #above: RowsAbove

  constructor(state: ScreenState, styles: Styles, options: ScreenOptions, above: RowsAbove) {
    this.#styles = styles
    this.#options = options
    this.#above = above
    this.style = state.style
    this.origin = state.origin
    this.saved = state.saved
    this.alternate = state.alternate
  }

  /** The state, if the cursor stands in an empty last line and nothing is open; else null. */
  get state(): ScreenState | null {
    const last = this.rows.length - 1
    if (this.row !== last || this.column > 0 || this.#skipping > 0 || (this.rows[last] as Row).columns > 0) return null
    const { style, origin, saved, alternate } = this
    return {
      style,
      alternate,
      origin: origin - last,
      // A cursor saved above the screen is restored in its first row, however far above it was.
      saved: saved && { ...saved, row: Math.max(saved.row - last, -this.#options.rows) },
    }
  }

  /** A screen that goes on from here on its own. */
  copy(above: RowsAbove): Screen {
    const screen = new Screen(this, this.#styles, this.#options, above)
    screen.rows = this.rows.map((row) => (row === EMPTY ? row : row.copy()))
    screen.row = this.row
    screen.column = this.column
    screen.alternateLength = this.alternateLength
    screen.#skipping = this.#skipping
    screen.#printed = this.#printed
    return screen
  }

  /** Takes the rows away that the cursor can not reach any more. */
  takeRowsAbove(): readonly Row[] {
    const count = Math.max(0, Math.min(this.origin, this.rows.length - 1))
    this.origin -= count
    this.row -= count
    if (this.saved !== null) this.saved = { ...this.saved, row: this.saved.row - count }
    return this.rows.splice(0, count)
  }

  /** Takes input. Returns how many units were understood: an unfinished sequence at the end is to be given again. */
  write(input: string): number {
    if (this.#skipping === 0 && !this.alternate && textAndReturns.test(input)) {
      this.#writeText(input)
      return input.length
    }
    const { length } = input
    let i = 0
    while (i < length) {
      if (this.#skipping > 0) {
        i = this.#skip(input, i)
        continue
      }
      const from = i
      let unit = 0
      while (i < length && (((unit = input.charCodeAt(i)) > 0x1f && unit < 0x7f) || unit > 0x9f)) i++
      if (i > from) {
        // The first half of a surrogate pair waits for the second.
        const to = i === length && (unit & 0xfc00) === 0xd800 ? i - 1 : i
        if (to > from) this.#print(input.slice(from, to))
        if (i === length) return to
      }
      unit = input.charCodeAt(i)
      if (unit === 0x1b || (unit > 0x8f && stringsAndCsi.includes(unit))) {
        const printed = this.#printed
        this.#printed = ''
        const end = this.#sequence(input, i, unit, printed)
        if (end < 0) {
          this.#printed = printed
          return i
        }
        i = end
      } else {
        this.#control(unit)
        i++
      }
    }
    return length
  }

  /**
   * Takes input of printable characters, line feeds and carriage returns. Text after a carriage return that is written
   * over at once, by text as long behind the next one, need not be written.
   */
  #writeText(input: string): void {
    const texts = input.split('\r')
    for (const [i, text] of texts.entries()) {
      if (i > 0) {
        this.#control(0x0d)
        const next = texts[i + 1]
        if (next !== undefined && lengthOfLine(next) >= text.length && !text.includes('\n') && !this.#isFixed) continue
      }
      for (let from = 0; from < text.length; ) {
        const end = from + lengthOfLine(text, from)
        if (end > from) this.#print(text.slice(from, end))
        if (end < text.length) this.#control(0x0a)
        from = end + 1
      }
    }
  }

  get #isFixed(): boolean {
    return this.rows[this.row]?.isFixed === true
  }

  #print(text: string): void {
    if (this.alternate) {
      this.alternateLength += text.length
      return
    }
    this.#printed = text.length < PRINTED ? (this.#printed + text).slice(-PRINTED) : text
    const row = this.#writable()
    if (row.cells === null && (this.column === END || this.column >= row.columns)) {
      row.append(text, this.style, this.column)
      this.column = END
    } else {
      const edited = this.#editable(row)
      this.column = edited.cells === null ? END : edited.write(this.#currentColumn(), text, this.style)
      if (edited.cells === null) edited.append(text, this.style)
    }
  }

  /** The row of the cursor, made if it is not there yet. */
  #writable(): Row {
    while (this.rows.length <= this.row) this.rows.push(EMPTY)
    const row = this.rows[this.row] as Row
    return row === EMPTY ? (this.rows[this.row] = new Row()) : row
  }

  /** The row as cells; behind one that is too long, a new row without. */
  #editable(row: Row): Row {
    if (!row.isFixed) {
      row.edit()
      return row
    }
    const next = new Row()
    this.rows.splice(++this.row, 0, next)
    this.origin = Math.max(this.origin, this.row - this.#options.rows + 1)
    this.column = END
    return next
  }

  #currentColumn(): number {
    return this.column === END ? (this.rows[this.row]?.columns ?? 0) : this.column
  }

  #toFirstColumn(): void {
    const row = this.rows[this.row]
    this.column = row === undefined || (row.text === '' && row.cells === null) ? END : 0
  }

  #setColumn(column: number): void {
    const row = this.rows[this.row]
    const end = row?.columns ?? 0
    const next = Math.max(0, Math.min(column, Math.max(MAX_COLUMN, end)))
    this.column = next === end && (row === undefined || row.cells === null) ? END : next
  }

  #setRow(row: number): void {
    const lowest = Math.min(this.origin + this.#options.rows, this.rows.length + MAX_BELOW) - 1
    const column = this.#currentColumn()
    this.row = Math.max(this.origin, Math.min(row, Math.max(lowest, this.row)))
    this.#reach(this.row)
    this.#setColumn(column)
  }

  /** Takes in rows from above until the row with that number is there, or there are no more. */
  #reach(row: number): void {
    for (let missing = -row; missing > 0; ) {
      const above = this.#above()
      if (above === null) {
        this.origin = Math.max(0, this.origin)
        this.row = Math.max(0, this.row)
        return
      }
      missing -= above.length
      this.origin += above.length
      this.row += above.length
      if (this.saved !== null) this.saved = { ...this.saved, row: this.saved.row + above.length }
      this.rows = above.concat(this.rows)
    }
  }

  #lineFeed(returns: boolean): void {
    if (this.alternate) return
    const column = returns ? 0 : this.#currentColumn()
    this.row++
    if (this.row === this.rows.length) this.rows.push(new Row())
    if (this.row - this.origin >= this.#options.rows) this.origin = this.row - this.#options.rows + 1
    if (column === 0) this.#toFirstColumn()
    else this.#setColumn(column)
  }

  #control(unit: number): void {
    this.#printed = ''
    if (this.alternate) return
    switch (unit) {
      case 0x08:
        return this.#setColumn(this.#currentColumn() - 1)
      case 0x09:
        // In a row that only grows the tab is kept, as in pages that are not read cell by cell.
        if (this.column === END && this.row < this.rows.length && this.rows[this.row]?.cells === null) {
          return this.#writable().append('\t', this.style)
        }
        return this.#setColumn((this.#currentColumn() | 7) + 1)
      case 0x0a:
      case 0x0b:
      case 0x0c:
        return this.#lineFeed(this.#options.lfImpliesCr)
      case 0x0d:
        return this.#toFirstColumn()
      case 0x84:
        return this.#lineFeed(false)
      case 0x85:
        return this.#lineFeed(true)
      case 0x8d:
        return this.#setRow(this.row - 1)
    }
  }

  /** Reads the sequence that begins at `at`. Returns where it ends, -1 if that has not come yet. */
  #sequence(input: string, at: number, introducer: number, printed: string): number {
    // An 8-bit introducer is ESC and the same less 0x40.
    let i = at + 1
    let unit = introducer - 0x40
    if (introducer === 0x1b) {
      if (i >= input.length) return -1
      unit = input.charCodeAt(i++)
    }
    if (unit === 0x5b) return this.#csi(input, i, printed)
    if (stringsAndCsi.includes(unit + 0x40)) return this.#string(input, i, unit)
    const from = i - 1
    for (i = from; i < input.length; i++) {
      unit = input.charCodeAt(i)
      if (unit < 0x30 && unit !== 0x18 && unit !== 0x1a && unit !== 0x1b && i - from < MAX_SEQUENCE) continue
      const inside = this.#controlsIn(input.slice(from, i))
      if (unit > 0x2f && unit < 0x7f && inside === '') this.#escape(unit)
      return unit === 0x1b || unit > 0x7e ? i : i + 1
    }
    return -1
  }

  /** Carries out the control characters inside of a sequence, as terminals do; what is left of it is returned. */
  #controlsIn(sequence: string): string {
    const controls = sequence.match(controlUnits)
    if (controls === null) return sequence
    for (const control of controls) this.#control(control.charCodeAt(0))
    return sequence.replace(controlUnits, '')
  }

  #escape(final: number): void {
    if (final === 0x63) {
      this.style = PLAIN
      this.saved = null
      this.alternate = false
    }
    if (this.alternate) return
    if (final === 0x37) this.#save()
    else if (final === 0x38) this.#restore()
    // IND, NEL and RI have one-byte forms.
    else if (final === 0x44 || final === 0x45 || final === 0x4d) this.#control(final + 0x40)
  }

  /** A string sequence. Only OSC 8 says something that a log shows. */
  #string(input: string, from: number, kind: number): number {
    for (let i = from; i < input.length; i++) {
      const unit = input.charCodeAt(i)
      if (unit === 0x0a) return i
      if (unit === 0x18 || unit === 0x1a) return i + 1
      if (unit === 0x07 || unit === 0x1b || unit === 0x9c) {
        if (kind === 0x5d && !this.alternate) this.#link(input.slice(from, i))
        // ESC begins the next sequence; with the backslash of ST that one has no effect.
        return unit === 0x1b ? i : i + 1
      }
      if (i - from >= MAX_SEQUENCE) {
        this.#skipping = IN_STRING
        return i
      }
    }
    return -1
  }

  #link(command: string): void {
    const target = /^8;[^;]*;(.*)$/s.exec(command)?.[1]
    if (target !== undefined) this.style = this.#styles.withLink(this.style, checkedLink(target))
  }

  #csi(input: string, from: number, printed: string): number {
    let isPlain = true
    for (let i = from; i < input.length; i++) {
      const unit = input.charCodeAt(i)
      const aborts = unit === 0x18 || unit === 0x1a
      const goesOn = (unit < 0x40 && !aborts && unit !== 0x1b) || unit === 0x7f
      if (goesOn && i - from < MAX_SEQUENCE) {
        // Digits, colon and semicolon.
        isPlain &&= unit > 0x2f && unit < 0x3c
        continue
      }
      const isWhole = !goesOn && unit > 0x3f && unit < 0x7f
      if (isPlain) {
        if (isWhole && !this.alternate) this.#command(unit, input, from, i, printed)
      } else {
        const parameters = this.#controlsIn(input.slice(from, i))
        if (isWhole) this.#unusual(unit, parameters, printed)
      }
      if (goesOn) this.#skipping = IN_CSI
      else if (!isWhole && !aborts) return i
      return i + 1
    }
    return -1
  }

  #skip(input: string, from: number): number {
    let i = from
    if (this.#skipping === IN_CSI) {
      let unit = 0
      while (i < input.length && (unit = input.charCodeAt(i)) > 0x1f && unit < 0x40) i++
      if (i === input.length) return i
      this.#skipping = 0
      return unit > 0x3f && unit < 0x7f ? i + 1 : i
    }
    stringEnd.lastIndex = from
    const end = stringEnd.exec(input)
    if (end === null) return input.length
    this.#skipping = 0
    return end.index + (/[\n\r\x1b]/.test(end[0]) ? 0 : 1)
  }

  /** A control sequence of a final character and numbers. */
  #command(final: number, input: string, from: number, to: number, printed: string): void {
    if (final === 0x6d) {
      this.style = this.#styles.select(this.style, input, from, to)
      return
    }
    const first = numberAt(input, from, to)
    if (final === 0x62) this.#repeat(printed, first || 1)
    else {
      const second = input.indexOf(';', from) + 1
      this.#act(String.fromCharCode(final), first, second > 0 && second <= to ? numberAt(input, second, to) : 0)
    }
  }

  /** A control sequence with anything else: those for the alternate screen, ED and EL that spare protected cells, DECSTR. */
  #unusual(final: number, parameters: string, printed: string): void {
    if (parameters.startsWith('?')) this.#private(parameters.slice(1), final)
    else if (this.alternate) return
    else if (parameters === '!' && final === 0x70) {
      this.style = PLAIN
      this.saved = null
    } else if (/^[\d:;]*$/.test(parameters)) this.#command(final, parameters, 0, parameters.length, printed)
  }

  #private(parameters: string, final: number): void {
    if (final === 0x68 || final === 0x6c) {
      for (const mode of parameters.split(';')) {
        if (/^(?:1049|1047|47)$/.test(mode)) this.alternate = final === 0x68
        else if (mode === '1048' && !this.alternate) this.#act(final === 0x68 ? 's' : 'u', 0, 0)
      }
    } else if ((final === 0x4a || final === 0x4b) && !this.alternate) {
      this.#act(final === 0x4a ? 'J' : 'K', Number(parameters) || 0, 0)
    }
  }

  /** Carries out a control sequence that moves, erases, inserts or repeats. */
  #act(final: string, first: number, second: number): void {
    const count = first || 1
    const column = this.#currentColumn()
    switch (final) {
      case 'A':
        return this.#setRow(this.row - count)
      case 'B':
      case 'e':
        return this.#setRow(this.row + count)
      case 'C':
      case 'a':
        return this.#setColumn(column + count)
      case 'D':
        return this.#setColumn(column - count)
      case 'E':
      case 'F':
        this.#setRow(this.row + (final === 'E' ? count : -count))
        return this.#setColumn(0)
      case 'G':
      case '`':
        return this.#setColumn(count - 1)
      case 'H':
      case 'f':
        this.#setRow(this.origin + count - 1)
        return this.#setColumn((second || 1) - 1)
      case 'd':
        return this.#setRow(this.origin + count - 1)
      case 'I':
        return this.#setColumn(((column >> 3) + count) << 3)
      case 'Z':
        return this.#setColumn((((column + 7) >> 3) - count) << 3)
      case 'J':
        return this.#eraseScreen(first)
      case 'K':
        return this.#eraseLine(first)
      case 'L':
        return this.#insertRows(Math.min(count, MAX_BELOW))
      case 'M':
        this.rows.splice(this.row, count)
        if (this.row >= this.rows.length) this.#writable()
        return this.#setColumn(0)
      case 'P':
        this.rows[this.row]?.delete(column, count)
        return this.#setColumn(column)
      case '@':
        this.rows[this.row]?.insert(column, Math.min(count, MAX_COLUMN))
        return this.#setColumn(column)
      case 'X':
        this.rows[this.row]?.erase(column, column + count)
        return this.#setColumn(column)
      case 's':
        return this.#save()
      case 'u':
        return this.#restore()
    }
  }

  #eraseScreen(mode: number): void {
    const last = this.rows.length - 1
    if (mode === 0) {
      this.#eraseLine(0)
      this.rows.length = Math.min(this.rows.length, this.row + 1)
    } else if (mode === 1) {
      this.#reach(this.origin)
      for (let row = this.origin; row < Math.min(this.row, this.rows.length); row++) this.rows[row] = EMPTY
      this.#eraseLine(1)
    } else if (mode === 2) {
      const column = this.#currentColumn()
      this.origin = this.row = (this.rows[last] as Row).isEmpty ? last : last + 1
      this.#writable()
      this.#setColumn(column)
    }
  }

  #eraseLine(mode: number): void {
    const column = this.#currentColumn()
    this.rows[this.row]?.erase(mode === 0 ? column : 0, mode === 1 ? column + 1 : Infinity)
    this.#setColumn(column)
  }

  #insertRows(count: number): void {
    const inserted = Math.min(count, this.origin + this.#options.rows - this.row)
    if (this.row < this.rows.length) {
      this.rows.splice(this.row, 0, ...Array.from({ length: inserted }, () => EMPTY))
      // What is pushed below the screen is gone, as on a terminal.
      this.rows.length = Math.min(this.rows.length, this.origin + this.#options.rows)
    }
    this.#setColumn(0)
  }

  #repeat(printed: string, count: number): void {
    const character = /.\p{M}*$/su.exec(printed)?.[0]
    if (character !== undefined) this.#print(character.repeat(Math.min(count, MAX_COLUMN)))
    this.#printed = ''
  }

  #save(): void {
    this.saved = { row: this.row, column: this.#currentColumn(), style: this.style }
  }

  #restore(): void {
    if (this.saved === null) return
    const { row, column, style } = this.saved
    this.style = style
    this.#setRow(row)
    this.#setColumn(column)
  }
}

/** DCS, SOS, CSI, OSC, PM and APC in their one-byte forms. */
const stringsAndCsi: readonly number[] = [0x90, 0x98, 0x9b, 0x9d, 0x9e, 0x9f]
/** The number there, 0 if there is none; large ones are all the same. */
function numberAt(input: string, from: number, to: number): number {
  let value = 0
  for (let i = from; i < to; i++) {
    const digit = input.charCodeAt(i) - 0x30
    if (digit < 0 || digit > 9) break
    value = Math.min(value * 10 + digit, 9_999)
  }
  return value
}

const textAndReturns = /^[\n\r -~]*$/
/** The length of the first line from there on. */
function lengthOfLine(text: string, from = 0): number {
  const end = text.indexOf('\n', from)
  return (end < 0 ? text.length : end) - from
}

const controlUnits = /[\x00-\x1f\x7f]/g
/** What ends a string that is only swallowed: a carriage return too, so that a stream without line feeds comes back. */
const stringEnd = /[\x07\x18\x1a\x9c\n\r\x1b]/g
