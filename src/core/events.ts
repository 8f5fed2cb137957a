/**
 * The one vocabulary: every wire protocol is told in these event types, and nothing after the adapters knows a wire.
 * Each may name a call that nobody has announced; it then creates the call.
 */
export type ToolEvent = CallEvent | BlockEvent | StepEvent | OutcomeEvent | ApprovalEvent | ContactEvent

/** How a call ended. `aborted` ended without a result, `denied` never ran, `unknown` is not known, and never success. */
export type OutcomeKind = 'done' | 'error' | 'aborted' | 'denied' | 'unknown'

/** How much a text of arguments says about itself. */
export type ArgumentsKind = 'partial' | 'complete' | 'final'

/** Facts about a call. Absent fields change nothing. */
export interface CallEvent {
  readonly type: 'call'
  readonly callId: string
  /** Another id under which the same call is known (A17). Ignored while two calls claim the same one. */
  readonly alias?: string
  /** Lists the call in that conversation. */
  readonly conversationId?: string
  readonly toolName?: string
  /** The tool's id, which stands for its name where no name is known. */
  readonly toolId?: string
  /** A readable line about what the call does. */
  readonly title?: string
  /** The session that made the call, by which a request for its approval is linked to it (D4). */
  readonly sessionId?: string
  /** The call whose sub-agent made this one (D5). */
  readonly parentCallId?: string
  /** The MCP server that has the tool. */
  readonly serverName?: string
  /** How long the call may run, in seconds from the first receipt of its running (D2). */
  readonly timeoutSec?: number
  /** The arguments as JSON text, or as any text for tools whose arguments are not JSON: all of it that is known. */
  readonly args?: string
  /**
   * What `args` are: `partial` while they may still grow, `complete`, or `final` where a result or an approval names
   * them. Of two texts the one that says more counts, then the longer one, then the greater string (C2). Default:
   * complete.
   */
  readonly argsKind?: ArgumentsKind
  /** What is new at the end of the arguments' text, in the order of arrival: the same piece twice is two pieces. */
  readonly argsDelta?: string
  /** The call is announced, and not being carried out yet; what says that it runs counts before this (D2). */
  readonly pending?: boolean
  /** The call is being carried out, so that its arguments are complete (C6). */
  readonly running?: boolean
  /**
   * A status word that says neither how the call ended nor anything that is known; kept and shown as it came. The empty
   * one says that there is no such word any more.
   */
  readonly statusText?: string
  /** What the call waits for, an answer or an authorization of somebody's; the empty text: it waits no more. */
  readonly waitingFor?: string
  /** The identity of a message about this call that is of a newer version than we read; only counted (A3). */
  readonly newerMessage?: string
  /** A time at which the call was under way, in ms on the sender's clock; the least counts. */
  readonly startedAt?: number
  /** Milliseconds since 1970 on the sender's clock. Of two facts the later one counts, then the one received last. */
  readonly ts?: number
}

/** The state of the tool that a block belongs to (B1); it says nothing about the call. */
export type BlockStatus = 'running' | 'done' | 'aborted'

interface BlockPlace {
  readonly type: 'block'
  readonly callId: string
  /** The run of a remote agent under the call. */
  readonly taskId: string
  /** Gathers what belongs to one tool (B4). */
  readonly streamKey?: string
  /** Position inside the task: any safe integer, with gaps. Without it the block is placed by `ts` (A6). */
  readonly seq?: number
  /** Milliseconds since 1970 on the sender's clock. */
  readonly ts?: number
  /**
   * The wire has no numbers: the block's place is that of its arrival, and each is taken as often as it comes (D6). Then
   * `seq` is left out.
   */
  readonly byArrival?: boolean
  /** The sender's id of the message that the block came in: the block's identity where there is no `seq` (A6). */
  readonly messageId?: string
  /**
   * The block was found in a history, which tells no times: the time of the newest entry, by which it was there, and how
   * many entries are behind it. It places the block where `ts` is absent (B7).
   */
  readonly inHistory?: { readonly by?: number; readonly behind: number }
  /** Default: running. */
  readonly status?: BlockStatus
  /**
   * Canonical JSON of `{ kind, payload }` as they were sent. Needed only where the wire holds more than the fields
   * below, or another kind; otherwise it is made from them when two contents must be compared.
   */
  readonly canonical?: string
}

/** One piece of a task's process. Its identity is (`callId`, `taskId`, `streamKey` or "", `seq`); it is taken once. */
export type BlockEvent = BlockPlace &
  (
    | { readonly kind: 'thinking'; readonly text: string }
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'error'; readonly text: string }
    /** A tool of the remote agent starts, or ends when `status` says so. */
    | { readonly kind: 'tool'; readonly tool?: string; readonly toolCallId?: string; readonly terminal?: TerminalFact }
    /** A piece of a tool's output. */
    | { readonly kind: 'output'; readonly text: string; readonly tool?: string; readonly toolCallId?: string }
    /** A piece that was refused for its size in UTF-8 bytes (B5). */
    | { readonly kind: 'omitted'; readonly bytes: number; readonly toolCallId?: string }
    | ArtifactPiece
  )

/**
 * A piece of something that the task made, or all of it so far. Pieces have no numbers: those with `append` are put
 * together in the order of arrival, each as often as it comes. A whole repeats the beginning of what is known, or replaces
 * it; a `final` one is what the task ended with, and counts before all others.
 */
export interface ArtifactPiece {
  readonly kind: 'artifact'
  readonly artifactId: string
  readonly name?: string
  readonly text: string
  readonly append?: boolean
  /** Nothing is added to it any more. */
  readonly last?: boolean
  readonly final?: boolean
}

/** What is known of a terminal in which a command runs: its start names the command, its end how it exited (D6). */
export interface TerminalFact {
  readonly command?: string
  readonly description?: string
  readonly exitCode?: number
  readonly signal?: string
  readonly isError?: boolean
}

/** Whether a step only reads, or changes data (E12). */
export type Effect = 'read' | 'write'

/** A result of a run that can be downloaded (E9). */
export interface Artifact {
  readonly id: string
  readonly name?: string
  /** In bytes. */
  readonly size?: number
  /** The SHA-256 digest, as it came. */
  readonly sha256?: string
  readonly mediaType?: string
  /** An address that came with it, which may have expired since. */
  readonly url?: string
}

/** Where something is said (E9): a source, and the place in it. */
export interface Citation {
  readonly source: string
  readonly place?: string
  readonly title?: string
  readonly url?: string
}

/** A step that a run means to take. `name` is a tool, or the name of a step; `approval` and `commit` are those. */
export interface PlannedStep {
  readonly name: string
  readonly title?: string
  readonly effect?: Effect
}

/** What confirms that something was done: the id under which the executor has it, and what kind of id it is (E5). */
export interface Receipt {
  readonly kind: 'receipt' | 'confirmation' | 'draft' | 'artifact'
  readonly id: string
}

interface StepPlace {
  readonly type: 'step'
  /** The run is a call; its tools are its steps (E2). */
  readonly callId: string
  /** Position in the run: any safe integer, with gaps. */
  readonly seq?: number
  /** Its identity where it has no `seq`. Without either its content is. */
  readonly eventId?: string
  /** Milliseconds since 1970 on the sender's clock; the place of a step without `seq`, which otherwise is the last. */
  readonly ts?: number
  /** The tool that it is about; of a run's start, the name of the run. */
  readonly tool?: string
  /** Whether it changes data. Absent: not known (E12). */
  readonly effect?: Effect
  /** A readable line. */
  readonly message?: string
  readonly artifacts?: readonly Artifact[]
  readonly citations?: readonly Citation[]
  /** Whether progress is only sampled from here on (E7). Absent: nothing is said about it. */
  readonly degraded?: boolean
}

/**
 * One event of a run, of which the run's story is made (E1). Its identity is (`callId`, `seq`), else (`callId`,
 * `eventId`); of two contents the earlier by `ts` counts, then canonical JSON (E2).
 */
export type StepEvent = StepPlace &
  (
    | { readonly kind: 'started'; readonly title?: string }
    | { readonly kind: 'planned'; readonly steps: readonly PlannedStep[] }
    | { readonly kind: 'requested' }
    /** `done` and `total` are counts; of an estimate they are not shown (E4). */
    | {
        readonly kind: 'progress'
        readonly stage?: string
        readonly done?: number
        readonly total?: number
        readonly isEstimate?: boolean
      }
    /** A tool has answered, which is not the success of the run (E5). */
    | { readonly kind: 'result'; readonly failed?: boolean }
    /** A person has to decide; the same as an `ApprovalEvent`, for its place in the story. */
    | { readonly kind: 'approval' }
    | { readonly kind: 'updated'; readonly name: string; readonly state: 'running' | 'done' | 'blocked' }
    /** Brings artifacts, and nothing else. */
    | { readonly kind: 'artifact' }
    | { readonly kind: 'thinking'; readonly text: string }
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'heartbeat' }
    /** The sender holds the stream for a while; whatever comes next ends that. */
    | { readonly kind: 'paused' }
    /** `committed`: it is a commit, which is a step of its own. */
    | ({ readonly kind: 'ended'; readonly committed: boolean } & Pick<
        OutcomeEvent,
        'outcome' | 'authority' | 'value' | 'reason' | 'receipt'
      >)
  )

/**
 * How a task or a call ended. All are kept as a set; the one that counts is found on reading by authority:
 * `final` (a terminal frame, a receipt) before `return` (a caller's record with the value) before `status` (a word).
 */
export interface OutcomeEvent {
  readonly type: 'outcome'
  /** Absent: ends the task of that `taskId` if exactly one call has it (A4). */
  readonly callId?: string
  /** The task that ended; its process is closed and nothing is appended to it after (A7). Absent: the call ended. */
  readonly taskId?: string
  readonly outcome: OutcomeKind
  readonly authority: 'final' | 'return' | 'status'
  /** The final value; `undefined` when none was given, while null, 0, false and "" are values. */
  readonly value?: unknown
  /** Why it ended so. */
  readonly reason?: string
  /** One line about how it went, to stand in the place of the call's title. */
  readonly summary?: string
  /** True where the wire has one word for failed and canceled (A10): a caller's record may give the better word. */
  readonly unspecific?: boolean
  /** What confirms it; null where the wire has receipts and none was given (E5). */
  readonly receipt?: Receipt | null
  readonly seq?: number
  readonly ts?: number
}

/** What a person decides about a request. */
export interface ApprovalAnswer {
  readonly approved: boolean
  /** How long the decision holds: one of the scopes that the host allows. */
  readonly scope?: string
  readonly reason?: string
}

/** What is asked for: exactly this will run. */
export interface ApprovalRequest {
  readonly sessionId?: string
  /** The call, where the wire names it; otherwise it is found on reading (D4). */
  readonly callId?: string
  readonly toolName?: string
  /** The arguments of the request as text; they are final (C9). */
  readonly args?: string
  /** The sub-agent that asks (D5). */
  readonly subagentSessionId?: string
  /** The MCP server that has the tool. */
  readonly serverName?: string
  /** A readable line about what is asked for. */
  readonly message?: string
  /** When nobody needs to answer any more, in ms since 1970. */
  readonly expiresAt?: number
  /** Whether what is asked for changes data (E12). Absent: not known. */
  readonly effect?: Effect
  /** The position in the call's process; a later step there is its answer (E12). */
  readonly seq?: number
}

/**
 * A request for a person's decision, or news of it (D4). Known by `approvalId`, the correlation id: an answer said by
 * the sender beats the request, whatever comes first.
 */
export interface ApprovalEvent {
  readonly type: 'approval'
  readonly approvalId: string
  readonly conversationId?: string
  readonly request?: ApprovalRequest
  /** The answer as the other side has confirmed it, ours or somebody else's. */
  readonly answer?: ApprovalAnswer
  /** The answer that was given here, and whether it is on its way, delivered, or could not be sent. */
  readonly sent?: {
    readonly answer: ApprovalAnswer
    readonly state: 'sending' | 'sent' | 'failed'
    readonly reason?: string
    /** It failed in a way that does not say whether the other side has it. Default false. */
    readonly mayHaveArrived?: boolean
  }
  /** Nobody waits for the answer any more. */
  readonly withdrawn?: boolean
  readonly ts?: number
}

/** The health of the connection that calls are heard through. Times are those of receipt. */
export interface ContactEvent {
  readonly type: 'contact'
  /**
   * `lost` and `back` change no status. `closed` (for good, until `back`) and `ended` (a turn or a session is over) make
   * the open calls known before it unknown, with that cause; the truth, when it comes, counts before that.
   *
   * About one run, named by `callId` (E6): `resumed`, what was missed has been sent; `resume_refused`, it will not be, so
   * that an open run is unknown until something new is heard of it.
   */
  readonly contact: 'lost' | 'back' | 'closed' | 'ended' | 'resumed' | 'resume_refused'
  /** With `resumed` and `resume_refused`: the run. */
  readonly callId?: string
  /** The conversation that is heard through it. Absent: all. */
  readonly conversationId?: string
  /** With `ended`: only the calls of this session. */
  readonly sessionId?: string
  /** With `back`: everything missed was sent again, so nothing can be missing. */
  readonly recovered?: boolean
}
