'use client'
import { useMemo, useState } from 'react'
import type { JsonText } from '../core/index.js'
import { FoldedText } from './FoldedText.js'
import { cutText } from './foldText.js'
import { useMessages } from './useStore.js'
import { VisibleText } from './VisibleText.js'

/** What a growing text takes. */
export interface GrowingTextProps {
  /** A text that is still arriving, or all of it. */
  readonly text: string | JsonText
  /** More of it is expected. */
  readonly isGrowing: boolean
}

const maxLines = 12
const maxLength = 2_000
/** How much more each "show all" shows. */
const stepLength = 200_000

/**
 * A text of any size that may be arriving: its last lines while it grows, so that it follows its own end at the cost of
 * these lines, until the reader asks for all of it. A text that was complete from the beginning is folded behind its
 * first lines. Renders a `<div>` with the text, and a `<button>` behind it where there is more.
 */
export function GrowingText({ text, isGrowing }: GrowingTextProps) {
  const messages = useMessages()
  const [hasGrown, setHasGrown] = useState(isGrowing)
  const [steps, setSteps] = useState(0)
  const lineCount = useMemo(() => countLines(text), [text])
  if (isGrowing && !hasGrown) setHasGrown(true)
  if (!hasGrown) return <FoldedText text={String(text)} maxLines={maxLines} maxLength={maxLength} />

  const isFolded = lineCount > maxLines || text.length > maxLength
  const shown = steps > 0 ? headOf(text, steps * stepLength) : isFolded ? lastLines(text) : String(text)
  const isAll = text.length <= steps * stepLength
  const label = lineCount > maxLines ? messages.showAllLines(lineCount) : messages.showAllCharacters(text.length)
  return (
    <>
      <div data-slot="tool-call-text-value" data-growing={isGrowing ? '' : undefined} dir="auto">
        {isFolded && steps === 0 && <span data-slot="tool-call-earlier-text">…</span>}
        <VisibleText text={shown} />
        {isGrowing && (steps === 0 || isAll) && <Caret />}
        {steps > 0 && !isAll && '…'}
      </div>
      {isFolded && (
        <button
          type="button"
          data-slot="tool-call-more"
          aria-expanded={steps > 0}
          onClick={() => setSteps(steps > 0 && isAll ? 0 : steps + 1)}
        >
          {steps > 0 && isAll ? messages.showLess : label}
        </button>
      )}
    </>
  )
}

/** Stands behind a value that is still arriving. Renders a `<span>`. */
export function Caret() {
  return <span data-slot="tool-call-caret" aria-hidden="true" />
}

function countLines(text: string | JsonText): number {
  if (typeof text !== 'string') return text.lineCount
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < text.length - 1; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}

const headOf = (text: string | JsonText, length: number) =>
  typeof text === 'string' ? cutText(text, length) : text.head(length)

/** The last lines, as many as fit, beginning with a whole one if it is not too long. */
function lastLines(text: string | JsonText): string {
  const tail = typeof text === 'string' ? text.slice(-maxLength) : text.tail(maxLength)
  // A line break at the very end opens no line.
  let start = tail.length - 1
  for (let line = 0; line < maxLines; line++) {
    const at = tail.lastIndexOf('\n', start - 1)
    if (at < 0) return line === 0 ? tail : tail.slice(tail.indexOf('\n') + 1)
    start = at
  }
  return tail.slice(start + 1)
}
