import { compareNumbers, compareText } from './block.js'
import { canonicalJson } from './canonicalJson.js'
import type { OutcomeEvent, StepEvent } from './events.js'
import { hashText } from './hashText.js'
import { betterOutcome, compareOutcomes, type StoredOutcome } from './outcome.js'
import type { ProblemKind } from './problems.js'
import { SeqSet } from './seqSet.js'

/** Of how many dropped events without a number it is remembered that they were there. */
const maxDroppedNames = 20_000

/** An event of a run as it counts, with the time and number of its first receipt. */
export interface ReceivedStep {
  event: StepEvent
  receivedAt: number
  arrival: number
}

/**
 * All that was received about one run: the set of its events (E2). Its story is told from the set when it is read, so
 * that neither order nor repetition matters.
 */
export class RunEvidence {
  /** Changes with whatever is shown. */
  version = 0
  firstReceivedAt = Number.POSITIVE_INFINITY
  /** When anything new was last received. */
  heardAt = Number.NEGATIVE_INFINITY
  /** The arrival number of that. */
  heardArrival = Number.NEGATIVE_INFINITY
  /** When the first result of a tool or the first artifact came in; infinite while there is none (G2). */
  firstResultAt = Number.POSITIVE_INFINITY
  /** Events that were dropped for the limit (H3). */
  droppedSteps = 0
  #steps = new Map<string, ReceivedStep>()
  /** Those that are, or once were, an end. */
  #ends = new Map<string, ReceivedStep>()
  /** In their order once `#isOrdered`. */
  #ordered: ReceivedStep[] = []
  #isOrdered = true
  /** What events that were dropped are known by: it outlives them, so that none is taken again (H3). */
  #droppedSeqs = new SeqSet()
  #droppedNames = new Set<string>()
  #limit: number

  /** `limit`: how many events are kept. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** What goes on from here (G1). */
  fork(): RunEvidence {
    const fork = Object.assign(new RunEvidence(this.#limit), this)
    const copies = new Map<ReceivedStep, ReceivedStep>()
    const copyOf = (step: ReceivedStep) => {
      const copy = copies.get(step) ?? { ...step }
      copies.set(step, copy)
      return copy
    }
    for (const [identity, step] of this.#steps) fork.#steps.set(identity, copyOf(step))
    for (const [identity, step] of this.#ends) fork.#ends.set(identity, copyOf(step))
    fork.#ordered = this.#ordered.map(copyOf)
    fork.#isOrdered = this.#isOrdered
    fork.#droppedSeqs = this.#droppedSeqs.fork()
    fork.#droppedNames = new Set(this.#droppedNames)
    return fork
  }

  /** Takes an event; says what was wrong with it. */
  add(event: StepEvent, receivedAt: number, arrival: number): ProblemKind | undefined {
    const identity = identityOf(event)
    if (this.#wasDropped(event, identity)) return undefined
    const known = this.#steps.get(identity)
    if (known !== undefined && isUnnamedContact(event)) return this.#hearAgain(known, receivedAt, arrival)
    if (known !== undefined) return this.#repeat(identity, known, event, receivedAt)
    const step: ReceivedStep = { event, receivedAt, arrival }
    this.#steps.set(identity, step)
    if (event.kind === 'ended') this.#ends.set(identity, step)
    this.firstReceivedAt = Math.min(this.firstReceivedAt, receivedAt)
    this.#noteHeard(receivedAt, arrival)
    if (isUsable(event)) this.firstResultAt = Math.min(this.firstResultAt, receivedAt)
    this.version += 1
    const last = this.#ordered.at(-1)
    // In its place at the end, as a rule.
    if (last !== undefined && !(isNumbered(event) && isNumbered(last.event) && event.seq > last.event.seq)) {
      this.#isOrdered = false
    }
    this.#ordered.push(step)
    if (this.#steps.size > this.#limit * 1.1) this.#drop()
    return undefined
  }

  /** The events in their order: by `seq`; those without it by `ts`, and at the end in the order of arrival. */
  steps(): readonly ReceivedStep[] {
    if (!this.#isOrdered) this.#ordered = inOrder(this.#steps.values())
    this.#isOrdered = true
    return this.#ordered
  }

  /** The outcome that counts among those that the run's events tell (E5). */
  get outcome(): StoredOutcome | undefined {
    let best: StoredOutcome | undefined
    for (const { event, receivedAt } of this.#ends.values()) {
      if (event.kind === 'ended')
        best = betterOutcome(best, { event: toOutcomeEvent(event), receivedAt }, compareOutcomes)
    }
    return best
  }

  /** The first request of a tool, or end, that comes after a place: by `seq`, where both have it, else by arrival (E12). */
  stepAfter(seq: number | undefined, arrival: number): ReceivedStep | undefined {
    return this.steps().find(({ event, arrival: own }) => {
      if (event.kind !== 'requested' && event.kind !== 'ended') return false
      return event.seq !== undefined && seq !== undefined ? event.seq > seq : own > arrival
    })
  }

  /** What two sets of events say together. */
  static union(a: RunEvidence | undefined, b: RunEvidence | undefined): RunEvidence | undefined {
    if (a === undefined || b === undefined) return a ?? b
    const united = new RunEvidence(a.#limit)
    for (const run of [a, b]) {
      for (const { event, receivedAt, arrival } of run.steps()) united.add(event, receivedAt, arrival)
      united.droppedSteps += run.droppedSteps
      united.#noteHeard(run.heardAt, run.heardArrival)
    }
    united.version = a.version + b.version
    return united
  }

  #wasDropped(event: StepEvent, identity: string): boolean {
    if (isNumbered(event)) return this.#droppedSeqs.has(event.seq)
    return this.#droppedNames.size > 0 && this.#droppedNames.has(hashText(identity))
  }

  #noteHeard(receivedAt: number, arrival: number): void {
    this.heardAt = Math.max(this.heardAt, receivedAt)
    this.heardArrival = Math.max(this.heardArrival, arrival)
  }

  /** The newest one counts: a run is in contact as long as they come, and held when the last word of it is that (E7). */
  #hearAgain(known: ReceivedStep, receivedAt: number, arrival: number): undefined {
    this.#noteHeard(receivedAt, arrival)
    known.arrival = Math.max(known.arrival, arrival)
    this.#isOrdered = false
    this.version += 1
  }

  /** Takes another content under a known identity: the earlier by (`ts`, canonical JSON) counts. */
  #repeat(identity: string, known: ReceivedStep, event: StepEvent, receivedAt: number): ProblemKind | undefined {
    known.receivedAt = Math.min(known.receivedAt, receivedAt)
    const order =
      compareNumbers(event.ts, known.event.ts) || compareText(canonicalJson(event), canonicalJson(known.event))
    if (order === 0) return undefined
    if (order < 0) {
      known.event = event
      if (event.kind === 'ended') this.#ends.set(identity, known)
      if (isUsable(event)) this.firstResultAt = Math.min(this.firstResultAt, known.receivedAt)
      this.#isOrdered = false
      this.version += 1
    }
    return 'conflicting_step'
  }

  /** Drops the oldest of what can be missed: heartbeats, then progress, then thinking; then whatever is oldest (E8, H3). */
  #drop(): void {
    let excess = this.#steps.size - this.#limit
    const steps = this.steps()
    const gone = new Set<ReceivedStep>()
    const [firstEnd] = this.#ends.values()
    for (const kinds of [['heartbeat', 'paused'], ['progress'], ['thinking', 'text'], undefined]) {
      for (const step of steps) {
        if (excess <= 0) break
        if (gone.has(step) || step === firstEnd) continue
        if (kinds !== undefined && !kinds.includes(step.event.kind)) continue
        gone.add(step)
        this.#steps.delete(identityOf(step.event))
        this.#ends.delete(identityOf(step.event))
        excess -= 1
      }
    }
    for (const { event } of gone) {
      if (isNumbered(event)) this.#droppedSeqs.add(event.seq)
      else if (!isUnnamedContact(event)) this.#droppedNames.add(hashText(identityOf(event)))
      if (event.kind !== 'heartbeat') this.droppedSteps += 1
    }
    for (const oldest of this.#droppedNames) {
      if (this.#droppedNames.size <= maxDroppedNames) break
      this.#droppedNames.delete(oldest)
    }
    this.#ordered = steps.filter((step) => !gone.has(step))
  }
}

/** How a run ended, as an event of its own. */
function toOutcomeEvent(event: StepEvent & { readonly kind: 'ended' }): OutcomeEvent {
  const { callId, outcome, authority, value, reason, receipt, seq, ts } = event
  return {
    type: 'outcome',
    callId,
    outcome,
    authority,
    ...(value !== undefined && { value }),
    ...(reason !== undefined && { reason }),
    ...(receipt !== undefined && { receipt }),
    ...(seq !== undefined && { seq }),
    ...(ts !== undefined && { ts }),
  }
}

function identityOf(event: StepEvent): string {
  if (event.seq !== undefined) return `seq ${event.seq}`
  return event.eventId === undefined ? canonicalJson(event) : `id ${event.eventId}`
}

/**
 * Whether it is about the connection, which nobody sends again, and has nothing by which one can be told from the next: as
 * often as it comes it is a new one.
 */
const isUnnamedContact = ({ kind, seq, eventId, ts }: StepEvent) =>
  (kind === 'heartbeat' || kind === 'paused') && seq === undefined && eventId === undefined && ts === undefined

/** Something that the user has a use for: what a tool found, or a file. */
const isUsable = (event: StepEvent) => event.kind === 'result' || (event.artifacts?.length ?? 0) > 0

const isNumbered = (event: StepEvent): event is StepEvent & { readonly seq: number } => event.seq !== undefined

/**
 * Steps without `seq` stand after the one with the greatest `seq` among those whose `ts` is not later than their own;
 * without `ts` after all.
 */
function inOrder(steps: Iterable<ReceivedStep>): ReceivedStep[] {
  const numbered: ReceivedStep[] = []
  const loose: ReceivedStep[] = []
  for (const step of steps) (isNumbered(step.event) ? numbered : loose).push(step)
  numbered.sort((a, b) => compareNumbers(a.event.seq, b.event.seq))
  if (loose.length === 0) return numbered
  loose.sort((a, b) => compareNumbers(a.event.ts, b.event.ts) || a.arrival - b.arrival)
  const byTs = numbered.map(({ event }, position) => ({ ts: event.ts, position }))
  byTs.sort((a, b) => compareNumbers(a.ts, b.ts))
  const ordered: ReceivedStep[] = []
  let next = 0
  let from = 0
  let to = 0
  for (const step of loose) {
    for (; next < byTs.length && compareNumbers(byTs[next]?.ts, step.event.ts) <= 0; next++) {
      to = Math.max(to, (byTs[next]?.position ?? 0) + 1)
    }
    for (; from < to; from++) ordered.push(numbered[from] as ReceivedStep)
    ordered.push(step)
  }
  return [...ordered, ...numbered.slice(from)]
}
