import {
  type Approval,
  type ApprovalAnswer,
  type ApprovalEvent,
  canAnswer,
  isApprovalOpen,
  type Problem,
} from '../core/index.js'
import type { SendAnswer } from './state.js'
import { UnconfirmedAnswer } from './UnconfirmedAnswer.js'

/** What answering needs of the store. */
interface AnswersOptions {
  /** The request as it stands now. */
  readonly approvalOf: (id: string) => Approval | undefined
  readonly ingest: (event: ApprovalEvent) => void
  readonly report: (problem: Problem) => void
  readonly now: () => number
}

/**
 * The way of a person's answer to the other side (D4): each is sent once. Once it is on its way any other is ignored;
 * when sending fails the request is open again, for the same answer only if that may have arrived.
 */
export function createAnswers({ approvalOf, ingest, report, now }: AnswersOptions) {
  const carriers: { readonly send: SendAnswer; readonly conversationId: string | undefined }[] = []
  /** The newest answer to each request that is on its way; what becomes of an older one is of no interest. */
  const underWay = new Map<string, ApprovalAnswer>()

  const carrierOf = (conversationId: string | undefined) =>
    carriers.findLast((carrier) => carrier.conversationId !== undefined && carrier.conversationId === conversationId) ??
    carriers.findLast((carrier) => carrier.conversationId === undefined)

  const answer = (id: string, { approved, scope, reason }: ApprovalAnswer) => {
    const given = { approved, ...(scope !== undefined && { scope }), ...(reason !== undefined && { reason }) }
    const approval = approvalOf(id)
    const refusal = refusalOf(approval, given, now())
    if (approval === undefined || refusal !== undefined) {
      report({ kind: 'answer_ignored', ...(approval?.callId && { callId: approval.callId }), detail: refusal ?? '' })
      return
    }
    const settle = (state: 'sent' | 'failed', failure?: string, mayHaveArrived = false) => {
      if (underWay.get(id) !== given) return
      underWay.delete(id)
      ingest({
        type: 'approval',
        approvalId: id,
        sent: {
          answer: given,
          state,
          ...(failure !== undefined && { reason: failure }),
          ...(mayHaveArrived && { mayHaveArrived }),
        },
      })
      if (state === 'failed')
        report({ kind: 'answer_failed', ...(approval.callId && { callId: approval.callId }), detail: failure ?? '' })
    }
    underWay.set(id, given)
    ingest({ type: 'approval', approvalId: id, sent: { answer: given, state: 'sending' } })
    const carrier = carrierOf(approval.conversationId)
    if (carrier === undefined) {
      settle('failed', 'nobody carries answers: use connectSocket or store.carryAnswers')
      return
    }
    // Also what `send` throws at once is a rejection.
    new Promise<void>((resolve) => resolve(carrier.send(approval, given))).then(
      () => settle('sent'),
      (error: unknown) =>
        settle('failed', error instanceof Error ? error.message : String(error), error instanceof UnconfirmedAnswer),
    )
  }

  const carryAnswers = (send: SendAnswer, conversationId?: string) => {
    const carrier = { send, conversationId }
    carriers.push(carrier)
    return () => {
      const at = carriers.indexOf(carrier)
      if (at >= 0) carriers.splice(at, 1)
    }
  }
  return { answer, carryAnswers }
}

/** Why an answer is not sent, for a developer; undefined when it is. */
function refusalOf(approval: Approval | undefined, given: ApprovalAnswer, now: number): string | undefined {
  if (approval === undefined) return 'no request with this id'
  if (approval.state !== 'open') return `the request is ${approval.state}`
  if (!canAnswer(approval, given)) return 'another answer may have arrived'
  if (!isApprovalOpen(approval, now)) return 'the request has expired'
  return given.approved && approval.argsPending ? 'its arguments still stream in' : undefined
}
