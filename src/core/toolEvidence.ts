import { type Block, compareBlocks, endMark } from './block.js'
import type { Skip, ToolItem } from './call.js'
import type { TerminalFact } from './events.js'
import type { Limits } from './limits.js'
import { createLog, type DroppedPart, type Log } from './log/index.js'

/** What is known of one tool of a process: the blocks of one key, or those that follow one start without a key (A9). */
export class ToolEvidence {
  readonly id: string
  /** The first of its blocks, which decides where it stands in the process. */
  first: Block
  /** The last of its blocks. */
  last: Block
  log: Log | undefined
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
  #limits: Limits
  readonly #dropped: DroppedPart | undefined
  #item: ToolItem | undefined
  /** Holes that its log knows. */
  #gaps: readonly (Skip & { readonly before: number })[] = []

  /** `dropped`: the beginning of its log, if the blocks that it was made of are gone. */
  constructor(id: string, first: Block, limits: Limits, dropped?: DroppedPart) {
    this.id = id
    this.first = first
    this.last = first
    this.#limits = limits
    this.#dropped = dropped
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

  /** Takes a block of this tool. `position` is the place of its output in the log; without it, the end. */
  add(block: Block, position?: number): void {
    const { event } = block
    this.#item = undefined
    block.owner = this
    if (compareBlocks(block, this.first) < 0) this.first = block
    if (compareBlocks(block, this.last) > 0) this.last = block
    if (event.kind === 'tool') this.#starts += 1
    if ((event.kind === 'tool' || event.kind === 'output') && event.tool !== undefined) this.#offerName(block)
    if (event.kind === 'output') {
      this.log ??= createLog({
        lines: this.#limits.logLines,
        length: this.#limits.logLength,
        dropped: this.#dropped,
      })
      this.log.append(event.text, position)
      workOff(this.log, event.text.length)
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
      log: this.log,
      logVersion: this.log?.version ?? 0,
      skips,
    }
    return this.#item
  }

  /** Says in the log where it has holes. */
  #setGaps(skips: readonly Skip[]): void {
    const gaps = skips.flatMap(({ before, ...skip }) => (before === undefined ? [] : [{ ...skip, before }]))
    if (this.log === undefined || sameSkips(this.#gaps, gaps)) return
    this.#gaps = gaps
    this.log.setGaps(gaps)
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

/** UTF-16 code units that wait in a log that nobody reads; past that it is worked off as fast as it grows (H3). */
const maxPending = 1024 * 1024
/** What a log works off between two looks at the time, in UTF-16 code units. */
const blockLength = 64 * 1024

/** Keeps a log that nobody reads from holding more than its limits. The clock counts looks, of which there are as many as needed. */
function workOff(log: Log, added: number): void {
  if (log.pendingLength <= maxPending) return
  let looks = 0
  log.work(2 + added / blockLength, () => looks++)
}

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
