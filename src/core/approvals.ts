import { ApprovalEvidence, canonicalArguments } from './approvalEvidence.js'
import { linkApprovals } from './approvalLinks.js'
import { compareNumbers } from './block.js'
import type { Approval } from './call.js'
import { canonicalJson } from './canonicalJson.js'
import type { ApprovalEvent } from './events.js'
import type { Limits } from './limits.js'
import type { IsMasked } from './partialJson.js'
import type { Problem } from './problems.js'
import { isUnsettled } from './toApproval.js'

/** What a call says by which the requests about it are found. */
export interface CallTraits {
  readonly session: string
  readonly toolName: string | undefined
  /** Its arguments' text; undefined while they may still grow. */
  readonly args: string | undefined
  readonly parentId: string | undefined
  readonly arrival: number
  readonly endArrival: number
}

/** How many ids of forgotten requests are remembered. */
const maxForgotten = 100_000

/** All requests for a person's decision, and which calls they are about (D4). Links are found when they are read. */
export class Approvals {
  #evidence = new Map<string, ApprovalEvidence>()
  /** Those that name their call, by the id that they name. */
  #named = new Map<string, Set<ApprovalEvidence>>()
  /** Those that do not, and calls, by session, tool and arguments: what is alike is in one group. */
  #alikeRequests = new Map<string, Set<ApprovalEvidence>>()
  #alikeCalls = new Map<string, Map<string, CallTraits>>()
  #staleGroups = new Set<string>()
  /** What calls say of themselves, and in which group they are, which they are not while their arguments may grow. */
  #calls = new Map<string, { readonly traits: CallTraits; readonly group: string | undefined }>()
  /** By session, the requests of sub-agents, and the calls that name their parents. */
  #bySubagent = new Map<string, Set<ApprovalEvidence>>()
  #withParent = new Map<string, Set<CallTraits>>()
  /** The calls that requests were found to be about, and the other way round. */
  #links = new Map<string, string>()
  #linked = new Map<string, Set<ApprovalEvidence>>()
  #changed = new Set<ApprovalEvidence>()
  /** Those that were shown as waiting for nobody, in the order in which they came to that: the first to be forgotten. */
  #settled = new Set<ApprovalEvidence>()
  #forgotten = new Set<string>()
  /** Calls that a request was about that was forgotten: they are not taken for those that others are about. */
  #spent = new Set<string>()
  /** Calls whose requests went since they were last read. */
  #left = new Set<string>()
  /** Requests that went since they were last read. */
  #gone = new Set<string>()
  readonly #limits: Limits
  readonly #report: (problem: Problem) => void
  readonly #isMasked: IsMasked | undefined
  readonly #parentOf: (session: string) => string | undefined

  constructor(
    limits: Limits,
    report: (problem: Problem) => void,
    isMasked: IsMasked | undefined,
    parentOf: (session: string) => string | undefined,
  ) {
    this.#limits = limits
    this.#report = report
    this.#isMasked = isMasked
    this.#parentOf = parentOf
  }

  /** What goes on from here, and tells its problems to `report` (G1). */
  fork(report: (problem: Problem) => void): Approvals {
    const fork = new Approvals(this.#limits, report, this.#isMasked, this.#parentOf)
    const copies = new Map([...this.#evidence.values()].map((evidence) => [evidence, evidence.fork()]))
    const copyOf = (set: Iterable<ApprovalEvidence>) => new Set([...set].flatMap((each) => copies.get(each) ?? []))
    for (const [id, evidence] of this.#evidence) fork.#evidence.set(id, copies.get(evidence) as ApprovalEvidence)
    for (const [id, set] of this.#named) fork.#named.set(id, copyOf(set))
    for (const [group, set] of this.#alikeRequests) fork.#alikeRequests.set(group, copyOf(set))
    for (const [session, set] of this.#bySubagent) fork.#bySubagent.set(session, copyOf(set))
    for (const [id, set] of this.#linked) fork.#linked.set(id, copyOf(set))
    for (const [group, calls] of this.#alikeCalls) fork.#alikeCalls.set(group, new Map(calls))
    for (const [session, calls] of this.#withParent) fork.#withParent.set(session, new Set(calls))
    fork.#staleGroups = new Set(this.#staleGroups)
    fork.#calls = new Map(this.#calls)
    fork.#links = new Map(this.#links)
    fork.#changed = copyOf(this.#changed)
    fork.#settled = copyOf(this.#settled)
    fork.#forgotten = new Set(this.#forgotten)
    fork.#spent = new Set(this.#spent)
    fork.#left = new Set(this.#left)
    fork.#gone = new Set(this.#gone)
    return fork
  }

  /** Whether there is anything to be shown anew. */
  get isChanged(): boolean {
    return this.#changed.size > 0 || this.#gone.size > 0 || this.#left.size > 0 || this.#staleGroups.size > 0
  }

  /** Takes news of a request. */
  ingest(event: ApprovalEvent, receivedAt: number, arrival: number): void {
    const { approvalId } = event
    if (this.#forgotten.has(approvalId)) {
      this.#report({ kind: 'too_many', detail: 'a request that is no longer kept' })
      return
    }
    const known = this.#evidence.get(approvalId)
    const evidence = known ?? new ApprovalEvidence(approvalId, this.#isMasked)
    if (known === undefined) {
      this.#evidence.set(approvalId, evidence)
      this.#holdLimit()
      // Where none is kept it is the one that went.
      if (!this.#evidence.has(approvalId)) return
    }
    const { version, request: before } = evidence
    if (before !== undefined && event.request !== undefined) this.#unlist(evidence)
    const problem = evidence.add(event, receivedAt, arrival)
    if (problem !== undefined) this.#report({ kind: problem })
    if (evidence.version !== version) this.#changed.add(evidence)
    if (event.request !== undefined) this.#list(evidence)
  }

  /** Takes what a call says of itself; undefined once there is no such call. */
  noteCall(id: string, traits: CallTraits | undefined): void {
    const before = this.#calls.get(id)
    if (before === undefined ? traits === undefined : traits !== undefined && areSame(before.traits, traits)) return
    if (before !== undefined) {
      this.#calls.delete(id)
      if (before.group !== undefined) this.#alikeCalls.get(before.group)?.delete(id)
      if (before.traits.parentId !== undefined) removeFrom(this.#withParent, before.traits.session, before.traits)
      this.#noteStale(before.group)
    }
    if (traits !== undefined) {
      const { session, parentId } = traits
      const group = before !== undefined && isAlike(before.traits, traits) ? before.group : groupOfCall(traits)
      this.#calls.set(id, { traits, group })
      if (group !== undefined) {
        const calls = this.#alikeCalls.get(group) ?? new Map<string, CallTraits>()
        this.#alikeCalls.set(group, calls.set(id, traits))
      }
      if (parentId !== undefined) addTo(this.#withParent, session, traits)
      this.#noteStale(group)
    }
    const names = ['session', 'parentId', 'arrival'] as const
    if (names.every((name) => before?.traits[name] === traits?.[name])) return
    for (const session of [before?.traits.session, traits?.session]) {
      for (const evidence of this.#bySubagent.get(session ?? '') ?? []) this.#changed.add(evidence)
    }
  }

  /** Requests that nobody has answered may have become over, or not be so any more. */
  markOpen(): void {
    for (const evidence of this.#evidence.values()) {
      const { shown } = evidence
      if (shown === undefined || isUnsettled(shown) || shown.state === 'withdrawn') this.#changed.add(evidence)
    }
  }

  /** The calls that requests of sub-agents are shown under may be known by other ids now. */
  markPlaced(): void {
    for (const requests of this.#bySubagent.values()) for (const evidence of requests) this.#changed.add(evidence)
  }

  /** Finds the calls of requests anew. Returns the ids of the calls whose requests have changed in any way. */
  relink(): ReadonlySet<string> {
    const touched = new Set(this.#left)
    this.#left.clear()
    for (const group of this.#staleGroups) this.#relinkGroup(group)
    this.#staleGroups.clear()
    for (const evidence of this.#changed) {
      const id = this.callOf(evidence)
      if (id !== undefined) touched.add(id)
      const { shown } = evidence
      if (shown?.callId !== undefined) touched.add(shown.callId)
    }
    return touched
  }

  /** The requests about the call that is known by these ids, in their order in its process, else oldest first. */
  ofCall(ids: readonly string[]): readonly ApprovalEvidence[] {
    const found = ids.flatMap((id) => [...(this.#named.get(id) ?? []), ...(this.#linked.get(id) ?? [])])
    return found.sort((a, b) => compareNumbers(a.request?.seq, b.request?.seq) || a.arrival - b.arrival)
  }

  /** The id of the call that a request is about, as the request names it or as it was found. */
  callOf({ id, request }: ApprovalEvidence): string | undefined {
    return request?.callId ?? this.#links.get(id)
  }

  /** The call to show a request under that is about none of the calls: the one whose sub-agent asks (D5). */
  parentOf({ request }: ApprovalEvidence): string | undefined {
    const session = request?.subagentSessionId
    if (session === undefined) return undefined
    const told = this.#parentOf(session)
    if (told !== undefined) return told
    let first: CallTraits | undefined
    for (const traits of this.#withParent.get(session) ?? []) {
      if (first === undefined || traits.arrival < first.arrival) first = traits
    }
    return first?.parentId
  }

  /** Takes how a request is shown now. Returns that, or how it was shown before where both say the same. */
  noteShown(evidence: ApprovalEvidence, approval: Approval): Approval {
    const shown = keepApproval(evidence.shown, approval)
    evidence.shown = shown
    if (isUnsettled(shown)) this.#settled.delete(evidence)
    else this.#settled.add(evidence)
    return shown
  }

  /** What has changed since this was last asked, in the order of receipt, and what went. */
  takeChanges(): { readonly changed: readonly ApprovalEvidence[]; readonly gone: readonly string[] } {
    const changed = [...this.#changed].sort((a, b) => a.arrival - b.arrival)
    const gone = [...this.#gone]
    this.#changed.clear()
    this.#gone.clear()
    return { changed, gone }
  }

  /** The same in the order in which the requests came in: those of one call are shown together. */
  inOrder(approvals: ReadonlyMap<string, Approval>): ReadonlyMap<string, Approval> {
    const arrivalOf = (id: string) => this.#evidence.get(id)?.arrival ?? 0
    return new Map([...approvals].sort(([a], [b]) => arrivalOf(a) - arrivalOf(b)))
  }

  /** Forgets the requests about the call that is known by these ids. */
  forgetCall(ids: readonly string[]): void {
    for (const evidence of this.ofCall(ids)) this.#forget(evidence)
    for (const id of ids) {
      this.noteCall(id, undefined)
      this.#spent.delete(id)
      this.#left.delete(id)
    }
  }

  #noteStale(group: string | undefined): void {
    if (group !== undefined && this.#alikeRequests.has(group)) this.#staleGroups.add(group)
  }

  #relinkGroup(group: string): void {
    const requests = [...(this.#alikeRequests.get(group) ?? [])]
    const free = [...(this.#alikeCalls.get(group) ?? [])].filter(([id]) => !this.#spent.has(id))
    const calls = free.map(([id, traits]) => ({ ...traits, id }))
    const links = linkApprovals(requests, calls)
    for (const evidence of requests) this.#setLink(evidence, links.get(evidence.id))
  }

  #setLink(evidence: ApprovalEvidence, callId: string | undefined): void {
    const before = this.#links.get(evidence.id)
    if (before === callId) return
    if (before !== undefined) removeFrom(this.#linked, before, evidence)
    if (callId === undefined) this.#links.delete(evidence.id)
    else {
      this.#links.set(evidence.id, callId)
      addTo(this.#linked, callId, evidence)
    }
    this.#changed.add(evidence)
  }

  /** Forgets the request that has waited for nobody longest, or the oldest of all, once there are too many (H3). */
  #holdLimit(): void {
    if (this.#evidence.size <= this.#limits.approvals) return
    this.#report({ kind: 'too_many', detail: 'requests for a decision' })
    const [settled] = this.#settled
    const [oldest] = settled === undefined ? this.#evidence.values() : [settled]
    if (oldest !== undefined) this.#forget(oldest)
  }

  #forget(evidence: ApprovalEvidence): void {
    const { id } = evidence
    const [callId, linkedId] = [this.callOf(evidence), this.#links.get(id)]
    if (callId !== undefined) this.#left.add(callId)
    if (linkedId !== undefined) this.#spent.add(linkedId)
    this.#evidence.delete(id)
    this.#unlist(evidence)
    this.#setLink(evidence, undefined)
    this.#changed.delete(evidence)
    this.#settled.delete(evidence)
    this.#gone.add(id)
    this.#forgotten.add(id)
    if (this.#forgotten.size <= maxForgotten) return
    for (const first of this.#forgotten) {
      this.#forgotten.delete(first)
      return
    }
  }

  #list(evidence: ApprovalEvidence): void {
    const { request, session, canonicalArgs } = evidence
    if (request?.subagentSessionId !== undefined) addTo(this.#bySubagent, request.subagentSessionId, evidence)
    if (request?.callId !== undefined) {
      this.#setLink(evidence, undefined)
      addTo(this.#named, request.callId, evidence)
      return
    }
    const group = groupOf(session, request?.toolName, canonicalArgs)
    addTo(this.#alikeRequests, group, evidence)
    this.#noteStale(group)
  }

  #unlist(evidence: ApprovalEvidence): void {
    const { request, session, canonicalArgs } = evidence
    if (request?.subagentSessionId !== undefined) removeFrom(this.#bySubagent, request.subagentSessionId, evidence)
    if (request?.callId !== undefined) removeFrom(this.#named, request.callId, evidence)
    const group = groupOf(session, request?.toolName, canonicalArgs)
    this.#noteStale(group)
    removeFrom(this.#alikeRequests, group, evidence)
  }
}

const isAlike = (a: CallTraits, b: CallTraits) =>
  a.session === b.session && a.toolName === b.toolName && a.args === b.args

/** Undefined while its arguments may still grow. */
const groupOfCall = ({ session, toolName, args }: CallTraits) =>
  args === undefined ? undefined : groupOf(session, toolName, canonicalArguments(args))

const groupOf = (session: string | undefined, toolName: string | undefined, canonicalArgs: string) =>
  JSON.stringify([session ?? null, toolName ?? null, canonicalArgs])

function addTo<Key, Value>(map: Map<Key, Set<Value>>, key: Key, value: Value): void {
  const values = map.get(key)
  if (values === undefined) map.set(key, new Set([value]))
  else values.add(value)
}

function removeFrom<Key, Value>(map: Map<Key, Set<Value>>, key: Key, value: Value): void {
  const values = map.get(key)
  values?.delete(value)
  if (values?.size === 0) map.delete(key)
}

function areSame<Value extends object>(a: Value, b: Value): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof Value>
  return [...names].every((name) => a[name] === b[name])
}

/** The newer one, or the one of before where they say the same. */
function keepApproval(before: Approval | undefined, approval: Approval): Approval {
  if (before === undefined) return approval
  const isSame =
    areSame({ ...before, answer: undefined }, { ...approval, answer: undefined }) &&
    canonicalJson(before.answer) === canonicalJson(approval.answer)
  return isSame ? before : approval
}
