'use client'
import { useMessages } from '../useStore.js'
import { createPart, type PartProps, partElement } from './createPart.js'
import { useRootCall } from './rootContext.js'

/** What the notice takes. */
export type NewerMessagesProps = PartProps<'p', object>

/** Says how many messages about the call are of a newer version than the library reads (A3). Renders a `<p>`. */
export const NewerMessages = createPart<HTMLParagraphElement, NewerMessagesProps>('NewerMessages', (host, ref) => {
  const count = useRootCall('NewerMessages')?.newerMessages ?? 0
  const messages = useMessages()
  if (count === 0) return null
  const own = { children: messages.newerMessages(count) }
  return partElement({ tag: 'p', slot: 'tool-call-newer-messages', state: {}, own, host, ref })
})
