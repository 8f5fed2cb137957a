'use client'
import { useMemo } from 'react'
import { type CallStatus, descendantsOf, needsAttention } from '../core/index.js'
import type { ToolCallState } from '../store/index.js'
import { useStore } from './useStore.js'

/** How one of several calls stands. */
export interface RowStatus {
  readonly callId: string
  /** Absent while nothing is known of the call. */
  readonly status: CallStatus | undefined
  /** How the calls below it stand, to any depth. */
  readonly below: readonly CallStatus[]
  /** It, or one below it, waits for a person or did not end well: it is never folded away by the software. */
  readonly needsAttention: boolean
}

/** How each of these calls stands, with what is below it; renders again only when one of them changes. */
export function useCallStatuses(callIds: readonly string[]): readonly RowStatus[] {
  // Compared as text, which is the same as long as they are.
  const found = useStore((state) => callIds.map((id) => statusesOf(state, id)).join('\n'))
  return useMemo(() => {
    const lines = found.split('\n')
    return callIds.map((callId, index) => {
      const [status, ...below] = (lines[index] as string).split(' ') as [CallStatus | '', ...CallStatus[]]
      const all = status === '' ? below : [status, ...below]
      return { callId, status: status || undefined, below, needsAttention: all.some(needsAttention) }
    })
  }, [callIds, found])
}

function statusesOf({ calls, aliases, children }: ToolCallState, callId: string): string {
  const id = aliases.get(callId) ?? callId
  const below = descendantsOf(children, [id]).flatMap((each) => calls.get(each)?.status ?? [])
  return [calls.get(id)?.status ?? '', ...below].join(' ')
}
