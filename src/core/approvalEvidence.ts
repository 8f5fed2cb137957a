import { ArgumentsEvidence } from './argumentsEvidence.js'
import { compareNumbers, compareText } from './block.js'
import type { Approval } from './call.js'
import { canonicalJson } from './canonicalJson.js'
import type { ApprovalAnswer, ApprovalEvent, ApprovalRequest } from './events.js'
import type { IsMasked } from './partialJson.js'
import type { ProblemKind } from './problems.js'

/** How many different decisions on one request are told apart; the least by canonical JSON stay. */
const maxAnswers = 16

/** The content of a request as it was received. */
interface Copy {
  readonly request: ApprovalRequest
  readonly ts: number | undefined
  readonly canonical: string
  readonly conversationId: string | undefined
}

/** All that was received about one request for a decision, by its id (D4). */
export class ApprovalEvidence {
  readonly id: string
  /** The store's arrival number of the request, and when it came in; infinite while only other news of it is known. */
  arrival = Number.POSITIVE_INFINITY
  requestedAt = Number.POSITIVE_INFINITY
  /** When the first answer came in; infinite while there is none. */
  answeredAt = Number.POSITIVE_INFINITY
  withdrawn = false
  /** The answer given here, in its newest state, and the arrival number at which it was first on its way. */
  sent: (NonNullable<ApprovalEvent['sent']> & { readonly arrival: number }) | undefined
  /** Changes with whatever is shown. */
  version = 0
  /** As it was last shown. */
  shown: Approval | undefined
  #copy: Copy | undefined
  /** The least of the conversations that were named beside a request. */
  #otherConversationId: string | undefined
  /** By canonical JSON of decision and scope, in that order. */
  #answers = new Map<string, ApprovalAnswer>()
  #args: ArgumentsEvidence | undefined
  #canonicalArgs: string | undefined
  readonly #isMasked: IsMasked | undefined

  constructor(id: string, isMasked?: IsMasked) {
    this.id = id
    this.#isMasked = isMasked
  }

  /** What goes on from here (G1). */
  fork(): ApprovalEvidence {
    const fork = Object.assign(new ApprovalEvidence(this.id, this.#isMasked), this)
    fork.#copy = this.#copy
    fork.#otherConversationId = this.#otherConversationId
    fork.#answers = new Map(this.#answers)
    fork.#args = this.#args
    fork.#canonicalArgs = this.#canonicalArgs
    return fork
  }

  /** The request that counts; undefined while only other news of it is known. */
  get request(): ApprovalRequest | undefined {
    return this.#copy?.request
  }

  /** The conversation of the request that counts; where that names none, one in which news of it was heard. */
  get conversationId(): string | undefined {
    return this.#copy?.conversationId ?? this.#otherConversationId
  }

  /** The session whose call the request is about. */
  get session(): string | undefined {
    return this.request?.subagentSessionId ?? this.request?.sessionId
  }

  /** The request's arguments in canonical JSON, "" where there are none. */
  get canonicalArgs(): string {
    this.#canonicalArgs ??= canonicalArguments(this.request?.args)
    return this.#canonicalArgs
  }

  /** The request's arguments with what the host masks replaced. */
  get maskedArgs(): string | undefined {
    const args = this.request?.args
    if (args === undefined) return undefined
    if (this.#args === undefined) {
      this.#args = new ArgumentsEvidence(this.#isMasked)
      this.#args.offer(args, 'final')
    }
    return this.#args.show(true).text
  }

  /** What the other side has confirmed; a conflict where two different answers were. */
  get confirmed(): { readonly answer: ApprovalAnswer; readonly conflicts: boolean } | undefined {
    const answers = [...this.#answers.values()]
    const [first] = answers
    if (first === undefined) return undefined
    const scopes = new Set(answers.flatMap(({ scope }) => scope ?? []))
    if (scopes.size > 1 || answers.some(({ approved }) => approved !== first.approved)) {
      return { answer: first, conflicts: true }
    }
    const scope = answers.find((answer) => answer.scope !== undefined)?.scope
    const [reason] = answers.flatMap((answer) => answer.reason ?? []).sort(compareText)
    const answer = {
      approved: first.approved,
      ...(scope !== undefined && { scope }),
      ...(reason !== undefined && { reason }),
    }
    return { answer, conflicts: false }
  }

  /** Takes news of the request; says what was wrong with it. */
  add(event: ApprovalEvent, receivedAt: number, arrival: number): ProblemKind | undefined {
    const { conversationId, request, answer, sent, withdrawn, ts } = event
    const known = this.#otherConversationId
    if (conversationId !== undefined && (known === undefined || conversationId < known)) {
      this.#otherConversationId = conversationId
      this.version += 1
    }
    if (withdrawn === true && !this.withdrawn) {
      this.withdrawn = true
      this.version += 1
    }
    if (sent !== undefined) this.#setSent(sent, arrival)
    const problem =
      request === undefined ? undefined : this.#offer({ request, ts, conversationId }, receivedAt, arrival)
    return (answer === undefined ? undefined : this.#addAnswer(answer, receivedAt)) ?? problem
  }

  #setSent(sent: NonNullable<ApprovalEvent['sent']>, arrival: number): void {
    const known = this.sent
    const goesOn = known !== undefined && known.state !== 'failed'
    // What is said to it when it is sent again says nothing of the first time.
    const mayHaveArrived = sent.mayHaveArrived === true || known?.mayHaveArrived === true || known?.state === 'sent'
    this.sent = { ...sent, ...(mayHaveArrived && { mayHaveArrived }), arrival: goesOn ? known.arrival : arrival }
    this.version += 1
  }

  /**
   * A relayed copy, which names the sub-agent, says more than the other; else the least by (`ts`, canonical JSON), and of
   * the same one heard in several conversations the one in the least of them.
   */
  #offer(told: Omit<Copy, 'canonical'>, receivedAt: number, arrival: number): ProblemKind | undefined {
    const copy = { ...told, canonical: canonicalJson(told.request) }
    const known = this.#copy
    this.arrival = Math.min(this.arrival, arrival)
    this.#noteTime('requestedAt', receivedAt)
    if (known === undefined || compareCopies(copy, known) < 0) {
      this.#copy = copy
      this.#args = undefined
      this.#canonicalArgs = undefined
      this.version += 1
    }
    return known === undefined || asksTheSame(known.request, copy.request) ? undefined : 'conflicting_request'
  }

  /** The least counts: a clock may be set back. */
  #noteTime(name: 'requestedAt' | 'answeredAt', receivedAt: number): void {
    if (receivedAt >= this[name]) return
    this[name] = receivedAt
    this.version += 1
  }

  #addAnswer({ approved, scope, reason }: ApprovalAnswer, receivedAt: number): ProblemKind | undefined {
    this.#noteTime('answeredAt', receivedAt)
    const conflicted = this.confirmed?.conflicts ?? false
    const key = canonicalJson([approved, scope ?? null])
    const known = this.#answers.get(key)
    if (known !== undefined && (reason === undefined || compareReasons(known.reason, reason) <= 0)) return undefined
    this.#answers.set(key, {
      approved,
      ...(scope !== undefined && { scope }),
      ...(reason !== undefined && { reason }),
    })
    const sorted = [...this.#answers].sort(([a], [b]) => compareText(a, b))
    this.#answers = new Map(sorted.slice(0, maxAnswers))
    this.version += 1
    const conflicts = this.confirmed?.conflicts === true
    return conflicts && !conflicted ? 'conflicting_answer' : undefined
  }
}

/** Whether two answers say the same, as far as both say it. */
export function agrees(a: ApprovalAnswer, b: ApprovalAnswer): boolean {
  return a.approved === b.approved && (a.scope === undefined || b.scope === undefined || a.scope === b.scope)
}

function compareCopies(a: Copy, b: Copy): number {
  const isDirect = ({ request }: Copy) => Number(request.subagentSessionId === undefined)
  return (
    isDirect(a) - isDirect(b) ||
    compareNumbers(a.ts, b.ts) ||
    compareText(a.canonical, b.canonical) ||
    compareConversations(a, b)
  )
}

/** One that names none is behind all. */
const compareConversations = ({ conversationId: a }: Copy, { conversationId: b }: Copy) =>
  a === undefined || b === undefined ? Number(a === undefined) - Number(b === undefined) : compareText(a, b)

const asksTheSame = (a: ApprovalRequest, b: ApprovalRequest) =>
  a.toolName === b.toolName && a.callId === b.callId && canonicalArguments(a.args) === canonicalArguments(b.args)

/** No reason is more than any. */
const compareReasons = (a: string | undefined, b: string) => (a === undefined ? 1 : compareText(a, b))

/** Longer arguments are compared as they are, since canonical JSON leaves out the end of very large values. */
const maxCanonicalLength = 100_000

/** The same text for arguments that are the same; those that are no JSON stay as they are. */
export function canonicalArguments(args: string | undefined): string {
  if (args === undefined || args.length > maxCanonicalLength) return args ?? ''
  try {
    return canonicalJson(JSON.parse(args))
  } catch {
    return args
  }
}
