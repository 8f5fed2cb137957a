import type { ApprovalAnswer, ApprovalRequest, BlockStatus, OutcomeKind, Receipt, TerminalFact } from './events.js'
import type { ToolOutput } from './output.js'
import type { PartialJson } from './partialJson.js'
import type { Story } from './story.js'

/** What a component shows of a call. Derived from the evidence, never stored; unchanged calls keep their identity. */
export interface ToolCall {
  readonly id: string
  /** Other ids under which the call can be asked for. */
  readonly aliases: readonly string[]
  readonly conversationId: string | undefined
  readonly toolName: string | undefined
  readonly title: string | undefined
  readonly sessionId: string | undefined
  readonly serverName: string | undefined
  /** The call whose sub-agent made this one (D5). Its children are in the state's `children`. */
  readonly parentId: string | undefined
  /** The requests for a person's decision about this call, oldest first (D4). */
  readonly approvals: readonly Approval[]
  /** When its time is up, in ms on the store's clock; absent where it has no limit or does not run yet (D2). */
  readonly deadline: number | undefined
  /** The arguments' text as far as it is known, JSON as a rule, with what the host masks replaced. */
  readonly args: string | undefined
  /** The arguments may still grow. */
  readonly argsStreaming: boolean
  /** What the arguments say as JSON, as far as it goes. Worked out when it is first read. */
  readonly parsedArgs: PartialJson | undefined
  readonly status: CallStatus
  /** Something says that it is carried out, whoever it waits for. */
  readonly runs: boolean
  /** The status word as it came, where it is none that we know. */
  readonly statusText: string | undefined
  /** How the call ended; absent while it runs. */
  readonly outcome: Outcome | undefined
  /** What the caller recorded, where that differs from `outcome` (A11). */
  readonly recorded: Outcome | undefined
  /** The call's processes in their order (A5). */
  readonly tasks: readonly Task[]
  /** What a run's events tell; absent where the call is no run (E2). */
  readonly story: Story | undefined
  /** When it was heard of, as measured here (G2). */
  readonly timings: CallTimings
  /** Messages about this call in a newer version than we read (A3). */
  readonly newerMessages: number
  /** The least time on the sender's clock among what says that the call was under way, in ms. */
  readonly startedAt: number | undefined
  /** The least time among its announcements, in ms on the sender's clock: its place in the conversation. */
  readonly listedAt: number | undefined
  /** What its sender's clock is behind the store's, as far as is known, in ms. */
  readonly clockOffsetMs: number
  /** When the first evidence came in, in ms on the store's clock. */
  readonly firstReceivedAt: number
}

/** An outcome, else `waiting` for a person, else `pending` while nothing says that it runs, else `running`. */
export type CallStatus = 'pending' | 'waiting' | 'running' | OutcomeKind

/** Why an outcome is not known, where we infer it: nothing more can be heard of the call. */
export type UnknownCause = 'connection_closed' | 'session_ended' | 'resume_refused'

/**
 * Where a request for a decision stands. `open`: nobody has answered. `sending`, `sent`: answered here, and not confirmed
 * by the other side. `allowed`, `denied`: confirmed, by an answer on the bus or by what the call did after ours.
 * `conflict`: two different answers were confirmed. `withdrawn`: nobody waits for it any more. Whether an open one has
 * expired depends on the time: `isApprovalOpen`.
 */
export type ApprovalState = 'open' | 'sending' | 'sent' | 'allowed' | 'denied' | 'conflict' | 'withdrawn'

/** A request for a person's decision as components see it (D4). */
export interface Approval extends Omit<ApprovalRequest, 'callId' | 'seq'> {
  readonly id: string
  readonly conversationId: string | undefined
  /** The call that it is about; absent where none can be told. */
  readonly callId: string | undefined
  /** The call to show it under: its own, else the one whose sub-agent asks (D5). */
  readonly parentCallId: string | undefined
  readonly state: ApprovalState
  /** The answer: the confirmed one, else the one given here. */
  readonly answer: ApprovalAnswer | undefined
  /** The confirmed answer is not the one that was given here, or none was given here. */
  readonly answeredElsewhere: boolean
  /** Why the answer could not be sent; it can be given again. */
  readonly failure: string | undefined
  /** The only answer that can be given: one that failed, and may have arrived all the same. Absent: any. */
  readonly onlyAnswer: ApprovalAnswer | undefined
  /** The request's arguments are not the call's (C9). */
  readonly argsDiffer: boolean
  /** It can not be approved yet: it has no arguments, and those of the call still stream in (C9). */
  readonly argsPending: boolean
  /** When the request and its confirmed answer first came in, in ms on the store's clock. */
  readonly requestedAt: number
  readonly answeredAt: number | undefined
}

/** How a call or a task ended. */
export interface Outcome {
  readonly kind: OutcomeKind
  /** The final value. `undefined`: none was given. */
  readonly value: unknown
  readonly reason: string | undefined
  /** One line about how it went. */
  readonly summary: string | undefined
  /** It failed or was canceled; the wire does not tell which (A10). */
  readonly unspecific: boolean
  /** What confirms it (E5); null where the wire has receipts and none was given, absent where it has none. */
  readonly receipt?: Receipt | null
  /** Only with `unknown` that nobody has told us: why nothing more can be known. */
  readonly cause?: UnknownCause
  /** On the sender's clock, in ms. */
  readonly ts: number | undefined
  /** On the store's clock, in ms. */
  readonly receivedAt: number
}

/**
 * How long a call took to be heard of, in ms on the store's clock since its first evidence; absent what has not been
 * reached (G2).
 */
export interface CallTimings {
  /** To the first block of its process, or the first event of its run. */
  readonly firstEventMs: number | undefined
  /** To the first result of a tool or artifact of its run; of other calls, to the final value. */
  readonly firstResultMs: number | undefined
  /** To the outcome that counts. */
  readonly endedMs: number | undefined
  /** How often the connection was lost while it was open, and how often its run was resumed. */
  readonly disconnects: number
  readonly resumes: number
}

/** One run of a remote agent under a call, with its process. */
export interface Task {
  readonly taskId: string
  /** How it ended by its own terminal frame; absent while it is open. */
  readonly outcome: Outcome | undefined
  /** When the newest block first came in, in ms on the store's clock; -Infinity while there is none. */
  readonly lastReceivedAt: number
  /** It has terminals, and the command of the last one has ended: then nothing more is expected of them (D6). */
  readonly terminalsOver: boolean
  /**
   * It is open, and nothing more can be heard of it: its connection was closed for good, or its session has ended, after
   * its newest block.
   */
  readonly unheard: boolean
  /** Blocks that are shown, pieces of output included. */
  readonly blockCount: number
  /** Blocks that were dropped or refused because a limit was reached (H3). */
  readonly droppedBlocks: number
  /**
   * Numbers that are missing inside the process (A13). The holes stand among the items, too, unless there are more
   * than 500 of them.
   */
  readonly skipped: number
  /** The process in the order shown. Worked out when it is first read. */
  readonly items: readonly ProcessItem[]
  /** Times during which the connection was lost while the process was open (A14). */
  readonly interruptions: readonly Interruption[]
}

/** A time without connection, in ms on the store's clock. Without `backAt` it lasts. */
export interface Interruption {
  readonly lostAt: number
  readonly backAt: number | undefined
}

/** One entry of a process. `id` is unique in its task and stable. */
export type ProcessItem = ThinkingItem | TextItem | ErrorItem | OmittedItem | ToolItem | GapItem

/** Neighbouring thinking blocks, folded to one. */
export interface ThinkingItem {
  readonly kind: 'thinking'
  readonly id: string
  readonly texts: readonly string[]
  /** From the first to the last block, in ms on the sender's clock; 0 for a single one, absent when not known. */
  readonly durationMs: number | undefined
  readonly skips: readonly Skip[]
}

/** A plain line of progress. */
export interface TextItem {
  readonly kind: 'text'
  readonly id: string
  readonly text: string
}

/** An error in the process; it decides nothing about the call (B6). */
export interface ErrorItem {
  readonly kind: 'error'
  readonly id: string
  readonly text: string
}

/** A chunk that was refused for its size (B5). */
export interface OmittedItem {
  readonly kind: 'omitted'
  readonly id: string
  readonly bytes: number
}

/** A tool of the remote agent: one line, its output, its end (A9). */
export interface ToolItem {
  readonly kind: 'tool'
  readonly id: string
  readonly name: string | undefined
  /** False where output came without a `tool_call`. */
  readonly started: boolean
  /** Its end mark; absent while it runs, or when its end was never reported. */
  readonly end: Exclude<BlockStatus, 'running'> | undefined
  /** From its first block to its end mark, in ms on the sender's clock. */
  readonly durationMs: number | undefined
  /** The command that runs in it, where the tool is a terminal (D6). */
  readonly terminal: TerminalFact | undefined
  /** Its output, of which `logOf` gives the log; `outputVersion` changes with it. Absent while there is none. */
  readonly output: ToolOutput | undefined
  readonly outputVersion: number
  /** Numbers that are missing inside this tool's blocks. */
  readonly skips: readonly Skip[]
}

/** Numbers that are missing between two entries (A13). */
export interface GapItem extends Skip {
  readonly kind: 'gap'
  readonly id: string
}

/** A hole in a task's numbering. Senders leave blocks out, so this is normal and never called a loss (A13). */
export interface Skip {
  readonly count: number
  /** Not to be said before this time on the store's clock (ms) unless the task has ended: it may still fill. */
  readonly visibleAt: number
  /** Both neighbours are output of one tool: the hole is in its log, before the chunk of this position. */
  readonly before?: number
}
