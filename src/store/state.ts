import type { Problem, ProblemKind, ToolCall, ToolEvent } from '../core/index.js'
import type { ProtocolContext, ProtocolName } from '../protocols/index.js'

/** Whether the calls are being heard as they happen, or a recording is played (A12). */
export type Mode = 'live' | 'replay'

/** What a store publishes. A new object at each publish; what did not change keeps its identity. */
export interface ToolCallState {
  /** All calls by id. */
  readonly calls: ReadonlyMap<string, ToolCall>
  /** The id in `calls` for each other id under which a call is known (A17). */
  readonly aliases: ReadonlyMap<string, string>
  /** The ids of each conversation's calls in their order. */
  readonly conversations: ReadonlyMap<string, readonly string[]>
  /** Calls that were dropped because a limit was reached; only their ids are left (H3). */
  readonly forgotten: ReadonlySet<string>
  readonly connection: Connection
  readonly diagnostics: Diagnostics
  readonly mode: Mode
}

/** Whether anything is heard at all. `undefined`: nobody has said so yet. */
export interface Connection {
  readonly connected: boolean | undefined
  /** When the connection was lost, in ms on the store's clock; absent while it holds. */
  readonly lostAt: number | undefined
}

/** What was wrong with what came in, by kind. These counters are about the messages, not part of what is shown. */
export interface Diagnostics {
  readonly counts: Readonly<Partial<Record<ProblemKind, number>>>
  readonly total: number
}

/** Holds the calls, and merges into them whatever is received, in any order and however often. */
export interface ToolCallStore {
  getState(): ToolCallState
  /** Calls `listener` after each publish. Returns the function that ends it. */
  subscribe(listener: () => void): () => void
  /** Takes a raw message of a wire protocol. Never throws for what is in it. @throws for an unknown protocol name. */
  receive(protocol: ProtocolName, message: unknown, context?: ProtocolContext): void
  /** Takes events that are already in our vocabulary. */
  ingest(events: ToolEvent | readonly ToolEvent[]): void
  /** Publishes now what is waiting for the next frame. */
  flush(): void
  /** Counts a problem and tells the host of it. */
  report(problem: Problem): void
  /** The store's clock in ms. */
  now(): number
  /** Calls `listener` about once a second; one timer for all. Returns the function that ends it. */
  subscribeClock(listener: () => void): () => void
  /** After how long without a first block "No process details" is said, in ms (A8). */
  readonly silenceMs: number
}
