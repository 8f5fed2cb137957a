import type { CallStatus, OutcomeKind, Receipt, StepState, UnknownCause } from '../core/index.js'
import { en } from './en.js'

/** Lines around a command, around what is searched for, and around an address. */
export type TitleWords = Readonly<Record<'command' | 'query' | 'url', (argument: string) => string>>

/** The words about a run's story. */
export interface RunWords {
  readonly planReady: string
  readonly approval: string
  readonly commit: string
  /** A step that the sender gave no name. */
  readonly step: string
  /** The name of a step's mark. */
  readonly state: Readonly<Record<StepState, string>>
  /** The stages that are known, by the sender's word (E1). */
  readonly stages: Readonly<Record<'retrieving' | 'reranking' | 'waiting_provider' | 'reconciling', string>>
  /** In the place of a count that is only an estimate (E4). */
  readonly inProgress: string
  readonly count: (done: number, total: number) => string
  /** The answers to whether the next step changes data, beside `changesData` (E12). */
  readonly onlyReads: string
  readonly effectUnknown: string
  /** Before the step that a run is at, what is confirmed and what comes next. */
  readonly now: string
  readonly confirmed: string
  readonly next: string
  readonly nothingConfirmed: string
  readonly moreSteps: (count: number) => string
  /** Only samples of the progress are sent (E7). */
  readonly sampled: string
  readonly paused: string
  readonly quiet: (duration: string) => string
  readonly droppedSteps: (count: number) => string
  readonly files: string
  readonly sources: string
  readonly sha256: string
  readonly download: string
  readonly preview: string
  readonly closePreview: string
  readonly noDownload: string
  readonly noPreview: string
  /** What kind of id confirms an outcome, before that id (E5). */
  readonly receipt: Readonly<Record<Receipt['kind'], string>>
  readonly noReceipt: string
  /** Under an unknown outcome after a step that changes data, or a request for approval (E5). */
  readonly mayHaveHappened: string
  readonly unknownSince: (time: string) => string
  /** Asks the host again how it stands; it runs nothing. */
  readonly checkAgain: string
  readonly checking: string
  readonly checkFailed: string
  /** What is measured of a run (G2). */
  readonly firstEvent: string
  readonly firstResult: string
  readonly ended: string
  readonly disconnects: (count: number) => string
  readonly resumes: (count: number) => string
}

/**
 * Words for an answer by its scope: `any` where none is named, `other` for those of the host's own, as they are written.
 */
export interface ScopeWords {
  readonly any: string
  readonly once: string
  readonly session: string
  readonly always: string
  readonly other: (scope: string) => string
}

/**
 * Every word that a component shows or speaks. Functions are given the numbers as they are and write them themselves;
 * times come written out already (`formatDuration`, `formatTimeOfDay`).
 */
export interface Messages {
  /** What a call is named by while its tool is not known. */
  readonly toolCall: string
  /** The name of a status, spoken for the mark. */
  readonly status: Readonly<Record<CallStatus, string>>
  /** In a title's place while a call runs that has none. */
  readonly calling: string
  /** In a title's place while arguments stream in that say nothing yet (C4). */
  readonly loadingArguments: string
  /** What a call does with the argument that tells what it is about. */
  readonly titleRunning: TitleWords
  /** The same for a call that has run to its end, well or not. */
  readonly titleEnded: TitleWords
  readonly modeLive: string
  readonly modeReplay: string

  /** The heading of the pinned outcome. */
  readonly outcome: Readonly<Record<OutcomeKind, string>>
  /** The same where the wire has one word for failed and canceled (A10). */
  readonly endedWithoutResult: string
  /** Under `outcome.unknown` when no reason came with it. */
  readonly outcomeUnknownHint: string
  /** Under `outcome.unknown` where nobody has told us, and nothing more can be heard. */
  readonly unknownCause: Readonly<Record<UnknownCause, string>>
  /** A done call that gave no value at all. */
  readonly noValue: string
  /** A text value of length 0. */
  readonly emptyText: string
  /** Comes before what the caller recorded, where that differs (A11). */
  readonly callerRecorded: string

  readonly arguments: string
  /** The call was made, or has ended, and its arguments never came to their end. */
  readonly argumentsCutOff: string
  /** The arguments look like JSON and are not: from which character on. */
  readonly argumentsBroken: (position: number) => string
  /** The name of the marks in the place of a masked value. */
  readonly masked: string
  /** The heading of a process; with a number where a call has several (A5). */
  readonly process: (number: number | undefined) => string
  readonly processEnded: (number: number | undefined) => string
  readonly blocks: (count: number) => string
  /** A tool or a process whose end was never told, though what it belongs to has ended. */
  readonly noEndReported: string
  readonly droppedBlocks: (count: number) => string
  /** A hole in the numbering, which is normal: not an error and not a loss (A13). */
  readonly numberingSkips: (count: number) => string
  /** The connection was lost while the process was open (A14). Without `back` it still is. */
  readonly interruption: (lost: string, back: string | undefined) => string
  readonly newerMessages: (count: number) => string
  readonly waiting: string
  readonly noDetails: string
  readonly nothingKnown: string
  readonly noLongerKept: string

  readonly thinking: string
  readonly thought: string
  readonly thoughtFor: (duration: string) => string
  /** The name of an error's mark in a process. */
  readonly errorLine: string
  /** A chunk that was left out for its size (B5). `size` in bytes. */
  readonly blockLeftOut: (size: number) => string
  /** A tool of the process that told no name. */
  readonly unnamedTool: string

  /** The accessible name of a log. */
  readonly outputOf: (tool: string | undefined) => string
  readonly lines: (count: number) => string
  readonly newLines: (count: number) => string
  readonly droppedLines: (count: number) => string
  readonly moreCharacters: (count: number) => string
  /** Output of full-screen programs, which is no part of a log. `length` in characters. */
  readonly fullScreenOutput: (length: number) => string
  /** Chunks that belong before the oldest output that is kept. */
  readonly refusedChunks: (count: number) => string
  readonly search: string
  /** The name of the field for what to search. */
  readonly searchFor: string
  readonly wrap: string
  readonly save: string
  readonly previousMatch: string
  readonly nextMatch: string
  readonly closeSearch: string
  readonly caseSensitive: string
  readonly regularExpression: string
  readonly invalidExpression: string
  /** Where the reader is among the matches; `current` is 0 while at none. `isCapped`: there may be more. */
  readonly matches: (current: number, count: number, isCapped: boolean) => string

  readonly copy: string
  /** The name of a copy button for a screen reader; it begins with the words of `copy`, which are seen. */
  readonly copyOf: (what: string) => string
  readonly copied: string
  readonly copyFailed: string
  readonly showAllLines: (count: number) => string
  readonly showAllCharacters: (count: number) => string
  readonly showMore: (count: number) => string
  readonly showEarlier: (count: number) => string
  readonly showLess: string
  /** How much an array or an object of a value holds. */
  readonly entries: (count: number) => string

  /** Who asks for what. `agent`: the sub-agent that asks; `server`: the MCP server that has the tool. */
  readonly wantsToRun: (tool: string, agent: string | undefined, server: string | undefined) => string
  /** What is asked for changes data (E12). */
  readonly changesData: string
  /** The request's arguments are not those of its call (C9). */
  readonly argumentsDiffer: string
  /** It can not be allowed yet: what would run is still arriving (C9). */
  readonly argumentsPending: string
  /** What the buttons say. */
  readonly allow: ScopeWords
  readonly deny: string
  /** Opens the field for a reason, and names it. */
  readonly addReason: string
  readonly reasonForDenying: string
  /** What was decided; `status.denied` is the other decision. */
  readonly allowed: ScopeWords
  /** Behind a decision while the other side has not confirmed it. */
  readonly answerSending: string
  readonly answerSent: string
  readonly answerFailed: string
  /** The same where it may have arrived; then only the same answer can be given again. */
  readonly answerUnconfirmed: string
  readonly answeredElsewhere: string
  readonly answersConflict: string
  readonly requestWithdrawn: string
  readonly requestExpired: string
  /** `time` is written as `0:42`. */
  readonly expiresIn: (time: string) => string
  /** The name of the queue of requests. */
  readonly requests: string
  readonly position: (position: number, count: number) => string
  readonly previousRequest: string
  readonly nextRequest: string
  readonly showRequest: string
  readonly showCall: string
  readonly dismiss: string

  /** The time that a call has left, and the time since it should have ended (D2). `time` is written as `0:42`. */
  readonly timeLeft: (time: string) => string
  readonly overdue: (time: string) => string

  /** How a command ended. */
  readonly exitCode: (code: string) => string
  readonly endedBySignal: (signal: string) => string

  /** Comes before the name of the sub-agent that made a call. */
  readonly subAgent: string
  /** The heading of the calls that sub-agents made. */
  readonly subAgentCalls: string
  readonly calls: (count: number) => string
  /** How many of several calls stand so. */
  readonly callsByStatus: Readonly<Record<CallStatus, (count: number) => string>>

  /** Spoken when a call waits for a person. */
  readonly needsYou: (name: string) => string

  readonly run: RunWords

  /** The control of a recording that is played. */
  readonly replay: {
    readonly controls: string
    readonly play: string
    readonly pause: string
    readonly stepBack: string
    readonly stepOn: string
    /** The name of the slider, and its value: a duration since the beginning, and that of all. */
    readonly moment: string
    readonly momentOf: (time: string, duration: string) => string
    readonly speed: string
    readonly times: (factor: number) => string
    /** The speed without waiting. */
    readonly immediate: string
    readonly empty: string
    readonly newerVersion: string
    readonly cutOff: string
    readonly unreadableLines: (count: number) => string
  }

  /** Spoken when a call starts. */
  readonly started: (name: string) => string
  /** Spoken when a call ends; `outcome` is one of `status` or `endedWithoutResult`. */
  readonly ended: (name: string, outcome: string) => string

  /** Parts of a duration, with the number already written. */
  readonly seconds: (count: string) => string
  readonly minutesSeconds: (minutes: string, seconds: string) => string
  readonly hoursMinutes: (hours: string, minutes: string) => string
}

/** The words in English, which stand in for those that a host does not give. */
export const defaultMessages: Messages = en
