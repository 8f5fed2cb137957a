'use client'
import type { ReactNode } from 'react'
import { Shape } from './Shape.js'

/** What the toggle of a fold takes. */
export interface FoldToggleProps {
  /** Its `data-slot`. */
  readonly slot: `tool-call-${string}`
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  /** The id of what it opens, where that is on the page. */
  readonly contentId: string | undefined
  readonly children: ReactNode
}

/** A line with the mark of a fold that opens and closes what is below it. Renders a `<button>`. */
export function FoldToggle({ slot, isOpen, onOpenChange, contentId, children }: FoldToggleProps) {
  return (
    <button
      type="button"
      data-slot={slot}
      data-open={isOpen ? '' : undefined}
      aria-expanded={isOpen}
      aria-controls={contentId}
      onClick={() => onOpenChange(!isOpen)}
    >
      <Shape name="fold" />
      {children}
    </button>
  )
}
