'use client'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import type { CallStatus } from '../../core/index.js'
import { areaId } from '../areaId.js'
import { useProvider } from '../providerContext.js'
import { useKeptFocus } from '../useKeptFocus.js'
import { useReveal } from '../useReveal.js'
import { useShownStatus } from '../useShownStatus.js'
import { useToolCall } from '../useStore.js'
import { CallScope } from './CallScope.js'
import { createPart, type PartProps, partElement } from './createPart.js'
import { useMergedRefs } from './mergeRefs.js'

/** The state of an area. */
export interface RootState {
  /** `data-status`; absent while nothing is known of the call. */
  readonly status: CallStatus | undefined
  /** `data-ended`: the call has ended. */
  readonly ended: boolean
  /** `data-unspecific`: it failed or was canceled, and nobody has said which (A10). */
  readonly unspecific: boolean
}

/** What the area of a call takes. */
export interface RootProps extends PartProps<'section', RootState> {
  /** The call's id, or another id that it is known under (A17). */
  readonly callId: string
  /** Moves the focus to the area when it is mounted. */
  readonly autoFocus?: boolean
  readonly children?: ReactNode
}

/**
 * The area of one call, around all its other parts. It is a region named by the `ToolCall.Name` and `ToolCall.Title`
 * inside; without them give it an `aria-label`. Renders a `<section>`.
 */
export const Root = createPart<HTMLElement, RootProps>('Root', ({ callId, autoFocus, children, ...host }, ref) => {
  const { idPrefix } = useProvider('ToolCall.Root')
  const call = useToolCall(callId)
  const id = useId()
  const element = useRef<HTMLElement>(null)
  const refs = useMergedRefs(ref, element)

  useEffect(() => {
    if (autoFocus) element.current?.focus()
  }, [autoFocus])

  useReveal(callId, element)
  useKeptFocus(element)

  const status = useShownStatus(call)
  const ended = call?.outcome !== undefined
  const unspecific = call?.outcome?.unspecific === true
  const [nameId, titleId] = [`${id}name`, `${id}title`]
  const content = (
    <CallScope key={callId} callId={callId} nameId={nameId} titleId={titleId}>
      {children}
    </CallScope>
  )
  const own = {
    id: areaId(idPrefix, call?.id ?? callId),
    tabIndex: -1,
    'aria-labelledby': host['aria-label'] === undefined ? `${nameId} ${titleId}` : undefined,
    children: content,
  }
  return partElement({
    tag: 'section',
    slot: 'tool-call-root',
    state: { status, ended, unspecific },
    own,
    host,
    ref: refs,
  })
})
