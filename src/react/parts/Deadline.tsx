'use client'
import { useProvider } from '../providerContext.js'
import { useNow } from '../useNow.js'
import { createPart, type PartProps, partElement } from './createPart.js'
import { useRootCall } from './rootContext.js'

/** The state of a deadline. */
export interface DeadlineState {
  /** `data-overdue`: the time is up, which is no failure (D2). */
  readonly overdue: boolean
}

/** What a deadline takes. */
export type DeadlineProps = PartProps<'span', DeadlineState>

/**
 * The time that the call has left, or for how long it is overdue; nothing without a limit, or when it has ended. Renders a
 * `<span>`.
 */
export const Deadline = createPart<HTMLSpanElement, DeadlineProps>('Deadline', (host, ref) => {
  const { messages, formatter } = useProvider('ToolCall.Deadline')
  const call = useRootCall('Deadline')
  const deadline = call?.outcome === undefined ? call?.deadline : undefined
  const now = useNow(deadline !== undefined)
  if (deadline === undefined || now === undefined) return null
  const overdue = now > deadline
  // What is left is rounded up, so that nothing is left only when the time is up.
  const children = overdue
    ? messages.overdue(formatter.countdown(now - deadline))
    : messages.timeLeft(formatter.countdown(deadline - now + 999))
  return partElement({ tag: 'span', slot: 'tool-call-deadline', state: { overdue }, own: { children }, host, ref })
})
