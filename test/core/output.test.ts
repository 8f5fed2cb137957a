import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { createLog, defaultLimits, type Log } from '../../src/core/index.js'
import { GrowingOutput } from '../../src/core/output.js'

const limits = { ...defaultLimits, logLength: 40 }
const linesOf = (log: Log) => Array.from({ length: log.lineCount }, (_, i) => log.line(i))

/** Outputs that got the same chunks: one whose log was asked for at once, one of which nobody has asked yet. */
function twoOf(chunks: readonly (readonly [text: string, position?: number])[]) {
  const [read, unread] = [new GrowingOutput(limits), new GrowingOutput(limits)]
  const early = read.log(createLog)
  for (const output of [read, unread]) for (const chunk of chunks) output.add(...chunk)
  early.finish()
  return { early, unread, late: () => finished(unread.log(createLog)) }
}

function finished(log: Log): Log {
  log.finish()
  return log
}

const words = fc.stringMatching(/^[a-z ]{0,12}$/)
const line = words.map((text) => `${text}\n`)
const style = fc.constantFrom('\x1b[31m', '\x1b[0m', '\x1b[m', '\x1b[1;4m', '\x1bc')

describe('output that nobody looks at', () => {
  test.prop([
    fc.array(
      fc.oneof(
        words,
        line,
        line.map((text) => text.repeat(3)),
      ),
    ),
  ])('[H3] has the log in the end that it would have had from the beginning, limits included', (texts) => {
    const { early, late } = twoOf(texts.map((text) => [text]))
    expect(linesOf(late())).toEqual(linesOf(early))
    expect(late().droppedLines).toBe(early.droppedLines)
  })

  test.prop([fc.array(fc.tuple(fc.nat(3), line))])(
    '[H3] keeps the newest by position, whatever their order',
    (placed) => {
      const { late } = twoOf(placed.map(([position, text], i) => [text, 4 * position + (i % 4)]))
      const all = placed
        .map(([position, text], i) => ({ text, position: 4 * position + (i % 4) }))
        .sort((a, b) => a.position - b.position)
        .map(({ text }) => text)
        .join('')
      expect(all.endsWith(late().text())).toBe(true)
    },
  )

  test.prop([fc.array(fc.tuple(fc.array(style), line))])(
    '[H3] still has the style of what was dropped, and counts its lines',
    (styled) => {
      const { early, late } = twoOf(styled.map(([styles, text]) => [styles.join('') + text]))
      const kept = linesOf(late())
      expect(kept).toEqual(linesOf(early).slice(early.lineCount - kept.length))
      expect(late().droppedLines + kept.length).toBe(early.droppedLines + early.lineCount)
    },
  )

  const piece = fc.oneof(words, line, style, fc.constantFrom('\x1b]8;;https://a.test\x07', '\x1b]8;;\x1b\\'))
  test.prop([fc.array(piece, { minLength: 10, maxLength: 60 }), fc.integer({ min: 1, max: 9 })])(
    '[H3] still has its style and its link, and shows nothing of a sequence that was cut in two',
    (pieces, size) => {
      const text = pieces.join('')
      const { late } = twoOf((text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? []).map((chunk) => [chunk]))
      const whole = createLog()
      whole.append(text)
      const [kept, all] = [linesOf(late()), linesOf(finished(whole))]
      // Of the first one the beginning may be gone.
      expect(kept.slice(1)).toEqual(all.slice(all.length - kept.length + 1))
      expect((all.at(-kept.length)?.text ?? '').endsWith(kept[0]?.text ?? '')).toBe(true)
    },
  )

  test('[H3] is not cut in two inside a line or a sequence where it can be cut at the end of a line', () => {
    const { late } = twoOf([['one and more\n'], ['\x1b[3'], ['1mred\n'], [`${'\x1b[0m'.repeat(8)}two\n`]])
    expect(late().text()).toBe('red\ntwo\n')
    expect(late().droppedLines).toBe(1)
  })

  test('[H3] is held to a quarter more than a log keeps', () => {
    const { unread } = twoOf(Array.from({ length: 100 }, (_, i) => [`line ${i}\n`, i]))
    const log = unread.log(createLog)
    expect(log.pendingLength).toBeGreaterThan(limits.logLength)
    expect(log.pendingLength).toBeLessThanOrEqual(limits.logLength * 1.25)
  })

  test('[A9] has one log, which grows on', () => {
    const output = new GrowingOutput(defaultLimits)
    output.add('one\n')
    const log = output.log(createLog)
    output.add('two\n')
    expect(output.log(createLog)).toBe(log)
    expect(log.text()).toBe('one\ntwo\n')
  })

  test('[A13] tells its log the holes that were known before', () => {
    const output = new GrowingOutput(defaultLimits)
    output.add('1\n', 1)
    output.add('3\n', 3)
    output.setGaps([{ before: 3, count: 1 }])
    expect(finished(output.log(createLog)).gaps()).toEqual([{ line: 1, gap: { before: 3, count: 1 } }])
  })
})
