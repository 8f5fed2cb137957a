'use client'
import { descendantsOf, type ToolCall } from '../../core/index.js'
import { isSettled } from '../approvalText.js'
import { maxNameLength } from '../foldText.js'
import { useNow } from '../useNow.js'
import { useShownStatus, waitsUntil } from '../useShownStatus.js'
import { useMessages, useStore } from '../useStore.js'
import { VisibleText } from '../VisibleText.js'
import { createPart, type PartProps, partElement } from './createPart.js'
import { useRootCall } from './rootContext.js'

/** The state of a status word. */
export interface StatusTextState {
  /** `data-status`, where it is one that is known. */
  readonly status: 'waiting' | 'pending' | undefined
  /** `data-below`: it is a call below it that waits, and not the call itself. */
  readonly below: boolean
}

/** What a status word takes. */
export type StatusTextProps = PartProps<'bdi', StatusTextState>

/**
 * The status in words where the call, or an open one below it, waits for a person or where it has not begun, or the
 * sender's own word where it is none that is known; absent otherwise. Renders a `<bdi>`.
 */
export const StatusText = createPart<HTMLElement, StatusTextProps>('StatusText', (host, ref) => {
  const call = useRootCall('StatusText')
  const messages = useMessages()
  const shown = useShownStatus(call)
  // What a call waits for without being asked has a word of the sender's own.
  const isAsked = shown === 'waiting' && call?.approvals.some(({ state }) => !isSettled(state))
  const isAskedBelow = useIsAskedBelow(call)
  const below = isAskedBelow && !isAsked
  const status = isAsked || below ? 'waiting' : shown === 'pending' ? 'pending' : undefined
  const text = status === 'waiting' ? undefined : call?.statusText
  if (text === undefined && status === undefined) return null
  const children =
    text === undefined ? status && messages.status[status] : <VisibleText text={text} maxLength={maxNameLength} />
  return partElement({
    tag: 'bdi',
    slot: 'tool-call-status-text',
    state: { status, below },
    own: { children },
    host,
    ref,
  })
})

/** Whether a call below an open one waits for a person: what is folded away must not hide it (D5). */
function useIsAskedBelow(call: ToolCall | undefined): boolean {
  const until = useStore(({ calls, children }) => {
    if (call === undefined || call.outcome !== undefined || !children.has(call.id)) return Number.NEGATIVE_INFINITY
    const below = descendantsOf(children, [call.id]).flatMap((id) => calls.get(id) ?? [])
    return below.reduce((latest, each) => Math.max(latest, waitsUntil(each)), Number.NEGATIVE_INFINITY)
  })
  const now = useNow(Number.isFinite(until)) ?? Number.NEGATIVE_INFINITY
  return now < until
}
