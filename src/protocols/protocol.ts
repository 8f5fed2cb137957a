import type { OutcomeKind, Problem, ProblemKind, ToolEvent } from '../core/index.js'

/** What the receiver of a message knows beside it. */
export interface ProtocolContext {
  /** The conversation that the message was heard in, for messages that do not name theirs. */
  readonly conversationId?: string
  /**
   * Tells ids apart that are unique in it only, as a session is. Those of `chat_event` and `tool_event_stream` are not; but
   * the other id that a snapshot names is, which is the one that the other protocols have for the call (A17).
   */
  readonly scope?: string
  /**
   * The call that the messages are about, by its id in the store, where the receiver knows it and they do not; only for
   * `a2a`. Default: the task that each message names is a call.
   */
  readonly callId?: string
  /**
   * Whether the arguments of a `tool_call_args_delta` are the whole text so far, or only what is new at its end, to be
   * put together in the order of arrival (C2). Default: whole.
   */
  readonly argumentsMode?: 'whole' | 'append'
  /** With `run_gateway`: the run of messages that do not name theirs. */
  readonly runId?: string
  /** With `run_gateway`: which `visibility` is shown beside `user`. Whatever else there is never reaches the store (E3). */
  readonly visibleScopes?: readonly string[]
  /** What else a sender's status words mean, by the word in lower case (A17). */
  readonly statusMap?: Readonly<Record<string, OutcomeKind | 'running'>>
}

/** What a message says in our vocabulary, and what was wrong with it. */
export interface Translation {
  readonly events: readonly ToolEvent[]
  readonly problems: readonly Problem[]
}

/** Tells a raw message of one wire protocol in events. Pure. */
export type Protocol = (message: unknown, context: ProtocolContext) => Translation

/** The translation of a message of which nothing can be used. */
export function nothingBut(kind: ProblemKind): Translation {
  return { events: [], problems: [{ kind }] }
}
