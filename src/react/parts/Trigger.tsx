'use client'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { CallStatus } from '../../core/index.js'
import { areaId } from '../areaId.js'
import { useProvider } from '../providerContext.js'
import { useWantedAmong } from '../useReveal.js'
import { useShownStatus } from '../useShownStatus.js'
import { useToolCall } from '../useStore.js'
import { CallScope } from './CallScope.js'
import { createPart, type PartProps, partElement } from './createPart.js'

/** The state of a trigger. */
export interface TriggerState {
  /** `data-status`; absent while nothing is known of the call. */
  readonly status: CallStatus | undefined
  /** `data-open`: the call's area is open. */
  readonly open: boolean
}

/** What a trigger takes. */
export interface TriggerProps extends PartProps<'button', TriggerState> {
  /** The call's id, or another id that it is known under (A17). */
  readonly callId: string
  /** Whether the call's area is open, where the host keeps that. */
  readonly open?: boolean
  /** Whether it is open at first, where the trigger keeps that itself. Default false. */
  readonly defaultOpen?: boolean
  /**
   * Told when the reader opens or closes the area, and when the reader is led to the call or to one below it. The host
   * shows and hides the area.
   */
  readonly onOpenChange?: (open: boolean) => void
  readonly children?: ReactNode
}

/** What opens and closes the area of a call, around the parts that say which call it is. Renders a `<button>`. */
export const Trigger = createPart<HTMLButtonElement, TriggerProps>(
  'Trigger',
  ({ callId, open, defaultOpen = false, onOpenChange, children, ...host }, ref) => {
    const { idPrefix } = useProvider('ToolCall.Trigger')
    const call = useToolCall(callId)
    const status = useShownStatus(call)
    // Of this call: another one begins as it would in a trigger of its own.
    const [kept, setKept] = useState({ callId, isOpen: defaultOpen })
    const isOpen = open ?? (kept.callId === callId ? kept.isOpen : defaultOpen)
    const change = (isOpenNow: boolean) => {
      setKept({ callId, isOpen: isOpenNow })
      onOpenChange?.(isOpenNow)
    }
    // Once each time: the reader may close again what they were led to.
    const wantedId = useWantedAmong([call?.id ?? callId]) === undefined ? undefined : callId
    const lastWanted = useRef<string>(undefined)
    useEffect(() => {
      if (wantedId !== undefined && wantedId !== lastWanted.current && !isOpen) change(true)
      lastWanted.current = wantedId
    })
    const own = {
      type: 'button',
      'aria-expanded': isOpen,
      'aria-controls': isOpen ? areaId(idPrefix, call?.id ?? callId) : undefined,
      onClick: () => change(!isOpen),
      children: (
        <CallScope key={callId} callId={callId}>
          {children}
        </CallScope>
      ),
    }
    return partElement({
      tag: 'button',
      slot: 'tool-call-trigger',
      state: { status, open: isOpen },
      own,
      host,
      ref,
    })
  },
)
