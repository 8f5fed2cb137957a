'use client'
import type { CallStatus, ToolCall } from '../core/index.js'
import { isSettled } from './approvalText.js'
import { useNow } from './useNow.js'

/** How a call stands now: once its requests have expired it waits for nobody any more (D4). */
export function useShownStatus(call: ToolCall): CallStatus
/** The same; `undefined` while there is none. */
export function useShownStatus(call: ToolCall | undefined): CallStatus | undefined
export function useShownStatus(call: ToolCall | undefined): CallStatus | undefined {
  const now = useNow(call !== undefined && Number.isFinite(waitsUntil(call)))
  return call && statusAt(call, now)
}

/** How a call stands at that time, in ms; it waits while that is not known. What nobody allowed has not begun, or goes on. */
export function statusAt(call: ToolCall, now = Number.NEGATIVE_INFINITY): CallStatus {
  if (call.status !== 'waiting' || now < waitsUntil(call)) return call.status
  return call.runs ? 'running' : 'pending'
}

/** Until when a call waits for a person, in ms: -Infinity where it does not, Infinity where no time ends it. */
export function waitsUntil({ status, approvals }: ToolCall): number {
  if (status !== 'waiting') return Number.NEGATIVE_INFINITY
  const unsettled = approvals.filter(({ state }) => !isSettled(state))
  if (unsettled.length === 0) return Number.POSITIVE_INFINITY
  const ends = unsettled.map(({ state, expiresAt }) => (state === 'open' ? expiresAt : undefined))
  return Math.max(...ends.map((end) => end ?? Number.POSITIVE_INFINITY))
}
