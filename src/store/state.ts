import type { Approval, ApprovalAnswer, Problem, ProblemKind, ToolCall, ToolEvent } from '../core/index.js'
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
  /** All requests for a person's decision by id, answered ones included, in the order in which they came in (D4). */
  readonly approvals: ReadonlyMap<string, Approval>
  /** The ids of the calls that sub-agents of a call made, by that call's id, in their order (D5). */
  readonly children: ReadonlyMap<string, readonly string[]>
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

/** Carries an answer to the other side. Resolves once it is delivered, which confirms nothing; rejects with the reason. */
export type SendAnswer = (approval: Approval, answer: ApprovalAnswer) => Promise<void>

/** What a store took at one time, as it may be written down: masked, and in our vocabulary (G1). */
export interface Received {
  /** In ms on the store's clock. */
  readonly receivedAt: number
  readonly events: readonly ToolEvent[]
  /** What was wrong with the message, or with its way here; not what the events themselves lead to. */
  readonly problems: readonly Problem[]
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
  /**
   * Calls `listener` with whatever is taken, after it was taken: what a recorder writes down. What it gives to the store is
   * taken once all have heard. One that throws is counted as `host_callback_failed`. Returns the function that ends it.
   */
  onReceived(listener: (receipt: Received) => void): () => void
  /**
   * Gives a person's answer to a request. It is sent once, however often it is given; another answer after it is ignored
   * unless sending failed for certain. Nothing here decides by itself (D4).
   */
  answer(approvalId: string, answer: ApprovalAnswer): void
  /**
   * Has `send` carry the answers of a conversation, or of all where none is named; the last one added for a conversation
   * counts. It rejects with the reason why an answer was not taken, and with an `UnconfirmedAnswer` where it can not tell
   * whether it was. Returns the function that ends it.
   */
  carryAnswers(send: SendAnswer, conversationId?: string): () => void
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
  /** After how long without anything new of a run it is called quiet, in ms (E7). */
  readonly quietMs: number
}
