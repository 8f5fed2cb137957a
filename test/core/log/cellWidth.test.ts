import xterm from '@xterm/headless'
import { expect, test } from 'vitest'
import { cellWidth, columnsAfter } from '../../../src/core/log/index.js'

test.each([
  ['plain', 5],
  ['日本語', 6],
  ['e\u0301', 1],
  ['👍', 2],
  ['a\tb', 9],
  ['日\tb', 9],
  ['', 0],
  ['\u0301x', 2],
])('[A9] %j takes %i columns', (text, columns) => {
  expect(columnsAfter(text, 0)).toBe(columns)
})

test('[A9] a character of the East Asian scripts takes as many columns as in xterm.js', async () => {
  const letters = Array.from({ length: 0x10000 }, (_, i) => String.fromCharCode(i)).filter((letter) =>
    /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u.test(
      letter,
    ),
  )
  const terminal = new xterm.Terminal({ cols: 4, rows: 2, allowProposedApi: true })
  const wrong: string[] = []
  for (let i = 0; i < letters.length; i += 97) {
    const letter = letters[i] as string
    await new Promise<void>((resolve) => terminal.write(`\x1b[H${letter}`, resolve))
    if (terminal.buffer.active.cursorX !== cellWidth(letter.codePointAt(0) as number)) wrong.push(letter)
  }
  // Marks need something to join; Hangul Jamo extended A is newer than the table.
  expect(wrong.filter((letter) => !/[\p{M}\u1160-\u11ff\ua960-\ua97f]/u.test(letter))).toEqual([])
})
