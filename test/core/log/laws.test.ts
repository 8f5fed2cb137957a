import { fc, test } from '@fast-check/vitest'
import xterm from '@xterm/headless'
import { describe, expect } from 'vitest'
import { createLog, type Log, type LogLine, type LogOptions } from '../../../src/core/log/index.js'
import { slowTerminal } from './slowTerminal.js'
import {
  allOutput,
  anyOutput,
  barOutput,
  divided,
  hostileOutput,
  plainOutput,
  redrawOutput,
  styledOutput,
} from './terminalOutput.js'

const lines = (log: Log): LogLine[] => Array.from({ length: log.lineCount }, (_, i) => log.line(i) as LogLine)

/** Everything that can be seen. */
const seen = (log: Log) => {
  log.finish()
  return {
    text: log.text(),
    lines: lines(log).map(({ text, runs }) => ({ text, runs })),
    alternate: log.alternateLength,
  }
}

const logOf = (chunks: readonly string[], options?: LogOptions): Log => {
  const log = createLog(options)
  for (const chunk of chunks) {
    log.append(chunk)
    log.finish()
  }
  return log
}

/** Pages so short that a few lines make many. */
const pageLengths = fc.constantFrom(8, 32, 100, 1 << 16)
const outputs = fc.oneof(plainOutput, styledOutput, barOutput, redrawOutput, anyOutput, hostileOutput)

describe('division', () => {
  test.prop([divided(outputs), pageLengths, fc.constantFrom(4, 1_000), fc.boolean()], { numRuns: 400 })(
    '[A9] text, styles and lines do not depend on how the output was divided, nor on pages',
    ({ text, chunks }, pageLength, rows, lfImpliesCr) => {
      expect(seen(logOf(chunks, { pageLength, rows, lfImpliesCr }))).toEqual(seen(logOf([text], { rows, lfImpliesCr })))
    },
  )

  test.prop([divided(outputs), fc.array(fc.nat(20))], { numRuns: 100 })(
    '[A9] working in slices of any length gives the same as working at once',
    ({ text, chunks }, pauses) => {
      const log = createLog({ pageLength: 32 })
      let now = 0
      for (const [i, chunk] of chunks.entries()) {
        log.append(chunk)
        for (let k = pauses[i % Math.max(1, pauses.length)] ?? 0; k > 0; k--) log.work(1, () => now++)
      }
      expect(seen(log)).toEqual(seen(logOf([text])))
    },
  )
})

describe('terminal', () => {
  test.prop([fc.oneof(outputs, allOutput), fc.constantFrom(4, 1_000)], { numRuns: 600 })(
    '[A9] the text is that of a terminal told as plainly as possible',
    (text, rows) => {
      // What the plain one leaves out: inserting and deleting, private, 8-bit, very long and interrupted sequences.
      fc.pre(
        text.length < 4_000 &&
          !/\x1b\[[\d;:]*[LMP@aefIZ`]|\x1b\[\?[\d;]*[JK]|1048|\x1b\[?[ -?]*[\x00-\x1f]|[\x80-\x9f\ud800-\udfff]/.test(
            text,
          ),
      )
      const slow = slowTerminal(text, rows)
      const log = logOf([text], { rows, pageLength: 64 })
      expect(lines(log).map((line) => line.text)).toEqual(slow.lines.map((line) => line.text))
    },
  )

  const kinds = { plain: plainOutput, styled: styledOutput, bars: barOutput, redraws: redrawOutput, all: allOutput }
  for (const [kind, output] of Object.entries(kinds)) {
    test.prop([output], { numRuns: 60 })(`[A9] text and styles are those of xterm.js: ${kind}`, async (text) => {
      // A cursor that was never saved is restored to the corner by a terminal; a log leaves it where it is.
      const input = `\x1b7${text}`
      const log = logOf([input])
      const rows = await xtermRows(input)
      expect(log.text().replace(/\n+$/, '')).toBe(
        rows
          .map((row) => row.text)
          .join('\n')
          .replace(/\n+$/, ''),
      )
      for (const [i, { text: own, runs }] of lines(log).entries()) {
        const styled = runs.flatMap(({ from, to, style }) =>
          Array.from(
            { length: to - from },
            (_, k) => `${from + k}:${style.color ?? ''},${style.background ?? ''},${style.bold},${style.underline}`,
          ),
        )
        const theirs = (rows[i] as Row).styles.filter((entry) => Number.parseInt(entry, 10) < own.length)
        expect({ own, styled }).toEqual({ own, styled: theirs })
      }
    })
  }
})

describe('order', () => {
  /** Chunks with positions, and an order to deliver them in. */
  const shuffled = divided(outputs).chain(({ text, chunks }) =>
    fc.record({
      text: fc.constant(text),
      chunks: fc.constant(chunks.map((chunk, position) => ({ chunk, position }))),
      order: fc.shuffledSubarray(
        chunks.map((_, i) => i),
        { minLength: chunks.length },
      ),
      working: fc.array(fc.nat(3)),
    }),
  )

  test.prop([shuffled, pageLengths, fc.constantFrom(4, 1_000)], { numRuns: 600 })(
    '[A9] chunks that come late give the same as in order',
    ({ text, chunks, order, working }, pageLength, rows) => {
      const log = createLog({ pageLength, rows })
      let now = 0
      for (const [i, index] of order.entries()) {
        const { chunk, position } = chunks[index] as { chunk: string; position: number }
        log.append(chunk, position)
        const slices = working[i % Math.max(1, working.length)] ?? 3
        if (slices === 3) log.finish()
        else for (let k = 0; k < slices; k++) log.work(0, () => now++)
        log.tail(5)
      }
      expect(seen(log)).toEqual(seen(logOf([text], { rows })))
    },
  )

  test.prop([fc.array(fc.tuple(fc.string({ maxLength: 3 }), fc.integer({ min: 0, max: 4 })))], { numRuns: 200 })(
    '[A9] chunks of equal position stand in the order in which they came',
    (chunks) => {
      const log = createLog({ pageLength: 4 })
      for (const [chunk, position] of chunks) {
        log.append(`${chunk.replace(/[^ -~]/g, '')}|`, position)
        log.finish()
      }
      const sorted = chunks
        .map(([chunk, position], i) => ({ chunk: `${chunk.replace(/[^ -~]/g, '')}|`, position, i }))
        .sort((a, b) => a.position - b.position || a.i - b.i)
      expect(log.text()).toBe(sorted.map(({ chunk }) => chunk).join(''))
    },
  )

  test.prop([shuffled, pageLengths, fc.nat(12)], { numRuns: 300 })(
    '[A7] what is removed behind a position leaves what it was without it',
    ({ chunks, order }, pageLength, last) => {
      const log = createLog({ pageLength })
      for (const index of order) {
        const { chunk, position } = chunks[index] as { chunk: string; position: number }
        log.append(chunk, position)
        if (position % 2 === 0) log.finish()
      }
      log.removeAfter(last)
      const kept = chunks.filter(({ position }) => position <= last).map(({ chunk }) => chunk)
      expect(seen(log)).toEqual(seen(logOf([kept.join('')])))
      log.append('more\n', last + 1)
      expect(seen(log)).toEqual(seen(logOf([`${kept.join('')}more\n`])))
    },
  )
})

describe('hostile', () => {
  test.prop([fc.array(hostileOutput, { minLength: 1, maxLength: 5 })], { numRuns: 2_000 })(
    '[H2] no generated sequence shows an escape or another control character',
    (chunks) => {
      const log = logOf(chunks)
      expect(log.text()).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/)
    },
  )
})

describe('limits', () => {
  test.prop([divided(outputs), fc.integer({ min: 1, max: 12 }), pageLengths], { numRuns: 400 })(
    '[H3] exactly the last lines are kept, and the others are counted',
    ({ text, chunks }, limit, pageLength) => {
      const all = logOf([text], { rows: 4 })
      const log = logOf(chunks, { lines: limit, pageLength, rows: 4 })
      expect(log.droppedLines).toBe(Math.max(0, all.lineCount - limit))
      expect(lines(log)).toEqual(lines(all).slice(-limit))
    },
  )

  // What is erased again may have pushed lines out while it was there: then fewer than fit are kept.
  test.prop([divided(barOutput), fc.integer({ min: 1, max: 60 }), pageLengths], { numRuns: 300 })(
    '[H3] of output that erases itself the kept lines are the newest, and the others are counted',
    ({ text, chunks }, limit, pageLength) => {
      const all = lines(logOf([text]))
      const log = logOf(chunks, { length: limit, pageLength, rows: 4 })
      const kept = lines(log)
      expect(kept).toEqual(all.slice(all.length - kept.length))
      expect(log.droppedLines).toBe(all.length - kept.length)
    },
  )

  test.prop([divided(fc.oneof(plainOutput, styledOutput)), fc.integer({ min: 1, max: 60 }), pageLengths], {
    numRuns: 300,
  })(
    '[H3] the newest lines that fit are kept, the last one whatever its length',
    ({ text, chunks }, limit, pageLength) => {
      const all = lines(logOf([text]))
      const isEnded = logOf([text]).text().endsWith('\n') || all.length === 0
      let length = isEnded ? 0 : -1
      let kept = 0
      while (kept < all.length && (length += (all.at(-1 - kept) as LogLine).length + 1) <= limit) kept++
      const log = logOf(chunks, { length: limit, pageLength, rows: 4 })
      expect(lines(log)).toEqual(all.slice(-Math.max(1, kept)))
      expect(log.droppedLines).toBe(all.length - Math.min(all.length, Math.max(1, kept)))
    },
  )
})

describe('tail', () => {
  const rows = fc.constantFrom('', '\x1b[31m', '\x1b[1;32mgreen\x1b[0m ', '\x1b[0m\x1b[4m')
  test.prop([divided(outputs), divided(outputs), rows, fc.nat(12), fc.integer({ min: 1, max: 5 })], { numRuns: 400 })(
    '[A9] what is shown ahead of the work is what the work ends with',
    (before, after, row, cut, count) => {
      const log = logOf(before.chunks)
      // More than what is worked off at once.
      const middle = `${row}${'x'.repeat(79)}\n`.repeat(1_700)
      for (const chunk of [...after.chunks, middle.slice(0, -cut), middle.slice(-cut), after.text]) log.append(chunk)
      const { lines: shown, isAhead } = log.tail(count)
      if (!isAhead) return
      log.finish()
      expect(shown).toEqual(lines(log).slice(-shown.length))
    },
  )
})

interface Row {
  readonly text: string
  /** Index in the text and style of each character that is not plain. */
  readonly styles: readonly string[]
}

async function xtermRows(input: string): Promise<Row[]> {
  const terminal = new xterm.Terminal({
    cols: 513,
    rows: 200,
    convertEol: true,
    scrollback: 1_000,
    allowProposedApi: true,
  })
  await new Promise<void>((resolve) => terminal.write(input, resolve))
  const buffer = terminal.buffer.normal
  const rows: Row[] = []
  const reused = buffer.getNullCell()
  for (let y = 0; y < buffer.length; y++) {
    const line = buffer.getLine(y)
    if (line === undefined) continue
    const text = line.translateToString(true)
    const styles: string[] = []
    let at = 0
    for (let x = 0; at < text.length; x++) {
      const cell = line.getCell(x, reused)
      if (cell === undefined || cell.getWidth() === 0) continue
      const color = colorOf(cell.isFgDefault(), cell.isFgRGB(), cell.getFgColor())
      const background = colorOf(cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor())
      const bold = cell.isBold() !== 0
      const underline = cell.isUnderline() !== 0
      const length = Math.max(1, cell.getChars().length)
      // Erased cells keep the background in xterm.js; a log leaves them plain.
      if (cell.getChars() !== '' && (color !== '' || background !== '' || bold || underline)) {
        for (let k = 0; k < length; k++) styles.push(`${at + k}:${color},${background},${bold},${underline}`)
      }
      at += length
    }
    rows.push({ text, styles })
  }
  terminal.dispose()
  return rows
}

const colorOf = (isDefault: boolean, isRgb: boolean, value: number) =>
  isDefault ? '' : isRgb ? `#${value.toString(16).padStart(6, '0')}` : String(value)
