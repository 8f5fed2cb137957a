import { describe, expect, test } from 'vitest'
import { createLog, type Log, type LogLine } from '../../../src/core/log/index.js'
import { type EdgeRow, edgeVectors, recordings } from './fixtures.js'

/** Trailing empty lines are not part of what the fixtures expect. */
const trimmed = (text: string) => text.replace(/\n+$/, '')

const logOf = (chunks: Iterable<string>): Log => {
  const log = createLog()
  for (const chunk of chunks) {
    log.append(chunk)
    log.finish()
  }
  return log
}

const inParts = (text: string, length: number): string[] =>
  Array.from({ length: Math.ceil(text.length / length) }, (_, i) => text.slice(i * length, (i + 1) * length))

/** A small generator with a seed: the same splittings on every machine. */
const random = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
}

function atRandom(text: string, seed: number): string[] {
  const next = random(seed)
  const parts: string[] = []
  // Long recordings are cut into some hundred parts at most: cuts at every place are made elsewhere.
  const longest = 1 + Math.floor(Math.max(text.length / 150, next() ** 2 * Math.max(8, text.length / 4)))
  for (let from = 0; from < text.length; ) {
    const to = from + 1 + Math.floor(next() * longest)
    parts.push(text.slice(from, to))
    from = to
  }
  return parts
}

/** Everything that can be seen, as one string: quicker to compare than objects. */
const seen = (log: Log): string =>
  Array.from({ length: log.lineCount }, (_, i) => log.line(i) as LogLine)
    .map(
      ({ text, runs }) =>
        `${text}\n${runs.map(({ from, to, style }) => `${from}-${to} ${keyOf(style)} ${style.link}`).join(',')}`,
    )
    .join('\n')

/** Lines of a recording that are not compared, and why. */
const otherLines: Readonly<Record<string, { readonly lines: readonly number[]; readonly reason: string }>> = {
  'ala-erase_in_line.log': {
    lines: [3, 5],
    reason: 'a character behind the last column of 139, which erases or wraps: a logical line has no last column',
  },
}

describe.each(recordings())('$name', ({ name, input, expected }) => {
  test('[A9] the text is what a terminal ends with', () => {
    const lines = trimmed(logOf([input]).text()).split('\n')
    const others = otherLines[name]?.lines ?? []
    const without = (all: readonly string[]) => all.filter((_, i) => !others.includes(i))
    expect(without(lines)).toEqual(without(trimmed(expected).split('\n')))
  })

  test('[A9] the text is the same however the output is divided', () => {
    const whole = logOf([input]).text()
    const halves = (at: number) => [input.slice(0, at), input.slice(at)]
    const everyCut = input.length > 4_096 ? 0 : input.length
    const divisions = [
      ...[1, 7, 4_096].map((length) => () => inParts(input, length)),
      ...Array.from({ length: everyCut }, (_, at) => () => halves(at)),
      ...Array.from({ length: 200 }, (_, seed) => () => atRandom(input, seed)),
    ]
    const wrong = divisions.map((divide) => divide()).filter((chunks) => logOf(chunks).text() !== whole)
    expect(wrong).toEqual([])
  })

  test('[A9] so are the styles', () => {
    const whole = seen(logOf([input]))
    const divisions = [inParts(input, 7), ...Array.from({ length: 5 }, (_, seed) => atRandom(input, seed))]
    expect(divisions.filter((chunks) => seen(logOf(chunks)) !== whole)).toEqual([])
  })
})

/** Recordings whose styles differ from the dump, and why. */
const otherStyles: Readonly<Record<string, string>> = {
  'ala-hyperlinks.log': 'the dump underlines links',
  'bk-osc8-links.log': 'the dump underlines links',
  'bk-playwright.log': 'the dump was made with APC that BEL does not end',
  'bk-pwsh.log': 'the dump was made with APC that BEL does not end',
  'ala-erase_in_line.log': otherLines['ala-erase_in_line.log']?.reason as string,
}

describe.each(recordings().filter(({ name, styles }) => styles !== undefined && !(name in otherStyles)))(
  'styles of $name',
  ({ input, styles }) => {
    test('[A9] each character has the style that a terminal shows', () => {
      const wrong: unknown[] = []
      const { cols, rowsOut } = styles as NonNullable<typeof styles>
      const log = logOf([input])
      const rows = new Map(rowsOut)
      let row = 0
      for (let i = 0; i < log.lineCount; i++) {
        const { text, runs } = log.line(i) as LogLine
        const styleAt = (at: number) => runs.find(({ from, to }) => from <= at && at < to)?.style
        // The dump tells columns of rows that wrap; its width table has emoji in one column.
        let column = 0
        let at = 0
        for (const character of text) {
          const width = xtermWidth(character.codePointAt(0) as number)
          if (column + width > cols) {
            row++
            column = 0
          }
          const run = rows.get(row)?.find(([from, to]) => from <= column && column < to)
          const own = keyOf(styleAt(at))
          const isBlank = character === ' ' && run === undefined
          if (width > 0 && !isBlank && own !== (run?.[2] ?? ',,')) wrong.push({ line: i, at, own, text })
          column += width
          at += character.length
        }
        row++
      }
      expect(wrong).toEqual([])
    })
  },
)

const keyOf = (style: LogLine['runs'][number]['style'] | undefined) =>
  style === undefined
    ? ',,'
    : `${style.color ?? ''},${style.background ?? ''},${[
        style.bold && 'b',
        style.dim && 'd',
        style.italic && 'i',
        style.underline && 'u',
        style.inverse && 'v',
        style.conceal && 'h',
        style.strike && 's',
        style.overline && 'o',
      ]
        .filter(Boolean)
        .join('')}`

const xtermWidth = (codePoint: number) => {
  const character = String.fromCodePoint(codePoint)
  if (/[\p{Mn}\p{Me}\p{Cf}]/u.test(character) && codePoint !== 0xad) return 0
  return /[\u1100-\u115f\u2e80-\u303e\u3040-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{2fffd}]/u.test(
    character,
  )
    ? 2
    : 1
}

/** Vectors of which a log shows something else, what, and why. */
const otherRows: Readonly<Record<string, { readonly rows: readonly string[]; readonly reason: string }>> = {
  'lf-only-no-convert (staircase)': { rows: ['a', 'b', 'c'], reason: 'a line feed returns' },
  'csi-with-newline-inside': { rows: ['a', 'b'], reason: 'a line feed returns' },
  'ed2-keeps-cursor': {
    rows: ['one', 'two', '   X'],
    reason: 'what was printed stays: ED 2 begins a new screen below',
  },
  'ed3-scrollback': {
    rows: ['l1', 'l2', 'l3', 'l4', 'l5', 'l6', 'l7', 'l8', 'l9', 'l10', 'l11', 'l12'],
    reason: 'what was printed stays: ED 3 clears nothing',
  },
  'ri-at-top': { rows: ['z', 'b'], reason: 'nothing scrolls down: RI at the top is ignored' },
  sd: { rows: ['a', 'b'], reason: 'nothing scrolls down: SD is ignored' },
  'wrap-then-cr-goes-to-row-start': {
    rows: [`Y${'x'.repeat(44)}`],
    reason: 'there is no width: CR returns to the beginning of the line',
  },
  'nowrap-7l': { rows: [`${'x'.repeat(45)}Z`], reason: 'there is no width at which to stop' },
  'osc8-unterminated-then-nl': {
    rows: ['', 'next'],
    reason: 'a line feed ends an unended string, which shows nothing',
  },
}

/** Vectors whose styles differ, and why. */
const otherRuns: Readonly<Record<string, string>> = {
  'osc8-st': 'the dump underlines links',
  'osc8-id': 'the dump underlines links',
  'csi-with-newline-inside': 'the row differs',
}

describe.each(edgeVectors())('$name', ({ name, input, expected }) => {
  const lines = expected.rows.reduce<string[]>((all, row) => {
    if (typeof row !== 'string' && row.wrapped) all[all.length - 1] += row.t
    else all.push(typeof row === 'string' ? row : row.t)
    return all
  }, [])

  test('[A9] shows the rows of a terminal, or what a log promises instead', () => {
    expect(trimmed(logOf([input]).text()).split('\n')).toEqual(
      otherRows[name]?.rows ?? trimmed(lines.join('\n')).split('\n'),
    )
  })

  test('[A9] shows the same wherever it is cut', () => {
    const whole = seen(logOf([input]))
    for (let at = 1; at < input.length; at++) expect(seen(logOf([input.slice(0, at), input.slice(at)]))).toBe(whole)
    expect(seen(logOf(input.split('')))).toBe(whole)
  })

  test.skipIf(name in otherRuns)('[A9] has the styles of a terminal', () => {
    const log = logOf([input])
    for (const [i, row] of expected.rows.entries()) {
      for (const [from, to, key] of runsOf(row)) {
        for (let at = from; at < to; at++) {
          const run = log.line(i)?.runs.find((other) => other.from <= at && at < other.to)
          expect(keyOf(run?.style), `row ${i}, column ${at}`).toBe(key)
        }
      }
      const styled = (log.line(i)?.runs ?? []).reduce((sum, run) => sum + run.to - run.from, 0)
      expect(styled).toBe(runsOf(row).reduce((sum, [from, to]) => sum + to - from, 0))
    }
  })
})

const runsOf = (row: EdgeRow) => (typeof row === 'string' ? [] : (row.runs ?? []))
