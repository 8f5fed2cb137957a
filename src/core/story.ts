import type { TextItem, ThinkingItem } from './call.js'
import { canonicalJson } from './canonicalJson.js'
import type { Artifact, Citation, Effect, PlannedStep, Receipt, StepEvent } from './events.js'
import { hashText } from './hashText.js'
import type { ReceivedStep } from './runEvidence.js'

/** What a run's events tell: one line for each step, and where it is (E2, E12). Derived from the events, never stored. */
export interface Story {
  /** The name and the title that the run was started with. */
  readonly name: string | undefined
  readonly title: string | undefined
  /** What has begun in the order in which it did; then what is planned and has not. */
  readonly lines: readonly StoryLine[]
  /** The step that the run is at: the last one that runs, waits or is blocked. */
  readonly current: Step | undefined
  /** What comes after it, as far as it was announced: what an approval is asked for, else the next of the plan. */
  readonly next: Pick<Step, 'kind' | 'name' | 'title' | 'effect'> | undefined
  /** The steps that have answered; a plan is none (E5). */
  readonly confirmed: readonly Step[]
  /** A step that changes data, or a request for approval, has been reached: something may have happened (E5). */
  readonly mayHaveChanged: boolean
  /** Progress is only sampled (E7). */
  readonly degraded: boolean
  /** The sender holds the stream (E7). */
  readonly paused: boolean
  /** When anything new was last received, in ms on the store's clock. */
  readonly heardAt: number
  readonly artifacts: readonly Artifact[]
  readonly citations: readonly Citation[]
  /** Events that were dropped because a limit was reached (H3). */
  readonly droppedSteps: number
}

/** One line of a story. `id` is unique in it, and stable. */
export type StoryLine = Step | ThinkingItem | TextItem

/**
 * Where a step is. `pending`: planned, not begun. `waiting`: for a person. `unreported`: the run is over, and the step's
 * end was never told.
 */
export type StepState = 'pending' | 'running' | 'waiting' | 'blocked' | 'done' | 'failed' | 'unreported'

/** A step of a run: its plan, a tool, a request for approval, the commit, or a step that the sender names. */
export interface Step {
  readonly kind: 'plan' | 'tool' | 'approval' | 'commit' | 'step'
  readonly id: string
  /** The tool or the step; absent where the sender names none. */
  readonly name: string | undefined
  /** A readable name, from the plan. */
  readonly title: string | undefined
  readonly state: StepState
  /** Whether it changes data; absent where that is not known (E12). */
  readonly effect: Effect | undefined
  /** The newest progress (E4). */
  readonly stage: string | undefined
  readonly message: string | undefined
  /** Counts that are facts: both known, and `done` not over `total`. */
  readonly count: { readonly done: number; readonly total: number } | undefined
  /** Its progress is an estimate, so that no numbers of it are shown. */
  readonly estimate: boolean
  /** What confirms it; only of a commit. */
  readonly receipt: Receipt | null | undefined
}

/** What a host says of a tool: whether it changes data. `undefined`: not known. */
export type EffectOf = (tool: string) => Effect | undefined

/** What a story needs to know beside the events. */
export interface StoryContext {
  /** The run has ended, or is known to be lost. */
  readonly isOver: boolean
  readonly heardAt: number
  readonly droppedSteps: number
  /** What the host knows of a tool, where the event does not say (E12). */
  readonly effectOf: EffectOf
}

type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] }
type ThinkingLine = Writable<ThinkingItem> & { texts: string[]; startTs: number | undefined }

/** Tells the story of a run from its events, which are in order. */
export function tellStory(received: readonly ReceivedStep[], context: StoryContext): Story {
  const teller = new StoryTeller(context)
  for (const step of received) teller.add(step.event)
  return teller.story(isPaused(received) && !context.isOver)
}

class StoryTeller {
  #context: StoryContext
  #lines: (Writable<Step> | ThinkingLine | TextItem)[] = []
  #started: { readonly tool?: string | undefined; readonly title?: string | undefined } = {}
  #plan: readonly PlannedStep[] = []
  #isPlanned = false
  /** Requests for approval that wait. */
  #waiting: Writable<Step>[] = []
  #named = new Map<string, Writable<Step>>()
  /** The open steps of each tool, the oldest first. */
  #openByTool = new Map<string, Writable<Step>[]>()
  /** Steps in the order in which they began; those at the end that have ended are taken off when it is read. */
  #begun: Writable<Step>[] = []
  #commit: Writable<Step> | undefined
  #degraded = false
  #artifacts = new Map<string, Artifact>()
  #citations = new Map<string, Citation>()

  constructor(context: StoryContext) {
    this.#context = context
  }

  add(event: StepEvent): void {
    for (const artifact of event.artifacts ?? []) {
      // What was said first stays; what comes later may add to it.
      this.#artifacts.set(artifact.id, { ...artifact, ...this.#artifacts.get(artifact.id) })
    }
    for (const citation of event.citations ?? []) {
      const key = JSON.stringify([citation.source, citation.place])
      this.#citations.set(key, { ...citation, ...this.#citations.get(key) })
    }
    if (event.degraded !== undefined) this.#degraded = event.degraded
    switch (event.kind) {
      case 'started':
        this.#started = {
          tool: this.#started.tool ?? event.tool,
          title: this.#started.title ?? event.title ?? event.message,
        }
        break
      case 'planned':
        this.#plan = event.steps
        if (!this.#isPlanned) this.#begin('plan', event, undefined, 'done')
        this.#isPlanned = true
        break
      case 'requested':
        this.#endApprovals()
        this.#beginTool(event, event.tool)
        break
      case 'progress':
        this.#progress(event)
        break
      case 'result':
        this.#result(event)
        break
      case 'approval':
        this.#waiting.push(this.#begin('approval', event, event.tool, 'waiting'))
        break
      case 'updated':
        this.#update(event)
        break
      case 'thinking':
        this.#think(event)
        break
      case 'text':
        this.#lines.push({ kind: 'text', id: `text:${placeOf(event)}`, text: event.text })
        break
      case 'ended':
        this.#end(event)
        break
      case 'artifact':
      case 'heartbeat':
      case 'paused':
        break
      default:
        event satisfies never
    }
  }

  story(paused: boolean): Story {
    const { isOver, heardAt, droppedSteps } = this.#context
    const begun = this.#lines.filter(isStep)
    const planned = this.#matchPlan(begun)
    if (isOver) for (const step of begun) if (isOpen(step)) step.state = 'unreported'
    const current = begun.findLast(isOpen)
    const [first] = planned
    const asked = current?.state === 'waiting' && current.name !== undefined ? current : undefined
    const next =
      asked === undefined ? first : { kind: 'tool' as const, name: asked.name, title: undefined, effect: asked.effect }
    return {
      name: this.#started.tool,
      title: this.#started.title,
      lines: [...this.#lines.map(toLine), ...planned],
      current,
      next: isOver ? undefined : next,
      confirmed: begun.filter(({ kind, state }) => state === 'done' && kind !== 'plan' && kind !== 'approval'),
      mayHaveChanged: begun.some(({ kind, effect }) => effect === 'write' || kind === 'approval' || kind === 'commit'),
      degraded: this.#degraded && !isOver,
      paused,
      heardAt,
      artifacts: [...this.#artifacts.values()],
      citations: [...this.#citations.values()],
      droppedSteps,
    }
  }

  #begin(kind: Step['kind'], event: StepEvent, name: string | undefined, state: StepState): Writable<Step> {
    const step: Writable<Step> = {
      kind,
      id: `${kind}:${placeOf(event)}`,
      name,
      title: undefined,
      state,
      effect: this.#effect(event.effect, name),
      stage: undefined,
      message: event.message,
      count: undefined,
      estimate: false,
      receipt: undefined,
    }
    this.#lines.push(step)
    return step
  }

  #beginTool(event: StepEvent, tool: string | undefined): Writable<Step> {
    const step = this.#begin('tool', event, tool, 'running')
    this.#begun.push(step)
    const open = this.#openByTool.get(tool ?? '')
    if (open === undefined) this.#openByTool.set(tool ?? '', [step])
    else open.push(step)
    return step
  }

  /**
   * The step that an event is about: the oldest open one of its tool, and where it names none the last open one. Where a
   * tool's start was never told it begins here; what comes after its end changes nothing.
   */
  #toolOf(event: StepEvent): Writable<Step> | undefined {
    if (event.tool === undefined) return this.#lastOpen()
    const open = this.#openByTool.get(event.tool)
    return open === undefined ? this.#beginTool(event, event.tool) : open[0]
  }

  #close(step: Writable<Step>, state: 'done' | 'failed'): void {
    step.state = state
    const open = this.#openByTool.get(step.name ?? '')
    if (step.kind === 'tool' && open !== undefined) open.splice(open.indexOf(step), 1)
  }

  /** The step that began last among those that go on. */
  #lastOpen(): Writable<Step> | undefined {
    for (let last = this.#begun.at(-1); last !== undefined; last = this.#begun.at(-1)) {
      if (isOpen(last)) return last
      this.#begun.pop()
    }
    return undefined
  }

  #progress(event: StepEvent & { readonly kind: 'progress' }): void {
    let step = this.#toolOf(event)
    if (step === undefined && event.tool === undefined) {
      step = this.#begin('step', event, undefined, 'running')
      this.#begun.push(step)
    }
    if (step === undefined) return
    const { stage, done, total, isEstimate = false, message } = event
    step.stage = stage
    step.message = message
    step.estimate = isEstimate
    step.count = !isEstimate && done !== undefined && total !== undefined && done <= total ? { done, total } : undefined
    step.effect ??= event.effect
  }

  #result(event: StepEvent & { readonly kind: 'result' }): void {
    const step = this.#toolOf(event)
    if (step === undefined) return
    this.#close(step, event.failed ? 'failed' : 'done')
    step.message = event.message
    step.stage = undefined
    step.count = undefined
    step.estimate = false
    step.effect ??= event.effect
  }

  #update(event: StepEvent & { readonly kind: 'updated' }): void {
    let step = this.#named.get(event.name)
    if (step === undefined) {
      step = this.#begin('step', event, event.name, event.state)
      this.#named.set(event.name, step)
      this.#begun.push(step)
    }
    // Events of this form may have no place of their own; what is done stays done.
    if (step.state !== 'done') step.state = event.state
    step.message = event.message ?? step.message
    step.effect ??= event.effect
  }

  #think(event: StepEvent & { readonly kind: 'thinking' }): void {
    const last = this.#lines.at(-1)
    if (last?.kind === 'thinking') {
      const line = last
      line.texts.push(event.text)
      line.durationMs =
        event.ts === undefined || line.startTs === undefined ? undefined : Math.max(0, event.ts - line.startTs)
      return
    }
    this.#lines.push({
      kind: 'thinking',
      id: `thinking:${placeOf(event)}`,
      texts: [event.text],
      startTs: event.ts,
      durationMs: event.ts === undefined ? undefined : 0,
      skips: [],
    })
  }

  #end(event: StepEvent & { readonly kind: 'ended' }): void {
    this.#endApprovals()
    if (event.committed && event.outcome === 'done') {
      // Told again under another number it is the same commit.
      this.#commit ??= this.#begin('commit', event, undefined, 'done')
      // What it says is the final value.
      this.#commit.message = undefined
      this.#commit.receipt ??= event.receipt
      return
    }
    if (event.outcome !== 'error') return
    const failed = event.tool === undefined ? this.#lastOpen() : this.#openByTool.get(event.tool)?.[0]
    if (failed !== undefined) this.#close(failed, 'failed')
  }

  /** Requests for approval end with what comes after them (E12). */
  #endApprovals(): void {
    for (const step of this.#waiting) step.state = 'done'
    this.#waiting = []
  }

  /** Gives begun steps what the plan says of them; returns those of the plan that have not begun. */
  #matchPlan(begun: readonly Writable<Step>[]): readonly Step[] {
    const waiting = new Map<string, Writable<Step>[]>()
    for (const step of begun) {
      const key = planKey(step.kind === 'tool' || step.kind === 'step' ? (step.name ?? '') : step.kind)
      const same = waiting.get(key)
      if (same === undefined) waiting.set(key, [step])
      else same.push(step)
    }
    const pending: Step[] = []
    this.#plan.forEach(({ name, title, effect }, index) => {
      const key = planKey(name)
      const step = waiting.get(key)?.shift()
      if (step !== undefined) {
        step.title ??= title
        step.effect ??= effect
        return
      }
      const kind = key === 'approval' || key === 'commit' ? key : 'tool'
      pending.push({
        kind,
        id: `planned:${index}`,
        name: kind === 'tool' ? name : undefined,
        title,
        state: 'pending',
        effect: this.#effect(effect, kind === 'tool' ? name : undefined),
        stage: undefined,
        message: undefined,
        count: undefined,
        estimate: false,
        receipt: undefined,
      })
    })
    return pending
  }

  #effect(said: Effect | undefined, tool: string | undefined): Effect | undefined {
    return said ?? (tool === undefined ? undefined : this.#context.effectOf(tool))
  }
}

const isStep = (line: StoryLine): line is Writable<Step> => line.kind !== 'thinking' && line.kind !== 'text'

/** Whether a step goes on. */
const isOpen = ({ state }: Step) => state === 'running' || state === 'waiting' || state === 'blocked'

const planKeys: ReadonlyMap<string, string> = new Map([
  ['approval_required', 'approval'],
  ['committed', 'commit'],
])

const planKey = (name: string): string => planKeys.get(name) ?? name

/** Unique in a run, and independent of what else was received. */
const placeOf = (event: StepEvent) =>
  event.seq === undefined ? `~${event.eventId ?? hashText(canonicalJson(event))}` : String(event.seq)

function toLine(line: Step | ThinkingLine | TextItem): StoryLine {
  if (line.kind !== 'thinking') return line
  const { kind, id, texts, durationMs, skips } = line
  return { kind, id, texts, durationMs, skips }
}

/** Whether nothing has come after the sender said that it holds the stream, by `seq`, else `ts`, else arrival (E7). */
function isPaused(received: readonly ReceivedStep[]): boolean {
  const pauses = received.filter(({ event }) => event.kind === 'paused')
  if (pauses.length === 0) return false
  const newest = pauses.reduce((a, b) => (isAfter(b, a) ? b : a))
  return received.every((other) => other.event.kind === 'paused' || !isAfter(other, newest))
}

function isAfter(a: ReceivedStep, b: ReceivedStep): boolean {
  if (a.event.seq !== undefined && b.event.seq !== undefined) return a.event.seq > b.event.seq
  if (a.event.ts !== undefined && b.event.ts !== undefined && a.event.ts !== b.event.ts) return a.event.ts > b.event.ts
  return a.arrival > b.arrival
}
