'use client'
import type { CallStatus } from '../../core/index.js'
import { Shape } from '../Shape.js'
import { useShownStatus } from '../useShownStatus.js'
import { useMessages } from '../useStore.js'
import { createPart, type PartProps, partElement } from './createPart.js'
import { useRootCall } from './rootContext.js'

/** The state of a mark. */
export interface MarkState {
  /** `data-status` */
  readonly status: CallStatus
}

/** What a mark takes. */
export type MarkProps = PartProps<'span', MarkState>

/** Shows the call's status as a shape, with its name for those who do not see it. Renders a `<span role="img">`. */
export const Mark = createPart<HTMLSpanElement, MarkProps>('Mark', (host, ref) => {
  const call = useRootCall('Mark')
  const messages = useMessages()
  const status = useShownStatus(call)
  if (call === undefined || status === undefined) return null
  const own = {
    role: 'img',
    'aria-label': call.outcome?.unspecific ? messages.endedWithoutResult : messages.status[status],
    children: <Shape name={status} />,
  }
  return partElement({ tag: 'span', slot: 'tool-call-mark', state: { status }, own, host, ref })
})
