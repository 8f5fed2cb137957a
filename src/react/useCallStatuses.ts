'use client'
import { useMemo } from 'react'
import { type CallStatus, descendantsOf, needsAttention, type ToolCall } from '../core/index.js'
import type { ToolCallState } from '../store/index.js'
import { useNow } from './useNow.js'
import { statusAt, waitsUntil } from './useShownStatus.js'
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
  const mayExpire = useStore((state) => callIds.some((id) => callsOf(state, id).some(waitsForATime)))
  const now = useNow(mayExpire)
  // Compared as text, which is the same as long as they are.
  const found = useStore((state) => callIds.map((id) => statusesOf(callsOf(state, id), now)).join('\n'))
  return useMemo(() => {
    const lines = found.split('\n')
    return callIds.map((callId, index) => {
      const [status, ...below] = (lines[index] as string).split(' ') as [CallStatus | '', ...CallStatus[]]
      const all = status === '' ? below : [status, ...below]
      return { callId, status: status || undefined, below, needsAttention: all.some(needsAttention) }
    })
  }, [callIds, found])
}

const waitsForATime = (call: ToolCall | undefined) => call !== undefined && Number.isFinite(waitsUntil(call))

/** The call, as far as it is known, and those below it. */
function callsOf({ calls, aliases, children }: ToolCallState, callId: string): readonly (ToolCall | undefined)[] {
  const id = aliases.get(callId) ?? callId
  return [calls.get(id), ...descendantsOf(children, [id]).flatMap((each) => calls.get(each) ?? [])]
}

const statusesOf = (calls: readonly (ToolCall | undefined)[], now: number | undefined) =>
  calls.map((call) => (call === undefined ? '' : statusAt(call, now))).join(' ')
