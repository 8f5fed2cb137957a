import { type Block, blockId, compareBlocks, endMark, toolKey } from './block.js'
import type { ErrorItem, GapItem, OmittedItem, ProcessItem, Skip, TextItem, ThinkingItem } from './call.js'
import type { Keeping } from './limits.js'
import type { DroppedPart } from './log/index.js'
import { sameSkips, ToolEvidence } from './toolEvidence.js'

/** A hole in the numbering, between two blocks; `next` is absent before the end. */
export interface Hole extends Skip {
  readonly id: string
  readonly previous: Block
  readonly next: Block | undefined
}

/** What `drop` took away. */
interface Dropped {
  readonly lines: readonly Block[]
  readonly tools: ReadonlySet<object>
  readonly cut: Block | undefined
}

/** A line of its own in the process. */
class LineEvidence {
  readonly first: Block
  readonly isThinking: boolean
  /** The item that begins with this line, as it was last shown. */
  item: TextItem | ErrorItem | OmittedItem | ThinkingItem | undefined

  constructor(block: Block) {
    this.first = block
    this.isThinking = block.event.kind === 'thinking'
  }
}

type Entry = LineEvidence | ToolEvidence

/**
 * Gathers a task's blocks into the entries of its process (A9). Blocks come in order as a rule; one that comes late is
 * put in its place, except where that would change what others belong to: then `place` refuses it, and the owner builds
 * anew from all blocks in order.
 */
export class ProcessBuilder {
  /** In order, but for those that came late, which are merged when they are read. */
  #entries: Entry[] = []
  #late: Entry[] = []
  /** Tools that have to move up, since an earlier block of theirs came late. */
  #moved = new Set<Entry>()
  #tools = new Map<string, ToolEvidence>()
  /** The last end mark of each key, for tools that are not known yet. */
  #marks = new Map<string, Block>()
  #keyless: ToolEvidence[] = []
  #lastKeyless: Block | undefined
  /** The items as they were last read, how many entries are in them, and the tools that have changed since. */
  #items: readonly ProcessItem[] = []
  #walked = 0
  /** The holes inside one tool or fold, by its first entry; absent where the items have no holes at all. */
  #inside: ReadonlyMap<object, readonly Skip[]> | undefined
  #touched = new Set<ToolEvidence>()
  #limits: Keeping
  readonly #dropped: ReadonlyMap<string, DroppedPart>

  /** `dropped`: the beginnings of logs whose blocks are gone, by key. */
  constructor(limits: Keeping, dropped: ReadonlyMap<string, DroppedPart>) {
    this.#limits = limits
    this.#dropped = dropped
  }

  /** A process that goes on from here (G1). This one must not be changed any more; the lines are the same in both. */
  fork(): ProcessBuilder {
    this.#sort()
    const fork = new ProcessBuilder(this.#limits, this.#dropped)
    const copies = new Map<ToolEvidence, ToolEvidence>()
    const copyOf = (tool: ToolEvidence) => {
      const copy = copies.get(tool) ?? tool.fork()
      copies.set(tool, copy)
      return copy
    }
    fork.#entries = this.#entries.map((entry) => (entry instanceof ToolEvidence ? copyOf(entry) : entry))
    for (const [key, tool] of this.#tools) fork.#tools.set(key, copyOf(tool))
    fork.#keyless = this.#keyless.map(copyOf)
    fork.#marks = new Map(this.#marks)
    fork.#lastKeyless = this.#lastKeyless
    return fork
  }

  /** How many entries there are. */
  get size(): number {
    return this.#entries.length + this.#late.length
  }

  /** Takes a block. False: it can not be put in its place without building anew. */
  place(block: Block): boolean {
    const { event } = block
    const key = toolKey(event)
    if (event.kind === 'tool' || event.kind === 'output') {
      return key === undefined ? this.#placeKeyless(block) : this.#placeKeyed(block, key)
    }
    if (key !== undefined && endMark(event) !== undefined) this.#mark(block, key)
    const line = new LineEvidence(block)
    block.owner = line
    this.#push(line)
    return true
  }

  /** The tool of that key. */
  toolOf(key: string): ToolEvidence | undefined {
    return this.#tools.get(key)
  }

  #placeKeyed(block: Block, key: string): boolean {
    const tool = this.#tools.get(key)
    if (endMark(block.event) !== undefined) this.#mark(block, key)
    if (tool === undefined) {
      const created = new ToolEvidence(`tool:${key}`, block, this.#limits, this.#dropped.get(key))
      created.add(block, logPosition(block))
      const mark = this.#marks.get(key)
      if (mark !== undefined) created.mark(mark)
      this.#tools.set(key, created)
      this.#push(created)
      return true
    }
    // The log puts chunks in order by number; among those without one the order of arrival counts.
    if (block.event.seq === undefined && compareBlocks(block, tool.last) < 0) return false
    tool.add(block, logPosition(block))
    this.#touched.add(tool)
    if (tool.first === block) this.#moved.add(tool)
    return true
  }

  #placeKeyless(block: Block): boolean {
    if (this.#lastKeyless !== undefined && compareBlocks(block, this.#lastKeyless) < 0) return false
    this.#lastKeyless = block
    const tool = this.#keylessFor(block)
    const position = block.event.byArrival === true ? block.event.seq : undefined
    if (tool !== undefined) {
      tool.add(block, position)
      this.#touched.add(tool)
    } else {
      const created = new ToolEvidence(`tool@${blockId(block)}`, block, this.#limits)
      created.add(block, position)
      this.#keyless.push(created)
      this.#push(created)
    }
    return true
  }

  /**
   * The tool that a block without a key belongs to: the last one, and for an end the last that is open. A start opens
   * one, unless it says again that the same command runs in the last terminal; an end that finds no terminal open says
   * again how the last one ended (D6).
   */
  #keylessFor({ event }: Block): ToolEvidence | undefined {
    const last = this.#keyless.at(-1)
    if (event.kind !== 'tool') return last
    if (endMark(event) !== undefined) {
      const isItsEnd = (tool: ToolEvidence) => !tool.ended && (event.tool === undefined || tool.name === event.tool)
      return this.#keyless.findLast(isItsEnd) ?? (event.terminal === undefined ? undefined : last)
    }
    const { terminal } = event
    const isSame = terminal !== undefined && last?.ended === false && last.terminal?.command === terminal.command
    return isSame ? last : undefined
  }

  #mark(block: Block, key: string): void {
    const mark = this.#marks.get(key)
    if (mark === undefined || compareBlocks(block, mark) > 0) this.#marks.set(key, block)
    const tool = this.#tools.get(key)
    if (tool === undefined) return
    tool.mark(block)
    this.#touched.add(tool)
  }

  #push(entry: Entry): void {
    const last = this.#entries.at(-1)
    // An entry that has moved to the front says nothing any more about where the end is.
    const isLate = this.#moved.size > 0 || (last !== undefined && compareBlocks(entry.first, last.first) < 0)
    if (isLate) this.#late.push(entry)
    else this.#entries.push(entry)
  }

  /** Puts the late entries in their places: each is looked up, and the rest is copied as it is. */
  #sort(): void {
    if (this.#moved.size > 0) {
      const moved = (entry: Entry) => this.#moved.has(entry)
      this.#late.push(...this.#entries.filter(moved))
      this.#entries = this.#entries.filter((entry) => !moved(entry))
      this.#moved.clear()
    }
    if (this.#late.length === 0) return
    const late = this.#late.sort((a, b) => compareBlocks(a.first, b.first))
    const merged: Entry[] = []
    let from = 0
    for (const entry of late) {
      const to = indexAfter(this.#entries, entry.first, from)
      for (; from < to; from++) merged.push(this.#entries[from] as Entry)
      merged.push(entry)
    }
    for (; from < this.#entries.length; from++) merged.push(this.#entries[from] as Entry)
    this.#entries = merged
    this.#late = []
    this.#walked = 0
  }

  /**
   * Drops the oldest entries until `keep` are left. A tool that still says something later than the oldest kept entry
   * stays, unless such tools alone are too many. Returns what went, and the last block of the stretch that was cut.
   */
  drop(keep: number): Dropped {
    this.#sort()
    const excess = this.#entries.length - keep
    if (excess <= 0) return { lines: [], tools: new Set(), cut: undefined }
    const border = this.#entries[excess]?.first
    const old = this.#entries.slice(0, excess)
    const isActive = (entry: Entry) =>
      entry instanceof ToolEvidence && border !== undefined && compareBlocks(entry.last, border) > 0
    const active = old.filter(isActive)
    const kept = new Set<Entry>(active.length > keep / 2 ? [] : active)
    this.#entries.splice(0, excess, ...kept)
    this.#walked = 0
    const lines: Block[] = []
    const tools = new Set<object>()
    for (const entry of old) {
      if (entry instanceof LineEvidence) lines.push(entry.first)
      else if (!kept.has(entry)) tools.add(entry.origin)
    }
    if (tools.size > 0) {
      for (const [key, tool] of this.#tools) if (tools.has(tool.origin)) this.#tools.delete(key)
      this.#keyless = this.#keyless.filter((tool) => !tools.has(tool.origin))
    }
    const gone = new Set(lines)
    for (const [key, mark] of this.#marks) {
      if (gone.has(mark) || (mark.owner !== undefined && tools.has(mark.owner))) this.#marks.delete(key)
    }
    return { lines, tools, cut: old.at(-1)?.first }
  }

  /** The process in the order shown, with its holes. Entries that did not change are the same objects as before. */
  items(holes: readonly Hole[]): readonly ProcessItem[] {
    this.#sort()
    // With holes among them the items can not simply be added to.
    if (holes.length > 0 || this.#inside !== undefined) this.#walked = 0
    this.#items = this.#walked === 0 ? this.#allItems(holes) : this.#moreItems()
    this.#walked = this.#entries.length
    this.#touched.clear()
    return this.#items
  }

  #allItems(holes: readonly Hole[]): readonly ProcessItem[] {
    const items: ProcessItem[] = []
    if (holes.length === 0) {
      this.#inside = undefined
      for (let i = 0; i < this.#entries.length; ) i += this.#pushItem(items, i)
      return items
    }
    const { inside, between } = this.#assign(holes)
    this.#inside = inside
    let nextHole = 0
    for (let i = 0; i < this.#entries.length; ) {
      const entry = this.#entries[i] as Entry
      for (; nextHole < between.length; nextHole++) {
        const { next } = between[nextHole] as Hole
        if (next === undefined || compareBlocks(next, entry.first) > 0) break
        items.push(toGapItem(between[nextHole] as Hole))
      }
      i += this.#pushItem(items, i)
    }
    for (; nextHole < between.length; nextHole++) items.push(toGapItem(between[nextHole] as Hole))
    return items
  }

  /** The items of before with the tools that have changed, and the entries that are new at the end. */
  #moreItems(): readonly ProcessItem[] {
    const items = [...this.#items]
    for (const tool of this.#touched) if (tool.index >= 0) items[tool.index] = tool.item(this.#skipsOf(tool))
    let from = this.#walked
    if (isThinking(this.#entries[from]) && isThinking(this.#entries[from - 1])) {
      while (isThinking(this.#entries[from - 1])) from -= 1
      items.pop()
    }
    while (from < this.#entries.length) from += this.#pushItem(items, from)
    return items
  }

  /** Adds the item that begins with the entry at index `i`; returns how many entries are in it. */
  #pushItem(items: ProcessItem[], i: number): number {
    const entry = this.#entries[i] as Entry
    const skips = this.#skipsOf(entry)
    if (entry instanceof ToolEvidence) {
      entry.index = items.length
      items.push(entry.item(skips))
      return 1
    }
    if (!entry.isThinking) {
      items.push(lineItem(entry))
      return 1
    }
    let end = i + 1
    while (isThinking(this.#entries[end])) end += 1
    items.push(this.#foldItem(entry, i, end, skips))
    return end - i
  }

  #skipsOf(entry: Entry): readonly Skip[] {
    return this.#inside?.get(entry) ?? noSkips
  }

  /** The fold of the thinking lines from index `start` to before `end`; the same object until something changes. */
  #foldItem(first: LineEvidence, start: number, end: number, skips: readonly Skip[]): ThinkingItem {
    const known = first.item?.kind === 'thinking' ? first.item : undefined
    if (known?.texts.length === end - start && sameSkips(known.skips, skips)) {
      let isSame = true
      for (let i = start; i < end; i++) if (known.texts[i - start] !== this.#textAt(i)) isSame = false
      if (isSame) return known
    }
    const from = first.first.event.ts
    const to = this.#entries[end - 1]?.first.event.ts
    const item: ThinkingItem = {
      kind: 'thinking',
      id: `thinking:${blockId(first.first)}`,
      texts: Array.from({ length: end - start }, (_, i) => this.#textAt(start + i)),
      durationMs: from === undefined || to === undefined ? undefined : Math.max(0, to - from),
      skips,
    }
    first.item = item
    return item
  }

  #textAt(index: number): string {
    const event = this.#entries[index]?.first.event
    return event?.kind === 'thinking' ? event.text : ''
  }

  /** Divides the holes into those inside one tool or one fold, by its first entry, and those between two items. */
  #assign(holes: readonly Hole[]): { readonly inside: Map<object, Skip[]>; readonly between: readonly Hole[] } {
    const inside = new Map<object, Skip[]>()
    const between: Hole[] = []
    const itemOf = new Map<object | undefined, Entry>()
    let previous: Entry | undefined
    for (const entry of this.#entries) {
      const first = isThinking(entry) && isThinking(previous) ? itemOf.get(previous) : undefined
      itemOf.set(entry instanceof ToolEvidence ? entry.origin : entry, first ?? entry)
      previous = entry
    }
    for (const hole of holes) {
      const item = itemOf.get(hole.previous.owner)
      const next = itemOf.get(hole.next?.owner)
      if (item === undefined || item !== next) between.push(hole)
      else {
        const skips = inside.get(item) ?? []
        skips.push(toSkip(hole))
        inside.set(item, skips)
      }
    }
    return { inside, between }
  }
}

const noSkips: readonly Skip[] = []

const isThinking = (entry: Entry | undefined): entry is LineEvidence =>
  entry instanceof LineEvidence && entry.isThinking

/** The index of the first entry from `from` on that stands behind `block`. */
function indexAfter(entries: readonly Entry[], block: Block, from: number): number {
  let low = from
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareBlocks((entries[middle] as Entry).first, block) <= 0) low = middle + 1
    else high = middle
  }
  return low
}

/** The place of a chunk in its tool's log: its number, or that of the block that it stands after. */
function logPosition(block: Block): number {
  return block.event.seq ?? block.anchor?.event.seq ?? -Number.MAX_SAFE_INTEGER
}

function toSkip({ count, visibleAt, previous, next }: Hole): Skip {
  const isInLog = [previous, next].every(
    (block) => block?.event.kind === 'output' && toolKey(block.event) !== undefined,
  )
  return isInLog ? { count, visibleAt, before: next?.event.seq } : { count, visibleAt }
}

const toGapItem = ({ id, count, visibleAt }: Hole): GapItem => ({ kind: 'gap', id, count, visibleAt })

function lineItem(line: LineEvidence): ProcessItem {
  line.item ??= toLineItem(line.first)
  return line.item
}

function toLineItem(block: Block): TextItem | ErrorItem | OmittedItem {
  const { event } = block
  const id = blockId(block)
  if (event.kind === 'omitted') return { kind: 'omitted', id, bytes: event.bytes }
  if (event.kind === 'error') return { kind: 'error', id, text: event.text }
  return { kind: 'text', id, text: event.kind === 'text' ? event.text : '' }
}
