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
  /** The beginning of a style at the end of what is known to be tame. */
  #unfinished = ''
  /** There are styles in what was found to be tame since there was nothing pending. */
  hasStyles = false

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
    if (this.#tame >= at) this.#setTame(this.#head)
  }

  /** The last units: `length` of them, if there are so many. */
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
   * Whether nothing but the last `length` units can have moved the cursor other than forward: before them are text, line
   * feeds and styles only. Each chunk is looked at once, and not too much at a time: false where that is not known yet.
   */
  isTameBut(length: number): boolean {
    this.#merge()
    let last = this.#texts.length
    let within = -length
    while (within < 0 && last > this.#head) within += (this.#texts[--last] as string).length
    if (this.#tame < this.#head) this.#setTame(this.#head)
    for (let left = MAX_SCAN; this.#tame < last || (this.#tame === last && this.#tameUnits < within); ) {
      const text = this.#texts[this.#tame] as string
      const to = Math.min(this.#tame === last ? within : text.length, this.#tameUnits + SCAN)
      const part = text.slice(this.#tameUnits, to)
      if (left <= 0 || others.some((control) => part.includes(control))) return false
      if (this.#unfinished !== '' || part.includes('\x1b')) {
        this.hasStyles = true
        left -= part.length
        const whole = this.#unfinished + part
        const end = whole.length - (unfinished.exec(whole.slice(-MAX_UNFINISHED))?.[0].length ?? 0)
        if (otherThanStyle.test(whole.slice(0, end))) return false
        this.#unfinished = whole.slice(end)
      }
      if (to < text.length) this.#tameUnits = to
      else {
        this.#tame++
        this.#tameUnits = 0
      }
    }
    return true
  }

  #setTame(chunk: number): void {
    this.#tame = chunk
    this.#tameUnits = 0
    this.#unfinished = ''
  }

  #next(): void {
    this.#offset = 0
    // What is done is let go at once, but the arrays are made shorter only now and then.
    this.#texts[this.#head++] = ''
    if (this.isEmpty) this.hasStyles = false
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

/** So much is looked through at a time, and in one go where there are styles, in UTF-16 units. */
const SCAN = 1 << 18
const MAX_SCAN = 1 << 24
/** A style that is longer is none. */
const MAX_UNFINISHED = 256
/** What moves the cursor back or up, RI, CSI and OSC of 8 bits included. One native search for each is the fastest way. */
const others = ['\r', '\b', '\x8d', '\x9b', '\x9d']
const otherThanStyle = /\x1b(?!\[[\d;:]*m)/
const unfinished = /\x1b(?:\[[\d;:]*)?$/
