'use client'
import { useId, useRef } from 'react'
import type { Approval as ApprovalView } from '../../core/index.js'
import { ApprovalBody, WhatRuns } from '../ApprovalBody.js'
import { ApprovalQuestion } from '../ApprovalQuestion.js'
import { type ApprovalStatus, approvalStatus, approvalText, isSettled, questionText } from '../approvalText.js'
import { Fold } from '../Fold.js'
import { FoldedText } from '../FoldedText.js'
import { focusedFrom } from '../focusedFrom.js'
import { useProvider } from '../providerContext.js'
import { Shape, type ShapeName } from '../Shape.js'
import { useApprovals } from '../useApprovals.js'
import { takeFocus } from '../useKeptFocus.js'
import { useBrowserLayoutEffect, useNow } from '../useNow.js'
import { useTakenOver } from '../useTakenOver.js'
import { createPart, type PartProps, partElement } from './createPart.js'
import { useMergedRefs } from './mergeRefs.js'
import { useFold, useRoot } from './rootContext.js'

/** The state of a request for a decision. */
export interface ApprovalPartState {
  /** `data-status`: where it stands. */
  readonly status: ApprovalStatus
  /** `data-failed`: an answer could not be sent, and can be given again. */
  readonly failed: boolean
  /** `data-elsewhere`: it was not answered here. */
  readonly elsewhere: boolean
}

/** What a request for a decision takes. */
export interface ApprovalProps extends PartProps<'div', ApprovalPartState> {
  readonly approval: ApprovalView
}

/**
 * A request for a person's decision about the call, or about a call below it: who asks, exactly what will run, and the
 * buttons (D4). Once it is over, one line with the decision, its scope and its time, which opens what was asked. Renders a
 * `<div role="group">`.
 */
export const Approval = createPart<HTMLDivElement, ApprovalProps>('Approval', ({ approval, ...host }, forwardedRef) => {
  const { callId, focusedRequest } = useRoot('Approval')
  const { messages, revealer } = useProvider('ToolCall.Approval')
  const questionId = useId()
  const now = useNow(approval.state === 'open' && approval.expiresAt !== undefined)
  const status = approvalStatus(approval, now ?? Number.NEGATIVE_INFINITY)
  const queue = useApprovals(approval.conversationId)
  const position = queue.findIndex(({ id }) => id === approval.id) + 1
  const isSettledNow = isSettled(status)
  const target = approval.callId
  const element = useRef<HTMLDivElement>(null)
  const ref = useMergedRefs(forwardedRef, element)

  // A request that is settled moves to what was decided: it is another element there.
  useBrowserLayoutEffect(() => {
    const own = element.current
    if (own !== null && focusedRequest.current === approval.id) {
      focusedRequest.current = undefined
      takeFocus(own)
    }
    return () => {
      if (own?.contains(focusedFrom(own))) focusedRequest.current = approval.id
    }
  }, [approval.id, focusedRequest])

  const children = isSettledNow ? (
    <Decision key={approval.id} approval={approval} status={status} />
  ) : (
    <ApprovalBody
      key={approval.id}
      approval={approval}
      status={status}
      now={now}
      questionId={questionId}
      onShowCall={target === undefined || target === callId ? undefined : () => revealer.reveal(target)}
      aside={
        queue.length > 1 &&
        position > 0 && <span data-slot="tool-call-approval-position">{messages.position(position, queue.length)}</span>
      }
    />
  )
  // What is folded names nothing: browsers leave it out.
  const name = isSettledNow ? { 'aria-label': questionText(approval, messages) } : { 'aria-labelledby': questionId }
  const own = { role: 'group', ...name, children }
  const state = { status, failed: approval.failure !== undefined, elsewhere: approval.answeredElsewhere }
  return partElement({ tag: 'div', slot: 'tool-call-approval', state, own, host, ref })
})

const shapes: Readonly<Record<ApprovalStatus, ShapeName>> = {
  open: 'waiting',
  sending: 'running',
  sent: 'running',
  allowed: 'done',
  denied: 'denied',
  conflict: 'warning',
  withdrawn: 'unreported',
  expired: 'unreported',
}

interface DecisionProps {
  readonly approval: ApprovalView
  readonly status: ApprovalStatus
}

/** What was decided, how long it holds and when, in one line; it opens what was asked. */
function Decision({ approval, status }: DecisionProps) {
  const { messages, formatter } = useProvider('ToolCall.Approval')
  const [open, setOpen] = useFold('Approval', `approval/${approval.id}`, false)
  const timeKey = String(useTakenOver())
  const { answer, answeredAt } = approval
  const label = (
    <>
      <Shape name={shapes[status]} />
      <span data-slot="tool-call-approval-decision">{approvalText(approval, status, messages)}</span>{' '}
      {answeredAt !== undefined && (
        // A server may be in another time zone than the reader.
        <span key={timeKey} data-slot="tool-call-quiet" suppressHydrationWarning>
          {formatter.timeOfDay(answeredAt)}
        </span>
      )}
    </>
  )
  return (
    <>
      <Fold slot="tool-call-approval" isOpen={open} onOpenChange={setOpen} label={label}>
        <p data-slot="tool-call-approval-question">
          <ApprovalQuestion approval={approval} />
        </p>
        <WhatRuns approval={approval} />
      </Fold>
      {answer?.reason !== undefined && answer.reason !== '' && (
        <div data-slot="tool-call-approval-said">
          <FoldedText text={answer.reason} maxLines={3} />
        </div>
      )}
    </>
  )
}
