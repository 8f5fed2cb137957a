'use client'
import { isSettled } from '../approvalText.js'
import { maxNameLength } from '../foldText.js'
import { useShownStatus } from '../useShownStatus.js'
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
  const shown = useShownStatus(call)
  // What a call waits for without being asked has a word of the sender's own.
  const isAsked = shown === 'waiting' && call?.approvals.some(({ state }) => !isSettled(state))
  const status = isAsked ? 'waiting' : shown === 'pending' ? 'pending' : undefined
  const text = status === 'waiting' ? undefined : call?.statusText
  if (text === undefined && status === undefined) return null
  const children =
    text === undefined ? status && messages.status[status] : <VisibleText text={text} maxLength={maxNameLength} />
  return partElement({ tag: 'bdi', slot: 'tool-call-status-text', state: { status }, own: { children }, host, ref })
})
