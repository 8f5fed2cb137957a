import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { visibleString, visibleText } from '../../src/core/index.js'

const marks = (text: string) =>
  visibleText(text).flatMap((piece) => (typeof piece === 'string' ? [] : [piece.codePoint]))

describe('visibleText', () => {
  test.each([
    ['an override', 'exe\u202Etxt', ['U+202E']],
    ['embeddings and their end', '\u202Aa\u202Bb\u202Cc\u202Dd', ['U+202A', 'U+202B', 'U+202C', 'U+202D']],
    ['isolates and their end', '\u2066a\u2067b\u2068c\u2069d', ['U+2066', 'U+2067', 'U+2068', 'U+2069']],
    ['control characters', '\u0000\u0007\u001b\u007f\u0085', ['U+0000', 'U+0007', 'U+001B', 'U+007F', 'U+0085']],
    ['a carriage return alone', 'a\rb', ['U+000D']],
    ['a byte order mark inside', 'a\uFEFFb', ['U+FEFF']],
    ['a space and a joiner without width', 'a\u200Bb\u2060c', ['U+200B', 'U+2060']],
    ['tags that spell something', 'a\u{E0041}\u{E007F}', ['U+E0041', 'U+E007F']],
    ['a joiner between digits', '1\u200D2', ['U+200D']],
    ['a joiner beside joiners only', 'a\u200D\u200D\u200Db', ['U+200D']],
    ['a variation selector behind a space', 'a \uFE0F b', ['U+FE0F']],
    ['a directional mark between signs', '(\u200E) (\u200F)', ['U+200E', 'U+200F']],
  ] as const)('[H2] marks %s', (_, text, expected) => {
    expect(marks(text)).toEqual(expected)
  })

  test.each([
    ['tabs and line ends', 'a\tb\nc\r\nd'],
    ['a byte order mark at the start', '\uFEFFabc'],
    ['a family', '👩\u200D👩\u200D👧'],
    ['a heart on fire', '❤\uFE0F\u200D🔥'],
    ['a keycap', '1\uFE0F\u20E3'],
    ['the flag of Scotland', '🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}'],
    ['a flag of two letters', '🇨🇳'],
    ['a Persian word with a non-joiner', 'می\u200Cخواهم'],
    ['an Indic conjunct', 'क्\u200Dष'],
    ['an ideograph with its variant', '葛\u{E0100}'],
    ['directional marks at letters', 'abc\u200E! שלום\u200F!'],
    ['an accented letter in two characters', 'e\u0301'],
    ['half of a surrogate pair', 'a\uD83D'],
  ])('[H2] leaves %s alone', (_, text) => {
    expect(visibleText(text)).toEqual([text])
  })

  test('[H2] names what it marks', () => {
    expect(visibleText('a\u202E')).toEqual([
      'a',
      { character: '\u202E', codePoint: 'U+202E', name: 'RIGHT-TO-LEFT OVERRIDE' },
    ])
  })

  property.prop([fc.string({ unit: 'binary' })])('[H2] loses no character', (text) => {
    const pieces = visibleText(text)

    expect(pieces.map((piece) => (typeof piece === 'string' ? piece : piece.character)).join('')).toBe(text)
  })

  const dangerous = fc.constantFrom(
    '\u202A',
    '\u202E',
    '\u2066',
    '\u2069',
    '\u0000',
    '\u001b',
    '\u0090',
    '\u200B',
    '\u2060',
  )
  property.prop([fc.string({ unit: 'binary' }), dangerous, fc.string({ unit: 'binary' })])(
    '[H2] never shows a dangerous character, whatever stands around it',
    (before, character, after) => {
      expect(visibleString(before + character + after)).not.toContain(character)
    },
  )
})
