/**
 * How many columns of a terminal a character takes: 0 if it joins the one before it (combining marks, joiners,
 * variation selectors), 2 for East Asian wide characters and for emoji that are shown as pictures, else 1. Wide ranges
 * as in xterm.js' Unicode 6 table, https://github.com/xtermjs/xterm.js/blob/6.0.0/src/common/input/UnicodeV6.ts, and
 * the emoji from the engine's own Unicode data, which that table is too old for.
 */
export function cellWidth(codePoint: number): 0 | 1 | 2 {
  if (codePoint < 0x300) return 1
  if (codePoint >= widths.length) return measure(codePoint)
  // The table holds the width plus 1, 0 where not asked for yet.
  return (((widths[codePoint] as number) || (widths[codePoint] = measure(codePoint) + 1)) - 1) as 0 | 1 | 2
}

const widths = new Uint8Array(0x20000)

function measure(codePoint: number): 0 | 1 | 2 {
  const character = String.fromCodePoint(codePoint)
  if (/[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]/u.test(character)) return 0
  return wide.test(character) ? 2 : 1
}

const wide =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3040-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1b000}-\u{1b2fb}\u{20000}-\u{2fffd}\u{30000}-\u{3fffd}\p{Emoji_Presentation}]/u

/** The columns after `text` when it begins in column `from`; tabs lead to the next multiple of 8. */
export function columnsAfter(text: string, from: number): number {
  let column = from
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit === 9) column = (column | 7) + 1
    else if (unit < 0x300) column++
    else {
      const codePoint = text.codePointAt(i) as number
      if (codePoint > 0xffff) i++
      // A mark without anything to join stands in a column of its own.
      column += cellWidth(codePoint) || (column === 0 ? 1 : 0)
    }
  }
  return column
}
