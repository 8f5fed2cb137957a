'use client'
import { type ForwardedRef, forwardRef, useRef, useState } from 'react'
import { CallList } from './CallList.js'
import { type PartProps, partElement } from './parts/createPart.js'
import { useMergedRefs } from './parts/mergeRefs.js'
import { ToolCallDetail } from './ToolCallDetail.js'
import { ToolCallNode } from './ToolCallNode.js'
import { useCallStatuses } from './useCallStatuses.js'
import { useKeptFocus } from './useKeptFocus.js'
import { useMessages } from './useStore.js'

/** The state of a group. */
export interface ToolCallGroupState {
  /** `data-open` */
  readonly open: boolean
}

/** What a group takes. */
export interface ToolCallGroupProps extends Omit<PartProps<'div', ToolCallGroupState>, 'children'> {
  /** The ids of calls that run side by side, in their order. Keep the list the same while they are. */
  readonly callIds: readonly string[]
  /** Whether all of them are shown, until the reader chooses. Default false. */
  readonly defaultOpen?: boolean
}

/**
 * Calls that run side by side, folded to one line of the conversation that counts them by outcome; those that failed, and
 * those that wait for a person, are in view all the same. Each opens its area below its line. Renders a
 * `<div role="group">`; nothing without calls.
 */
export const ToolCallGroup = forwardRef<HTMLDivElement, ToolCallGroupProps>(function ToolCallGroup(props, ref) {
  return props.callIds.length === 0 ? null : <Group {...props} forwardedRef={ref} />
})

interface GroupProps extends ToolCallGroupProps {
  readonly forwardedRef: ForwardedRef<HTMLDivElement>
}

function Group({ callIds, defaultOpen = false, forwardedRef, ...host }: GroupProps) {
  const messages = useMessages()
  const rows = useCallStatuses(callIds)
  const [open, setOpen] = useState(defaultOpen)
  const element = useRef<HTMLDivElement>(null)
  const refs = useMergedRefs(forwardedRef, element)
  useKeptFocus(element)
  const label = messages.calls(callIds.length)
  const own = {
    role: 'group',
    'aria-label': label,
    children: (
      <CallList
        slot="tool-call-group"
        rows={rows}
        label={<span data-slot="tool-call-group-label">{label}</span>}
        isOpen={open}
        onOpenChange={setOpen}
        renderCall={(callId, isOpen, onOpenChange) => (
          <>
            <ToolCallNode callId={callId} open={isOpen} onOpenChange={onOpenChange} />
            {isOpen && <ToolCallDetail callId={callId} />}
          </>
        )}
      />
    ),
  }
  return partElement({ tag: 'div', slot: 'tool-call-group', state: { open }, own, host, ref: refs })
}
