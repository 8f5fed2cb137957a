import { visibleString } from '../core/index.js'

/** The beginning of a text that is too long to be shown at once. */
export interface TextFold {
  /** As much of the text as may be shown; all of it if it is not too long. */
  readonly head: string
  readonly isFolded: boolean
  /** Lines of the whole text. */
  readonly lineCount: number
}

/** Folds a text behind its first `maxLines` lines, or inside of them behind `maxCharacters` UTF-16 code units. */
export function foldText(text: string, maxLines: number, maxCharacters: number): TextFold {
  let lineCount = 1
  let end = text.length
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    // A line break at the very end ends the last line and opens none.
    if (at === text.length - 1) break
    if (lineCount === maxLines) end = at
    lineCount += 1
  }
  const head = cutText(text, Math.min(end, maxCharacters))
  return { head, isFolded: head.length < text.length, lineCount }
}

/** UTF-16 code units that are shown of a name: of a tool, a key or a status. */
export const maxNameLength = 200

/** A name for places that take no markup, as accessible names: not too long, with what can not be seen made visible (H2). */
export const plainName = (name: string): string => visibleString(cutText(name, maxNameLength))

/** At most `length` UTF-16 code units of the text, without half a surrogate pair at the end. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)
}
