import type { Limits } from './limits.js'
import type { DroppedPart, Log, LogGap, LogOptions } from './log/index.js'

/** What a tool has put out. `logOf` gives the log of it, so that who only merges does without logs. */
export interface ToolOutput {
  /** The log that grows with it, made by `make` when it is first asked for. */
  readonly log: (make: MakeLog) => Log
}

/** Makes an empty log: `createLog`. */
export type MakeLog = (options: LogOptions) => Log

/** A piece of output and its place among the others. */
export interface Chunk {
  readonly text: string
  readonly position: number
}

/** UTF-16 code units that wait in a log that nobody reads; past that it is worked off as fast as it grows (H3). */
const maxPending = 1024 * 1024
/** What a log works off between two looks at the time, in UTF-16 code units. */
const blockLength = 64 * 1024
/** Style sequences that are kept of output that was dropped, and UTF-16 code units of one that goes on after it. */
const maxStyles = 100
const maxBegun = 4_096

/** Adds a chunk to a log that perhaps nobody reads, which is kept from holding more than its limits all the same. */
export function appendTo(log: Log, text: string, position: number | undefined): void {
  log.append(text, position)
  if (log.pendingLength <= maxPending) return
  // The clock counts looks, of which there are as many as needed.
  let looks = 0
  log.work(2 + text.length / blockLength, () => looks++)
}

/** A log within the limits. `dropped`: its beginning, if the chunks that it was made of are gone. */
export const emptyLog = (make: MakeLog, limits: Limits, dropped?: DroppedPart) =>
  make({ lines: limits.logLines, length: limits.logLength, dropped })

/**
 * Output that grows, and its log from the moment on that somebody asks for it. Until then the chunks are kept as they
 * are: when there are too many the oldest by position go, as they would from a log (H3).
 */
export class GrowingOutput implements ToolOutput {
  /** Changes with every chunk. */
  version = 0
  #chunks: Chunk[] = []
  #length = 0
  #lastPosition: number
  #dropped: DroppedPart
  #nextReview: number
  #gaps: readonly LogGap[] = []
  #log: Log | undefined
  readonly #limits: Limits

  /** `dropped`: its beginning, if the chunks of that are gone. */
  constructor(limits: Limits, dropped: DroppedPart = { position: Number.NEGATIVE_INFINITY, lines: 0 }) {
    this.#limits = limits
    this.#dropped = dropped
    this.#lastPosition = dropped.position
    this.#nextReview = limits.logLength * 1.25
  }

  /** The beginning of which nothing is left. */
  get dropped(): DroppedPart {
    return this.#log?.dropped ?? this.#dropped
  }

  /** Adds a chunk; without a position it goes behind all others. */
  add(text: string, position?: number): void {
    this.version += 1
    if (this.#log !== undefined) {
      appendTo(this.#log, text, position)
      return
    }
    const chunk = { text, position: position ?? this.#lastPosition }
    this.#chunks.push(chunk)
    this.#length += text.length
    this.#lastPosition = Math.max(this.#lastPosition, chunk.position)
    if (this.#length > this.#nextReview) this.#dropOldest()
  }

  /** Says which holes are known (A13). */
  setGaps(gaps: readonly LogGap[]): void {
    this.#gaps = gaps
    this.#log?.setGaps(gaps)
  }

  readonly log = (make: MakeLog): Log => {
    if (this.#log !== undefined) return this.#log
    const log = emptyLog(make, this.#limits, this.#dropped)
    for (const { text, position } of this.#chunks) log.append(text, position)
    log.setGaps(this.#gaps)
    this.#log = log
    this.#chunks = []
    return log
  }

  /** Drops the chunks without which there is still more than a log keeps, if it can be at the end of a line. */
  #dropOldest(): void {
    const { logLength } = this.#limits
    const chunks = this.#chunks.sort((a, b) => a.position - b.position)
    let count = 0
    for (let left = this.#length; ; count++) {
      left -= (chunks[count] as Chunk).text.length
      if (left <= logLength) break
    }
    const atLineEnd = chunks.slice(0, count).findLastIndex(({ text }) => text.endsWith('\n')) + 1
    const gone = chunks.splice(0, atLineEnd || count)
    const last = gone.at(-1)
    if (last !== undefined) {
      const text = gone.map((chunk) => chunk.text).join('')
      const position = Math.max(this.#dropped.position, last.position)
      this.#dropped = { position, lines: this.#dropped.lines + text.split('\n').length - 1 }
      chunks.unshift({ text: styleAfter(text), position })
      this.#length = chunks.reduce((sum, chunk) => sum + chunk.text.length, 0)
    }
    this.#nextReview = Math.max(this.#length, logLength) + logLength / 4
  }
}

/** The style and the link that a text leaves, as the sequences that bring them about, and the beginning of one at its end. */
function styleAfter(text: string): string {
  // A reset of the terminal (RIS) ends both.
  const last = text.slice(text.lastIndexOf('\x1bc') + 1)
  const sequences = last.match(/\x1b\[[\d;:]*m/g) ?? []
  const reset = sequences.findLastIndex((sequence) => /^\x1b\[0*m$/.test(sequence))
  const link = last.match(/\x1b\]8;[^\x07\x1b\n]*(?:\x07|\x1b\\)/g)?.at(-1) ?? ''
  const [begun = ''] = /\x1b(?:\[[\d;:?]*|\][^\x07\n]*)?$/.exec(last.slice(-maxBegun)) ?? []
  return sequences.slice(Math.max(reset + 1, sequences.length - maxStyles)).join('') + link + begun
}
