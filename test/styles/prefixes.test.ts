import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const folder = new URL('../../src/styles/', import.meta.url)
const sheets = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'))

test('[H2] what is not to be copied is not in Safari either, which knows `user-select` by its old name only', () => {
  const rules = sheets.flatMap((css) => css.match(/[^{}]*\buser-select: none;[^{}]*/g) ?? [])

  expect(rules).not.toEqual([])
  for (const rule of rules) expect(rule).toMatch(/-webkit-user-select: none;\s+user-select: none;/)
})
