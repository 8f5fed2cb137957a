import { ApprovalEvidence, canonicalArguments } from './approvalEvidence.js'
import { linkApprovals } from './approvalLinks.js'
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

/** Where a request belongs. */
interface Place {
  readonly callId: string | undefined
  readonly parentId: string | undefined
}

const nowhere: Place = { callId: undefined, parentId: undefined }

/** How many ids of forgotten requests are remembered. */
const maxForgotten = 100_000

/** All requests for a person's decision, and which calls they are about (D4). Links are found when they are read. */
export class Approvals {
  #evidence = new Map<string, ApprovalEvidence>()
  /** Those that name their call, by the id that they name. */
  #named = new Map<string, Set<ApprovalEvidence>>()
  /** Those that do not, by the session whose call they are about. */
  #bySession = new Map<string, Set<ApprovalEvidence>>()
  #calls = new Map<string, Map<string, CallTraits>>()
  #traits = new Map<string, CallTraits>()
  #places = new Map<string, Place>()
  /** By call, those that were found to be about it. */
  #linked = new Map<string, Set<ApprovalEvidence>>()
  #staleSessions = new Set<string>()
  /** The arguments of calls in canonical JSON, by call. */
  #canonical = new Map<string, { readonly args: string; readonly text: string }>()
  #changed = new Set<ApprovalEvidence>()
  #forgotten = new Set<string>()
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

  /** Whether there is anything to be shown anew. */
  get isChanged(): boolean {
    return this.#changed.size > 0 || this.#gone.size > 0 || this.#staleSessions.size > 0
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
    }
    const { version, session: sessionBefore, request: requestBefore } = evidence
    const problem = evidence.add(event, receivedAt, arrival)
    if (problem !== undefined) this.#report({ kind: problem })
    if (evidence.version === version) return
    this.#changed.add(evidence)
    const { request, session } = evidence
    if (request === requestBefore) return
    if (requestBefore !== undefined) this.#removeFrom(requestBefore.callId, sessionBefore, evidence)
    if (request?.callId !== undefined) addTo(this.#named, request.callId, evidence)
    else if (session !== undefined) {
      addTo(this.#bySession, session, evidence)
      this.#staleSessions.add(session)
    }
  }

  /** Takes what a call says of itself; undefined once there is no such call. */
  noteCall(id: string, traits: CallTraits | undefined): void {
    const before = this.#traits.get(id)
    if (before === traits || (before !== undefined && traits !== undefined && areSame(before, traits))) return
    if (before !== undefined) {
      this.#calls.get(before.session)?.delete(id)
      this.#noteStale(before.session)
    }
    if (traits === undefined) {
      this.#traits.delete(id)
      this.#canonical.delete(id)
      return
    }
    this.#traits.set(id, traits)
    const calls = this.#calls.get(traits.session) ?? new Map<string, CallTraits>()
    this.#calls.set(traits.session, calls.set(id, traits))
    this.#noteStale(traits.session)
  }

  /** Requests that nobody has answered may have become over, or not be so any more. */
  markOpen(): void {
    for (const evidence of this.#evidence.values()) {
      const { shown } = evidence
      if (shown === undefined || isUnsettled(shown) || shown.state === 'withdrawn') this.#changed.add(evidence)
    }
  }

  /** Finds the calls of requests anew. Returns the ids of the calls whose requests have changed in any way. */
  relink(): ReadonlySet<string> {
    const touched = new Set<string>()
    for (const session of this.#staleSessions) this.#relinkSession(session)
    this.#staleSessions.clear()
    for (const evidence of this.#changed) {
      const id = this.callOf(evidence)
      if (id !== undefined) touched.add(id)
      const { shown } = evidence
      if (shown?.callId !== undefined) touched.add(shown.callId)
    }
    return touched
  }

  /** The requests about the call that is known by these ids, oldest first. */
  ofCall(ids: readonly string[]): readonly ApprovalEvidence[] {
    const found = ids.flatMap((id) => [...(this.#named.get(id) ?? []), ...(this.#linked.get(id) ?? [])])
    return found.sort((a, b) => a.arrival - b.arrival)
  }

  /** The id of the call that a request is about, as the request names it or as it was found. */
  callOf({ id, request }: ApprovalEvidence): string | undefined {
    return request?.callId ?? this.#places.get(id)?.callId
  }

  /** The call to show a request under that is about none of the calls: the one whose sub-agent asks (D5). */
  parentOf(evidence: ApprovalEvidence): string | undefined {
    return this.#places.get(evidence.id)?.parentId
  }

  /** What has changed since this was last asked, in the order of receipt, and what went. */
  takeChanges(): { readonly changed: readonly ApprovalEvidence[]; readonly gone: readonly string[] } {
    const changed = [...this.#changed].sort((a, b) => a.arrival - b.arrival)
    const gone = [...this.#gone]
    this.#changed.clear()
    this.#gone.clear()
    return { changed, gone }
  }

  /** Forgets the requests about the call that is known by these ids. */
  forgetCall(ids: readonly string[]): void {
    for (const evidence of this.ofCall(ids)) this.#forget(evidence)
    for (const id of ids) this.noteCall(id, undefined)
  }

  #noteStale(session: string): void {
    if (this.#bySession.has(session)) this.#staleSessions.add(session)
  }

  #relinkSession(session: string): void {
    const requests = [...(this.#bySession.get(session) ?? [])].filter(({ request }) => request !== undefined)
    if (requests.length === 0) return
    const calls = [...(this.#calls.get(session) ?? [])].sort(([, a], [, b]) => a.arrival - b.arrival)
    const candidates = calls.flatMap(([id, { toolName, args, arrival, endArrival }]) =>
      args === undefined ? [] : [{ id, toolName, canonicalArgs: this.#canonicalOf(id, args), arrival, endArrival }],
    )
    const links = linkApprovals(requests, candidates)
    const isSubagents = requests.some(({ request }) => request?.subagentSessionId !== undefined)
    const found = isSubagents ? this.#parentOf(session) : undefined
    const parentId = found ?? calls.find(([, traits]) => traits.parentId !== undefined)?.[1].parentId
    for (const evidence of requests) {
      const isSubagent = evidence.request?.subagentSessionId !== undefined
      this.#setPlace(evidence, { callId: links.get(evidence.id), parentId: isSubagent ? parentId : undefined })
    }
  }

  #setPlace(evidence: ApprovalEvidence, place: Place): void {
    const before = this.#places.get(evidence.id) ?? nowhere
    if (before.callId === place.callId && before.parentId === place.parentId) return
    if (before.callId !== undefined) removeFrom(this.#linked, before.callId, evidence)
    if (place.callId !== undefined) addTo(this.#linked, place.callId, evidence)
    this.#places.set(evidence.id, place)
    this.#changed.add(evidence)
  }

  #canonicalOf(id: string, args: string): string {
    const known = this.#canonical.get(id)
    if (known?.args === args) return known.text
    const text = canonicalArguments(args)
    this.#canonical.set(id, { args, text })
    return text
  }

  /** Forgets the oldest request that waits for nobody, or the oldest of all, once there are too many (H3). */
  #holdLimit(): void {
    if (this.#evidence.size <= this.#limits.approvals) return
    let oldest: ApprovalEvidence | undefined
    for (const evidence of this.#evidence.values()) {
      oldest ??= evidence
      if (evidence.shown === undefined || isUnsettled(evidence.shown)) continue
      oldest = evidence
      break
    }
    this.#report({ kind: 'too_many', detail: 'requests for a decision' })
    if (oldest !== undefined) this.#forget(oldest)
  }

  #forget(evidence: ApprovalEvidence): void {
    const { id, request, session } = evidence
    this.#evidence.delete(id)
    this.#removeFrom(request?.callId, session, evidence)
    this.#changed.delete(evidence)
    this.#gone.add(id)
    this.#forgotten.add(id)
    if (this.#forgotten.size <= maxForgotten) return
    for (const first of this.#forgotten) {
      this.#forgotten.delete(first)
      return
    }
  }

  #removeFrom(callId: string | undefined, session: string | undefined, evidence: ApprovalEvidence): void {
    this.#setPlace(evidence, nowhere)
    this.#places.delete(evidence.id)
    if (callId !== undefined) removeFrom(this.#named, callId, evidence)
    if (session === undefined) return
    removeFrom(this.#bySession, session, evidence)
    this.#noteStale(session)
  }
}

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
export function keepApproval(before: Approval | undefined, approval: Approval): Approval {
  if (before === undefined) return approval
  const isSame =
    areSame({ ...before, answer: undefined }, { ...approval, answer: undefined }) &&
    canonicalJson(before.answer) === canonicalJson(approval.answer)
  return isSame ? before : approval
}
