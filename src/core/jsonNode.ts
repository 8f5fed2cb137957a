import type { TextBuffer } from './textBuffer.js'

/**
 * A JSON value as far as it has arrived. What is a value of the language is complete: texts, true, false, null, and
 * numbers that read as they were written. Everything else says by `complete` whether more of it may come.
 */
export type JsonNode = string | number | boolean | null | JsonText | JsonToken | JsonContainer

/** A text that is still arriving. Each reading after it grew gives another object, which reads the text of now. */
export class JsonText {
  readonly complete = false
  /** UTF-16 code units when it was read. */
  readonly length: number
  readonly lineCount: number
  readonly #buffer: TextBuffer

  constructor(buffer: TextBuffer) {
    this.#buffer = buffer
    this.length = buffer.length
    this.lineCount = buffer.lineCount
  }

  /** Its beginning: at most `length` UTF-16 code units. */
  head(length: number): string {
    return withoutHalfPair(this.#buffer.head(length))
  }

  /** Its end: at most `length` UTF-16 code units. */
  tail(length: number): string {
    const tail = withoutHalfPair(this.#buffer.tail(length))
    return isLow(tail.charCodeAt(0)) ? tail.slice(1) : tail
  }

  toString(): string {
    return withoutHalfPair(this.#buffer.toString())
  }
}

/**
 * A value that is shown as it is written: a number or a word that is still arriving (nothing of it is there while `text`
 * is empty), a number that JavaScript would write in another way, or the marks in the place of a masked value.
 */
export class JsonToken {
  readonly text: string
  readonly complete: boolean
  readonly masked: boolean

  constructor(text: string, complete: boolean, masked = false) {
    this.text = text
    this.complete = complete
    this.masked = masked
  }
}

/**
 * An object or an array. While it is open, each reading after it grew gives another one; entries that are complete stay
 * the same. The lists are shared between them and only ever grow, but for the entry that is arriving.
 */
export class JsonContainer {
  readonly kind: 'object' | 'array'
  readonly complete: boolean
  /** How many entries there are; the last may be open. */
  readonly length: number
  readonly #keys: readonly string[]
  readonly #values: readonly JsonNode[]

  constructor(kind: 'object' | 'array', keys: readonly string[], values: readonly JsonNode[], complete: boolean) {
    this.kind = kind
    this.complete = complete
    this.length = values.length
    this.#keys = keys
    this.#values = values
  }

  /** The key of an entry, by its index; of an array the index itself. */
  keyAt(index: number): string {
    return this.kind === 'object' ? (this.#keys[index] as string) : String(index)
  }

  valueAt(index: number): JsonNode {
    return this.#values[index] as JsonNode
  }
}

/** Whether no more of a value can come. */
export function isComplete(node: JsonNode): boolean {
  return typeof node !== 'object' || node === null || node.complete
}

/**
 * The value as plain data, as `JSON.parse` gives it. Of what is open it is as much as there is: a value of which nothing
 * is there is left out, and so is a word or a number that may go on.
 */
export function toPlainJson(node: JsonNode): unknown {
  if (typeof node !== 'object' || node === null) return node
  if (node instanceof JsonText) return node.toString()
  if (node instanceof JsonToken) return node.masked ? node.text : node.complete ? Number(node.text) : undefined
  const values: unknown[] = []
  const object: Record<string, unknown> = {}
  for (let index = 0; index < node.length; index++) {
    const value = toPlainJson(node.valueAt(index))
    if (value === undefined) continue
    if (node.kind === 'array') values.push(value)
    else {
      const key = node.keyAt(index)
      Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
    }
  }
  return node.kind === 'array' ? values : object
}

const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff

/** The other half of a surrogate pair at the end may be on its way. */
function withoutHalfPair(text: string): string {
  return isHigh(text.charCodeAt(text.length - 1)) ? text.slice(0, -1) : text
}
