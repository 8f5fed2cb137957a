/** Pieces shorter than this are joined, in UTF-16 units. */
const SHORT_PIECE = 4_096

/** A part of a stream as it was sent. */
export interface Chunk {
  readonly position: number
  readonly text: string
}

/**
 * A stretch of what was received, kept as it came: in pieces, which are never copied unless they are short, beside the
 * positions of the chunks that it is made of.
 */
export class Input {
  readonly pieces: string[] = []
  /** Where each piece ends. */
  readonly #ends: number[] = []
  /** In UTF-16 units. */
  length = 0
  hasTabs = false
  /** The positions of the chunks in order, and where the first of each begins. It may be the rest of a chunk before. */
  #positions: number[] | Float64Array = []
  #offsets: number[] | Uint32Array = []

  /** The position of the first chunk; -Infinity if there is none. */
  get firstPosition(): number {
    return this.#positions[0] ?? -Infinity
  }

  /** Adds text to the end. */
  add(text: string): void {
    if (text === '') return
    const last = this.pieces.length - 1
    this.length += text.length
    this.hasTabs ||= text.includes('\t')
    if (last >= 0 && text.length + (this.pieces[last] as string).length < SHORT_PIECE) {
      this.pieces[last] += text
      this.#ends[last] = this.length
    } else {
      this.pieces.push(text)
      this.#ends.push(this.length)
    }
  }

  /** Notes a chunk that begins at `offset`, behind all chunks noted. Of equal positions only the first is needed. */
  addChunk(position: number, offset: number): void {
    if (this.#positions[this.#positions.length - 1] === position) return
    ;(this.#positions as number[]).push(position)
    ;(this.#offsets as number[]).push(offset)
  }

  /** Where the first chunk with that position or a greater one begins; the length if there is none. */
  offsetOf(position: number): number {
    return this.#offsets[this.#chunksBelow(position)] ?? this.length
  }

  /** Where the first chunk with a greater position begins; the length if there is none. */
  offsetAfter(position: number): number {
    return this.#offsets[this.#chunksBelow(position, true)] ?? this.length
  }

  /** The greatest position below `limit`; -Infinity if there is none. */
  lastPositionBelow(limit: number): number {
    return this.#positions[this.#chunksBelow(limit) - 1] ?? -Infinity
  }

  /** The text from `from` up to before `to`. */
  slice(from: number, to: number): string {
    let piece = 0
    for (let high = this.pieces.length - 1; piece < high; ) {
      const middle = (piece + high) >> 1
      if ((this.#ends[middle] as number) <= from) piece = middle + 1
      else high = middle
    }
    let text = ''
    for (let begin = (this.#ends[piece - 1] as number) || 0; begin < to && piece < this.pieces.length; piece++) {
      const whole = this.pieces[piece] as string
      text += whole.slice(Math.max(0, from - begin), to - begin)
      begin += whole.length
    }
    return text
  }

  /** All of it with more chunks in their places, each behind those of its position. `chunks` are in order. */
  with(chunks: readonly Chunk[]): Input {
    const input = new Input()
    let from = 0
    let own = 0
    const addOwn = (to: number, chunkCount: number) => {
      for (; own < chunkCount; own++) {
        input.addChunk(this.#positions[own] as number, input.length + (this.#offsets[own] as number) - from)
      }
      input.add(this.slice(from, to))
      from = to
    }
    for (const { position, text } of chunks) {
      addOwn(this.offsetAfter(position), this.#chunksBelow(position, true))
      input.addChunk(position, input.length)
      input.add(text)
    }
    addOwn(this.length, this.#positions.length)
    return input
  }

  /** All of it up to and with the chunks of that position. */
  upTo(position: number): Input {
    const chunks = this.#chunksBelow(position, true)
    const input = new Input()
    input.add(this.slice(0, this.#offsets[chunks] ?? this.length))
    input.#positions = Array.from(this.#positions).slice(0, chunks)
    input.#offsets = Array.from(this.#offsets).slice(0, chunks)
    return input
  }

  /** The notes about its chunks, for a page whose text is not found in it. */
  withoutText(): Input {
    const input = new Input()
    input.#positions = this.#positions
    input.#offsets = this.#offsets
    return input
  }

  /** Notes the chunks of `other`, whose text will be added `distance` units from here. */
  addChunksOf(other: Input, distance: number): void {
    for (let i = 0; i < other.#positions.length; i++) {
      this.addChunk(other.#positions[i] as number, distance + (other.#offsets[i] as number))
    }
  }

  /** All of `before` and then all of this. Chunks that are noted but not added yet are kept. */
  after(before: Input): Input {
    const input = new Input()
    for (const piece of before.pieces) input.add(piece)
    for (const piece of this.pieces) input.add(piece)
    input.addChunksOf(before, 0)
    input.addChunksOf(this, before.length)
    return input
  }

  /** Takes the chunks away that begin behind the end, for input that follows: their text is still to be added there. */
  takeChunksBehind(): Input {
    const next = new Input()
    let kept = this.#offsets.length
    while (kept > 0 && (this.#offsets[kept - 1] as number) >= this.length) kept--
    const last = this.#positions[kept - 1]
    // The chunk at the end may go on there.
    if (this.#offsets[kept] !== this.length && last !== undefined) next.addChunk(last, 0)
    for (let i = kept; i < this.#offsets.length; i++) {
      next.addChunk(this.#positions[i] as number, (this.#offsets[i] as number) - this.length)
    }
    this.#positions = this.#positions.slice(0, kept)
    this.#offsets = this.#offsets.slice(0, kept)
    return next
  }

  /** Makes the notes about chunks as small as they can be; no more are added. */
  seal(): void {
    this.#positions = Float64Array.from(this.#positions)
    this.#offsets = Uint32Array.from(this.#offsets)
  }

  /** How many chunks have a lower position, or the same if that counts too. */
  #chunksBelow(position: number, orEqual = false): number {
    let from = 0
    let to = this.#positions.length
    while (from < to) {
      const middle = (from + to) >> 1
      const other = this.#positions[middle] as number
      if (other < position || (orEqual && other === position)) from = middle + 1
      else to = middle
    }
    return from
  }
}
