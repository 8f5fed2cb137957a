import type { ArgumentsKind } from './events.js'
import { createPartialJson, type IsMasked, type PartialJson, type PartialJsonReader } from './partialJson.js'

/** How much of two texts is compared while they may still grow, in UTF-16 code units (C8). */
const comparedLength = 1_024

const ranks: Readonly<Record<ArgumentsKind, number>> = { partial: 0, complete: 1, final: 2 }

/** What the arguments of a call are, as far as they are known. */
export interface Arguments {
  /** The text, with what the host masks replaced. */
  readonly text: string
  /** The text may still grow. */
  readonly streaming: boolean
  readonly json: PartialJson
}

/** How far the increments of a call's arguments were told to who hears of them in pieces. */
export interface ToldArguments {
  readonly text: string
  /** What had read the text; another one may have read another text. */
  readonly reader: PartialJsonReader
}

/**
 * All that was received about the arguments of a call (C2). Whole texts compete: what is complete counts before what is
 * not, what a result or an approval names before both, then the longer text, then the greater string. Increments make one
 * more text, in the order of their arrival.
 *
 * While a text may still grow, only its length and the end of what is known are compared, so that an update costs what
 * is new; once it is complete the whole is compared, and read anew should it not be what was read so far (C8).
 */
export class ArgumentsEvidence {
  /** The whole text that counts, and its rank; undefined while there is none. */
  #whole: string | undefined
  #rank = 0
  /** What the increments make; undefined while there is none. */
  #appended: string | undefined
  /** The increments began without a text before them, with what may be the middle of one. */
  #isFragment = false
  readonly #isMasked: IsMasked | undefined

  #reader: PartialJsonReader | undefined
  /** What counts now is what was given to the reader, followed by this. */
  #unread = ''
  /** What the reader was given; kept until it has been compared with the whole. */
  #read: string | undefined = ''
  /** Whether it was the increments that the reader was given. */
  #readsAppended = false
  #shown: Arguments | undefined

  constructor(isMasked?: IsMasked) {
    this.#isMasked = isMasked
  }

  /** What goes on from here (G1); it is read anew when it is shown. */
  fork(): ArgumentsEvidence {
    const fork = new ArgumentsEvidence(this.#isMasked)
    fork.#whole = this.#whole
    fork.#rank = this.#rank
    fork.#appended = this.#appended
    fork.#isFragment = this.#isFragment
    fork.#readAnew()
    return fork
  }

  /** Whether anything was said about arguments, be it that there is nothing of them yet. */
  get isKnown(): boolean {
    return this.#whole !== undefined || this.#appended !== undefined
  }

  /** How many UTF-16 code units there are. */
  get length(): number {
    return this.#text.length
  }

  /** The text as it was received, nothing masked. */
  get rawText(): string {
    return this.#text
  }

  /** Takes a whole text. Returns what changed: the text or its rank, and whether it disagrees with what was known. */
  offer(text: string, kind: ArgumentsKind): { readonly changed: boolean; readonly conflicts: boolean } {
    const rank = ranks[kind]
    // There are none, then; while they may still grow, it says that there will be.
    if (text === '' && rank > 0) return { changed: false, conflicts: false }
    const known = this.#whole
    if (known === undefined) {
      this.#setWhole(text, rank)
      return { changed: true, conflicts: false }
    }
    const isWhole = rank !== this.#rank
    const agrees = isWhole ? startsEqually(text, known) : growsFrom(text, known)
    const conflicts = !agrees
    if (rank < this.#rank || (rank === this.#rank && !isGreater(text, known))) return { changed: false, conflicts }
    this.#setWhole(text, rank, agrees)
    return { changed: true, conflicts }
  }

  /**
   * Takes an increment. The first one goes on from the call's first text, unless it repeats that. Once the arguments are
   * complete there is nothing to go on from. False: it changes nothing.
   */
  append(delta: string): boolean {
    if (this.#rank > 0) return false
    if (this.#appended === undefined) {
      const start = this.#whole ?? ''
      this.#isFragment = this.#whole === undefined && !/^\s*(?:$|[{[])/.test(delta)
      this.#appended = delta.startsWith(start) ? '' : start
      if (this.#appendedCounts) this.#readAnew()
    }
    this.#appended += delta
    if (!this.#appendedCounts) return false
    if (this.#readsAppended) this.#unread += delta
    else this.#readAnew()
    this.#shown = undefined
    return true
  }

  /** The better of what two ids of one call say (A17). */
  static better(a: ArgumentsEvidence, b: ArgumentsEvidence): ArgumentsEvidence {
    if (a.isKnown !== b.isKnown) return a.isKnown ? a : b
    if (a.#textRank !== b.#textRank) return a.#textRank > b.#textRank ? a : b
    return isGreater(b.#text, a.#text) ? b : a
  }

  /** What is shown. `isOver`: nothing more can come, whatever the text says (C6). */
  show(isOver: boolean): Arguments {
    const isComplete = isOver || this.#textRank > 0
    const known = this.#shown
    if (known !== undefined && known.streaming === !(isComplete || this.#isClosed(known.json))) return known
    if (this.#isMasked !== undefined || !isComplete) return this.#keep(this.#view(this.#json(isComplete), isComplete))
    // Complete and not masked: it is parsed when somebody looks at it.
    const json = () => this.#json(true)
    return this.#keep({
      text: this.#text,
      streaming: false,
      get json() {
        return json()
      },
    })
  }

  /**
   * What is new at the end of the increments, to who was told of them before, while they are what is shown; that is all
   * that it costs. Undefined while a whole text is shown, which is told by itself: what the increments make in the
   * meantime is told once they are shown again. Only with a mask.
   */
  tell(before: ToldArguments | undefined): { readonly told: ToldArguments; readonly added: string } | undefined {
    const { text } = this.show(false)
    if (!this.#appendedCounts) return undefined
    const reader = this.#reader as PartialJsonReader
    const known = before?.text.length ?? 0
    // A masked text only ever grows at its end, whoever has read it.
    const added = before?.reader === reader ? reader.maskedFrom(known) : text.slice(known)
    return { told: { text, reader }, added }
  }

  #keep(shown: Arguments): Arguments {
    this.#shown = shown
    return shown
  }

  /** Of what began in the middle the end can not be told. */
  #isClosed({ complete }: PartialJson): boolean {
    return complete && !(this.#isFragment && this.#readsAppended)
  }

  #view(json: PartialJson, isComplete: boolean): Arguments {
    return { text: json.maskedText ?? this.#text, streaming: !isComplete && !this.#isClosed(json), json }
  }

  /** The increments count while no complete text is known and no other is longer. */
  get #appendedCounts(): boolean {
    if (this.#appended === undefined || this.#rank > 0) return false
    return this.#whole === undefined || !isGreater(this.#whole, this.#appended)
  }

  get #text(): string {
    return (this.#appendedCounts ? this.#appended : this.#whole) ?? ''
  }

  get #textRank(): number {
    return this.#appendedCounts ? 0 : this.#rank
  }

  #setWhole(text: string, rank: number, grows = false): void {
    const known = this.#whole
    const counted = !this.#appendedCounts
    this.#whole = text
    this.#rank = rank
    if (this.#appendedCounts) return
    if (rank > 0) this.#appended = undefined
    this.#shown = undefined
    if (counted && !this.#readsAppended && known !== undefined && grows && text.length >= known.length) {
      this.#unread += ownCopy(text.slice(known.length))
    } else this.#readAnew()
  }

  /** Has the reader begin again with the text that counts now. */
  #readAnew(): void {
    this.#reader = undefined
    this.#readsAppended = this.#appendedCounts
    this.#unread = this.#text
    this.#read = ''
    this.#shown = undefined
  }

  #json(isComplete: boolean): PartialJson {
    this.#readOn()
    let json = (this.#reader as PartialJsonReader).read(isComplete)
    if ((isComplete || json.complete) && this.#read !== undefined) {
      if (this.#read !== this.#text) {
        this.#readAnew()
        this.#readOn()
        json = (this.#reader as PartialJsonReader).read(isComplete)
      }
      this.#read = undefined
    }
    return json
  }

  #readOn(): void {
    // Nobody can tell what the middle of a text belongs to: all of it is masked.
    const isMasked = this.#isMasked && this.#isFragment && this.#readsAppended ? () => true : this.#isMasked
    this.#reader ??= createPartialJson(isMasked)
    this.#reader.append(this.#unread)
    if (this.#read !== undefined) this.#read += this.#unread
    this.#unread = ''
  }
}

const isGreater = (text: string, known: string) =>
  text.length > known.length || (text.length === known.length && text > known)

/** Whether one text is the beginning of the other. */
const startsEqually = (a: string, b: string) => (a.length < b.length ? b.startsWith(a) : a.startsWith(b))

/** The same, as far as the end of the shorter one tells. */
function growsFrom(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return long.startsWith(short.slice(-comparedLength), Math.max(0, short.length - comparedLength))
}

/** The text on its own: a slice would keep all of the text that it was cut from in memory. */
const ownCopy = (text: string) => ` ${text}`.slice(1)
