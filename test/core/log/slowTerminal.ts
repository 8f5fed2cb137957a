import { cellWidth } from '../../../src/core/log/cellWidth.js'

/**
 * The rules of a log, told once more as plainly as possible: a grid of cells, the whole input read from the beginning,
 * no pages, no styles but the last SGR parameters as text. It is the oracle of the fast one.
 */
export function slowTerminal(
  input: string,
  height = 1_000,
): { text: string; lines: { text: string; styles: string[] }[] } {
  type Cell = { character: string; style: string }
  const rows: (Cell | undefined)[][] = [[]]
  let row = 0
  let column = 0
  let top = 0
  let style = ''
  let saved: { row: number; column: number; style: string } | undefined
  let alternate = false
  let printed = ''

  const line = (at: number) => (rows[at] ??= [])
  const trim = (at: number) => {
    const cells = line(at)
    while (cells.length > 0 && cells.at(-1) === undefined) cells.pop()
  }
  const lowest = () => Math.max(row, Math.min(top + height, rows.length + 64) - 1)
  const toRow = (to: number) => {
    row = Math.max(top, Math.min(to, lowest()))
    toColumn(column)
  }
  const toColumn = (to: number) => {
    column = Math.max(0, Math.min(to, Math.max(512, rows[row]?.length ?? 0)))
  }
  // Half of a wide character that is written over leaves the other half empty.
  const split = (at: number) => {
    const cells = line(row)
    if (cells[at]?.character === '') {
      cells[at - 1] = undefined
      cells[at] = undefined
    }
  }
  const print = (text: string) => {
    if (alternate) return
    for (let at = 0; at < row; at++) line(at)
    for (const character of text) {
      const cells = line(row)
      const width = cellWidth(character.codePointAt(0) as number)
      if (width === 0 && column > 0) {
        const at = cells[column - 1]?.character === '' ? column - 2 : column - 1
        cells[at] = { character: (cells[at]?.character ?? '') + character, style: cells[at]?.style ?? '' }
        continue
      }
      for (let at = column; at < column + Math.max(1, width); at++) split(at)
      for (let at = cells.length; at < column; at++) cells[at] = undefined
      const after = column + Math.max(1, width)
      if (cells[after]?.character === '') cells[after] = undefined
      cells[column++] = { character, style }
      if (width === 2) cells[column++] = { character: '', style }
      trim(row)
    }
  }
  const lineFeed = () => {
    row++
    column = 0
    if (row === rows.length) rows.push([])
    top = Math.max(top, row - height + 1)
  }
  const erase = (from: number, to: number) => {
    const cells = line(row)
    if (from >= cells.length) return
    const wide = cells[to]?.character === ''
    if (cells[from]?.character === '') cells[from - 1] = undefined
    for (let at = from; at < Math.min(to, cells.length); at++) cells[at] = undefined
    if (wide) cells[to] = undefined
    trim(row)
  }
  const control = (character: string) => {
    if (alternate) return
    if (character === '\n' || character === '\v' || character === '\f' || character === '\x85') lineFeed()
    else if (character === '\r') column = 0
    else if (character === '\b') toColumn(column - 1)
    // Tabs of a line that only grows are not bounded.
    else if (character === '\t') column = (column | 7) + 1
    else if (character === '\x84') {
      const before = column
      lineFeed()
      toColumn(before)
    } else if (character === '\x8d') toRow(row - 1)
  }
  const command = (parameters: string, final: string) => {
    if (/^\?[\d;]*$/.test(parameters) && (final === 'h' || final === 'l')) {
      if (/\b(1049|1047|47)\b/.test(parameters)) alternate = final === 'h'
      return
    }
    if (alternate || !/^[\d;:]*$/.test(parameters)) return
    const [first = 0, second = 0] = parameters.split(';').map(Number)
    const count = first || 1
    if (final === 'm') style = /^0*$/.test(parameters) ? '' : parameters
    else if (final === 'A') toRow(row - count)
    else if (final === 'B') toRow(row + count)
    else if (final === 'C') toColumn(column + count)
    else if (final === 'D') toColumn(column - count)
    else if (final === 'E' || final === 'F') {
      toRow(final === 'E' ? row + count : row - count)
      column = 0
    } else if (final === 'G') toColumn(count - 1)
    else if (final === 'H') {
      toRow(top + count - 1)
      toColumn((second || 1) - 1)
    } else if (final === 'd') toRow(top + count - 1)
    else if (final === 'K') {
      if (row < rows.length) erase(first === 0 ? column : 0, first === 1 ? column + 1 : Number.POSITIVE_INFINITY)
    } else if (final === 'J' && first === 0) {
      if (row < rows.length) erase(column, Number.POSITIVE_INFINITY)
      rows.length = Math.min(rows.length, row + 1)
    } else if (final === 'J' && first === 1) {
      for (let at = top; at < Math.min(row, rows.length); at++) rows[at] = []
      if (row < rows.length) erase(0, column + 1)
    } else if (final === 'J' && first === 2) {
      const before = column
      top = row = (rows.at(-1) as Cell[]).length > 0 ? rows.length : rows.length - 1
      line(row)
      toColumn(before)
    } else if (final === 'X') {
      if (row < rows.length) erase(column, column + count)
    } else if (final === 's') saved = { row, column, style }
    else if (final === 'u' && saved !== undefined) {
      style = saved.style
      toRow(saved.row)
      toColumn(saved.column)
    } else if (final === 'b' && printed !== '') {
      print((/.\p{M}*$/su.exec(printed)?.[0] ?? '').repeat(Math.min(count, 512)))
    }
  }
  const token =
    /\x1b\[([\x00-\x17\x19\x1c-\x1f -?]*)([@-~])|\x1b[\]PX^_]([^\x07\x18\x1a\x1b\n\x9c]*)([\x07\x18\x1a\x9c]|(?=[\x1b\n]))|\x1b([78DEMc])|\x1b(?:\[[^@-~]*|[\]PX^_].*)?$|\x1b[ -/]*[0-~]|([\x00-\x1f\x7f-\x9f])|([^\x00-\x1f\x7f-\x9f]+)/gsu
  for (const [, parameters, final, , , short, code, text] of input.matchAll(token)) {
    if (text !== undefined) {
      print(text)
      printed += text
      continue
    }
    if (final !== undefined) command(parameters as string, final)
    else if (code !== undefined) control(code)
    else if (short === 'E') control('\x85')
    else if (short === 'D') control('\x84')
    else if (short === 'M') control('\x8d')
    else if (short === 'c') {
      style = ''
      saved = undefined
      alternate = false
    } else if (short === '7' && !alternate) saved = { row, column, style }
    else if (short === '8' && !alternate) command('', 'u')
    printed = ''
  }
  for (let at = 0; at < rows.length; at++) line(at)
  const lines = rows.map((cells) => ({
    text: Array.from(cells, (cell) => cell?.character ?? ' ').join(''),
    styles: Array.from(cells, (cell) => cell?.style ?? ''),
  }))
  return {
    text: lines.map((each) => each.text).join('\n'),
    lines: lines.at(-1)?.text === '' ? lines.slice(0, -1) : lines,
  }
}
