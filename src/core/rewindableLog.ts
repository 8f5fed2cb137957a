import type { Limits } from './limits.js'
import { createLog, type DroppedPart, type Log, type LogGap } from './log/index.js'

/** UTF-16 code units that wait in a log that nobody reads; past that it is worked off as fast as it grows (H3). */
const maxPending = 1024 * 1024
/** What a log works off between two looks at the time, in UTF-16 code units. */
const blockLength = 64 * 1024

interface Chunk {
  readonly text: string
  readonly position: number
}

/** Adds a chunk to a log that perhaps nobody reads, which is kept from holding more than its limits all the same. */
export function appendTo(log: Log, text: string, position: number | undefined): void {
  log.append(text, position)
  if (log.pendingLength <= maxPending) return
  // The clock counts looks, of which there are as many as needed.
  let looks = 0
  log.work(2 + text.length / blockLength, () => looks++)
}

/** A log within the limits. `dropped`: its beginning, if the chunks that it was made of are gone. */
export const emptyLog = (limits: Limits, dropped?: DroppedPart) =>
  createLog({ lines: limits.logLines, length: limits.logLength, dropped })

/**
 * One log that shows the output of a tool as it was after any number of chunks, for a recording that is being dragged
 * (G1). Whoever asks for it moves it: back by taking away what stands at its end, where that is what came last, else by
 * beginning anew. All that were forked from one evidence share it, since they receive the same.
 */
export class RewindableLog {
  /** In the order of arrival. */
  #chunks: Chunk[] = []
  /** How many of them are in the log. */
  #count = 0
  #gaps: readonly LogGap[] = []
  #log: Log
  readonly #limits: Limits

  constructor(limits: Limits) {
    this.#limits = limits
    this.#log = emptyLog(limits)
  }

  /** This, with a chunk behind the first `count`; another one if it knew of a different chunk there. */
  with(text: string, given: number | undefined, count: number): RewindableLog {
    const position = given ?? (this.#chunks[count - 1]?.position ?? 0) + 1
    const known = this.#chunks[count]
    if (known === undefined) {
      this.#chunks.push({ text, position })
      return this
    }
    if (known.text === text && known.position === position) return this
    const other = new RewindableLog(this.#limits)
    other.#chunks = this.#chunks.slice(0, count)
    return other.with(text, position, count)
  }

  /** The log with the first `count` chunks and these holes. */
  at(count: number, gaps: readonly LogGap[]): Log {
    if (count < this.#count) this.#goBack(count)
    for (; this.#count < count; this.#count++) {
      const { text, position } = this.#chunks[this.#count] as Chunk
      appendTo(this.#log, text, position)
    }
    if (gaps !== this.#gaps) {
      this.#gaps = gaps
      this.#log.setGaps(gaps)
    }
    return this.#log
  }

  #goBack(count: number): void {
    const kept = this.#chunks.slice(0, count).reduce((last, { position }) => Math.max(last, position), -Infinity)
    const areLast = this.#chunks.slice(count, this.#count).every(({ position }) => position > kept)
    if (count > 0 && areLast && this.#log.droppedLines === 0) this.#log.removeAfter(kept)
    else {
      this.#log = emptyLog(this.#limits)
      this.#gaps = []
      count = 0
    }
    this.#count = count
  }
}
