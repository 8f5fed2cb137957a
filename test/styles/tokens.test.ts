import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { tokens as listed } from '../../stories/theming/tokens.js'

type Tokens = ReadonlyMap<string, string>

/** The declarations of every block, in order, with its selector and the media queries around it. */
const blocks = readBlocks(readFileSync(new URL('../../src/styles/tokens.css', import.meta.url), 'utf8'))

function readBlocks(css: string) {
  const found: { readonly path: string; readonly tokens: Tokens }[] = []
  const open: string[] = []
  const text = css.replace(/\/\*.*?\*\//gs, '')
  for (const [, selector, tokens, end] of text.matchAll(/([^{};]+)\{|((?:\s*--[\w-]+:[^;]+;)+)|(\})/g)) {
    if (selector !== undefined) open.push(selector.replace(/\s+/g, ' ').trim())
    else if (end !== undefined) open.pop()
    else {
      const pairs = [...(tokens ?? '').matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(
        ([, name, value]) => [name, value] as const,
      )
      found.push({ path: open.slice(1).join(' '), tokens: new Map(pairs as [string, string][]) })
    }
  }
  return found
}

/** The tokens of all blocks at those paths, the later ones counting. */
function tokensAt(...paths: readonly string[]): Tokens {
  const parts = paths.map((path) => {
    const block = blocks.find((each) => each.path === path)
    if (block === undefined)
      throw new Error(`no block at ${path}; there are: ${blocks.map((each) => each.path).join(' | ')}`)
    return block.tokens
  })
  return new Map(parts.flatMap((part) => [...part]))
}

const light = ":root, [data-theme='light']"
const dark = "@media screen [data-theme='dark']"
const more = "[data-contrast='more']"
const themes = {
  light: { tokens: tokensAt(light), least: 4.5 },
  dark: { tokens: tokensAt(light, dark), least: 4.5 },
  'light, high contrast': { tokens: tokensAt(light, more), least: 7 },
  'dark, high contrast': { tokens: tokensAt(light, dark, `${dark}${more}`), least: 7 },
}

/** The ratio of two colours by WCAG 2.2. */
function contrast(a: string, b: string): number {
  const luminance = (colour: string) => {
    const [r, g, blue] = [1, 3, 5].map((at) => {
      const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255
      return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
    }) as [number, number, number]
    return 0.2126 * r + 0.7152 * g + 0.0722 * blue
  }
  const [lighter, darker] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

const words = ['ink', 'ink-soft', 'ink-faint', 'accent', 'ok', 'bad', 'warn'].map((name) => `--tcd-color-${name}`)
const grounds = ['surface', 'surface-sunken', 'surface-raised'].map((name) => `--tcd-color-${name}`)
const tints = [
  ['--tcd-color-bad', '--tcd-color-bad-tint'],
  ['--tcd-color-warn', '--tcd-color-warn-tint'],
  ['--tcd-color-ink', '--tcd-color-bad-tint'],
  ['--tcd-color-ink', '--tcd-color-warn-tint'],
  ['--tcd-color-ink-faint', '--tcd-color-bad-tint'],
  ['--tcd-color-ink-faint', '--tcd-color-warn-tint'],
] as const

describe.each(Object.entries(themes))('%s', (_, { tokens, least }) => {
  const outputs = [...tokens.keys()].filter((name) => name.startsWith('--tcd-log-'))
  const pairs = [
    ...words.flatMap((word) => grounds.map((ground) => [word, ground] as const)),
    ...tints,
    ...[...outputs, '--tcd-color-log-ink', '--tcd-color-ink-faint'].map(
      (name) => [name, '--tcd-color-log-surface'] as const,
    ),
  ]
  test.each(pairs)('[F3] %s can be read on %s', (word, ground) => {
    expect(contrast(tokens.get(word) as string, tokens.get(ground) as string)).toBeGreaterThanOrEqual(least)
  })
})

test.each([
  [dark, '@media (prefers-color-scheme: dark) :root:not([data-theme])'],
  [more, "@media (prefers-contrast: more) :root:not([data-contrast]), [data-theme='light']:not([data-contrast])"],
  [`${dark}${more}`, "@media screen and (prefers-contrast: more) [data-theme='dark']:not([data-contrast])"],
  [
    `${dark}${more}`,
    '@media (prefers-contrast: more) and (prefers-color-scheme: dark) :root:not([data-theme], [data-contrast])',
  ],
])("[F3] what %s sets is what the reader's system sets: %s", (named, asked) => {
  expect(tokensAt(asked)).toEqual(tokensAt(named))
})

test('[F3] the table of tokens has every one that a theme may set, and what it is for', () => {
  const declared = new Set(blocks.flatMap(({ tokens }) => [...tokens.keys()]))

  expect(listed.map(({ name }) => name).toSorted()).toEqual([...declared].toSorted())
  expect(listed.filter(({ meaning }) => meaning === '')).toEqual([])
})
