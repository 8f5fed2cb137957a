/**
 * Chunks that have been received and not worked off yet, in the order of their positions. The first may be worked off in
 * part already.
 */
export class Pending {
  #texts: string[] = []
  #positions: number[] = []
  /** Chunks that belong before the last one and are not in their places yet. */
  #late: { readonly text: string; readonly position: number }[] = []
  /** The first chunk, and how much of it is gone. */
  #head = 0
  #offset = 0
  /** UTF-16 units left. */
  length = 0
  /** The chunks before this one, and so many units of it, are known to be tame. */
  #tame = 0
  #tameUnits = 0

  get isEmpty(): boolean {
    return this.#head === this.#texts.length
  }

  add(text: string, position: number): void {
    this.length += text.length
    const last = this.#positions.length - 1
    if (last < this.#head || (this.#positions[last] as number) <= position) {
      this.#texts.push(text)
      this.#positions.push(position)
      return
    }
    this.#late.push({ text, position })
  }

  /** Puts the chunks that came late in their places, all in one pass; of equal positions the earlier received is first. */
  #merge(): void {
    if (this.#late.length === 0) return
    const late = this.#late.sort((a, b) => a.position - b.position)
    this.#late = []
    const texts = this.#texts.slice(0, this.#head)
    const positions = this.#positions.slice(0, this.#head)
    let next = this.#head
    const copyUpTo = (position: number) => {
      for (; next < this.#texts.length && (this.#positions[next] as number) <= position; next++) {
        texts.push(this.#texts[next] as string)
        positions.push(this.#positions[next] as number)
      }
    }
    for (const { text, position } of late) {
      copyUpTo(position)
      texts.push(text)
      positions.push(position)
    }
    copyUpTo(Number.POSITIVE_INFINITY)
    this.#texts = texts
    this.#positions = positions
    this.#setTame(this.#head)
  }

  /**
   * Takes the next part of about `length` units: of one long chunk, or several short ones joined. `begins` is told of
   * each chunk that begins in it, and where.
   */
  take(length: number, begins: (position: number, offset: number) => void): string {
    this.#merge()
    const parts: string[] = []
    let taken = 0
    while (taken < length / 8 && this.#head < this.#texts.length) {
      const text = this.#texts[this.#head] as string
      if (taken > 0 && text.length > length) break
      if (this.#offset === 0) begins(this.#positions[this.#head] as number, taken)
      const part = text.slice(this.#offset, this.#offset + length)
      parts.push(part)
      taken += part.length
      this.#offset += part.length
      if (this.#offset >= text.length) this.#next()
    }
    this.length -= taken
    return parts.length === 1 ? (parts[0] as string) : parts.join('')
  }

  /** Takes all chunks with a greater position away, of one that is partly worked off the rest. */
  removeAfter(position: number): void {
    this.#merge()
    const at = this.#after(position)
    for (let i = at; i < this.#texts.length; i++) this.length -= (this.#texts[i] as string).length
    if (at === this.#head && !this.isEmpty) {
      this.length += this.#offset
      this.#offset = 0
    }
    this.#texts.length = this.#positions.length = at
    if (this.#tame >= at) this.#setTame(at)
  }

  /** The last units, `length` at most. */
  end(length: number): string {
    this.#merge()
    let text = ''
    for (let i = this.#texts.length; i > this.#head && text.length < length; ) {
      const chunk = this.#texts[--i] as string
      text = chunk.slice(Math.max(i === this.#head ? this.#offset : 0, chunk.length + text.length - length, 0)) + text
    }
    return text
  }

  /**
   * Whether nothing but the last `length` units can have moved the cursor other than forward, or changed the style: there
   * is no escape sequence, carriage return or backspace. Each chunk is looked at once.
   */
  isTameBut(length: number): boolean {
    this.#merge()
    let last = this.#texts.length
    let within = -length
    while (within < 0 && last > this.#head) within += (this.#texts[--last] as string).length
    if (this.#tame < this.#head) this.#setTame(this.#head)
    for (; this.#tame < last; this.#setTame(this.#tame + 1)) {
      if (!isTame((this.#texts[this.#tame] as string).slice(this.#tameUnits))) return false
    }
    if (this.#tame > last || within <= this.#tameUnits) return true
    if (!isTame((this.#texts[last] as string).slice(this.#tameUnits, within))) return false
    this.#tameUnits = within
    return true
  }

  #setTame(chunk: number): void {
    this.#tame = chunk
    this.#tameUnits = 0
  }

  #next(): void {
    this.#offset = 0
    // What is done is let go at once, but the arrays are made shorter only now and then.
    this.#texts[this.#head++] = ''
    if (this.isEmpty || (this.#head > 1_024 && this.#head * 2 > this.#texts.length)) {
      this.#texts.splice(0, this.#head)
      this.#positions.splice(0, this.#head)
      this.#tame = Math.max(0, this.#tame - this.#head)
      this.#head = 0
    }
  }

  /** The first chunk with a greater position. */
  #after(position: number): number {
    let from = this.#head
    let to = this.#positions.length
    while (from < to) {
      const middle = (from + to) >> 1
      if ((this.#positions[middle] as number) <= position) from = middle + 1
      else to = middle
    }
    return from
  }
}

/** One native search for each is many times faster than a regular expression for all. RI, CSI and OSC are the 8-bit ones. */
const isTame = (text: string) => !['\x1b', '\r', '\b', '\x8d', '\x9b', '\x9d'].some((control) => text.includes(control))
