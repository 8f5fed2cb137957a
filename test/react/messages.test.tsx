import { act, screen } from '@testing-library/react'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import * as entry from '../../src/messages/index.js'
import * as components from '../../src/react/index.js'
import { abortedCall, callId, ended, running } from '../../stories/fixtures/calls.js'
import { showCall } from './showCall.js'

const { ar, arabicFor, es, messagesFor, ru, spanishFor, zhCN } = entry
const { createFormatter, en, ToolCallDetail } = components

const languages = [
  ['en', en],
  ['zh-CN', zhCN],
  ['ru', ru],
  ['es', es],
  ['ar', ar],
] as const

/** Every word of a language by its path, written out with some number. */
function allWords(messages: object, path = ''): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(messages).flatMap(([key, word]): (readonly [string, string])[] => {
      if (typeof word === 'string') return [[path + key, word]]
      if (typeof word === 'object') return [...allWords(word, `${path}${key}.`)]
      return [[path + key, (word as (...args: readonly unknown[]) => string)(3, 4)]]
    }),
  )
}

/** What a language has in common with English, and why. */
const shared: Readonly<Record<string, readonly string[]>> = {
  'zh-CN': [],
  // A name and what happened to it, with a colon between them.
  ru: ['ended', 'replay.times'],
  // "Error" is a Spanish word, too, and the units have the same signs.
  es: ['ended', 'errorLine', 'hoursMinutes', 'minutesSeconds', 'replay.times', 'seconds'],
  ar: ['ended', 'replay.times'],
}

/** Names that are written in Latin letters everywhere. */
const latinNames = /JSON|SHA-256|KB/g

/** Forms of a counted word, with its number as Intl writes it in Arabic. */
const arabic = (forms: readonly (readonly [number, string])[]) =>
  forms.map(([count, words]) => words.replace('#', new Intl.NumberFormat('ar').format(count)))

describe('messages', () => {
  test.each(languages)('[F2] every word of %s is there', (_, messages) => {
    const words = allWords(messages)

    expect([...words.keys()].sort()).toEqual([...allWords(en).keys()].sort())
    for (const word of words.values()) {
      expect(word.trim()).not.toBe('')
      expect(word).not.toMatch(/undefined|NaN|#/)
    }
  })

  test.each(languages.slice(1))('[F2] no word of %s is left in English', (language, messages) => {
    const english = allWords(en)
    const same = [...allWords(messages)].filter(([path, word]) => english.get(path) === word)

    expect(same.map(([path]) => path).sort()).toEqual(shared[language])
  })

  test.each([
    ['zh-CN', zhCN, /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Arabic}]/u],
    ['ru', ru, /[\p{Script=Latin}\p{Script=Han}\p{Script=Arabic}]/u],
    ['es', es, /[\p{Script=Cyrillic}\p{Script=Han}\p{Script=Arabic}]/u],
    ['ar', ar, /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Han}]/u],
  ] as const)('[F2] %s has no letters of another language', (_, messages, others) => {
    expect([...allWords(messages).values()].filter((word) => others.test(word.replace(latinNames, '')))).toEqual([])
  })

  test('[F2] a language is found by the beginning of its tag, and English stands in for others', () => {
    expect(messagesFor('zh-Hans-CN')).toBe(zhCN)
    expect(messagesFor('ru-RU')).toBe(ru)
    expect(messagesFor('es')).toBe(es)
    expect(messagesFor('es-MX').copy).toBe(es.copy)
    expect(messagesFor('ar')).toBe(ar)
    expect(messagesFor('ar-EG').copy).toBe(ar.copy)
    expect(messagesFor('pt-BR')).toBe(en)
  })

  test('[F2] the same tag gives the same words, so that nothing is drawn again', () => {
    expect(messagesFor('ar-EG')).toBe(messagesFor('ar-EG'))
    expect(messagesFor('es-MX')).toBe(messagesFor('es-MX'))
  })

  test('[F2] a host that wants one language of a region gets it alone', () => {
    expect(arabicFor('ar-EG').lines(12_345)).toBe(messagesFor('ar-EG').lines(12_345))
    expect(spanishFor('es-MX').lines(12_345)).toBe(messagesFor('es-MX').lines(12_345))
  })

  test('[F2] English comes with the components, every other language by the entry of its own', () => {
    expect(Object.keys(entry).sort()).toEqual(['ar', 'arabicFor', 'es', 'messagesFor', 'ru', 'spanishFor', 'zhCN'])
    expect(components.defaultMessages).toBe(en)
    for (const name of Object.keys(entry)) expect(components).not.toHaveProperty(name)
  })

  test.each(['ar', 'ar-EG', 'ar-MA', 'es', 'es-MX'])('[F2] counts in %s are written as its durations are', (locale) => {
    const words = messagesFor(locale)

    expect(words.lines(12_345)).toContain(new Intl.NumberFormat(locale).format(12_345))
    expect(createFormatter(locale, words).duration(12_345 * 3_600_000, 'whole')).toContain(
      new Intl.NumberFormat(locale).format(12_345),
    )
  })

  test('[F2] counted words take the form that the number asks for', () => {
    expect([1, 2, 5, 21, 1204].map(ru.blocks)).toEqual(['1 блок', '2 блока', '5 блоков', '21 блок', '1\u00a0204 блока'])
    expect([0, 1, 2].map(en.blocks)).toEqual(['0 blocks', '1 block', '2 blocks'])
    expect([0, 1, 2, 1_000_000].map(es.lines)).toEqual(['0 líneas', '1 línea', '2 líneas', '1.000.000 de líneas'])
    const counts = [0, 1, 2, 3, 11, 100] as const
    expect(counts.map(ar.lines)).toEqual(
      arabic([
        [0, '# سطر'],
        [1, 'سطر واحد'],
        [2, 'سطران'],
        [3, '# أسطر'],
        [11, '# سطرًا'],
        [100, '# سطر'],
      ]),
    )
    expect(counts.map(ar.run.droppedSteps)).toEqual(
      arabic([
        [0, 'حُذف # حدث سابق'],
        [1, 'حُذف حدث سابق واحد'],
        [2, 'حُذف حدثان سابقان'],
        [3, 'حُذفت # أحداث سابقة'],
        [11, 'حُذف # حدثًا سابقًا'],
        [100, 'حُذف # حدث سابق'],
      ]),
    )
  })

  test('[F2] what is inserted into Arabic as plain text is kept apart', () => {
    const isolated = [
      ar.exitCode('-1'),
      ar.endedBySignal('SIGKILL'),
      ar.allow.other('/tmp/'),
      ar.allowed.other('/tmp/'),
    ]

    expect(isolated.map((text) => /\u2068(.+)\u2069$/.exec(text)?.[1])).toEqual(['-1', 'SIGKILL', '/tmp/', '/tmp/'])
  })

  test('[F2] and in no message that goes through the marks for hidden characters', () => {
    showCall(running, <ToolCallDetail callId={callId} />, { locale: 'ar', messages: ar })

    expect(screen.getByText('مباشر')).toBeVisible()
    expect(document.body.textContent).not.toMatch(/U\+206/)
  })

  test('[F2] a host replaces single words', () => {
    showCall(running, <ToolCallDetail callId={callId} />, { messages: { modeLive: 'On air' } })

    expect(screen.getByText('On air')).toBeVisible()
    expect(screen.getByText('Process')).toBeVisible()
  })

  test('[F2] and of another language, too', () => {
    showCall(running, <ToolCallDetail callId={callId} />, { locale: 'ru', messages: { ...ru, modeLive: 'Эфир' } })

    expect(screen.getByText('Эфир')).toBeVisible()
    expect(screen.getByText('Процесс')).toBeVisible()
  })

  test.each(['pt-BR', 'ru'])('[F2] "%s" without words writes numbers its way among English words', (locale) => {
    showCall(abortedCall, <ToolCallDetail callId={callId} />, { locale })

    expect(screen.getByText('8,0 s')).toBeVisible()
    expect(screen.getByRole('group', { name: 'Aborted' })).toBeVisible()
  })

  test('[F2] the area speaks the language of its provider', () => {
    showCall(ended, <ToolCallDetail callId={callId} />, { locale: 'ru', messages: ru })

    expect(screen.getByRole('group', { name: 'Итоговое значение' })).toBeVisible()
    expect(screen.getByText('1 мин 12 с')).toBeVisible()
    expect(screen.getByText('8 блоков')).toBeVisible()
  })
})

describe('durations', () => {
  test.each([
    [0, 'tenths', '0.0 s'],
    [449, 'tenths', '0.4 s'],
    [42_899, 'tenths', '42.8 s'],
    [59_999, 'tenths', '59.9 s'],
    [42_899, 'whole', '42 s'],
    [72_000, 'tenths', '1 min 12 s'],
    [3_720_000, 'whole', '1 h 2 min'],
    [-5, 'tenths', '0.0 s'],
  ] as const)('[F2] %i ms, %s, is %s', (ms, precision, written) => {
    expect(createFormatter('en', en).duration(ms, precision)).toBe(written)
  })

  test('[F2] take the signs of the language', () => {
    expect(createFormatter('ru', ru).duration(400, 'tenths')).toBe('0,4 с')
  })

  test('[H1] a time that no calendar has is no error', () => {
    expect(createFormatter('en', en).timeOfDay(Number.MAX_VALUE)).toBe('?')
    expect(createFormatter('en', en).timeOfDay(Number.NaN)).toBe('?')
  })
})

describe('numbers that a host or a message gives', () => {
  /** Any number there is, more often those that formatters do not expect. */
  const anyNumber = fc.oneof(
    fc.double(),
    fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, 8.64e15, 8.64e15 + 1),
    fc.constantFrom(Number.MAX_VALUE, -Number.MAX_VALUE, Number.MIN_VALUE, Number.MAX_SAFE_INTEGER),
    fc.integer(),
  )

  test.each(languages)('[H1] are written as a number or as a question mark, and never throw: %s', (locale, words) => {
    const formatter = createFormatter(locale, words)
    fc.assert(
      fc.property(anyNumber, (given) => {
        const written = [
          formatter.duration(given, 'whole'),
          formatter.duration(given, 'tenths'),
          formatter.countdown(given),
          formatter.bytes(given),
          formatter.timeOfDay(given),
        ]
        for (const text of written) {
          expect(text).toMatch(/\p{Nd}|^\?$/u)
          expect(text).not.toMatch(/NaN|∞|не.число|ليس/)
          expect(text.length).toBeLessThan(40)
        }
      }),
    )
  })

  test('[H1] cost no area that shows them, as times and as the store’s own', () => {
    fc.assert(
      fc.property(anyNumber, anyNumber, anyNumber, (now, expiresAt, timeoutSec) => {
        const { store, unmount } = showCall({ receives: [] }, <ToolCallDetail callId="odd" />, {})
        vi.spyOn(store, 'now').mockReturnValue(now)
        act(() => {
          store.ingest([
            { type: 'call', callId: 'odd', toolName: 'shell', running: true, timeoutSec },
            { type: 'approval', approvalId: 'odd', request: { callId: 'odd', toolName: 'shell', expiresAt } },
          ])
          store.flush()
        })
        const { textContent } = document.body
        unmount()
        expect(textContent).not.toMatch(/NaN|∞/)
        expect(textContent).toContain('shell')
      }),
      { numRuns: 50 },
    )
  })
})
