'use client'
import { isQuiet } from '../../core/index.js'
import { useProvider } from '../providerContext.js'
import { useNow } from '../useNow.js'
import { useMode } from '../useStore.js'
import { createPart, type PartProps, partElement } from './createPart.js'
import { useRootCall } from './rootContext.js'

/** The state of a contact. */
export interface ContactState {
  /** `data-contact` */
  readonly contact: 'paused' | 'quiet' | 'sampled'
}

/** What a contact takes. */
export type ContactProps = PartProps<'span', ContactState>

/**
 * Says of an open run that its sender holds the stream, that nothing was heard of it for the store's `quietMs`, or that
 * its progress is only sampled; the first of these that is so, and nothing while all is well. None of them is a failure
 * (E7). Renders a `<span>`.
 */
export const Contact = createPart<HTMLSpanElement, ContactProps>('Contact', (host, ref) => {
  const { store, messages, formatter } = useProvider('ToolCall.Contact')
  const call = useRootCall('Contact')
  const isLive = useMode() === 'live'
  const story = call?.story
  const isOpen = story !== undefined && call?.outcome === undefined
  const now = useNow(isOpen && isLive)
  if (call === undefined || !isOpen) return null
  const quiet = now !== undefined && isQuiet(call, now, store.quietMs)
  const contact = story.paused ? 'paused' : quiet ? 'quiet' : story.degraded ? 'sampled' : undefined
  if (contact === undefined) return null
  const words = messages.run
  const children =
    contact === 'quiet' && now !== undefined
      ? words.quiet(formatter.duration(now - story.heardAt, 'whole'))
      : contact === 'paused'
        ? words.paused
        : words.sampled
  return partElement({ tag: 'span', slot: 'tool-call-contact', state: { contact }, own: { children }, host, ref })
})
