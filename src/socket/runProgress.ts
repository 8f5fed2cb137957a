import type { RunPlace } from '../protocols/index.js'

/** How many numbers beyond a gap are remembered; past that the gap is given up. */
const maxBeyond = 10_000

/** What has been received of one run: by number up to where nothing is missing, and which beyond that. */
export class RunProgress {
  /** Everything up to it was received, or will not come; undefined while the run's beginning is not known. */
  lastSeq: number | undefined
  /** The newest event that has no number. */
  lastEventId: string | undefined
  isDegraded = false
  #beyond = new Set<number>()

  /** Takes note of an event, whether it was shown or dropped. */
  add({ seq, eventId, isFirst, isDegraded }: RunPlace): void {
    this.isDegraded = isDegraded ?? this.isDegraded
    if (seq === undefined) {
      this.lastEventId = eventId ?? this.lastEventId
      return
    }
    if (this.lastSeq !== undefined && seq <= this.lastSeq) return
    this.#beyond.add(seq)
    if (isFirst && this.lastSeq === undefined) this.settle(seq)
    else this.#advance()
    if (this.#beyond.size > maxBeyond) this.settleAll()
  }

  /** Whether a number before one that was received is missing. */
  get hasGap(): boolean {
    return this.#beyond.size > 0
  }

  /** What is missing up to that number will not come. */
  settle(seq: number): void {
    if (this.lastSeq !== undefined && seq <= this.lastSeq) return
    this.lastSeq = seq
    for (const each of this.#beyond) if (each <= seq) this.#beyond.delete(each)
    this.#advance()
  }

  /** What is missing will not come. */
  settleAll(): void {
    let last = Number.NEGATIVE_INFINITY
    for (const seq of this.#beyond) last = Math.max(last, seq)
    if (this.#beyond.size > 0) this.settle(last)
  }

  #advance(): void {
    while (this.lastSeq !== undefined && this.#beyond.delete(this.lastSeq + 1)) this.lastSeq += 1
  }
}
