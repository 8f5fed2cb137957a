'use client'
import { useMemo, useState } from 'react'
import { cutText, foldText } from './foldText.js'
import { useMessages } from './useStore.js'
import { VisibleText } from './VisibleText.js'

/** What a folded text takes. */
export interface FoldedTextProps {
  readonly text: string
  /** Lines that are shown at first. Default 12. */
  readonly maxLines?: number
  /** UTF-16 code units that are shown at first. Default 2,000: about twelve lines of a wide area. */
  readonly maxLength?: number
}

/** How many more each "show all" shows: a text of megabytes would block the page while it is laid out. */
const stepLength = 200_000

/**
 * A text with its line breaks, folded behind its first lines until the reader asks for all of it. Renders a `<div>` with
 * the text, and a `<button>` behind it where there is more.
 */
export function FoldedText({ text, maxLines = 12, maxLength = 2_000 }: FoldedTextProps) {
  const messages = useMessages()
  const [steps, setSteps] = useState(0)
  const fold = useMemo(() => foldText(text, maxLines, maxLength), [text, maxLines, maxLength])
  const shown = steps === 0 ? fold.head : cutText(text, steps * stepLength)
  const left = text.length - shown.length
  const isCutAtLine = steps === 0 && fold.lineCount > maxLines

  return (
    <>
      <div data-slot="tool-call-text-value" dir="auto">
        <VisibleText text={shown} />
        {left > 0 && !isCutAtLine && '…'}
      </div>
      {fold.isFolded && (
        <button
          type="button"
          data-slot="tool-call-more"
          aria-expanded={steps > 0}
          onClick={() => setSteps(left > 0 ? steps + 1 : 0)}
        >
          {left === 0 && messages.showLess}
          {left > 0 && (isCutAtLine ? messages.showAllLines(fold.lineCount) : messages.showAllCharacters(text.length))}
        </button>
      )}
    </>
  )
}
