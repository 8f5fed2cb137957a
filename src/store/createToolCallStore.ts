import { createStore } from 'zustand/vanilla'
import {
  createEventMask,
  defaultLimits,
  type EffectOf,
  Evidence,
  type Limits,
  type MaskArguments,
  noCalls,
  type OutcomeKind,
  type Problem,
  type ProblemKind,
  type ToolEvent,
  toIsMasked,
} from '../core/index.js'
import { type ProtocolContext, type ProtocolName, protocols } from '../protocols/index.js'
import { createAnswers } from './answers.js'
import { nextFrame } from './nextFrame.js'
import type { Mode, Received, ToolCallState, ToolCallStore } from './state.js'

/** How a store is set up. Everything has a default. */
export interface ToolCallStoreOptions {
  /** Whether calls are heard as they happen or a recording is played (A12). Default: live. */
  readonly mode?: Mode
  /** The clock, in ms since 1970. Default: `Date.now`. */
  readonly now?: () => number
  /** What is kept at most (H3). */
  readonly limits?: Partial<Limits>
  /** After how long without a first block "No process details" is said, in ms. Default 10,000 (A8). */
  readonly silenceMs?: number
  /** After how long without anything new of a run it is called quiet, in ms. Default 30,000 (E7). */
  readonly quietMs?: number
  /** Whether a tool changes data, where an event of a run does not say it (E12). Asked once for each tool. */
  readonly effectOf?: EffectOf
  /** What status words of the host's own mean, in any case (A17). */
  readonly statusMap?: Readonly<Record<string, OutcomeKind | 'running'>>
  /** Which values of arguments are masked in all that is shown, copied or recorded, as `['token', 'auth.password']`. */
  readonly maskArguments?: MaskArguments
  /**
   * Which call's sub-agent has a session, by the session's id, where messages do not say so: the call's id in this store,
   * or undefined (D5). What it throws is counted, and counts as undefined.
   */
  readonly parentOf?: (sessionId: string) => string | undefined
  /** Called for each problem with a message. It may throw; that is counted, too. */
  readonly onProblem?: (problem: Problem) => void
  /** Calls `publish` once, soon. Returns what takes it back. Default: with the next animation frame. */
  readonly schedule?: (publish: () => void) => () => void
}

/** How often the clock ticks, in ms. */
const tickMs = 1_000

/** How often what a host gives while it is called may have it called again, before that is ended. */
const maxTurns = 10_000

/** Makes a store without calls. Several stores can live on one page. */
export function createToolCallStore(options: ToolCallStoreOptions = {}): ToolCallStore {
  return makeStore(options, false).store
}

/** All that a store holds at one moment. */
export interface Moment {
  readonly evidence: Evidence
  readonly state: ToolCallState
}

/** A store that can be set to any moment that was kept of it, or of another one with the same options (G1). */
export interface RewindableStore {
  readonly store: ToolCallStore
  /** Keeps what the store holds now. Costs a little for each call, not for what the calls hold. */
  keep(): Moment
  /** Has the store go on from a moment. It is published with the next flush. */
  goTo(moment: Moment): void
}

/** Makes a store that can be rewound. */
export const createRewindableStore = (options: ToolCallStoreOptions): RewindableStore => makeStore(options, true)

function makeStore(options: ToolCallStoreOptions, forkable: boolean): RewindableStore {
  const {
    mode = 'live',
    now = Date.now,
    silenceMs = 10_000,
    quietMs = 30_000,
    onProblem,
    schedule = nextFrame,
  } = options
  const statusMap = lowerCaseKeys(options.statusMap ?? {})
  let counts: Partial<Record<ProblemKind, number>> = {}
  let total = 0
  let cancelPublish: (() => void) | undefined
  let isReading = false
  let isTaking = false
  /** What the host gave while it was called from here. */
  const waiting: Omit<Received, 'receivedAt'>[] = []

  const report = (problem: Problem) => {
    counts[problem.kind] = (counts[problem.kind] ?? 0) + 1
    total += 1
    publishSoon()
    try {
      onProblem?.(problem)
    } catch {
      counts.host_callback_failed = (counts.host_callback_failed ?? 0) + 1
      total += 1
    }
  }
  const isMasked = toIsMasked(options.maskArguments, () =>
    report({ kind: 'host_callback_failed', detail: 'maskArguments' }),
  )
  const parentOf = (sessionId: string) => {
    try {
      const parentId: unknown = options.parentOf?.(sessionId)
      return typeof parentId === 'string' ? parentId : undefined
    } catch {
      report({ kind: 'host_callback_failed', detail: 'parentOf' })
      return undefined
    }
  }
  const keeping = { ...defaultLimits, ...options.limits, forkable }
  let evidence = new Evidence(keeping, report, isMasked, parentOf, options.effectOf)
  const published = createStore<ToolCallState>(() => ({
    ...noCalls,
    connection: { connected: undefined, lostAt: undefined },
    diagnostics: { counts: {}, total: 0 },
    mode,
  }))
  /** What was last read, which is what was published, until the store goes to another moment. */
  let read = published.getState()
  const listeners = new Set<(receipt: Received) => void>()
  const toMasked = createEventMask(isMasked, (callId) => evidence.argsOf(callId))

  const readFrom = (before: ToolCallState) => {
    isReading = true
    try {
      return evidence.read(before)
    } finally {
      isReading = false
    }
  }
  const flush = () => {
    // A host's function that is asked while it reads may come back here: what it wants is under way.
    if (isReading) return
    cancelPublish?.()
    cancelPublish = undefined
    const before = read
    const calls = readFrom(before)
    const { connected, lostAt } = evidence.contact
    const sameConnection = before.connection.connected === connected && before.connection.lostAt === lostAt
    const state: ToolCallState = {
      calls: calls.calls,
      aliases: calls.aliases,
      conversations: calls.conversations,
      forgotten: calls.forgotten,
      approvals: calls.approvals,
      children: calls.children,
      connection: sameConnection ? before.connection : { connected, lostAt },
      diagnostics: total === before.diagnostics.total ? before.diagnostics : { counts: { ...counts }, total },
      mode,
    }
    const names = Object.keys(state) as (keyof ToolCallState)[]
    if (names.some((name) => state[name] !== before[name])) read = state
    if (read !== published.getState()) published.setState(read, true)
    takeWaiting()
  }
  const publishSoon = () => {
    if (cancelPublish !== undefined || isReading) return
    let isOver = false
    const cancel = schedule(() => {
      isOver = true
      cancelPublish = undefined
      flush()
    })
    // The host may publish at once.
    if (!isOver) cancelPublish = cancel
  }
  const take = (event: ToolEvent, receivedAt: number) => {
    try {
      evidence.ingest(event, receivedAt)
    } catch (error) {
      report({ kind: 'unreadable', detail: nameOf(error) })
    }
  }
  /** In its turn, so that all who listen hear of it in the order in which it was taken. */
  const takeAll = (events: readonly ToolEvent[], problems: readonly Problem[]) => {
    waiting.push({ events, problems })
    takeWaiting()
  }
  const takeWaiting = () => {
    if (isTaking || isReading) return
    isTaking = true
    try {
      let turns = 0
      for (let next = waiting.shift(); next !== undefined && turns < maxTurns; next = waiting.shift(), turns++)
        takeNow(next)
      if (turns === maxTurns) {
        waiting.length = 0
        report({
          kind: 'host_callback_failed',
          detail: 'onReceived or onProblem: gives something each time it is called',
        })
      }
    } finally {
      isTaking = false
    }
  }
  const takeNow = ({ events, problems }: Omit<Received, 'receivedAt'>) => {
    const receivedAt = now()
    for (const problem of problems) report(problem)
    for (const event of events) take(event, receivedAt)
    if (events.length > 0) publishSoon()
    if (listeners.size > 0 && (events.length > 0 || problems.length > 0)) tell({ receivedAt, events, problems })
  }
  const tell = ({ receivedAt, events, problems }: Received) => {
    const receipt = { receivedAt, events: events.flatMap(masked), problems }
    for (const listener of listeners) {
      try {
        listener(receipt)
      } catch (error) {
        report({ kind: 'host_callback_failed', detail: `onReceived: ${nameOf(error)}` })
      }
    }
  }
  /** What can not be read was left out, and counted, when it was taken. */
  const masked = (event: ToolEvent): readonly ToolEvent[] => {
    try {
      return [toMasked(event)]
    } catch {
      return []
    }
  }
  const ingest = (events: ToolEvent | readonly ToolEvent[]) => takeAll(isList(events) ? events : [events], [])

  const { answer, carryAnswers } = createAnswers({
    approvalOf(id) {
      flush()
      return published.getState().approvals.get(id)
    },
    ingest,
    report,
    now,
  })

  const store: ToolCallStore = {
    getState: published.getState,
    subscribe: published.subscribe,
    ingest,
    receive(protocol: ProtocolName, message: unknown, context: ProtocolContext = {}) {
      if (!Object.hasOwn(protocols, protocol)) {
        const known = Object.keys(protocols).join(', ')
        throw new Error(
          `tool-call-detail: "${protocol}" is no protocol that store.receive knows. Use one of: ${known}.`,
        )
      }
      try {
        const { events, problems } = protocols[protocol](message, { statusMap, ...context })
        takeAll(events, problems)
      } catch (error) {
        report({ kind: 'unreadable', detail: nameOf(error) })
      }
    },
    answer,
    carryAnswers,
    onReceived(listener) {
      const heard = (receipt: Received) => listener(receipt)
      listeners.add(heard)
      return () => void listeners.delete(heard)
    },
    flush,
    report(problem) {
      takeAll([], [problem])
    },
    now,
    subscribeClock: createClock(),
    silenceMs,
    quietMs,
  }
  return {
    store,
    keep() {
      flush()
      const moment = { evidence, state: read }
      evidence = evidence.fork(report)
      return moment
    },
    goTo(moment) {
      evidence = moment.evidence.fork(report)
      read = moment.state
      counts = { ...read.diagnostics.counts }
      total = read.diagnostics.total
    },
  }
}

/** One timer for all who want to hear of the time; it stands still while nobody does. */
function createClock() {
  const listeners = new Set<() => void>()
  let timer: ReturnType<typeof setInterval> | undefined
  return (listener: () => void) => {
    // Each call counts for itself, even if the same function is given twice.
    const heard = () => listener()
    listeners.add(heard)
    timer ??= setInterval(() => {
      for (const each of listeners) each()
    }, tickMs)
    return () => {
      listeners.delete(heard)
      if (listeners.size > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }
}

const isList = (events: ToolEvent | readonly ToolEvent[]): events is readonly ToolEvent[] => Array.isArray(events)

const nameOf = (error: unknown) => (error instanceof Error ? error.name : typeof error)

const lowerCaseKeys = <Value>(map: Readonly<Record<string, Value>>) =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key.toLowerCase(), value]))
