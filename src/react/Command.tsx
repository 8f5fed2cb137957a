'use client'
import { FoldedText } from './FoldedText.js'

/** What a command takes. */
export interface CommandProps {
  readonly text: string
  /** Lines that are shown at first. Default 12. */
  readonly maxLines?: number
}

/** A command line as it was typed, behind a prompt. Renders a `<div>`. */
export function Command({ text, maxLines = 12 }: CommandProps) {
  return (
    <div data-slot="tool-call-command" dir="ltr">
      <FoldedText text={text} maxLines={maxLines} />
    </div>
  )
}
