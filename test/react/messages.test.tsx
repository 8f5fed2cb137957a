import { screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { createFormatter, en, type Messages, messagesFor, ru, ToolCallDetail, zhCN } from '../../src/react/index.js'
import { callId, ended, running } from '../../stories/fixtures/calls.js'
import { showCall } from './showCall.js'

/** Every word of a language, written out with some number. */
function allWords(messages: Messages | Record<string, unknown>): readonly string[] {
  return Object.values(messages).flatMap((word) => {
    if (typeof word === 'string') return [word]
    if (typeof word === 'object') return allWords(word)
    return [(word as (...args: readonly unknown[]) => string)(3, 4)]
  })
}

describe('messages', () => {
  test.each([
    ['en', en],
    ['zh-CN', zhCN],
    ['ru', ru],
  ] as const)('[F2] every word of %s is there', (_, messages) => {
    for (const word of allWords(messages)) {
      expect(word.trim()).not.toBe('')
      expect(word).not.toMatch(/undefined|NaN|#/)
    }
  })

  test('[F2] the languages share no words', () => {
    const [english, chinese, russian] = [en, zhCN, ru].map((messages) => new Set(allWords(messages)))

    expect([...(chinese ?? [])].filter((word) => english?.has(word) || russian?.has(word))).toEqual([])
    // A name and what happened to it, with a colon between them.
    expect([...(russian ?? [])].filter((word) => english?.has(word))).toEqual(['3: 4'])
  })

  test('[F2] a language is found by the beginning of its tag, and English stands in for others', () => {
    expect(messagesFor('zh-Hans-CN')).toBe(zhCN)
    expect(messagesFor('ru-RU')).toBe(ru)
    expect(messagesFor('pt-BR')).toBe(en)
  })

  test('[F2] counted words take the form that the number asks for', () => {
    expect([1, 2, 5, 21, 1204].map(ru.blocks)).toEqual(['1 блок', '2 блока', '5 блоков', '21 блок', '1\u00a0204 блока'])
    expect([0, 1, 2].map(en.blocks)).toEqual(['0 blocks', '1 block', '2 blocks'])
  })

  test('[F2] a host replaces single words', () => {
    showCall(running, <ToolCallDetail callId={callId} />, { messages: { modeLive: 'On air' } })

    expect(screen.getByText('On air')).toBeVisible()
    expect(screen.getByText('Process')).toBeVisible()
  })

  test('[F2] the area speaks the language of its provider', () => {
    showCall(ended, <ToolCallDetail callId={callId} />, { locale: 'ru' })

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
  ] as const)('%i ms, %s, is %s', (ms, precision, written) => {
    expect(createFormatter('en', en).duration(ms, precision)).toBe(written)
  })

  test('take the signs of the language', () => {
    expect(createFormatter('ru', ru).duration(400, 'tenths')).toBe('0,4 с')
  })

  test('[H1] a time that no calendar has is no error', () => {
    expect(createFormatter('en', en).timeOfDay(Number.MAX_VALUE)).toBe('?')
    expect(createFormatter('en', en).timeOfDay(Number.NaN)).toBe('?')
  })
})
