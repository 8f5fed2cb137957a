import type { Limits } from './limits.js'
import type { Log, LogGap } from './log/index.js'
import { appendTo, type Chunk, emptyLog, type MakeLog } from './output.js'

/**
 * The output of a tool as it was after any number of chunks, for a recording that is being dragged (G1). It has one log,
 * which is moved by whoever asks for it: back by taking away what stands at its end, where that is what came last, else by
 * beginning anew. All that were forked from one evidence share it, since they receive the same.
 */
export class RewindableOutput {
  /** In the order of arrival. */
  #chunks: Chunk[] = []
  /** How many of them are in the log. */
  #count = 0
  #gaps: readonly LogGap[] = []
  #log: Log | undefined
  readonly #limits: Limits

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** This, with a chunk behind the first `count`; another one if it knew of a different chunk there. */
  with(text: string, given: number | undefined, count: number): RewindableOutput {
    const position = given ?? (this.#chunks[count - 1]?.position ?? 0) + 1
    const known = this.#chunks[count]
    if (known === undefined) {
      this.#chunks.push({ text, position })
      return this
    }
    if (known.text === text && known.position === position) return this
    const other = new RewindableOutput(this.#limits)
    other.#chunks = this.#chunks.slice(0, count)
    return other.with(text, position, count)
  }

  /** The log with the first `count` chunks and these holes. */
  at(count: number, gaps: readonly LogGap[], make: MakeLog): Log {
    if (this.#log === undefined || (count < this.#count && !this.#goBack(this.#log, count))) {
      this.#log = emptyLog(make, this.#limits)
      this.#count = 0
      this.#gaps = []
    }
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

  /** Takes the chunks behind the first `count` away. False: that needs a new log. */
  #goBack(log: Log, count: number): boolean {
    const kept = this.#chunks.slice(0, count).reduce((last, { position }) => Math.max(last, position), -Infinity)
    const areLast = this.#chunks.slice(count, this.#count).every(({ position }) => position > kept)
    if (count === 0 || !areLast || log.droppedLines > 0) return false
    log.removeAfter(kept)
    this.#count = count
    return true
  }
}
