/** How many intervals are kept; past that the older half is forgotten, since so many holes are never told one by one. */
const maxIntervals = 100_000

/**
 * A set of whole numbers, kept as the intervals that they form: a dense stream is one interval, however long. Adding
 * the next number costs the same whatever is there; numbers that come late are merged when the holes are asked for.
 */
export class SeqSet {
  /** Sorted, apart from each other: the interval i is from `#starts[i]` to `#ends[i]`, both included. */
  #starts: number[] = []
  #ends: number[] = []
  #late: number[] = []
  #size = 0
  #first = Number.POSITIVE_INFINITY
  #last = Number.NEGATIVE_INFINITY

  /** A set that goes on from here. */
  fork(): SeqSet {
    this.#merge()
    const fork = new SeqSet()
    fork.#starts = [...this.#starts]
    fork.#ends = [...this.#ends]
    fork.#size = this.#size
    fork.#first = this.#first
    fork.#last = this.#last
    return fork
  }

  /** Adds a number that is not in the set. */
  add(seq: number): void {
    this.#size += 1
    this.#first = Math.min(this.#first, seq)
    if (seq < this.#last) {
      this.#late.push(seq)
      return
    }
    if (seq === this.#last + 1) this.#ends[this.#ends.length - 1] = seq
    else {
      this.#starts.push(seq)
      this.#ends.push(seq)
    }
    this.#last = seq
    if (this.#starts.length > maxIntervals) this.#forgetOlder()
  }

  /** Whether a number is in the set. */
  has(seq: number): boolean {
    this.#merge()
    let low = 0
    let high = this.#starts.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#starts[middle] as number) <= seq) low = middle + 1
      else high = middle
    }
    return low > 0 && (this.#ends[low - 1] as number) >= seq
  }

  /** How many numbers are missing between the first and the last. */
  get missing(): number {
    return this.#size === 0 ? 0 : this.#last - this.#first + 1 - this.#size
  }

  /** Whether there are more than `limit` holes between the numbers. */
  hasMoreGapsThan(limit: number): boolean {
    // A late number closes one hole at the most, so that the late ones need not be merged to see this.
    if (this.#starts.length - 1 - this.#late.length > limit) return true
    this.#merge()
    return this.#starts.length - 1 > limit
  }

  /** The holes between the numbers, in order: `after` and `before` are the numbers on both sides. */
  gaps(): readonly { readonly after: number; readonly before: number; readonly count: number }[] {
    this.#merge()
    return this.#starts.slice(1).map((before, i) => {
      const after = this.#ends[i] as number
      return { after, before, count: before - after - 1 }
    })
  }

  #merge(): void {
    if (this.#late.length === 0) return
    const [oldStarts, oldEnds, late] = [this.#starts, this.#ends, this.#late.sort((a, b) => a - b)]
    this.#starts = []
    this.#ends = []
    this.#late = []
    let i = 0
    for (const seq of late) {
      for (; i < oldStarts.length && (oldStarts[i] as number) < seq; i++) {
        this.#append(oldStarts[i] as number, oldEnds[i] as number)
      }
      this.#append(seq, seq)
    }
    for (; i < oldStarts.length; i++) this.#append(oldStarts[i] as number, oldEnds[i] as number)
  }

  #append(start: number, end: number): void {
    const last = this.#ends.length - 1
    if (last >= 0 && start === (this.#ends[last] as number) + 1) this.#ends[last] = end
    else {
      this.#starts.push(start)
      this.#ends.push(end)
    }
  }

  #forgetOlder(): void {
    this.#merge()
    this.#starts.splice(0, maxIntervals / 2)
    this.#ends.splice(0, maxIntervals / 2)
  }
}
