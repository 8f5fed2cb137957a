'use client'
import { useMemo } from 'react'
import { type Approval, isApprovalOpen } from '../core/index.js'
import type { ToolCallState } from '../store/index.js'
import { useNow } from './useNow.js'
import { useStore } from './useStore.js'

/**
 * The requests of a conversation that wait for a person's answer, oldest first (D4); without a conversation's id those
 * of the whole store. Answered, withdrawn and expired ones are not among them.
 */
export function useApprovals(conversationId?: string): readonly Approval[] {
  const approvals = useStore((state) => state.approvals, 'useApprovals')
  const waiting = waitingIn(approvals, conversationId)
  const mayExpire = useMemo(() => waiting.some(({ expiresAt }) => expiresAt !== undefined), [waiting])
  const now = useNow(mayExpire)
  return useMemo(
    () => (now === undefined ? waiting : waiting.filter((approval) => isApprovalOpen(approval, now))),
    [waiting, now],
  )
}

/** Read once for all who ask for the same: a page may show a thousand requests. */
const lists = new WeakMap<ToolCallState['approvals'], Map<string | undefined, readonly Approval[]>>()

function waitingIn(approvals: ToolCallState['approvals'], conversationId: string | undefined): readonly Approval[] {
  const byConversation = lists.get(approvals) ?? new Map<string | undefined, readonly Approval[]>()
  lists.set(approvals, byConversation)
  const known = byConversation.get(conversationId)
  if (known !== undefined) return known
  const waiting = [...approvals.values()].filter(
    (approval) =>
      approval.state === 'open' && (conversationId === undefined || approval.conversationId === conversationId),
  )
  byConversation.set(conversationId, waiting)
  return waiting
}
