'use client'
import { useMemo } from 'react'
import { type Approval, descendantsOf } from '../core/index.js'
import { approvalStatus, isSettled } from './approvalText.js'
import { useNow } from './useNow.js'
import { useStore } from './useStore.js'

/** The requests that are shown in the area of a call. */
export interface CallRequests {
  /** What waits for an answer, or for its being confirmed, about the call and about those below it, oldest first. */
  readonly open: readonly Approval[]
  /** What has been decided about the call itself, oldest first. */
  readonly settled: readonly Approval[]
}

/** The requests that are shown in the area of a call (D4, D5). */
export function useCallRequests(callId: string): CallRequests {
  const approvals = useStore((state) => state.approvals)
  const children = useStore((state) => state.children)
  const id = useStore(({ aliases }) => aliases.get(callId) ?? callId)
  const { own, below } = useMemo(() => {
    const under = new Set(descendantsOf(children, [id]))
    const placed = [...approvals.values()].map((approval) => ({
      approval,
      place: approval.callId ?? approval.parentCallId,
    }))
    return {
      own: placed.flatMap(({ approval, place }) => (place === id ? approval : [])),
      below: placed.flatMap(({ approval, place }) => (place !== undefined && under.has(place) ? approval : [])),
    }
  }, [approvals, children, id])
  const mayExpire = useMemo(
    () => [...own, ...below].some(({ state, expiresAt }) => state === 'open' && expiresAt !== undefined),
    [own, below],
  )
  const now = useNow(mayExpire) ?? Number.NEGATIVE_INFINITY
  return useMemo(() => {
    const isOpen = (approval: Approval) => !isSettled(approvalStatus(approval, now))
    const open = new Set([...own, ...below].filter(isOpen))
    return {
      open: open.size === 0 ? [] : [...approvals.values()].filter((approval) => open.has(approval)),
      settled: own.filter((approval) => !isOpen(approval)),
    }
  }, [approvals, own, below, now])
}
