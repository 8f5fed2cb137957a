'use client'
import type { ReactNode } from 'react'
import { CallList } from '../CallList.js'
import { useCallStatuses } from '../useCallStatuses.js'
import { useMessages, useStore } from '../useStore.js'
import { createPart, type PartProps, partElement } from './createPart.js'
import { Elapsed } from './Elapsed.js'
import { Mark } from './Mark.js'
import { Name } from './Name.js'
import { useFold, useRootCall } from './rootContext.js'
import { StatusText } from './StatusText.js'
import { Title } from './Title.js'
import { Trigger } from './Trigger.js'

/** The state of the calls below a call. */
export interface ChildrenState {
  /** `data-open` */
  readonly open: boolean
}

/** What the calls below a call take. */
export interface ChildrenProps extends Omit<PartProps<'div', ChildrenState>, 'children'> {
  /** What a call's line opens below itself. Default: nothing. */
  readonly renderCall?: (callId: string) => ReactNode
}

/**
 * The calls that sub-agents of the call made (D5), folded to a line that counts them by outcome; those that failed, and
 * those that wait for a person, are in view all the same. Nothing while there are none. Renders a `<div role="group">`.
 */
export const Children = createPart<HTMLDivElement, ChildrenProps>('Children', ({ renderCall, ...host }, ref) => {
  const call = useRootCall('Children')
  const messages = useMessages()
  const callIds = useStore(({ children }) => (call && children.get(call.id)) ?? none)
  const rows = useCallStatuses(callIds)
  const [open, setOpen] = useFold('Children', 'children', false)
  if (rows.length === 0) return null
  const own = {
    role: 'group',
    'aria-label': messages.subAgentCalls,
    children: (
      <CallList
        slot="tool-call-children"
        rows={rows}
        label={<span data-slot="tool-call-label">{messages.subAgentCalls}</span>}
        isOpen={open}
        onOpenChange={setOpen}
        renderCall={(callId, isOpen, onOpenChange) => (
          <>
            <Trigger callId={callId} open={isOpen} onOpenChange={onOpenChange}>
              <Mark /> <Name /> <Title /> <StatusText /> <Elapsed />
            </Trigger>
            {isOpen && renderCall?.(callId)}
          </>
        )}
      />
    ),
  }
  return partElement({ tag: 'div', slot: 'tool-call-children', state: { open }, own, host, ref })
})

const none: readonly string[] = []
