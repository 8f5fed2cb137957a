import { JsonContainer, type JsonNode, JsonText, JsonToken } from './jsonNode.js'
import { TextBuffer } from './textBuffer.js'

/** What a JSON text says so far. */
export interface PartialJson {
  /** Its value as far as it has arrived; undefined while nothing of it is there, and when the text is not JSON. */
  readonly root: JsonNode | undefined
  /** The value has ended: nothing but white space may follow. */
  readonly complete: boolean
  /** Where the text stops being JSON, in UTF-16 code units; undefined while it may still become JSON. */
  readonly brokenAt: number | undefined
  /** The text with the masked values replaced; undefined where nothing is masked. */
  readonly maskedText: string | undefined
}

/** Reads a JSON text that arrives in pieces. */
export interface PartialJsonReader {
  /** Takes the next piece. Costs what is in it, however much there was before. */
  append(piece: string): void
  /**
   * What was said so far; the same object until more is. With `ended` nothing more is expected: a number at the
   * outermost level, of which only the end of the text tells the end, counts as complete.
   */
  read(ended?: boolean): PartialJson
  /**
   * What the masked text has behind its first `length` code units: it only ever grows at its end. Costs what that is when
   * nothing was asked for in between that was read before.
   */
  maskedFrom(length: number): string
}

/** Whether the value under a path of keys is masked. Places in arrays are not part of a path; [] is the whole text. */
export type IsMasked = (path: readonly string[]) => boolean

/** What stands in the place of a masked value. */
export const mask = '•••'

/** Deeper nesting than this is read as text that is not JSON. */
const maxDepth = 200

/** Keys up to so many are looked up one by one. */
const fewKeys = 16

/**
 * Makes a reader of a JSON text that arrives in pieces. It goes over the text once in all, however small the pieces, and
 * never recurses. At the end of any text it agrees with `JSON.parse` on whether it is JSON and on its value: of equal
 * keys the last counts (and takes its place when it is complete, so that nothing shown vanishes meanwhile), and
 * `__proto__` is a key like any other. What is nested more than 200 levels deep counts as broken.
 *
 * With `isMasked` the masked values are never in the tree, and `maskedText` is the text without them; from where a text
 * with keys is broken, all of it is masked, since nobody can tell what it holds.
 */
export function createPartialJson(isMasked?: IsMasked): PartialJsonReader {
  return new Reader(isMasked)
}

/** What the next character is part of. */
type State =
  | 'value'
  | 'first-value'
  | 'first-key'
  | 'key'
  | 'colon'
  | 'after'
  | 'string'
  | 'escape'
  | 'unicode'
  | 'number'
  | 'word'
  | 'end'
  | 'broken'

/** An object or array that is open. */
interface Frame {
  readonly kind: 'object' | 'array'
  readonly keys: string[]
  readonly values: JsonNode[]
  /** The place of each key; only where there are many. */
  places: Map<string, number> | undefined
  /** The place of the value that is arriving. */
  place: number
  /**
   * How that value stands there: as it arrives, when it is complete because there is an earlier one under its key, or
   * not at all.
   */
  shows: 'now' | 'complete' | 'never'
}

const nothingYet = new JsonToken('', false)
const masked = new JsonToken(mask, true, true)
const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}
const words: Readonly<Record<string, readonly [text: string, value: boolean | null]>> = {
  t: ['true', true],
  f: ['false', false],
  n: ['null', null],
}
const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

class Reader implements PartialJsonReader {
  #state: State = 'value'
  #stack: Frame[] = []
  #root: JsonNode | undefined
  /** Code units before the piece that is being read. */
  #before = 0
  #brokenAt: number | undefined
  #hadContainer = false

  /** The text that is arriving: a value, or a key when `#isKey`. */
  #buffer = new TextBuffer()
  #isKey = false
  /** What of the text is read and not in the buffer yet. */
  #run = ''
  #unicode = 0
  #unicodeDigits = 0
  /** The number or word that is arriving. */
  #token = ''
  #tokenAt = 0
  #word: readonly [text: string, value: boolean | null] = ['', null]

  readonly #isMasked: IsMasked | undefined
  #maskedText = ''
  /** The end of it since it was last asked for its end: not looked for in the whole, which is joined by that. */
  #maskedEnd: string | undefined
  /** How many frames there are around the masked value that is arriving; undefined outside of one. */
  #maskedDepth: number | undefined
  /** Up to where of the piece the masked text has been written. */
  #written = 0

  #last: PartialJson | undefined

  constructor(isMasked: IsMasked | undefined) {
    this.#isMasked = isMasked
    if (isMasked?.([])) this.#startMasking(0, '')
  }

  append(piece: string): void {
    if (piece === '') return
    this.#last = undefined
    this.#written = 0
    let at = 0
    while (at < piece.length && this.#state !== 'broken') at = this.#step(piece, at)
    this.#flushRun()
    if (this.#isMasked !== undefined && this.#maskedDepth === undefined) this.#write(piece.slice(this.#written))
    this.#before += piece.length
  }

  read(ended = false): PartialJson {
    if (ended && this.#state === 'number' && this.#stack.length === 0) return this.#readNumber()
    this.#last ??= {
      root: this.#state === 'broken' ? undefined : this.#readRoot(),
      complete: this.#state === 'end',
      brokenAt: this.#brokenAt,
      maskedText: this.#isMasked && this.#maskedText,
    }
    return this.#last
  }

  maskedFrom(length: number): string {
    const end = this.#maskedEnd
    this.#maskedEnd = ''
    const missing = this.#maskedText.length - length
    return end !== undefined && end.length >= missing ? end.slice(end.length - missing) : this.#maskedText.slice(length)
  }

  /** Reads what begins at `at`; returns where it got to. */
  #step(piece: string, at: number): number {
    switch (this.#state) {
      case 'string':
        return this.#readString(piece, at)
      case 'escape':
        return this.#readEscape(piece, at)
      case 'unicode':
        return this.#readUnicode(piece, at)
      case 'number':
        return this.#readDigits(piece, at)
      case 'word':
        return this.#readWord(piece, at)
      case 'broken':
        return piece.length
      default:
        break
    }
    const unit = piece.charCodeAt(at)
    if (unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09) return at + 1
    const character = piece[at] as string
    switch (this.#state) {
      case 'value':
        return this.#beginValue(piece, at, character)
      case 'first-value':
        return character === ']' ? this.#endContainer(at) : this.#beginValue(piece, at, character)
      case 'first-key':
        if (character === '}') return this.#endContainer(at)
        return this.#beginKey(piece, at, character)
      case 'key':
        return this.#beginKey(piece, at, character)
      case 'colon':
        if (character !== ':') return this.#break(piece, at)
        this.#state = 'value'
        return at + 1
      case 'after':
        return this.#readAfter(piece, at, character)
      default:
        return this.#break(piece, at)
    }
  }

  #readAfter(piece: string, at: number, character: string): number {
    const { kind } = this.#stack.at(-1) as Frame
    if (character === ',') {
      this.#state = kind === 'object' ? 'key' : 'value'
      return at + 1
    }
    return character === (kind === 'object' ? '}' : ']') ? this.#endContainer(at) : this.#break(piece, at)
  }

  #beginKey(piece: string, at: number, character: string): number {
    if (character !== '"') return this.#break(piece, at)
    this.#isKey = true
    this.#buffer = new TextBuffer()
    this.#state = 'string'
    return at + 1
  }

  #beginValue(piece: string, at: number, character: string): number {
    const frame = this.#stack.at(-1)
    if (frame?.kind === 'array') {
      frame.place = frame.values.length
      frame.values.push(nothingYet)
    } else if (frame?.shows === 'never' && this.#maskedDepth === undefined) this.#startMasking(at, piece)

    if (character === '"') {
      this.#isKey = false
      this.#buffer = new TextBuffer()
      this.#state = 'string'
      return at + 1
    }
    if (character === '{' || character === '[') return this.#beginContainer(piece, at, character)
    const word = words[character]
    if (word !== undefined) {
      this.#word = word
      this.#token = ''
      this.#state = 'word'
      return at
    }
    if (character !== '-' && (character < '0' || character > '9')) return this.#break(piece, at)
    this.#token = ''
    this.#tokenAt = this.#before + at
    this.#state = 'number'
    return at
  }

  #beginContainer(piece: string, at: number, character: string): number {
    if (this.#stack.length >= maxDepth) return this.#break(piece, at)
    const kind = character === '{' ? 'object' : 'array'
    this.#hadContainer = true
    this.#stack.push({ kind, keys: [], values: [], places: undefined, place: 0, shows: 'now' })
    this.#state = kind === 'object' ? 'first-key' : 'first-value'
    return at + 1
  }

  #endContainer(at: number): number {
    const { kind, keys, values } = this.#stack.pop() as Frame
    this.#endValue(new JsonContainer(kind, keys, values, true), at + 1)
    return at + 1
  }

  #readString(piece: string, start: number): number {
    let at = start
    for (; at < piece.length; at++) {
      const unit = piece.charCodeAt(at)
      if (unit === 0x22 || unit === 0x5c || unit < 0x20) break
    }
    if (at > start) this.#run += piece.slice(start, at)
    if (at === piece.length) return at
    const unit = piece.charCodeAt(at)
    if (unit < 0x20) return this.#break(piece, at)
    if (unit === 0x5c) {
      this.#state = 'escape'
      return at + 1
    }
    this.#flushRun()
    if (this.#isKey) this.#endKey(this.#buffer.toString())
    else this.#endValue(this.#buffer.toString(), at + 1)
    return at + 1
  }

  #readEscape(piece: string, at: number): number {
    const character = piece[at] as string
    if (character === 'u') {
      this.#unicode = 0
      this.#unicodeDigits = 0
      this.#state = 'unicode'
      return at + 1
    }
    const escaped = escapes[character]
    if (escaped === undefined) return this.#break(piece, at)
    this.#run += escaped
    this.#state = 'string'
    return at + 1
  }

  #readUnicode(piece: string, at: number): number {
    const digit = hexDigit(piece.charCodeAt(at))
    if (digit < 0) return this.#break(piece, at)
    this.#unicode = this.#unicode * 16 + digit
    this.#unicodeDigits += 1
    if (this.#unicodeDigits === 4) {
      this.#run += String.fromCharCode(this.#unicode)
      this.#state = 'string'
    }
    return at + 1
  }

  #readDigits(piece: string, start: number): number {
    let at = start
    while (at < piece.length && isPartOfNumber(piece.charCodeAt(at))) at++
    this.#token += piece.slice(start, at)
    if (at === piece.length) return at
    if (!numberPattern.test(this.#token)) return this.#break(piece, at, this.#tokenAt)
    this.#endValue(numberNode(this.#token), at)
    return at
  }

  #readWord(piece: string, start: number): number {
    const [text, value] = this.#word
    let at = start
    for (; at < piece.length && this.#token.length < text.length; at++) {
      if (piece[at] !== text[this.#token.length]) return this.#break(piece, at)
      this.#token += piece[at] as string
    }
    if (this.#token.length === text.length) this.#endValue(value, at)
    return at
  }

  #flushRun(): void {
    if (this.#run === '') return
    this.#buffer.append(this.#run)
    this.#run = ''
  }

  #endKey(key: string): void {
    const frame = this.#stack.at(-1) as Frame
    const { keys, values } = frame
    const known = placeOf(frame, key)
    if (known === undefined) {
      frame.place = keys.push(key) - 1
      frame.places?.set(key, frame.place)
      values.push(nothingYet)
    } else frame.place = known
    frame.shows = known === undefined ? 'now' : 'complete'
    if (this.#maskedDepth === undefined && this.#isMasked?.(this.#path()) === true) {
      values[frame.place] = masked
      frame.shows = 'never'
    }
    this.#state = 'colon'
  }

  /** The keys on the way to the value that is arriving. */
  #path(): readonly string[] {
    const objects = this.#stack.filter(({ kind }) => kind === 'object')
    return objects.map(({ keys, place }) => keys[place] as string)
  }

  /** `end` is where the value ends in the piece. */
  #endValue(node: JsonNode, end: number): void {
    const frame = this.#stack.at(-1)
    if (this.#maskedDepth === this.#stack.length && this.#isMasked?.([]) !== true) this.#stopMasking(end)
    if (frame === undefined) {
      this.#root = node
      this.#state = 'end'
      return
    }
    if (frame.shows !== 'never') frame.values[frame.place] = node
    this.#state = 'after'
  }

  /** Ends the reading at `at` of the piece; what is wrong began at `brokenAt` of the whole text. */
  #break(piece: string, at: number, brokenAt = this.#before + at): number {
    // Where there were no keys, nothing was named that could be meant by a mask.
    if (this.#isMasked !== undefined && this.#hadContainer && this.#maskedDepth === undefined) {
      this.#startMasking(at, piece)
    }
    this.#state = 'broken'
    this.#brokenAt = brokenAt
    return piece.length
  }

  #startMasking(at: number, piece: string): void {
    this.#write(`${piece.slice(this.#written, at)}"${mask}"`)
    this.#maskedDepth = this.#stack.length
  }

  #write(text: string): void {
    this.#maskedText += text
    if (this.#maskedEnd !== undefined) this.#maskedEnd += text
  }

  #stopMasking(at: number): void {
    this.#maskedDepth = undefined
    this.#written = at
  }

  /** A new object for everything that is open, from the inside out; what is complete stays. */
  #readRoot(): JsonNode | undefined {
    if (this.#isMasked?.([]) === true) return masked
    let node: JsonNode | undefined
    if (['string', 'escape', 'unicode'].includes(this.#state) && !this.#isKey) node = new JsonText(this.#buffer)
    else if (this.#state === 'number' || this.#state === 'word') node = new JsonToken(this.#token, false)
    for (let depth = this.#stack.length - 1; depth >= 0; depth--) {
      const { kind, keys, values, place, shows } = this.#stack[depth] as Frame
      if (node !== undefined && shows === 'now') values[place] = node
      node = new JsonContainer(kind, keys, values, false)
    }
    return node ?? this.#root
  }

  /** A number at the outermost level, taken as complete. */
  #readNumber(): PartialJson {
    const isValid = numberPattern.test(this.#token)
    return {
      root: isValid ? numberNode(this.#token) : undefined,
      complete: isValid,
      brokenAt: isValid ? undefined : this.#tokenAt,
      maskedText: this.#isMasked && this.#maskedText,
    }
  }
}

/** The place that an object already has for a key. */
function placeOf(frame: Frame, key: string): number | undefined {
  const { keys } = frame
  if (keys.length < fewKeys) {
    const place = keys.indexOf(key)
    return place < 0 ? undefined : place
  }
  frame.places ??= new Map(keys.map((each, place) => [each, place]))
  return frame.places.get(key)
}

/** A number; as a token where JavaScript would not write it as it was written. */
function numberNode(text: string): JsonNode {
  const value = Number(text)
  return String(value) === text ? value : new JsonToken(text, true)
}

function isPartOfNumber(unit: number): boolean {
  // 0 to 9, + - . e E
  return (
    (unit >= 0x30 && unit <= 0x39) || unit === 0x2b || unit === 0x2d || unit === 0x2e || unit === 0x65 || unit === 0x45
  )
}

function hexDigit(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30
  const letter = unit | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}
