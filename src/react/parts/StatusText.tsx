'use client'
import type { ToolCall } from '../../core/index.js'
import { approvalStatus, isSettled } from '../approvalText.js'
import { maxNameLength } from '../foldText.js'
import { useNow } from '../useNow.js'
import { useMessages } from '../useStore.js'
import { VisibleText } from '../VisibleText.js'
import { createPart, type PartProps, partElement } from './createPart.js'
import { useRootCall } from './rootContext.js'

/** The state of a status word. */
export interface StatusTextState {
  /** `data-status`, where it is one that is known. */
  readonly status: 'waiting' | 'pending' | undefined
}

/** What a status word takes. */
export type StatusTextProps = PartProps<'bdi', StatusTextState>

/**
 * The status in words where the call waits for a person or has not begun, or the sender's own word where it is none that
 * is known; absent otherwise. Renders a `<bdi>`.
 */
export const StatusText = createPart<HTMLElement, StatusTextProps>('StatusText', (host, ref) => {
  const call = useRootCall('StatusText')
  const messages = useMessages()
  const isWaiting = useIsWaiting(call)
  const status = isWaiting ? 'waiting' : call?.status === 'pending' ? 'pending' : undefined
  const text = status === 'waiting' ? undefined : call?.statusText
  if (text === undefined && status === undefined) return null
  const children =
    text === undefined ? status && messages.status[status] : <VisibleText text={text} maxLength={maxNameLength} />
  return partElement({ tag: 'bdi', slot: 'tool-call-status-text', state: { status }, own: { children }, host, ref })
})

/** Whether somebody has to answer: what has expired needs nobody any more. */
function useIsWaiting(call: ToolCall | undefined): boolean {
  const approvals = call?.status === 'waiting' ? call.approvals : []
  const now = useNow(approvals.some(({ expiresAt }) => expiresAt !== undefined)) ?? Number.NEGATIVE_INFINITY
  return approvals.some((approval) => !isSettled(approvalStatus(approval, now)))
}
