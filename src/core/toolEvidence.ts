import { type Block, compareBlocks, endMark } from './block.js'
import type { Skip, ToolItem } from './call.js'
import type { TerminalFact } from './events.js'
import type { Keeping } from './limits.js'
import type { DroppedPart } from './log/index.js'
import { GrowingOutput, type ToolOutput } from './output.js'
import { RewindableOutput } from './rewindableOutput.js'

/** What is known of one tool of a process: the blocks of one key, or those that follow one start without a key (A9). */
export class ToolEvidence {
  readonly id: string
  /** The first of its blocks, which decides where it stands in the process. */
  first: Block
  /** The last of its blocks. */
  last: Block
  /** What its blocks have for their owner: the tool that this one was forked from first of all, or itself. */
  origin: object = this
  /** Its index among the items when they were last made. */
  index = -1
  #starts = 0
  /** The first block that names the tool; a start's name counts before that of an output. */
  #named: Block | undefined
  /** The last block that carries an end mark (B1). */
  #end: Block | undefined
  /** The first start and the last end that tell of a terminal. */
  #opened: Block | undefined
  #closed: Block | undefined
  #limits: Keeping
  readonly #dropped: DroppedPart | undefined
  #item: ToolItem | undefined
  #output: GrowingOutput | undefined
  /** Instead of output of its own, where it can be forked; and how many of the chunks there are its own. */
  #rewindable: RewindableOutput | undefined
  #chunkCount = 0
  /** Holes that its output knows. */
  #gaps: readonly (Skip & { readonly before: number })[] = []

  /** `dropped`: the beginning of its output, if the blocks that it was made of are gone. */
  constructor(id: string, first: Block, limits: Keeping, dropped?: DroppedPart) {
    this.id = id
    this.first = first
    this.last = first
    this.#limits = limits
    this.#dropped = dropped
  }

  /** The beginning of its output of which nothing is left (H3). */
  get dropped(): DroppedPart | undefined {
    return this.#output?.dropped
  }

  /** A tool that goes on from here (G1). This one must not be changed any more. */
  fork(): ToolEvidence {
    const fork = new ToolEvidence(this.id, this.first, this.#limits)
    fork.last = this.last
    fork.origin = this.origin
    fork.#starts = this.#starts
    fork.#named = this.#named
    fork.#end = this.#end
    fork.#opened = this.#opened
    fork.#closed = this.#closed
    fork.#item = this.#item
    fork.#rewindable = this.#rewindable
    fork.#chunkCount = this.#chunkCount
    fork.#gaps = this.#gaps
    return fork
  }

  get ended(): boolean {
    return this.#end !== undefined
  }

  get name(): string | undefined {
    const event = this.#named?.event
    return event?.kind === 'tool' || event?.kind === 'output' ? event.tool : undefined
  }

  /** The command that runs in it, from its first start, and how that exited, from its last end (D6). */
  get terminal(): TerminalFact | undefined {
    const [start, end] = [terminalOf(this.#opened), terminalOf(this.#closed)]
    return start === undefined ? end : end === undefined ? start : { ...start, ...end }
  }

  /** Takes a block of this tool. `position` is the place of its output among the rest; without it, the end. */
  add(block: Block, position?: number): void {
    const { event } = block
    this.#item = undefined
    block.owner = this.origin
    if (compareBlocks(block, this.first) < 0) this.first = block
    if (compareBlocks(block, this.last) > 0) this.last = block
    if (event.kind === 'tool') this.#starts += 1
    if ((event.kind === 'tool' || event.kind === 'output') && event.tool !== undefined) this.#offerName(block)
    if (event.kind === 'output') {
      if (this.#limits.forkable === true) {
        this.#rewindable ??= new RewindableOutput(this.#limits)
        this.#rewindable = this.#rewindable.with(event.text, position, this.#chunkCount)
        this.#chunkCount += 1
      } else {
        this.#output ??= new GrowingOutput(this.#limits, this.#dropped)
        this.#output.add(event.text, position)
      }
    }
    if (terminalOf(block) !== undefined) this.#noteTerminal(block)
    this.mark(block)
  }

  #noteTerminal(block: Block): void {
    if (endMark(block.event) === undefined) {
      if (this.#opened === undefined || compareBlocks(block, this.#opened) < 0) this.#opened = block
    } else if (this.#closed === undefined || compareBlocks(block, this.#closed) > 0) this.#closed = block
  }

  /** Takes the end mark that a block carries for this tool, if it does. */
  mark(block: Block): void {
    if (endMark(block.event) === undefined) return
    if (this.#end !== undefined && compareBlocks(block, this.#end) <= 0) return
    this.#end = block
    this.#item = undefined
  }

  /** The tool as components see it; the same object until something changes. */
  item(skips: readonly Skip[]): ToolItem {
    const known = this.#item
    if (known !== undefined && sameSkips(known.skips, skips)) return known
    this.#setGaps(skips)
    const end = this.#end?.event
    const startTs = this.first.event.ts
    this.#item = {
      kind: 'tool',
      id: this.id,
      name: this.name,
      started: this.#starts > 0,
      end: end && endMark(end),
      durationMs: end?.ts === undefined || startTs === undefined ? undefined : Math.max(0, end.ts - startTs),
      terminal: this.terminal,
      output: this.#rewindable === undefined ? this.#output : this.#rewound(this.#rewindable),
      outputVersion: this.#output?.version ?? this.#chunkCount,
      skips,
    }
    return this.#item
  }

  #rewound(output: RewindableOutput): ToolOutput {
    const [count, gaps] = [this.#chunkCount, this.#gaps]
    return { log: (make) => output.at(count, gaps, make) }
  }

  /** Says in the output where it has holes. */
  #setGaps(skips: readonly Skip[]): void {
    const gaps = skips.flatMap(({ before, ...skip }) => (before === undefined ? [] : [{ ...skip, before }]))
    if ((this.#output ?? this.#rewindable) === undefined || sameSkips(this.#gaps, gaps)) return
    this.#gaps = gaps
    this.#output?.setGaps(gaps)
  }

  #offerName(block: Block): void {
    const named = this.#named
    if (named !== undefined) {
      const rank = Number(block.event.kind === 'output') - Number(named.event.kind === 'output')
      if (rank > 0 || (rank === 0 && compareBlocks(block, named) >= 0)) return
    }
    this.#named = block
  }
}

const terminalOf = (block: Block | undefined) => (block?.event.kind === 'tool' ? block.event.terminal : undefined)

/** Whether two lists of holes say the same. */
export function sameSkips(a: readonly Skip[], b: readonly Skip[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ count, visibleAt, before }, i) => {
      const other = b[i]
      return count === other?.count && visibleAt === other.visibleAt && before === other.before
    })
  )
}
