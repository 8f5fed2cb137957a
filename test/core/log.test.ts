import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLog } from '../../src/core/index.js'

const textOf = (...chunks: string[]) => {
  const log = createLog()
  for (const chunk of chunks) log.append(chunk)
  return log.text()
}

describe('log', () => {
  test.each([
    ['one\ntwo', 'one\ntwo'],
    ['one\r\ntwo\r\n', 'one\ntwo\n'],
    ['10%\r20%\r100%', '100%'],
    ['abcdef\rXY', 'XYcdef'],
    ['abc\b\bX', 'aXc'],
    ['long text\r\x1b[Kshort', 'short'],
    ['\x1b[1;31mred\x1b[0m plain', 'red plain'],
    ['\x1b]0;title\x07shown', 'shown'],
    ['\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\', 'link'],
    ['\x1b(Bshown\x1b=', 'shown'],
    ['bell\x07', 'bell'],
  ])('[A9] shows %j as a terminal would', (chunk, expected) => {
    expect(textOf(chunk)).toBe(expected)
  })

  test('[A9] chunks may be split anywhere', () => {
    const pieces = fc.constantFrom(
      'a',
      'bc',
      '\n',
      '\r',
      '\r\n',
      '\b',
      '\x1b[K',
      '\x1b[31m',
      '\x1b]0;t\x07',
      '\x1b]0;t\x1b\\',
      '\x1b(B',
      '语',
    )
    fc.assert(
      fc.property(fc.array(pieces), fc.infiniteStream(fc.integer({ min: 1, max: 4 })), (parts, sizes) => {
        const whole = parts.join('')
        const log = createLog()
        for (let i = 0; i < whole.length; ) {
          const size = sizes.next().value
          log.append(whole.slice(i, i + size))
          expect(log.lineCount).toBeGreaterThanOrEqual(0)
          i += size
        }

        expect(log.text()).toBe(textOf(whole))
      }),
    )
  })

  test('[B4] a chunk that comes late is merged into its place, whenever the log was read', () => {
    const chunk = fc.constantFrom('one\n', 'two', ' three\n', '\r', '\x1b[K', '50%\r100%')
    const arrivals = fc.array(chunk, { maxLength: 12 }).chain((chunks) =>
      fc.record({
        chunks: fc.constant(chunks),
        order: fc.shuffledSubarray([...chunks.keys()], { minLength: chunks.length }),
        readAfter: fc.array(fc.boolean(), { minLength: chunks.length, maxLength: chunks.length }),
      }),
    )
    fc.assert(
      fc.property(arrivals, ({ chunks, order, readAfter }) => {
        const log = createLog()
        for (const [i, position] of order.entries()) {
          log.append(chunks[position] as string, position)
          if (readAfter[i]) log.text()
        }

        expect(log.text()).toBe(textOf(...chunks))
      }),
    )
  })

  test('[H3] exactly the newest lines are kept, the rest is counted, and what belongs before them is refused', () => {
    const log = createLog({ lines: 3 })
    for (let i = 0; i < 10; i++) log.append(`${i}\n`, i)

    expect([log.text(), log.lineCount, log.droppedLines, log.cut]).toEqual(['7\n8\n9\n', 3, 7, 6])
    log.append('late\n', 2)
    log.append('late but kept\n', 8.5)

    expect([log.text(), log.droppedLines]).toEqual(['8\nlate but kept\n9\n', 8])
  })

  test('[H3] the length is bounded, too', () => {
    const log = createLog({ length: 10 })
    for (let i = 0; i < 5; i++) log.append(`line ${i}\n`)

    expect([log.text(), log.droppedLines]).toEqual(['line 4\n', 4])
  })
})
