'use client'
import { hasNoDetails } from '../../core/index.js'
import { useProvider } from '../providerContext.js'
import { useNow } from '../useNow.js'
import { useStore } from '../useStore.js'
import { createPart, type PartProps, partElement } from './createPart.js'
import { useRootCall } from './rootContext.js'

/** The state of the notice that stands where a process would be. */
export interface NoDetailsState {
  /** `data-waiting`: a first block may still come soon. */
  readonly waiting: boolean
}

/** What the notice takes. */
export type NoDetailsProps = PartProps<'p', NoDetailsState>

/**
 * Says, in the place of a process, that the first block is waited for, and after the store's `silenceMs` or when the call
 * ends without one, that there are no details (A8). The first block takes its place, and so do calls of sub-agents. Renders
 * a `<p>`.
 */
export const NoDetails = createPart<HTMLParagraphElement, NoDetailsProps>('NoDetails', (host, ref) => {
  const { messages, store } = useProvider('ToolCall.NoDetails')
  const call = useRootCall('NoDetails')
  const hasChildren = useStore(({ children }) => call !== undefined && children.has(call.id))
  const isEmpty = call !== undefined && !hasChildren && hasNoDetails(call, Number.POSITIVE_INFINITY, store.silenceMs)
  const now = useNow(isEmpty && call.outcome === undefined)
  if (!isEmpty) return null
  const waiting = !hasNoDetails(call, now ?? Number.NEGATIVE_INFINITY, store.silenceMs)
  const own = { children: waiting ? messages.waiting : messages.noDetails }
  return partElement({ tag: 'p', slot: 'tool-call-no-details', state: { waiting }, own, host, ref })
})
