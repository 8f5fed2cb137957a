'use client'
import { useMessages, useStore } from '../useStore.js'
import { createPart, type PartProps, partElement } from './createPart.js'
import { useRoot, useRootCall } from './rootContext.js'

/** The state of the notice that stands for a call that is not there. */
export interface AbsentState {
  /** `data-forgotten`: there was such a call, and it is no longer kept (H3). */
  readonly forgotten: boolean
}

/** What the notice takes. */
export type AbsentProps = PartProps<'p', AbsentState>

/** Says that nothing is known about the call, or that it is no longer kept; nothing when it is there. Renders a `<p>`. */
export const Absent = createPart<HTMLParagraphElement, AbsentProps>('Absent', (host, ref) => {
  const { callId } = useRoot('Absent')
  const call = useRootCall('Absent')
  const messages = useMessages()
  const forgotten = useStore((state) => state.forgotten.has(callId))
  if (call !== undefined) return null
  const own = { children: forgotten ? messages.noLongerKept : messages.nothingKnown }
  return partElement({ tag: 'p', slot: 'tool-call-absent', state: { forgotten }, own, host, ref })
})
