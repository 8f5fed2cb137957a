import { Fragment } from 'react'
import { visibleText } from '../core/index.js'
import { cutText } from './foldText.js'

/** What a visible text takes. */
export interface VisibleTextProps {
  readonly text: string
  /** UTF-16 code units that are shown, with "…" for the rest: for names and the like. Default: all. */
  readonly maxLength?: number
}

/** Marks that are elements of their own; more of them in one text stand as plain text, to cost no more than that. */
const maxMarks = 200

/**
 * A text of the wire. It stays text, whatever it holds, and characters that can not be seen but could deceive a reader
 * stand as small marks (H2). What is selected and copied holds the characters themselves, control characters aside.
 * Renders text nodes, and a `<span>` for each mark.
 */
export function VisibleText({ text, maxLength = Number.POSITIVE_INFINITY }: VisibleTextProps) {
  const shown = cutText(text, maxLength)
  let marks = 0
  const pieces = visibleText(shown).map((piece) => {
    if (typeof piece === 'string') return piece
    marks += 1
    if (marks > maxMarks) return piece.codePoint
    return (
      <Fragment key={marks}>
        <span data-slot="tool-call-mark-character" title={`${piece.codePoint} ${piece.name}`} dir="ltr">
          {piece.codePoint}
        </span>
        {/* Isolated, it acts on nothing. HTML can not hold control characters. */}
        {piece.character >= '\u00a0' && (
          <bdi data-slot="tool-call-original-character" aria-hidden="true">
            {piece.character}
          </bdi>
        )}
      </Fragment>
    )
  })
  return shown.length < text.length ? [...pieces, '…'] : pieces
}
