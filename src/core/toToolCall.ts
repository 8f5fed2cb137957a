import { compareNumbers, compareText } from './block.js'
import type { Interruption, Outcome, ProcessItem, Task, ToolCall } from './call.js'
import type { CallEvidence } from './callEvidence.js'
import type { Contact } from './contact.js'
import { settleOutcome, toOutcome } from './outcome.js'
import type { TaskEvidence } from './taskEvidence.js'

/** What is shown of a call, from all that was received about it. */
export function toToolCall(evidence: CallEvidence, aliases: readonly string[], contact: Contact): ToolCall {
  const tasks = [...evidence.tasks.values()].sort(
    (a, b) => compareNumbers(a.leastTs, b.leastTs) || compareText(a.taskId, b.taskId),
  )
  const fact = (name: Parameters<typeof evidence.facts.get>[0]) => evidence.facts.get(name)?.value
  const { outcome, recorded } = outcomeOf(evidence, tasks.at(-1))
  const isOver = outcome !== undefined || evidence.isRunning || tasks.length > 0
  const args = evidence.args.isKnown ? evidence.args.show(isOver) : undefined
  const interruptions = contact.interruptions(fact('conversationId'))
  return {
    id: evidence.id,
    aliases,
    conversationId: fact('conversationId'),
    toolName: fact('toolName') ?? fact('toolId'),
    title: fact('title'),
    sessionId: fact('sessionId'),
    serverName: fact('serverName'),
    parentId: fact('parentCallId'),
    approvals: [],
    deadline: undefined,
    args: args?.text,
    argsStreaming: args?.streaming ?? false,
    get parsedArgs() {
      return args?.json
    },
    status: outcome?.kind ?? 'running',
    statusText: outcome === undefined ? fact('statusText') || undefined : undefined,
    outcome,
    recorded,
    tasks: tasks.map((task) => toTask(task, interruptions, evidence.endReceivedAt)),
    newerMessages: evidence.newerMessages.size,
    startedAt: Number.isFinite(evidence.startedAt) ? evidence.startedAt : undefined,
    listedAt: Number.isFinite(evidence.listedAt) ? evidence.listedAt : undefined,
    clockOffsetMs: Number.isFinite(evidence.clockOffsetMs) ? evidence.clockOffsetMs : 0,
    firstReceivedAt: evidence.firstReceivedAt,
  }
}

/** The outcome of the last task; while that one is open, the caller's own record (A5, A11). */
function outcomeOf(evidence: CallEvidence, last: TaskEvidence | undefined) {
  if (last?.end !== undefined) return settleOutcome(last.end, evidence.outcome)
  return { outcome: evidence.outcome && toOutcome(evidence.outcome), recorded: undefined }
}

const views = new WeakMap<TaskEvidence, { readonly version: number; readonly view: TaskView }>()

/** The task as components see it; the same object until something changes. */
function toTask(task: TaskEvidence, losses: readonly Interruption[], callEndedAt: number): Task {
  const closedAt = Math.min(task.endReceivedAt, task.end?.receivedAt ?? callEndedAt, callEndedAt)
  const lived = losses.filter(({ lostAt }) => task.firstReceivedAt <= lostAt && lostAt < closedAt)
  const known = views.get(task)
  if (known?.version === task.version && sameTimes(known.view.interruptions, lived)) return known.view
  const view = new TaskView(task, lived)
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
  readonly interruptions: readonly Interruption[]
  readonly #evidence: TaskEvidence
  #read: Pick<Task, 'items' | 'blockCount' | 'droppedBlocks' | 'skipped'> | undefined

  constructor(evidence: TaskEvidence, interruptions: readonly Interruption[]) {
    this.taskId = evidence.taskId
    this.outcome = evidence.end && toOutcome(evidence.end)
    this.lastReceivedAt = evidence.lastReceivedAt
    this.interruptions = interruptions
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
