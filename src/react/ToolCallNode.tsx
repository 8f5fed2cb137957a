'use client'
import { forwardRef } from 'react'
import * as ToolCall from './parts/index.js'

/** What a node takes. */
export type ToolCallNodeProps = Omit<ToolCall.TriggerProps, 'children'>

/**
 * The one line that stands for a call in the conversation: its mark, name, title, sub-agent, status in words and elapsed
 * time (A1). It opens the call's area: the host mounts a `ToolCallDetail` where it wants it, while `open` or told by
 * `onOpenChange`. Renders a `<button>`.
 */
export const ToolCallNode = forwardRef<HTMLButtonElement, ToolCallNodeProps>(function ToolCallNode(props, ref) {
  return (
    <ToolCall.Trigger {...props} ref={ref}>
      {/* The spaces keep the words of the button's name apart, whatever the style sheet. */}
      <ToolCall.Mark /> <ToolCall.Name /> <ToolCall.Title /> <ToolCall.SubAgent /> <ToolCall.StatusText />{' '}
      <ToolCall.Elapsed />
    </ToolCall.Trigger>
  )
})
