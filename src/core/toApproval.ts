import { type ApprovalEvidence, agrees, canonicalArguments } from './approvalEvidence.js'
import type { Approval, ApprovalState } from './call.js'
import type { ApprovalAnswer, OutcomeKind } from './events.js'
import type { ReceivedStep } from './runEvidence.js'
import type { EffectOf } from './story.js'
import { isCalendarTime } from './time.js'

/** What a request's call tells about the answer to it. */
export interface ApprovedCall {
  readonly id: string
  /** When it was first said to run and first put something out, by arrival number and by time; infinite before. */
  readonly runs: readonly { readonly arrival: number; readonly receivedAt: number }[]
  /** How it ended, as somebody told us. */
  readonly outcome: { readonly kind: OutcomeKind; readonly receivedAt: number } | undefined
  /** Its arguments' text, and whether it may still grow. */
  readonly args: string | undefined
  readonly argsStreaming: boolean
  /** Of a run: the first step or end that comes after a request, by its `seq`, else by its arrival number (E12). */
  readonly stepAfter: (seq: number | undefined, arrival: number) => ReceivedStep | undefined
}

/** Whether this answer can be given: any can, unless another one may have arrived (D4). */
export const canAnswer = ({ onlyAnswer }: Approval, { approved, scope }: ApprovalAnswer): boolean =>
  onlyAnswer === undefined || (onlyAnswer.approved === approved && onlyAnswer.scope === scope)

/** Whether a request waits for a person: nobody has answered it, and it has not expired at that time (D4). */
export function isApprovalOpen(approval: Approval, now: number): boolean {
  return approval.state === 'open' && (approval.expiresAt === undefined || now < approval.expiresAt)
}

/** Whether the answer given here is on its way, or delivered and not confirmed. */
export const isUnconfirmed = ({ state }: Approval): boolean => state === 'sending' || state === 'sent'

/** Whether a call waits for the answer to this request, or for its being confirmed. */
export const isUnsettled = (approval: Approval): boolean => approval.state === 'open' || isUnconfirmed(approval)

/**
 * What is shown of a request, from all that was received about it and its call. `isOver`: nothing more can be heard of
 * it. Undefined while the request itself is not known.
 */
export function toApproval(
  evidence: ApprovalEvidence,
  call: ApprovedCall | undefined,
  parentCallId: string | undefined,
  isOver: boolean,
  effectOf: EffectOf,
): Approval | undefined {
  const { request, sent, maskedArgs } = evidence
  if (request === undefined) return undefined
  const { callId, seq, args, expiresAt: givenEnd, ...asked } = request
  const expiresAt = givenEnd !== undefined && isCalendarTime(givenEnd) ? givenEnd : undefined
  const next = call?.stepAfter(seq, evidence.arrival)
  const settled = settle(evidence, call, next)
  // A call that ends because nobody has answered in time does not withdraw what had expired.
  const hadExpired = expiresAt !== undefined && call?.outcome !== undefined && call.outcome.receivedAt >= expiresAt
  const isNotWaitedFor = evidence.withdrawn || isOver || call?.outcome !== undefined || next !== undefined
  const isWithdrawn = isNotWaitedFor && !hadExpired
  const failed = sent?.state === 'failed' ? (sent.reason ?? '') : undefined
  const state =
    settled?.state ?? (isWithdrawn ? 'withdrawn' : sent === undefined || failed !== undefined ? 'open' : sent.state)
  return {
    ...asked,
    ...(expiresAt !== undefined && { expiresAt }),
    ...given(asked.effect ?? (asked.toolName === undefined ? undefined : effectOf(asked.toolName))),
    ...(maskedArgs !== undefined && { args: maskedArgs }),
    id: evidence.id,
    conversationId: evidence.conversationId,
    callId: call?.id ?? callId,
    parentCallId,
    state: state as ApprovalState,
    answer: settled?.answer ?? (failed === undefined ? sent?.answer : undefined),
    answeredElsewhere: settled !== undefined && (sent === undefined || !agrees(sent.answer, settled.answer)),
    failure: state === 'open' ? failed : undefined,
    onlyAnswer: state === 'open' && sent?.mayHaveArrived ? sent.answer : undefined,
    argsDiffer: args !== undefined && call?.args !== undefined && !call.argsStreaming && !areSame(args, call.args),
    argsPending: args === undefined && call?.argsStreaming === true,
    requestedAt: evidence.requestedAt,
    answeredAt: settled?.at,
  }
}

interface Settled {
  readonly state: 'allowed' | 'denied' | 'conflict'
  readonly answer: ApprovalAnswer
  readonly at: number
}

/**
 * The confirmed answer: one that was said by the other side, else what the call did after an answer of ours was on its
 * way. What it did before says nothing, since some senders report a call as running before they ask.
 */
function settle(
  evidence: ApprovalEvidence,
  call: ApprovedCall | undefined,
  next: ReceivedStep | undefined,
): Settled | undefined {
  const { confirmed, sent, request } = evidence
  if (confirmed !== undefined) {
    const { answer, conflicts } = confirmed
    return { answer, state: conflicts ? 'conflict' : stateOf(answer), at: evidence.answeredAt }
  }
  if (next !== undefined && isGoAhead(next, request?.toolName)) {
    const answer = sent?.answer.approved ? sent.answer : { approved: true }
    return { answer, state: 'allowed', at: next.receivedAt }
  }
  if (sent === undefined || sent.state === 'failed' || call === undefined) return undefined
  // The run went on, which says that the answer was heard.
  if (next?.event.kind === 'requested') {
    return { answer: sent.answer, state: stateOf(sent.answer), at: next.receivedAt }
  }
  const run = call.runs.find(({ arrival }) => arrival > sent.arrival && arrival < Number.POSITIVE_INFINITY)
  const { outcome } = call
  const approved =
    run !== undefined || outcome?.kind === 'done'
      ? true
      : outcome?.kind === 'denied'
        ? false
        : outcome?.kind === 'error'
          ? sent.answer.approved
          : undefined
  if (approved === undefined) return undefined
  const answer = approved === sent.answer.approved ? sent.answer : { approved }
  return { answer, state: stateOf(answer), at: run?.receivedAt ?? (outcome?.receivedAt as number) }
}

/** The run does what was asked for: the same tool is requested, or it is committed. */
const isGoAhead = ({ event }: ReceivedStep, tool: string | undefined) =>
  event.kind === 'requested'
    ? tool !== undefined && event.tool === tool
    : event.kind === 'ended' && event.committed && event.outcome === 'done'

const given = (effect: Approval['effect']) => (effect === undefined ? {} : { effect })

const stateOf = ({ approved }: ApprovalAnswer) => (approved ? 'allowed' : 'denied')

const areSame = (a: string, b: string) => a === b || canonicalArguments(a) === canonicalArguments(b)
