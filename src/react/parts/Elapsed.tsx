'use client'
import { elapsedMs } from '../../core/index.js'
import { useProvider } from '../providerContext.js'
import { useNow } from '../useNow.js'
import { createPart, type PartProps, partElement } from './createPart.js'
import { useRootCall } from './rootContext.js'

/** The state of an elapsed time. */
export interface ElapsedState {
  /** `data-running`: it grows. */
  readonly running: boolean
}

/** What an elapsed time takes. */
export type ElapsedProps = PartProps<'span', ElapsedState>

/**
 * How long the call has taken: whole seconds while it runs, tenths when it has ended, and nothing when that is not known.
 * Renders a `<span>`.
 */
export const Elapsed = createPart<HTMLSpanElement, ElapsedProps>('Elapsed', (host, ref) => {
  const { formatter } = useProvider('ToolCall.Elapsed')
  const call = useRootCall('Elapsed')
  const running = call !== undefined && call.outcome === undefined
  const now = useNow(running)
  if (call === undefined || (running && now === undefined)) return null
  const ms = elapsedMs(call, now ?? call.firstReceivedAt)
  if (ms === undefined) return null
  const own = { children: formatter.duration(ms, running ? 'whole' : 'tenths') }
  return partElement({ tag: 'span', slot: 'tool-call-elapsed', state: { running }, own, host, ref })
})
