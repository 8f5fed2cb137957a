'use client'
import { type RefObject, useEffect, useSyncExternalStore } from 'react'
import { pathOf } from '../core/index.js'
import { useProvider } from './providerContext.js'

const nothing = () => undefined

/** Brings the focus to the area of a call when somebody asked to be led to it. */
export function useReveal(callId: string, area: RefObject<HTMLElement | null>): void {
  const { revealer, store } = useProvider('ToolCall.Root')
  const wanted = useSyncExternalStore(revealer.subscribe, revealer.wanted, nothing)
  const { aliases } = store.getState()
  const isWanted = wanted !== undefined && (aliases.get(wanted) ?? wanted) === (aliases.get(callId) ?? callId)

  useEffect(() => {
    if (!isWanted) return
    area.current?.focus({ preventScroll: true })
    area.current?.scrollIntoView({ block: 'nearest' })
    revealer.reached(wanted)
  }, [isWanted, wanted, revealer, area])
}

/** The one of these calls that the call which somebody asked to be led to is, or is under; `undefined` if it is none. */
export function useWantedAmong(callIds: readonly string[]): string | undefined {
  const { revealer, store } = useProvider('ToolCall.Children')
  const wanted = useSyncExternalStore(revealer.subscribe, revealer.wanted, nothing)
  if (wanted === undefined) return undefined
  const { calls, aliases } = store.getState()
  return pathOf(calls, aliases.get(wanted) ?? wanted).find((id) => callIds.includes(id))
}
