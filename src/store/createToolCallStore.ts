import { createStore } from 'zustand/vanilla'
import {
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
import type { Mode, ToolCallState, ToolCallStore } from './state.js'

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

/** Makes a store without calls. Several stores can live on one page. */
export function createToolCallStore(options: ToolCallStoreOptions = {}): ToolCallStore {
  const {
    mode = 'live',
    now = Date.now,
    silenceMs = 10_000,
    quietMs = 30_000,
    onProblem,
    schedule = nextFrame,
  } = options
  const statusMap = lowerCaseKeys(options.statusMap ?? {})
  const counts: Partial<Record<ProblemKind, number>> = {}
  let total = 0
  let cancelPublish: (() => void) | undefined

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
  const evidence = new Evidence({ ...defaultLimits, ...options.limits }, report, isMasked, parentOf, options.effectOf)
  const published = createStore<ToolCallState>(() => ({
    ...noCalls,
    connection: { connected: undefined, lostAt: undefined },
    diagnostics: { counts: {}, total: 0 },
    mode,
  }))

  const flush = () => {
    cancelPublish?.()
    cancelPublish = undefined
    const before = published.getState()
    const calls = evidence.read(before)
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
    if (names.some((name) => state[name] !== before[name])) published.setState(state, true)
  }
  const publishSoon = () => {
    cancelPublish ??= schedule(() => {
      cancelPublish = undefined
      flush()
    })
  }
  const take = (event: ToolEvent, receivedAt: number) => {
    try {
      evidence.ingest(event, receivedAt)
    } catch (error) {
      report({ kind: 'unreadable', detail: nameOf(error) })
    }
  }
  const ingest = (events: ToolEvent | readonly ToolEvent[]) => {
    const receivedAt = now()
    for (const event of isList(events) ? events : [events]) take(event, receivedAt)
    publishSoon()
  }

  const { answer, carryAnswers } = createAnswers({
    approvalOf(id) {
      flush()
      return published.getState().approvals.get(id)
    },
    ingest,
    report,
    now,
  })

  return {
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
        for (const problem of problems) report(problem)
        if (events.length > 0) ingest(events)
      } catch (error) {
        report({ kind: 'unreadable', detail: nameOf(error) })
      }
    },
    answer,
    carryAnswers,
    flush,
    report,
    now,
    subscribeClock: createClock(),
    silenceMs,
    quietMs,
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
