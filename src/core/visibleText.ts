/** A character that can not be seen and may mislead, and what stands there instead of it. */
export interface MarkedCharacter {
  readonly character: string
  /** `U+202E`. */
  readonly codePoint: string
  /** Its name in the Unicode standard, or the name of its group. */
  readonly name: string
}

/**
 * The text in pieces that can be shown, with the characters that could deceive a reader told apart (H2). The pieces hold
 * every other character as it is. A text without such characters is one piece; an empty text has none.
 *
 * Always marked: directional embeddings, overrides and isolates, control characters except tab and the line ends `\n` and
 * `\r\n`, U+FEFF behind the start, U+200B, U+2060, and tag characters outside a flag. Joiners, variation selectors and
 * directional marks are part of many scripts and of emoji: they are marked only where neither neighbour is a letter or
 * an emoji.
 */
export function visibleText(text: string): readonly (string | MarkedCharacter)[] {
  if (!suspicious.test(text)) return text === '' ? [] : [text]
  const pieces: (string | MarkedCharacter)[] = []
  let start = 0
  for (const found of text.matchAll(candidates)) {
    if (isHarmless(found[0], text, found.index)) continue
    if (found.index > start) pieces.push(text.slice(start, found.index))
    pieces.push(markedCharacter(found[0]))
    start = found.index + found[0].length
  }
  if (start < text.length) pieces.push(text.slice(start))
  return pieces
}

/** The same as one string, for places that take no markup such as an accessible name. */
export function visibleString(text: string): string {
  return visibleText(text)
    .map((piece) => (typeof piece === 'string' ? piece : piece.codePoint))
    .join('')
}

const always = String.raw`\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B\u202A-\u202E\u2060\u2066-\u2069\uFEFF\u{E0000}-\u{E007F}`
const byNeighbour = String.raw`\u200C-\u200F\u061C\uFE00-\uFE0F\u{E0100}-\u{E01EF}`
const suspicious = new RegExp(`[${always}${byNeighbour}]`, 'u')
// The three flags of regions that Unicode recommends (England, Scotland, Wales) are the only use of tags: the black flag,
// the tags of the region's letters, the end tag. They are taken whole, so that their tags are not looked at.
const regions = ['gbeng', 'gbsct', 'gbwls'].map((region) =>
  Array.from(region, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join(''),
)
const candidates = new RegExp(String.raw`\u{1F3F4}(?:${regions.join('|')})\u{E007F}|[${always}${byNeighbour}]`, 'gu')
const joining = new RegExp(`^[${byNeighbour}]$`, 'u')
const letterOrEmoji = /^[\p{L}\p{M}\p{Emoji_Presentation}\p{Extended_Pictographic}\p{Regional_Indicator}]$/u

function isHarmless(character: string, text: string, index: number): boolean {
  if (character.startsWith('\u{1F3F4}')) return true
  if (character === '\r') return text[index + 1] === '\n'
  if (character === '\uFEFF') return index === 0
  return joining.test(character) && [before(text, index), after(text, index + character.length)].some(isLetterOrEmoji)
}

function before(text: string, index: number): string {
  const unit = text.charCodeAt(index - 1)
  return unit >= 0xdc00 && unit <= 0xdfff ? text.slice(Math.max(0, index - 2), index) : text.slice(index - 1, index)
}

function after(text: string, index: number): string {
  return String.fromCodePoint(text.codePointAt(index) ?? 0)
}

/** True for the keycap sign too: it makes an emoji of the digit and the selector before it. */
function isLetterOrEmoji(character: string): boolean {
  // A joiner is itself a combining mark for Unicode, but it must not vouch for its neighbour.
  return letterOrEmoji.test(character) && !joining.test(character)
}

function markedCharacter(character: string): MarkedCharacter {
  const code = character.codePointAt(0) as number
  return { character, codePoint: `U+${code.toString(16).toUpperCase().padStart(4, '0')}`, name: characterName(code) }
}

function characterName(code: number): string {
  if (names[code]) return names[code]
  if (code < 0xa0) return 'CONTROL CHARACTER'
  return code >= 0xe0000 && code <= 0xe007f ? 'TAG CHARACTER' : 'VARIATION SELECTOR'
}

/** Names of the Unicode Character Database, https://www.unicode.org/Public/UCD/latest/ucd/NamesList.txt */
const names: Readonly<Record<number, string>> = {
  0x00: 'NULL',
  0x07: 'BELL',
  0x08: 'BACKSPACE',
  0x0d: 'CARRIAGE RETURN',
  0x1b: 'ESCAPE',
  0x7f: 'DELETE',
  0x85: 'NEXT LINE',
  0x61c: 'ARABIC LETTER MARK',
  0x200b: 'ZERO WIDTH SPACE',
  0x200c: 'ZERO WIDTH NON-JOINER',
  0x200d: 'ZERO WIDTH JOINER',
  0x200e: 'LEFT-TO-RIGHT MARK',
  0x200f: 'RIGHT-TO-LEFT MARK',
  0x202a: 'LEFT-TO-RIGHT EMBEDDING',
  0x202b: 'RIGHT-TO-LEFT EMBEDDING',
  0x202c: 'POP DIRECTIONAL FORMATTING',
  0x202d: 'LEFT-TO-RIGHT OVERRIDE',
  0x202e: 'RIGHT-TO-LEFT OVERRIDE',
  0x2060: 'WORD JOINER',
  0x2066: 'LEFT-TO-RIGHT ISOLATE',
  0x2067: 'RIGHT-TO-LEFT ISOLATE',
  0x2068: 'FIRST STRONG ISOLATE',
  0x2069: 'POP DIRECTIONAL ISOLATE',
  0xfeff: 'ZERO WIDTH NO-BREAK SPACE',
}
