import { fc, test as propertyTest } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { createLog, type Log, type LogLine, type LogOptions } from '../../../src/core/log/index.js'
import { divided, plainOutput, styledOutput } from './terminalOutput.js'

const logOf = (text: string, options?: LogOptions): Log => {
  const log = createLog(options)
  log.append(text)
  log.finish()
  return log
}
const lines = (log: Log): string[] => Array.from({ length: log.lineCount }, (_, i) => (log.line(i) as LogLine).text)

/** How many parts are worked off until nothing is left. */
const stepsOf = (log: Log): number => {
  let steps = -1
  log.work(Number.POSITIVE_INFINITY, () => {
    steps++
    return 0
  })
  return steps
}

describe('control sequences', () => {
  test.each([
    ['inserts characters', 'abcd\r\x1b[2@', '  abcd'],
    ['deletes characters', 'abcdef\r\x1b[C\x1b[2P', 'adef'],
    ['empties characters', 'abcdef\r\x1b[C\x1b[2X', 'a  def'],
    ['inserts lines', 'one\ntwo\x1b[A\x1b[L', 'one\n\ntwo'.replace('one\n\n', '\none\n')],
    ['deletes lines', 'one\ntwo\nthree\x1b[2A\x1b[M', 'two\nthree'],
    ['repeats a character and its marks', 'e\u0301\x1b[2b', 'e\u0301e\u0301e\u0301'],
    ['puts the cursor at a tab stop', 'a\x1b[Ib\x1b[Zc', 'a       c'],
    ['expands tabs', 'a\tb\n日\tc\n\td\n', 'a       b\n日      c\n        d\n'],
    ['shows nothing for a tab behind everything', 'a\t\nb', 'a\nb'],
    ['saves and restores the cursor', 'ab\x1b7cd\nef\x1b8X', 'abXd\nef'],
    ['erases below', 'one\ntwo\nthree\x1b[2A\r\x1b[J', ''],
    ['begins a new screen with ED 2', 'one\n\x1b[H\x1b[2Jtwo\x1b[HTWO', 'one\nTWO'],
    ['keeps the alternate screen out', 'a\x1b[?1049hdrawn\x1b[5;5Hmore\x1b[?1049lb', 'ab'],
    ['keeps a tab below the last line from making one', '\x1b[B\t', ''],
    ['keeps half of a character that was written over blank', '日本\b日', '日 日'],
    ['pads with blanks up to where the cursor was put', 'a\x1b[5Gb\r\x1b[3C\x1b[K', 'a'],
    ['reads 8-bit sequences', 'a\x9b1mb\x9d0;title\x9cc\x85d', 'abc\nd'],
  ])('[A9] %s', (_, input, text) => {
    expect(logOf(input).text()).toBe(text)
  })

  test('[A9] output of full-screen programs is counted', () => {
    expect(logOf('a\x1b[?1049hdrawn\x1b[5;5Hmore\x1b[?1049lb').alternateLength).toBe(9)
  })

  test('[A9] with lfImpliesCr off a line feed keeps the column', () => {
    expect(logOf('a\nb\r\nc', { lfImpliesCr: false }).text()).toBe('a\n b\nc')
  })

  test('[A9] 20,000 updates of one line are one line', () => {
    const log = createLog()
    for (let i = 1; i <= 20_000; i++) {
      log.append(`\r${i} of 20000`)
      if (i % 16 === 0) log.work(8, () => 0)
    }
    expect(log.text()).toBe('20000 of 20000')
    expect(log.lineCount).toBe(1)
  })
})

describe('links', () => {
  const linkOf = (target: string) =>
    logOf(`\x1b]8;;${target}\x1b\\text\x1b]8;;\x1b\\ after`).line(0)?.runs[0]?.style.link

  test.each(['https://example.com/a?b#c', 'http://example.com', 'HTTPS://EXAMPLE.COM', 'mailto:a@example.com'])(
    '[H2] %s is a link',
    (target) => expect(linkOf(target)).toBe(target),
  )
  test.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,x',
    'https:example.com',
    'https://user@evil.example',
    'https://good.example\\@evil.example',
    'https://exa mple.com',
    'https://a.example/\u202e',
    ' https://example.com',
    `https://example.com/${'x'.repeat(5_000)}`,
  ])('[H2] %s is no link, and its text is shown', (target) => {
    expect(linkOf(target)).toBeUndefined()
    expect(logOf(`\x1b]8;;${target}\x1b\\text\x1b]8;;\x1b\\ after`).text()).toBe('text after')
  })
})

describe('bounds', () => {
  const part = 1 << 18
  test.each([
    ['cursor forward', '\x1b[99999Cx\n'],
    ['repetitions', 'x\x1b[99999b'],
    ['inserted characters', '\x1b[99999@'],
    ['inserted lines', 'x\n\x1b[A\x1b[99999L'],
    ['cursor down', '\x1b[99999Bx'],
    ['new screens far down', '\x1b[2J\x1b[99999Bx'],
    ['cursor up', '\n\x1b[99999Ax\x1b[99999B'],
    ['parameters', '\x1b[1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17;18;19;20m'],
    ['true colours', '\x1b[38;2;1;2;3mx'],
    ['saved cursors', 'x\x1b7'],
    ['backspaces', 'xx\b'],
    ['marks', 'x\u0301\u0301\r'],
    ['open strings', '\x1b]8;;x'],
    ['erased screens', 'x\n\x1b[1J'],
    ['tabs', '\t\tx\r'],
  ])('[H1] 256 kB of %s take bounded memory, and come to an end', (_, sequence) => {
    const log = createLog()
    log.append(sequence.repeat(part / sequence.length))
    log.finish()
    expect(log.text().length).toBeLessThan(100 * part)
  })

  test('[H2] a string sequence of 1 MB is not shown', () => {
    const log = createLog()
    for (let i = 0; i < 1_024; i++) log.append(i === 0 ? '\x1b]1337;File=' : 'A'.repeat(1_024))
    log.append('\x07after')
    expect(log.text()).toBe('after')
  })

  test('[H1] a line of several megabytes is not changed inside: what would do so begins a new line', () => {
    expect(logOf(`${'x'.repeat(2_000_000)}\rnew`).line(1)?.text).toBe('new')
  })

  test('[H3] more styles than are kept lose their colours, not their text', () => {
    const colors = Array.from({ length: 70_000 }, (_, i) => `\x1b[38;2;${i >> 16};${(i >> 8) & 255};${i & 255}mx`)
    // A move makes the styles of each cell count.
    const log = logOf(`${colors.join('')}\b`)
    expect(log.text().length).toBe(70_000)
    expect(log.line(0, 69_999)?.runs).toEqual([])
    expect(log.line(0, 0, 1)?.runs[0]?.style.color).toBe('#000000')
  })
})

describe('reading', () => {
  propertyTest.prop([fc.oneof(plainOutput, styledOutput), fc.nat(30), fc.nat(30)])(
    '[H3] a part of a line is that part of its text and styles',
    (text, a, b) => {
      const log = logOf(text)
      const [from = 0, to = 0] = [a, b].sort((x, y) => x - y)
      for (let i = 0; i < log.lineCount; i++) {
        const whole = log.line(i) as LogLine
        const part = log.line(i, from, to) as LogLine
        expect(part.text).toBe(whole.text.slice(from, to))
        expect(part.length).toBe(whole.text.length)
        const styleAt = ({ runs }: LogLine, at: number) => runs.find((run) => run.from <= at && at < run.to)?.style
        for (let at = 0; at < part.text.length; at++) expect(styleAt(part, at)).toBe(styleAt(whole, from + at))
      }
    },
  )

  propertyTest.prop([divided(styledOutput), fc.integer({ min: 1, max: 5 })])(
    '[A9] the parts of the text are the text, from the oldest line that is kept on',
    ({ chunks }, limit) => {
      const log = createLog({ lines: limit, rows: 2, pageLength: 16 })
      for (const chunk of chunks) log.append(chunk)
      expect(log.textParts().join('')).toBe(log.text())
      expect(log.text().replace(/\n$/, '').split('\n').slice(-limit).join('\n')).toBe(lines(log).join('\n'))
    },
  )

  test('[A9] equal styles are the same object, so that a reader can tell by identity', () => {
    const log = logOf('\x1b[31ma\x1b[0mb\n\x1b[31mc\n')
    expect(log.line(1)?.runs[0]?.style).toBe(log.line(0)?.runs[0]?.style)
  })

  test('[A9] a line that does not exist is undefined', () => {
    const log = logOf('a\n')
    expect([log.line(-1), log.line(1), log.line(0.5), log.line(Number.NaN)]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('work', () => {
  test('[A9] a large chunk is worked off in parts', () => {
    const log = createLog()
    log.append(`${'x'.repeat(79)}\n`.repeat(25_000))
    let time = 0
    expect(log.work(3, () => time++)).toBe(true)
    expect(log.lineCount).toBeGreaterThan(500)
    expect(log.lineCount).toBeLessThan(5_000)
    expect(log.pendingLength).toBeGreaterThan(1_500_000)
  })

  test('[A9] the end of a large chunk is known before it is worked off', () => {
    const log = createLog()
    log.append(`${'x'.repeat(79)}\n`.repeat(25_000))
    log.append('\x1b[31mlast\n')
    const { lines: shown, isAhead } = log.tail(2)
    expect(isAhead).toBe(true)
    expect(shown.map(({ text }) => text)).toEqual(['x'.repeat(79), 'last'])
    expect(shown[1]?.runs[0]?.style.color).toBe(1)
    expect(log.lineCount).toBe(0)
  })

  test('[A9] the end is not guessed behind what may have moved the cursor', () => {
    const log = createLog()
    log.append(`\x1b[2A${'x'.repeat(79)}\n`.repeat(2_500))
    log.append('last\n')
    expect(log.tail(2).isAhead).toBe(false)
  })

  test('[A9] a late chunk costs its page, not the log', () => {
    const log = createLog()
    for (let i = 0; i < 20_000; i++)
      log.append(`line ${i}, \x1b[32mgreen\x1b[0m and some more text to make it longer\n`, i * 2)
    log.finish()
    log.append('late\n', 20_001)
    expect(stepsOf(log)).toBe(1)
    expect(log.line(10_001)?.text).toBe('late')
    log.append('\x1b[31mlate and red\n', 20_001)
    expect(stepsOf(log)).toBeLessThanOrEqual(2)
  })

  test('[A9] a late chunk that leaves a colour on changes all that follows, in parts', () => {
    const log = createLog()
    for (let i = 0; i < 20_000; i++) log.append(`line ${i} without any colour at all\n`, i * 2)
    log.finish()
    log.append('\x1b[31m', 20_001)
    expect(stepsOf(log)).toBeGreaterThan(3)
    expect(log.line(9_999)?.runs).toEqual([])
    expect(log.line(19_999)?.runs[0]?.style.color).toBe(1)
  })

  test('[A9] lines stay readable while a late chunk is worked off', () => {
    const log = createLog()
    for (let i = 0; i < 20_000; i++) log.append(`line ${i} without any colour at all\n`, i * 2)
    log.finish()
    log.append('\x1b[31mlate\n', 20_001)
    for (let more = true; more; ) {
      more = log.work(0, () => 0)
      expect(log.line(19_000)?.text).toMatch(/^line (19000|18999) /)
      expect(log.lineCount).toBeGreaterThanOrEqual(20_000)
    }
  })
})

describe('limits', () => {
  test('[H3] what belongs before the oldest input that is kept is refused and counted, and positions below the cut can be forgotten', () => {
    const log = createLog({ lines: 10, rows: 1, pageLength: 64 })
    for (let i = 0; i < 100; i++) {
      log.append(`line ${i}\n`, i)
      log.finish()
    }
    expect(log.droppedLines).toBe(90)
    expect(log.dropped.position).toBeGreaterThan(70)
    expect(log.dropped.position).toBeLessThan(90)
    log.append('late\n', 3.5)
    log.finish()
    expect(log.refusedChunks).toBe(1)
    expect(lines(log)).toEqual(Array.from({ length: 10 }, (_, i) => `line ${90 + i}`))
  })

  test('[H3] the style at the cut is kept', () => {
    const log = createLog({ lines: 2, rows: 1, pageLength: 16 })
    log.append(`\x1b[31mred\n${'still red\n'.repeat(50)}`)
    log.finish()
    expect(log.line(0)?.runs[0]?.style.color).toBe(1)
  })

  test('[H3] a page that is drawn again without end gives up its input, and goes on right', () => {
    const log = createLog({ pageLength: 64 })
    for (let i = 0; i < 8_000; i++) {
      log.append(`one ${i}\ntwo ${i}\n\x1b[2A`, i)
      log.finish()
    }
    expect(log.text()).toBe('one 7999\ntwo 7999\n')
    log.append('\x1b[31mlate', 3.5)
    log.finish()
    expect(log.refusedChunks).toBe(1)
    log.append('late\n', 7_999.5)
    log.append('\n\nend', 8_001)
    expect(log.text()).toBe('late7999\ntwo 7999\n\nend')
  })

  test('[H3] progress that leaves little text does not keep all its input', () => {
    const log = createLog({ length: 2_000, rows: 2, pageLength: 256 })
    for (let i = 0; i < 300; i++) {
      log.append(`${'\r#####'.repeat(100)}\n`, i)
      log.finish()
    }
    expect(lines(log).every((text) => text === '#####')).toBe(true)
    expect(log.lineCount).toBe(300)
    log.append('late\n', 0.5)
    log.finish()
    expect(log.refusedChunks).toBe(1)
  })
})

describe('holes', () => {
  const gap = { before: 3, count: 2 }

  test('[A13] a hole has a place between two lines, and changes neither text nor numbers', () => {
    const log = createLog()
    log.append('one\n', 0)
    log.append('two\n', 3)
    log.setGaps([gap])
    log.finish()
    expect(log.gaps()).toEqual([{ line: 1, gap }])
    expect(log.text()).toBe('one\ntwo\n')
    expect(log.lineCount).toBe(2)
  })

  test('[A13] a hole without output behind it or before it is not shown', () => {
    const log = createLog()
    log.append('two\n', 3)
    log.setGaps([gap, { before: 9 }])
    log.finish()
    expect(log.gaps()).toEqual([])
  })

  test('[A13] holes move with their lines, in redrawn output too, and go with dropped ones', () => {
    const log = createLog({ lines: 5, rows: 3, pageLength: 32 })
    log.setGaps([{ before: 5 }])
    for (let i = 1; i < 5; i++) log.append(`bar\rline ${i}\n`, i)
    for (let i = 5; i < 7; i++) log.append(`bar\rline ${i}\n`, i)
    log.finish()
    const [placed] = log.gaps()
    expect(log.line(placed?.line ?? -1)?.text).toBe('line 5')
    for (let i = 7; i < 20; i++) log.append(`line ${i}\n`, i)
    log.finish()
    expect(log.gaps()).toEqual([])
  })
})

describe('places', () => {
  propertyTest.prop([
    fc.array(fc.record({ at: fc.nat(40), count: fc.integer({ min: 1, max: 3 }) }), { maxLength: 6 }),
    fc.integer({ min: 0, max: 39 }),
  ])('[A9] a line is found again after late chunks', (inserted, index) => {
    const log = createLog({ pageLength: 64 })
    for (let i = 0; i < 40; i++) log.append(`line ${i}\n`, i)
    log.finish()
    let { version } = log
    let place = index
    for (const { at, count } of inserted) {
      log.append('late\n'.repeat(count), at + 0.5)
      if (at % 3 === 0) continue
      log.finish()
      place = log.follow(place, version)
      version = log.version
    }
    log.finish()
    place = log.follow(place, version)
    expect(log.line(place)?.text).toBe(`line ${index}`)
  })
})

describe('search', () => {
  propertyTest.prop([
    divided(styledOutput),
    fc.constantFrom('x', 'X', 'e', '1', ' '),
    fc.boolean(),
    fc.constantFrom(1_000_000, 3),
  ])('[A9] finds what looking through each line finds', ({ chunks }, query, caseSensitive, limit) => {
    const log = createLog({ pageLength: 32, rows: 2, lines: limit })
    const search = log.search(query, { caseSensitive })
    for (const chunk of chunks) {
      log.append(chunk)
      search.finish()
    }
    const fold = (text: string) => (caseSensitive ? text : text.toLowerCase())
    const expected = lines(log).flatMap((text, line) =>
      text.split('').flatMap((_, at) => (fold(text)[at] === fold(query) ? [{ line, from: at, to: at + 1 }] : [])),
    )
    expect(Array.from({ length: search.count }, (_, i) => search.match(i))).toEqual(expected)
    for (const [i, { line, from }] of expected.entries()) expect(search.indexFrom(line, from)).toBe(i)
    expect(search.indexFrom(log.lineCount, 0)).toBe(search.count)
  })

  test('[A9] a regular expression is matched within lines', () => {
    const search = logOf('a1 b22\n c333\n\n d').search('\\s|\\d+', { regex: true }).finish()
    expect(Array.from({ length: search.count }, (_, i) => search.match(i)).map((match) => match?.line)).toEqual([
      0, 0, 0, 1, 1, 3,
    ])
  })

  test('[A9] a broken regular expression is reported and finds nothing', () => {
    const search = logOf('a(b').search('a(', { regex: true }).finish()
    expect(search.error).toMatch(/\(/)
    expect(search.count).toBe(0)
    expect(logOf('a(b').search('a(').finish().count).toBe(1)
  })

  test('[H1] matches are counted up to a limit', () => {
    const search = logOf('aaaa\n'.repeat(100)).search('a', { limit: 10 }).finish()
    expect([search.count, search.isCapped]).toEqual([10, true])
  })

  test('[A9] a search goes over a text in parts, and over new output only once', () => {
    const log = logOf(`${'needle in hay '.repeat(8)}\n`.repeat(10_000))
    const search = log.search('needle')
    let time = 0
    let parts = 0
    while (search.work(2, () => time++)) parts++
    expect(parts).toBeGreaterThan(5)
    expect(search.count).toBe(80_000)
    log.append('needle\n')
    time = 0
    search.work(1e9, () => time++)
    expect(search.count).toBe(80_001)
  })
})
