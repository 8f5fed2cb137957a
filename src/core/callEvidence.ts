import { ArgumentsEvidence } from './argumentsEvidence.js'
import { compareText } from './block.js'
import type { CallEvent, OutcomeEvent } from './events.js'
import { betterOutcome, compareOutcomes, type StoredOutcome, sameOutcome } from './outcome.js'
import type { IsMasked } from './partialJson.js'
import type { ProblemKind } from './problems.js'
import { RunEvidence } from './runEvidence.js'
import { TaskEvidence } from './taskEvidence.js'

/** A fact about a call: of two the later by the sender's clock counts, then the one received last. */
interface Fact {
  readonly value: string
  readonly ts: number
  readonly arrival: number
}

const facts = [
  'conversationId',
  'toolName',
  'toolId',
  'title',
  'sessionId',
  'parentCallId',
  'serverName',
  'statusText',
  'waitingFor',
] as const

/** The facts of which the latest counts. */
export type FactName = (typeof facts)[number]

/** What changes while a call lives: of two at the same time the one that came last is the newer. The others never should. */
const changing: readonly FactName[] = ['title', 'statusText', 'waitingFor']

/** Of two contradictory facts of one time, one counts whatever their order (A6). */
function isLater(name: FactName, fact: Fact, known: Fact): boolean {
  if (fact.ts !== known.ts) return fact.ts > known.ts
  if (Number.isFinite(fact.ts) && !changing.includes(name)) return compareText(fact.value, known.value) > 0
  return fact.arrival >= known.arrival
}

/** How many messages of a newer version are told apart; more are counted as this many. */
const maxNewerMessages = 1_000

/** All that was received under one id of a call. */
export class CallEvidence {
  readonly id: string
  /** The store's arrival number of the first event. */
  readonly arrival: number
  firstReceivedAt: number
  /** Changes with whatever is shown of the call itself. */
  version = 0
  /**
   * Changes with every fact that was said again later. It shows only where the call has other ids, of whose facts the
   * latest counts, too.
   */
  repeats = 0
  /** The least time among what says that the call was under way; infinite while none is known. */
  startedAt = Number.POSITIVE_INFINITY
  /** The least time among its announcements; infinite while none is known. */
  listedAt = Number.POSITIVE_INFINITY
  /** The least difference between a frame's receipt and its sender's time, in ms; infinite before the first. */
  clockOffsetMs = Number.POSITIVE_INFINITY
  /** When the first word of the call's end came in, by time and by arrival number; infinite while there is none. */
  endReceivedAt = Number.POSITIVE_INFINITY
  endArrival = Number.POSITIVE_INFINITY
  args: ArgumentsEvidence
  /** The call was announced as one that is not being carried out yet. */
  isPending = false
  /** When a word first said that the call is being carried out, by arrival number and by time; infinite before. */
  runningArrival = Number.POSITIVE_INFINITY
  runningAt = Number.POSITIVE_INFINITY
  /** When the first block came in, as above. */
  blockArrival = Number.POSITIVE_INFINITY
  blockAt = Number.POSITIVE_INFINITY
  /** How long it may run, in seconds: the longest time that was named; 0 where none was. */
  timeoutSec = 0
  /** The outcome that counts among those of the call itself. */
  outcome: StoredOutcome | undefined
  readonly facts = new Map<FactName, Fact>()
  readonly aliases = new Set<string>()
  readonly newerMessages = new Set<string>()
  readonly tasks = new Map<string, TaskEvidence>()
  /** The events of the run that the call is; absent for other calls. */
  run: RunEvidence | undefined
  /** The arrival numbers of the last answer to a resume of the run, and of the last refusal; -Infinity while never (E6). */
  resumedArrival = Number.NEGATIVE_INFINITY
  refusedArrival = Number.NEGATIVE_INFINITY
  /** When that refusal came in. */
  refusedAt = Number.NEGATIVE_INFINITY
  resumes = 0
  /** Those that belong to what this was forked from, too. */
  #sharedTasks: Set<string> | undefined

  constructor(id: string, arrival: number, receivedAt: number, isMasked?: IsMasked) {
    this.id = id
    this.arrival = arrival
    this.firstReceivedAt = receivedAt
    this.args = new ArgumentsEvidence(isMasked)
  }

  /** What goes on from here (G1). This one must not be changed any more; tasks are forked when they change. */
  fork(): CallEvidence {
    const fork = new CallEvidence(this.id, this.arrival, this.firstReceivedAt)
    Object.assign(fork, this)
    for (const name of Object.keys(this) as (keyof this & keyof CallEvidence)[]) {
      const value: unknown = this[name]
      if (typeof value === 'object') Object.assign(fork, { [name]: copyOf(value) })
    }
    if (this.tasks.size > 0) fork.#sharedTasks = new Set(this.tasks.keys())
    return fork
  }

  /** The task of that id, to be changed. */
  ownTask(taskId: string): TaskEvidence | undefined {
    if (this.#sharedTasks?.delete(taskId) === true) {
      this.tasks.set(taskId, (this.tasks.get(taskId) as TaskEvidence).fork())
    }
    return this.tasks.get(taskId)
  }

  /** Takes facts about the call; says what was wrong with them. */
  addFacts(event: CallEvent, arrival: number, receivedAt: number): ProblemKind | undefined {
    for (const name of facts) {
      const value = event[name]
      if (value !== undefined) {
        this.offerFact(name, { value, ts: event.ts ?? Number.NEGATIVE_INFINITY, arrival })
      }
    }
    if (event.startedAt !== undefined) this.offerStart(event.startedAt)
    this.#offerListing(event.startedAt ?? event.ts)
    this.#noteStage(event, arrival, receivedAt)
    this.#noteNewer(event.newerMessage)
    return this.#takeArgs(event)
  }

  /** The call is being carried out (C6). */
  get isRunning(): boolean {
    return this.runningArrival < Number.POSITIVE_INFINITY
  }

  #noteStage({ pending, running, timeoutSec = 0 }: CallEvent, arrival: number, receivedAt: number): void {
    if (pending === true && !this.isPending) {
      this.isPending = true
      this.version += 1
    }
    if (running === true && !this.isRunning) {
      this.runningArrival = arrival
      this.runningAt = receivedAt
      this.version += 1
    }
    if (timeoutSec > this.timeoutSec) {
      this.timeoutSec = timeoutSec
      this.version += 1
    }
  }

  /** Takes the receipt of a block. */
  noteBlock(arrival: number, receivedAt: number): void {
    if (arrival >= this.blockArrival) return
    this.blockArrival = arrival
    this.blockAt = receivedAt
    this.version += 1
  }

  #offerListing(ts: number | undefined): void {
    if (ts === undefined || ts >= this.listedAt) return
    this.listedAt = ts
    this.version += 1
  }

  /** Takes the time of a frame, by which the sender's clock is compared with the store's. */
  noteTime(ts: number | undefined, receivedAt: number): void {
    if (ts === undefined || receivedAt - ts >= this.clockOffsetMs) return
    this.clockOffsetMs = receivedAt - ts
    this.version += 1
  }

  #noteNewer(message: string | undefined): void {
    if (message === undefined || this.newerMessages.has(message) || this.newerMessages.size >= maxNewerMessages) return
    this.newerMessages.add(message)
    this.version += 1
  }

  #takeArgs({ args, argsKind = 'complete', argsDelta }: CallEvent): ProblemKind | undefined {
    if (argsDelta !== undefined && this.args.append(argsDelta)) this.version += 1
    if (args === undefined) return undefined
    const { changed, conflicts } = this.args.offer(args, argsKind)
    if (changed) this.version += 1
    return conflicts ? 'conflicting_arguments' : undefined
  }

  /** Takes a time at which the call was under way; the least counts. */
  offerStart(ts: number): void {
    if (ts >= this.startedAt) return
    this.startedAt = ts
    this.version += 1
  }

  /** Takes one fact; the later one counts. */
  offerFact(name: FactName, fact: Fact): void {
    const known = this.facts.get(name)
    if (known === undefined || isLater(name, fact, known)) {
      this.facts.set(name, fact)
      if (known?.value !== fact.value) this.version += 1
      else this.repeats += 1
    }
  }

  /** Takes news of a resume (E6). */
  addResume(refused: boolean, receivedAt: number, arrival: number): void {
    this.version += 1
    if (refused) {
      this.refusedAt = receivedAt
      this.refusedArrival = arrival
    } else {
      this.resumedArrival = arrival
      this.resumes += 1
    }
  }

  /** Takes an outcome of the call itself; says what was wrong with it. */
  addOutcome(event: OutcomeEvent, receivedAt: number, arrival: number): ProblemKind | undefined {
    const known = this.outcome
    this.endArrival = Math.min(this.endArrival, arrival)
    this.endReceivedAt = Math.min(this.endReceivedAt, receivedAt)
    this.outcome = betterOutcome(known, { event, receivedAt }, compareOutcomes)
    if (this.outcome?.event !== known?.event) this.version += 1
    const isConflict =
      known !== undefined && known.event.authority === event.authority && !sameOutcome(known.event, event)
    return isConflict ? 'conflicting_outcome' : undefined
  }
}

/** A value that can be changed without changing the other. */
function copyOf(value: unknown): unknown {
  if (value instanceof Map) return new Map(value)
  if (value instanceof Set) return new Set(value)
  return value instanceof ArgumentsEvidence || value instanceof RunEvidence ? value.fork() : value
}

/**
 * What several ids of one call say together (A17). The first is the id that the call is known by. Tasks that are known
 * under more than one id are merged.
 */
export function uniteCalls(members: readonly CallEvidence[], makeTask: (taskId: string) => TaskEvidence): CallEvidence {
  const [first, ...rest] = members as [CallEvidence, ...CallEvidence[]]
  if (rest.length === 0) return first
  const arrival = Math.min(...members.map((member) => member.arrival))
  const united = new CallEvidence(first.id, arrival, first.firstReceivedAt)
  for (const member of members) {
    united.firstReceivedAt = Math.min(united.firstReceivedAt, member.firstReceivedAt)
    united.startedAt = Math.min(united.startedAt, member.startedAt)
    united.listedAt = Math.min(united.listedAt, member.listedAt)
    united.clockOffsetMs = Math.min(united.clockOffsetMs, member.clockOffsetMs)
    united.endReceivedAt = Math.min(united.endReceivedAt, member.endReceivedAt)
    united.endArrival = Math.min(united.endArrival, member.endArrival)
    united.outcome = betterOutcome(united.outcome, member.outcome, compareOutcomes)
    for (const [name, fact] of member.facts) united.offerFact(name, fact)
    united.args = ArgumentsEvidence.better(united.args, member.args)
    united.isPending ||= member.isPending
    united.runningArrival = Math.min(united.runningArrival, member.runningArrival)
    united.runningAt = Math.min(united.runningAt, member.runningAt)
    united.blockArrival = Math.min(united.blockArrival, member.blockArrival)
    united.blockAt = Math.min(united.blockAt, member.blockAt)
    united.timeoutSec = Math.max(united.timeoutSec, member.timeoutSec)
    for (const message of member.newerMessages) united.newerMessages.add(message)
    united.run = RunEvidence.union(united.run, member.run)
    united.resumedArrival = Math.max(united.resumedArrival, member.resumedArrival)
    united.refusedArrival = Math.max(united.refusedArrival, member.refusedArrival)
    united.refusedAt = Math.max(united.refusedAt, member.refusedAt)
    united.resumes += member.resumes
    for (const [taskId, task] of member.tasks) {
      const known = united.tasks.get(taskId)
      united.tasks.set(taskId, known === undefined ? task : uniteTasks(known, task, makeTask(taskId)))
    }
  }
  return united
}

function uniteTasks(a: TaskEvidence, b: TaskEvidence, united: TaskEvidence): TaskEvidence {
  for (const task of [a, b]) {
    for (const block of task.blocks()) united.add(block.event, block.receivedAt)
    for (const { whole } of task.artifacts.values()) united.addArtifact(whole, task.lastReceivedAt)
    if (task.ownEnd !== undefined) united.addEnd(task.ownEnd.event, task.ownEnd.receivedAt)
    united.leastTs = Math.min(united.leastTs, task.leastTs)
    united.firstReceivedAt = Math.min(united.firstReceivedAt, task.firstReceivedAt)
    united.lastReceivedAt = Math.max(united.lastReceivedAt, task.lastReceivedAt)
    united.endReceivedAt = Math.min(united.endReceivedAt, task.endReceivedAt)
    united.droppedBlocks += task.droppedBlocks
  }
  united.version = a.version + b.version
  return united
}
