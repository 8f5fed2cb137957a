import type { ToolItem } from './call.js'
import type { ArtifactPiece } from './events.js'
import type { Limits } from './limits.js'
import { GrowingOutput } from './output.js'
import type { ProblemKind } from './problems.js'

/**
 * Something that a task made, which came whole or in pieces. The wire gives pieces no numbers: their order is that of
 * their arrival. A whole that is longer goes on from the pieces, a repeated beginning adds nothing, any other whole
 * replaces what is known, and what the task ended with counts before all else.
 */
export class ArtifactEvidence {
  readonly id: string
  #text = ''
  #name: string | undefined
  #isLast = false
  #isFinal = false
  #output: GrowingOutput
  #item: ToolItem | undefined
  readonly #limits: Limits

  constructor(id: string, limits: Limits) {
    this.id = id
    this.#limits = limits
    this.#output = new GrowingOutput(limits)
  }

  /** What goes on from here (G1). */
  fork(): ArtifactEvidence {
    const fork = new ArtifactEvidence(this.id, this.#limits)
    fork.#text = this.#text
    fork.#name = this.#name
    fork.#isLast = this.#isLast
    fork.#isFinal = this.#isFinal
    fork.#output.add(this.#text)
    return fork
  }

  /** Its content as far as it is known. */
  get text(): string {
    return this.#text
  }

  /** All that is known of it in one piece. */
  get whole(): ArtifactPiece {
    const name = this.#name === undefined ? {} : { name: this.#name }
    const marks = { last: this.#isLast, final: this.#isFinal }
    return { kind: 'artifact', artifactId: this.id, text: this.#text, ...name, ...marks }
  }

  /** Takes a piece; says what was wrong with it. */
  add({ text, name, append = false, last = false, final = false }: ArtifactPiece): ProblemKind | undefined {
    this.#item = undefined
    this.#name = name ?? this.#name
    if (this.#isFinal) return undefined
    this.#isFinal = final
    this.#isLast ||= last || final
    if (append) return this.#append(text)
    if (!final && this.#text.startsWith(text)) return undefined
    if (text.startsWith(this.#text)) return this.#append(text.slice(this.#text.length))
    this.#text = ''
    this.#output = new GrowingOutput(this.#limits)
    return this.#append(text)
  }

  #append(text: string): ProblemKind | undefined {
    const room = this.#limits.textLength - this.#text.length
    const isCut = text.length > room
    // The end of what is kept says that there was more; behind it is no room any more.
    const kept = isCut ? (room < 0 ? '' : `${text.slice(0, room)}…`) : text
    this.#text += kept
    this.#output.add(kept)
    return isCut ? 'text_cut' : undefined
  }

  /** The artifact as components see it: a line with its name, and its content below. `isOver`: its task has ended. */
  item(isOver: boolean): ToolItem {
    const end = this.#isLast || isOver ? 'done' : undefined
    if (this.#item?.end === end && this.#item !== undefined) return this.#item
    this.#item = {
      kind: 'tool',
      id: `artifact:${this.id}`,
      name: this.#name ?? this.id,
      started: true,
      end,
      durationMs: undefined,
      terminal: undefined,
      output: this.#text === '' ? undefined : this.#output,
      outputVersion: this.#output.version,
      skips: [],
    }
    return this.#item
  }
}
