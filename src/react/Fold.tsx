'use client'
import { type ReactNode, useCallback, useId, useRef } from 'react'
import { FoldToggle } from './FoldToggle.js'
import { useUntilFound } from './useUntilFound.js'

/** What a fold takes. */
export interface FoldProps {
  /** Begins the `data-slot` of the toggle and the content: `<slot>-toggle`, `<slot>-content`. */
  readonly slot: `tool-call-${string}`
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  /** What the toggle says. */
  readonly label: ReactNode
  readonly children: ReactNode
}

/**
 * One line that opens what is below it. What is folded stays in the document, so that the browser's search finds it and
 * opens the fold. Renders a `<button>` and a `<div>`.
 */
export function Fold({ slot, isOpen, onOpenChange, label, children }: FoldProps) {
  const id = useId()
  const content = useRef<HTMLDivElement>(null)
  useUntilFound(
    content,
    !isOpen,
    useCallback(() => onOpenChange(true), [onOpenChange]),
  )

  return (
    <>
      <FoldToggle slot={`${slot}-toggle`} isOpen={isOpen} onOpenChange={onOpenChange} contentId={id}>
        {label}
      </FoldToggle>
      <div ref={content} id={id} data-slot={`${slot}-content`} hidden={!isOpen}>
        {children}
      </div>
    </>
  )
}
