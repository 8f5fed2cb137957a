import fc from 'fast-check'

/** What programs print: words, in one column or two, with marks. */
const words = fc.oneof(
  { weight: 6, arbitrary: fc.string({ minLength: 1, maxLength: 12 }).map((text) => text.replace(/[^ -~]/g, 'x')) },
  { weight: 2, arbitrary: fc.constantFrom('日本', '語', 'é', 'e\u0301', '한글', 'Ж', 'ｆ') },
)
const csi = (final: string, most: number) => fc.nat(most).map((n) => `\x1b[${n || ''}${final}`)

export const styles = fc.constantFrom(
  '\x1b[31m',
  '\x1b[m',
  '\x1b[0m',
  '\x1b[1m',
  '\x1b[38;5;99m',
  '\x1b[48;2;1;2;3m',
  '\x1b[4m',
)
export const lineEnds = fc.constantFrom('\n', '\n', '\r\n', '\r\r\n')
const moves = fc.oneof(
  fc.constantFrom('\r', '\b', '\r', '\t', '\x1b[K', '\x1b[2K', '\x1b[1K', '\x1b[G'),
  csi('C', 9),
  csi('D', 9),
  csi('G', 40),
)
const vertical = fc.oneof(csi('A', 6), csi('B', 3), csi('E', 3), csi('F', 6), fc.constantFrom('\x1b[J', '\x1b[1J'))
const placed = fc.oneof(
  fc.tuple(fc.nat(9), fc.nat(30)).map(([row, column]) => `\x1b[${row};${column}H`),
  csi('X', 9),
  csi('b', 5),
  fc.constantFrom('\x1b7', '\x1b8', '\x1b[s', '\x1b[u', '\x1bE', '\x1bD', '\x1b[d'),
)
const silent = fc.constantFrom(
  '\x1b]0;title\x07',
  '\x1b[?25l',
  '\x1b[?2004h',
  '\x1b(B',
  '\x07',
  '\x1b_x\x1b\\',
  '\x1b]8;;\x07',
  '\x1b=',
)
const screens = fc.constantFrom('\x1b[2J', '\x1b[3J', '\x1b[?1049h', '\x1b[?1049l', '\x1bc', '\x1bM')

const stream = (...parts: fc.Arbitrary<string>[]) =>
  fc.array(fc.oneof(words, ...parts), { maxLength: 60 }).map((all) => all.join(''))

/** Output of the sorts that a terminal and a log read alike. */
export const plainOutput = stream(lineEnds, fc.constant('\t'))
export const styledOutput = stream(lineEnds, styles)
export const barOutput = stream(lineEnds, styles, moves)
export const redrawOutput = stream(lineEnds, styles, moves, vertical)
export const allOutput = stream(lineEnds, styles, moves, vertical, placed, silent)

/** That, and what a log reads in its own way. */
export const anyOutput = stream(lineEnds, styles, moves, vertical, placed, silent, screens)

/** Anything at all, with all that begins or ends sequences often in it. */
export const hostileOutput = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\x1b',
        '\x1b[',
        '\x1b]',
        '\x1bP',
        '\x9b',
        '\x9d',
        ';',
        ':',
        '?',
        'm',
        '8',
        '\x07',
        '\x1b\\',
        '\n',
        '\r',
        '\x18',
        '\b',
      ),
      fc.nat(99_999).map(String),
      fc.constantFrom(
        'A',
        'B',
        'C',
        'H',
        'J',
        'K',
        'L',
        'M',
        'P',
        '@',
        'X',
        'b',
        's',
        'u',
        'h',
        'l',
        'r',
        'S',
        'T',
        'c',
      ),
      fc.string({ unit: 'binary', maxLength: 5 }),
      fc.constant(';1'.repeat(300)),
    ),
    { maxLength: 80 },
  )
  .map((parts) => parts.join(''))

/** The text in parts, cut at random. */
export const divided = (output: fc.Arbitrary<string>): fc.Arbitrary<{ text: string; chunks: string[] }> =>
  fc.tuple(output, fc.array(fc.nat(1_000), { maxLength: 12 })).map(([text, cuts]) => {
    const at = [...new Set([0, ...cuts.map((cut) => cut % (text.length + 1)), text.length])].sort((a, b) => a - b)
    return { text, chunks: at.slice(1).map((to, i) => text.slice(at[i], to)) }
  })
