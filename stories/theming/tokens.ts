import sheet from '../../src/styles/tokens.css?raw'

/** One design token as the style sheet declares it. */
export interface Token {
  readonly name: string
  /** Its value in the light theme. */
  readonly value: string
  /** What it is for, in the words of the comment above it. */
  readonly meaning: string
  readonly group: 'Colour' | 'Output' | 'Type' | 'Space and shape' | 'Motion'
}

const groups: readonly (readonly [RegExp, Token['group']])[] = [
  [/^--tcd-(log-|color-log|color-match)/, 'Output'],
  [/^--tcd-color/, 'Colour'],
  [/^--tcd-(font|text|line)/, 'Type'],
  [/^--tcd-motion/, 'Motion'],
  [/./, 'Space and shape'],
]

/** All tokens in the order of the style sheet; those without a comment of their own share the one before. */
export const tokens: readonly Token[] = readTokens()

function readTokens(): Token[] {
  // What comes before the first other theme.
  const declared = sheet.slice(0, sheet.indexOf("[data-density='compact']"))
  const found: Token[] = []
  let meaning = ''
  for (const [, comment, name = '', value = ''] of declared.matchAll(
    /\/\*\s*(.*?)\s*\*\/|(--tcd-[\w-]+):\s*([^;]+);/gs,
  )) {
    if (comment !== undefined) meaning = comment.replace(/\s+/g, ' ')
    else found.push({ name, value, meaning, group: groups.find(([pattern]) => pattern.test(name))?.[1] ?? 'Colour' })
  }
  return found
}
