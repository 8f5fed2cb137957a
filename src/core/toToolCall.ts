import { compareNumbers, compareText } from './block.js'
import type { Approval, CallTimings, Interruption, Outcome, ProcessItem, Task, ToolCall, UnknownCause } from './call.js'
import type { CallEvidence } from './callEvidence.js'
import type { Contact, ContactEnd } from './contact.js'
import { betterOutcome, compareOutcomes, settleOutcome, toOutcome } from './outcome.js'
import type { RunEvidence } from './runEvidence.js'
import { type EffectOf, type Story, tellStory } from './story.js'
import type { TaskEvidence } from './taskEvidence.js'
import { isCalendarTime } from './time.js'
import { type ApprovedCall, isUnsettled } from './toApproval.js'

/** What is known of a call beside what was received about it. */
interface Surroundings {
  readonly aliases: readonly string[]
  readonly contact: Contact
  readonly approvals: readonly Approval[]
  readonly parentId: string | undefined
  readonly effectOf: EffectOf
}

/** What is shown of a call, from all that was received about it. */
export function toToolCall(
  evidence: CallEvidence,
  { aliases, contact, approvals, parentId, effectOf }: Surroundings,
): ToolCall {
  const tasks = tasksOf(evidence)
  const fact = (name: Parameters<typeof evidence.facts.get>[0]) => evidence.facts.get(name)?.value
  const told = outcomeOf(evidence)
  const silence = contact.endOf(evidence.arrival, fact('conversationId'), fact('sessionId'))
  const end = told.outcome ?? (silence && unknownEnd(silence.cause, silence.receivedAt)) ?? refusedEnd(evidence)
  const outcome = end && deniedOutcome(end, approvals)
  const { run } = evidence
  const story = run && storyOf(run, outcome !== undefined, effectOf)
  const runs = evidence.isRunning || tasks.length > 0 || run !== undefined
  const isOver = outcome !== undefined || runs || approvals.some((approval) => approval.args !== undefined)
  const args = evidence.args.isKnown ? evidence.args.show(isOver) : undefined
  const interruptions = contact.interruptions(fact('conversationId'))
  const { timeoutSec, runningAt } = evidence
  const deadline = runningAt + timeoutSec * 1_000
  const isWaiting = approvals.some(isUnsettled) || Boolean(fact('waitingFor')) || story?.current?.state === 'waiting'
  return {
    id: evidence.id,
    aliases,
    conversationId: fact('conversationId'),
    toolName: fact('toolName') ?? story?.name ?? fact('toolId'),
    title: fact('title') ?? story?.title,
    sessionId: fact('sessionId'),
    serverName: fact('serverName'),
    parentId,
    approvals,
    deadline: timeoutSec > 0 && evidence.isRunning && isCalendarTime(deadline) ? deadline : undefined,
    args: args?.text,
    argsStreaming: args?.streaming ?? false,
    get parsedArgs() {
      return args?.json
    },
    status: outcome?.kind ?? (isWaiting ? 'waiting' : evidence.isPending && !runs ? 'pending' : 'running'),
    runs,
    statusText: outcome === undefined ? fact('statusText') || undefined : undefined,
    outcome,
    recorded: told.recorded,
    tasks: tasks.map((task) => toTask(task, interruptions, evidence.endReceivedAt, silence)),
    story,
    timings: timingsOf(evidence, outcome, interruptions),
    newerMessages: evidence.newerMessages.size,
    startedAt: Number.isFinite(evidence.startedAt) ? evidence.startedAt : undefined,
    listedAt: Number.isFinite(evidence.listedAt) ? evidence.listedAt : undefined,
    clockOffsetMs: Number.isFinite(evidence.clockOffsetMs) ? evidence.clockOffsetMs : 0,
    firstReceivedAt: evidence.firstReceivedAt,
  }
}

/** What a call tells about the requests for its approval. */
export function approvedCall(id: string, evidence: CallEvidence): ApprovedCall {
  const { outcome } = outcomeOf(evidence)
  const { runningArrival, runningAt, blockArrival, blockAt } = evidence
  const isOver = outcome !== undefined || evidence.isRunning || evidence.tasks.size > 0 || evidence.run !== undefined
  const isKnown = evidence.args.isKnown
  return {
    id,
    runs: [
      { arrival: runningArrival, receivedAt: runningAt },
      { arrival: blockArrival, receivedAt: blockAt },
    ],
    outcome,
    args: isKnown ? evidence.args.rawText : undefined,
    argsStreaming: isKnown && evidence.args.show(isOver).streaming,
    stepAfter: (seq, arrival) => evidence.run?.stepAfter(seq, arrival),
  }
}

const tasksOf = ({ tasks }: CallEvidence): readonly TaskEvidence[] =>
  [...tasks.values()].sort((a, b) => compareNumbers(a.leastTs, b.leastTs) || compareText(a.taskId, b.taskId))

/**
 * The outcome of the last task, terminals aside; while that one is open, the caller's own record (A5, A11), or what a run
 * itself told.
 */
function outcomeOf(evidence: CallEvidence) {
  const last = tasksOf(evidence).findLast((task) => !task.hasTerminals || task.end !== undefined)
  const record = betterOutcome(evidence.outcome, evidence.run?.outcome, compareOutcomes)
  if (last?.shownEnd !== undefined) return settleOutcome(last.shownEnd, record)
  return { outcome: record && toOutcome(record), recorded: undefined }
}

/**
 * Nothing more can be heard of the call: how it ended is not known. Derived, never stored, so that it goes when the truth
 * comes.
 */
function unknownEnd(cause: UnknownCause, receivedAt: number): Outcome {
  const nothing = { value: undefined, reason: undefined, summary: undefined, ts: undefined }
  return { kind: 'unknown', ...nothing, unspecific: false, cause, receivedAt }
}

/** A run whose resume was refused is unknown until something new is heard of it (E5, E6). */
function refusedEnd({ run, refusedAt, refusedArrival, resumedArrival }: CallEvidence): Outcome | undefined {
  const heardArrival = Math.max(resumedArrival, run?.heardArrival ?? Number.NEGATIVE_INFINITY)
  // Not by their times: two receipts may have the same, and a clock may be set back.
  if (refusedArrival === Number.NEGATIVE_INFINITY || heardArrival > refusedArrival) return undefined
  return unknownEnd('resume_refused', refusedAt)
}

/** A call that failed or was canceled, or of which nothing more was heard, because a person said no to it, never ran (D4). */
function deniedOutcome(outcome: Outcome, approvals: readonly Approval[]): Outcome {
  const mayBeDenied = outcome.kind === 'error' || outcome.unspecific || outcome.cause !== undefined
  if (!mayBeDenied || approvals.findLast(({ answer }) => answer !== undefined)?.state !== 'denied') return outcome
  const { cause: _, ...told } = outcome
  return { ...told, kind: 'denied', unspecific: false }
}

const stories = new WeakMap<
  RunEvidence,
  { readonly version: number; readonly isOver: boolean; readonly story: Story }
>()

/** The run's story; the same object until something changes. */
function storyOf(run: RunEvidence, isOver: boolean, effectOf: EffectOf): Story {
  const known = stories.get(run)
  if (known?.version === run.version && known.isOver === isOver) return known.story
  const { heardAt, droppedSteps, version } = run
  const story = tellStory(run.steps(), { isOver, heardAt, droppedSteps, effectOf })
  stories.set(run, { version, isOver, story })
  return story
}

function timingsOf(evidence: CallEvidence, outcome: Outcome | undefined, losses: readonly Interruption[]): CallTimings {
  const { firstReceivedAt, run, tasks, resumes } = evidence
  const since = (at: number) => (Number.isFinite(at) ? Math.max(0, at - firstReceivedAt) : undefined)
  const first = Math.min(run?.firstReceivedAt ?? Number.POSITIVE_INFINITY, ...[...tasks.values()].map(firstReceipt))
  const endedAt = outcome?.receivedAt ?? Number.POSITIVE_INFINITY
  const hasValue = run === undefined && outcome?.value !== undefined
  return {
    firstEventMs: since(first),
    firstResultMs: since(run?.firstResultAt ?? (hasValue ? endedAt : Number.POSITIVE_INFINITY)),
    endedMs: since(endedAt),
    disconnects: losses.filter(({ lostAt }) => firstReceivedAt <= lostAt && lostAt < endedAt).length,
    resumes,
  }
}

const firstReceipt = (task: TaskEvidence) => task.firstReceivedAt

/** When a process was over, of which nothing was missed after; infinite while it goes on. */
export function closingOf(task: TaskEvidence, callEndedAt: number): number {
  // What goes on after its call has ended is not over with it (A16).
  const overAt = task.lastReceivedAt > callEndedAt ? Number.POSITIVE_INFINITY : callEndedAt
  return Math.min(task.endReceivedAt, task.end?.receivedAt ?? overAt, overAt)
}

const views = new WeakMap<TaskEvidence, { readonly version: number; readonly view: TaskView }>()

/** The task as components see it; the same object until something changes. */
function toTask(
  task: TaskEvidence,
  losses: readonly Interruption[],
  callEndedAt: number,
  silence: ContactEnd | undefined,
): Task {
  const closedAt = closingOf(task, callEndedAt)
  const lived = losses.filter(({ lostAt }) => task.firstReceivedAt <= lostAt && lostAt < closedAt)
  const known = views.get(task)
  const silentAt = silence?.receivedAt ?? Number.NEGATIVE_INFINITY
  const unheard = task.end === undefined && task.lastReceivedAt <= silentAt && silentAt < closedAt
  const isSame = known?.version === task.version && known.view.unheard === unheard
  if (isSame && sameTimes(known.view.interruptions, lived)) return known.view
  const view = new TaskView(task, lived, unheard)
  views.set(task, { version: task.version, view })
  return view
}

function sameTimes(a: readonly Interruption[], b: readonly Interruption[]): boolean {
  return a.length === b.length && a.every(({ lostAt, backAt }, i) => lostAt === b[i]?.lostAt && backAt === b[i]?.backAt)
}

/** Works the process out when it is first read, so that calls that nobody looks at cost nothing. */
class TaskView implements Task {
  readonly taskId: string
  readonly outcome: Outcome | undefined
  readonly lastReceivedAt: number
  readonly terminalsOver: boolean
  readonly unheard: boolean
  readonly interruptions: readonly Interruption[]
  readonly #evidence: TaskEvidence
  #read: Pick<Task, 'items' | 'blockCount' | 'droppedBlocks' | 'skipped'> | undefined

  constructor(evidence: TaskEvidence, interruptions: readonly Interruption[], unheard: boolean) {
    this.taskId = evidence.taskId
    this.outcome = evidence.shownEnd && toOutcome(evidence.shownEnd)
    this.lastReceivedAt = evidence.lastReceivedAt
    this.terminalsOver = evidence.terminalsOver
    this.interruptions = interruptions
    this.unheard = unheard
    this.#evidence = evidence
  }

  get items(): readonly ProcessItem[] {
    return this.#process().items
  }
  get blockCount(): number {
    return this.#process().blockCount
  }
  get droppedBlocks(): number {
    return this.#process().droppedBlocks
  }
  get skipped(): number {
    return this.#process().skipped
  }

  #process() {
    if (this.#read === undefined) {
      const items = this.#evidence.items()
      const { blockCount, droppedBlocks, skipped } = this.#evidence
      this.#read = { items, blockCount, droppedBlocks, skipped }
    }
    return this.#read
  }
}
