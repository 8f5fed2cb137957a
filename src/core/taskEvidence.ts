import { ArtifactEvidence } from './artifactEvidence.js'
import {
  type Block,
  compareBlocks,
  compareContents,
  compareNumbers,
  endMark,
  looseIdentity,
  orderTs,
  sameContent,
  setAnchors,
  toolKey,
} from './block.js'
import type { ProcessItem } from './call.js'
import type { ArtifactPiece, BlockEvent, OutcomeEvent } from './events.js'
import { hashText } from './hashText.js'
import { LayeredMap } from './layeredMap.js'
import type { Keeping } from './limits.js'
import type { DroppedPart } from './log/index.js'
import { betterOutcome, compareEnds, type StoredOutcome, sameOutcome } from './outcome.js'
import type { ProblemKind } from './problems.js'
import { type Hole, ProcessBuilder } from './processBuilder.js'
import { SeqSet } from './seqSet.js'
import { ToolEvidence } from './toolEvidence.js'

/** How long a hole in the numbering may still fill before it is said, in ms (A13). */
const holeMs = 5_000

/** How many artifacts of one task are kept. */
const maxArtifacts = 1_000

/** Of how many blocks that were refused, or dropped and have no number, it is remembered that they were there. */
const maxGone = 20_000

/** With more holes than this they are not told one by one; their sum says enough. */
const maxHoles = 500

/**
 * All that was received about one task: the set of its blocks and its ends. What is shown is worked out from the set
 * when it is read, so that neither order nor repetition matters (A6, A7).
 */
export class TaskEvidence {
  readonly taskId: string
  /** The least time on the sender's clock among all frames; infinite while none is known (A5). */
  leastTs = Number.POSITIVE_INFINITY
  firstReceivedAt = Number.POSITIVE_INFINITY
  /** When the newest block first came in; -Infinity while there is none. */
  lastReceivedAt = Number.NEGATIVE_INFINITY
  /** When the first terminal frame came in; infinite while there is none. */
  endReceivedAt = Number.POSITIVE_INFINITY
  /** Blocks that were dropped or refused for a limit (H3). */
  droppedBlocks = 0
  /** Numbers that are missing inside the process (A13), as of the last reading. */
  skipped = 0
  /** It holds terminals, and is no run of an agent: nothing ends it, and it says nothing about how the call ended (D6). */
  hasTerminals = false
  /** The last that was heard of a terminal is that its command has ended (D6). */
  terminalsOver = false
  /** What it made, in the order in which each was first heard of. */
  readonly artifacts = new Map<string, ArtifactEvidence>()
  /** Changes with whatever is shown. */
  version = 0

  /** The first block of each `seq`, the others behind it. */
  #numbered = new LayeredMap<number, Block>()
  #loose = new LayeredMap<string, Block>()
  #stored = 0
  /** UTF-16 code units of output among them. */
  #outputLength = 0
  /** Blocks that are kept but lie behind the end. */
  #afterEnd = 0
  #seqs = new SeqSet()
  /** Numbers of blocks that were refused: counted, and known if they come again. */
  #refused = new Set<number>()
  /** What blocks without a number that were dropped or refused are known by: it outlives them (H3). */
  #goneNames = new Set<string>()
  #lastNumbered: Block | undefined
  /** The place of the last that was heard of a terminal. */
  #lastTerminalSeq = Number.NEGATIVE_INFINITY
  /** The greatest `ts` among blocks with and without `seq`, never too small; a missing one is infinite. */
  #numberedTs = Number.NEGATIVE_INFINITY
  #looseTs = Number.NEGATIVE_INFINITY
  #ownEnd: StoredOutcome | undefined
  #otherEnd: StoredOutcome | undefined
  /** Everything up to here was dropped. */
  #cut: Block | undefined
  /** Absent: to be built from all blocks when it is read. */
  #builder: ProcessBuilder | undefined
  /** The beginnings of logs whose blocks were let go, by the key of the tool. */
  readonly #dropped = new Map<string, DroppedPart>()
  #nextReview: number
  #nextLengthReview: number
  #limits: Keeping

  constructor(taskId: string, limits: Keeping) {
    this.taskId = taskId
    this.#limits = limits
    this.#nextReview = Math.ceil(limits.taskBlocks * 1.1)
    this.#nextLengthReview = limits.logLength * 1.25
  }

  /**
   * A task that goes on from here (G1). This one must not be changed any more. Blocks are the same in both until one of
   * them would have to change: then the fork gets its own.
   */
  fork(): TaskEvidence {
    // Once for all forks.
    this.#holdLimit()
    const fork = new TaskEvidence(this.taskId, this.#limits)
    const artifacts = new Map([...this.artifacts].map(([id, artifact]) => [id, artifact.fork()]))
    Object.assign(fork, this, { artifacts })
    fork.#numbered = this.#numbered.fork()
    fork.#loose = this.#loose.fork()
    fork.#stored = this.#stored
    fork.#outputLength = this.#outputLength
    fork.#afterEnd = this.#afterEnd
    fork.#seqs = this.#seqs.fork()
    fork.#refused = new Set(this.#refused)
    fork.#goneNames = new Set(this.#goneNames)
    fork.#lastNumbered = this.#lastNumbered
    fork.#lastTerminalSeq = this.#lastTerminalSeq
    fork.#numberedTs = this.#numberedTs
    fork.#looseTs = this.#looseTs
    fork.#ownEnd = this.#ownEnd
    fork.#otherEnd = this.#otherEnd
    fork.#cut = this.#cut
    fork.#builder = this.#builder?.fork()
    fork.#nextReview = this.#nextReview
    fork.#nextLengthReview = this.#nextLengthReview
    return fork
  }

  /** Gives this task blocks of its own, which can be changed. */
  #ownBlocks(): void {
    if (!this.#numbered.isShared && !this.#loose.isShared) return
    const copies = new Map<Block, Block>()
    for (const block of this.blocks()) copies.set(block, { ...block, owner: undefined })
    const numbered = new LayeredMap<number, Block>()
    const loose = new LayeredMap<string, Block>()
    const copyOf = (block: Block | undefined) => block && copies.get(block)
    for (const copy of copies.values()) {
      copy.next = copyOf(copy.next)
      copy.anchor = copyOf(copy.anchor)
    }
    for (const [block, copy] of copies) {
      const { event } = block
      if (event.seq === undefined) loose.set(looseIdentity(event), copy)
      else if (this.#numbered.get(event.seq) === block) numbered.set(event.seq, copy)
    }
    this.#numbered = numbered
    this.#loose = loose
    this.#lastNumbered = copyOf(this.#lastNumbered)
    this.#builder = undefined
  }

  /** The terminal frame that counts (A7). */
  get end(): StoredOutcome | undefined {
    return betterOutcome(this.#ownEnd, this.#otherEnd, compareEnds)
  }

  /** The end that counts, with the value that it left to the artifacts if it did. */
  get shownEnd(): StoredOutcome | undefined {
    const { end } = this
    if (end === undefined || this.artifacts.size === 0) return end
    if (end.event.outcome !== 'done' || end.event.value !== undefined) return end
    const value = [...this.artifacts.values()].map(({ text }) => text).join('\n')
    return { ...end, event: { ...end.event, value } }
  }

  /** Blocks that are shown. */
  get blockCount(): number {
    return this.#stored - this.#afterEnd + this.artifacts.size
  }

  /**
   * Takes a block; says what was wrong with it. One that is placed `byArrival` has the store's arrival number for its
   * `seq`, and is a new one each time.
   */
  add(event: BlockEvent, receivedAt: number): ProblemKind | undefined {
    this.#seen(event.ts, receivedAt)
    if (event.kind === 'artifact') return this.addArtifact(event, receivedAt)
    const known = event.byArrival === true ? undefined : this.#find(event)
    if (known !== undefined) return this.#repeat(known, event, receivedAt)
    if (this.#isGone(event)) return undefined

    const block: Block = { event, receivedAt, next: undefined, anchor: undefined, owner: undefined }
    if (this.#isBeforeCut(block)) {
      if (event.seq !== undefined && this.#seqs.has(event.seq)) return undefined
      if (event.seq === undefined) this.#noteGone(event)
      else if (this.#refused.size < maxGone) this.#refused.add(event.seq)
      this.droppedBlocks += 1
      this.version += 1
      return 'block_refused'
    }
    const afterEnd = this.#isHidden(event)
    if (afterEnd && this.#afterEnd >= this.#limits.taskBlocks) return 'block_after_end'
    const inOrder = this.#store(block)
    this.lastReceivedAt = Math.max(this.lastReceivedAt, receivedAt)
    if (event.byArrival === true) this.#noteTerminal(event)
    this.version += 1
    if (!inOrder) this.#builder = undefined
    if (afterEnd) {
      this.#afterEnd += 1
      return 'block_after_end'
    }
    if (this.#builder?.place(block) === false) this.#builder = undefined
    if (this.#stored >= this.#nextReview || this.#outputLength >= this.#nextLengthReview) this.#review()
    return undefined
  }

  #noteTerminal(event: BlockEvent): void {
    this.hasTerminals = true
    // Those of several ids of a call come one id after the other.
    if (event.kind !== 'tool' || (event.seq ?? 0) < this.#lastTerminalSeq) return
    this.#lastTerminalSeq = event.seq ?? 0
    this.terminalsOver = endMark(event) !== undefined
  }

  /** Takes a piece of an artifact, or all of one; says what was wrong with it. */
  addArtifact(event: ArtifactPiece, receivedAt: number): ProblemKind | undefined {
    const known = this.artifacts.get(event.artifactId)
    if (known === undefined && this.artifacts.size >= maxArtifacts) return 'too_many'
    const artifact = known ?? new ArtifactEvidence(event.artifactId, this.#limits)
    this.artifacts.set(event.artifactId, artifact)
    this.lastReceivedAt = Math.max(this.lastReceivedAt, receivedAt)
    this.version += 1
    return artifact.add(event)
  }

  /** Takes a terminal frame; says what was wrong with it. */
  addEnd(event: OutcomeEvent, receivedAt: number): ProblemKind | undefined {
    this.#seen(event.ts, receivedAt)
    this.endReceivedAt = Math.min(this.endReceivedAt, receivedAt)
    const known = this.#ownEnd
    this.#setEnds(betterOutcome(known, { event, receivedAt }, compareEnds), this.#otherEnd)
    return known !== undefined && !sameOutcome(known.event, event) ? 'conflicting_end' : undefined
  }

  /** Sets the terminal frame that came without a call, if it is this task's (A4). */
  setOtherEnd(end: StoredOutcome | undefined): void {
    if (end !== this.#otherEnd) this.#setEnds(this.#ownEnd, end)
  }

  /** The terminal frame that came without a call. */
  get otherEnd(): StoredOutcome | undefined {
    return this.#otherEnd
  }

  /** All blocks that are kept, in no order. */
  *blocks(): Iterable<Block> {
    for (const first of this.#numbered.values()) {
      for (let block: Block | undefined = first; block !== undefined; block = block.next) yield block
    }
    yield* this.#loose.values()
  }

  /** The terminal frame that counts among those that name the call. */
  get ownEnd(): StoredOutcome | undefined {
    return this.#ownEnd
  }

  /** The process in the order shown, within its limit. */
  items(): readonly ProcessItem[] {
    this.#holdLimit()
    const builder = this.#build()
    const areTooMany = this.#seqs.hasMoreGapsThan(maxHoles)
    const holes = areTooMany ? [] : this.#holes()
    this.skipped = areTooMany ? this.#seqs.missing : holes.reduce((sum, { count }) => sum + count, 0)
    const items = builder.items(holes)
    if (this.artifacts.size === 0) return items
    return [...items, ...[...this.artifacts.values()].map((artifact) => artifact.item(this.end !== undefined))]
  }

  #seen(ts: number | undefined, receivedAt: number): void {
    this.firstReceivedAt = Math.min(this.firstReceivedAt, receivedAt)
    if (ts === undefined || ts >= this.leastTs) return
    this.leastTs = ts
    this.version += 1
  }

  #find(event: BlockEvent): Block | undefined {
    if (event.seq === undefined) return this.#loose.get(looseIdentity(event))
    const streamKey = event.streamKey ?? ''
    let block = this.#numbered.get(event.seq)
    const isOther = (known: Block) => known.event.byArrival === true || (known.event.streamKey ?? '') !== streamKey
    while (block !== undefined && isOther(block)) block = block.next
    return block
  }

  /** Takes another content under a known identity: the least by (`ts`, canonical JSON) counts (A6). */
  #repeat(known: Block, event: BlockEvent, receivedAt: number): ProblemKind | undefined {
    const same = sameContent(known.event, event)
    const isBetter = compareContents(event, known.event, same) < 0
    if (isBetter || receivedAt < known.receivedAt) {
      this.#ownBlocks()
      known = this.#find(event) as Block
      known.receivedAt = Math.min(known.receivedAt, receivedAt)
    }
    if (isBetter) {
      this.#afterEnd -= Number(this.#isHidden(known.event))
      known.event = event
      this.#afterEnd += Number(this.#isHidden(event))
      this.#builder = undefined
      this.version += 1
    }
    return same ? undefined : 'conflicting_block'
  }

  /** Keeps a new block. False: other blocks may have to move. */
  #store(block: Block): boolean {
    const { event } = block
    this.#stored += 1
    if (event.kind === 'output') this.#outputLength += event.text.length
    const ts = orderTs(event)
    if (event.seq === undefined) {
      this.#loose.set(looseIdentity(event), block)
      this.#looseTs = Math.max(this.#looseTs, ts)
      block.anchor = this.#lastNumbered
      // Of one time what a history has before its newest entry stands before it.
      const isNewest = event.inHistory === undefined || event.inHistory.behind === 0
      return ts > this.#numberedTs || (ts === this.#numberedTs && isNewest)
    }
    this.#numberedTs = Math.max(this.#numberedTs, ts)
    if (this.#lastNumbered === undefined || compareBlocks(block, this.#lastNumbered) > 0) this.#lastNumbered = block
    const anchorsStay = ts > this.#looseTs
    const first = this.#numbered.get(event.seq)
    if (first === undefined) {
      this.#numbered.set(event.seq, block)
      if (event.byArrival !== true) this.#seqs.add(event.seq)
      return anchorsStay
    }
    this.#putBehind(block, event.seq)
    // Two blocks of one tool with the same number: the log would keep them in the order of arrival.
    return anchorsStay && toolKey(first.event) !== toolKey(event)
  }

  #putBehind(block: Block, seq: number): void {
    // Those without `seq` know their anchors as they are.
    if (this.#looseTs > Number.NEGATIVE_INFINITY) this.#ownBlocks()
    const known = this.#numbered.get(seq) as Block
    const own = this.#numbered.isShared ? { ...known } : known
    if (this.#lastNumbered === known) this.#lastNumbered = own
    block.next = own.next
    own.next = block
    this.#numbered.set(seq, own)
  }

  #setEnds(own: StoredOutcome | undefined, other: StoredOutcome | undefined): void {
    const before = this.end
    this.#ownEnd = own
    this.#otherEnd = other
    if (this.end === before) return
    this.version += 1
    this.#countAfterEnd()
  }

  /** Finds out anew which blocks lie behind the end. */
  #countAfterEnd(): void {
    let count = 0
    for (const block of this.blocks()) {
      const after = this.#isHidden(block.event)
      if (after) count += 1
      if (after === (block.owner !== undefined)) this.#builder = undefined
    }
    this.#afterEnd = count
  }

  #isHidden(event: BlockEvent): boolean {
    const { end } = this
    return end !== undefined && isAfterEnd(event, end.event)
  }

  #build(): ProcessBuilder {
    if (this.#builder !== undefined) return this.#builder
    this.#ownBlocks()
    const numbered: Block[] = []
    for (const block of this.blocks()) {
      block.owner = undefined
      if (block.event.seq !== undefined) numbered.push(block)
    }
    numbered.sort(compareBlocks)
    this.#lastNumbered = numbered.at(-1)
    setAnchors(this.#loose.values(), numbered)
    const all = [...numbered, ...this.#loose.values()]
    if (all.length > numbered.length) all.sort(compareBlocks)
    const builder = new ProcessBuilder(this.#limits, this.#dropped)
    // In order none is refused.
    for (const block of all) {
      if (!this.#isHidden(block.event)) builder.place(block)
    }
    this.#builder = builder
    return builder
  }

  /** The holes in the numbering of what is shown, the end's number included (A13). */
  #holes(): readonly Hole[] {
    const end = this.end?.event.seq
    const holes: Hole[] = []
    // What is missing before the end is said last, also where the end stands among blocks that are shown.
    const last: Hole[] = []
    const addLast = (after: number) => {
      const previous = this.#shownAt(after).at(-1)
      const count = end === undefined ? 0 : end - after - 1
      if (previous === undefined || count <= 0) return
      last.push({ id: 'gap:end', count, visibleAt: this.endReceivedAt, previous, next: undefined })
    }
    for (const { after, before, count } of this.#seqs.gaps()) {
      const previous = this.#shownAt(after).at(-1)
      const next = this.#shownAt(before)[0]
      const hasEnd = end !== undefined && after < end && end < before
      if (hasEnd && next === undefined) addLast(after)
      if (previous === undefined || next === undefined || count - Number(hasEnd) === 0) continue
      const visibleAt = next.receivedAt + holeMs
      holes.push({ id: `gap:${before}`, count: count - Number(hasEnd), visibleAt, previous, next })
    }
    const greatest = this.#lastNumbered?.event
    if (greatest?.seq !== undefined && greatest.byArrival !== true) addLast(greatest.seq)
    return [...holes, ...last]
  }

  /** The blocks with that number that are shown, in order. */
  #shownAt(seq: number): Block[] {
    const blocks: Block[] = []
    for (let block = this.#numbered.get(seq); block !== undefined; block = block.next) {
      if (block.owner !== undefined) blocks.push(block)
    }
    return blocks.length > 1 ? blocks.sort(compareBlocks) : blocks
  }

  #isBeforeCut({ event }: Block): boolean {
    if (event.byArrival === true) return false
    const key = event.kind === 'output' ? toolKey(event) : undefined
    const tool = key === undefined ? undefined : this.#builder?.toolOf(key)
    if (tool !== undefined)
      return event.seq !== undefined && event.seq <= (tool.dropped?.position ?? Number.NEGATIVE_INFINITY)
    const cut = this.#cut?.event
    if (cut === undefined) return false
    if (event.seq === undefined || cut.seq === undefined) return compareNumbers(event.ts, cut.ts) < 0
    return event.seq <= cut.seq
  }

  /** Drops the oldest entries of the process that are over the limit (H3). */
  #holdLimit(): void {
    if (this.#build().size <= this.#limits.taskBlocks) return
    this.#ownBlocks()
    const builder = this.#build()
    const { lines, tools, cut } = builder.drop(this.#limits.taskBlocks)
    const before = this.#stored
    this.#cut = cut
    for (const block of lines) this.#forget(block)
    if (tools.size > 0) this.#forgetWhere(({ owner }) => owner !== undefined && tools.has(owner))
    this.droppedBlocks += before - this.#stored
  }

  /** Whether it was dropped or refused before: the text is gone, but that it was there is known. */
  #isGone(event: BlockEvent): boolean {
    const { seq } = event
    if (this.droppedBlocks === 0 || event.byArrival === true) return false
    if (seq === undefined) return this.#goneNames.size > 0 && this.#goneNames.has(hashText(looseIdentity(event)))
    if (this.#refused.has(seq)) return true
    const isNewest = seq > (this.#lastNumbered?.event.seq ?? Number.NEGATIVE_INFINITY)
    return !isNewest && this.#numbered.get(seq) === undefined && this.#seqs.has(seq)
  }

  #noteGone(event: BlockEvent): void {
    this.#goneNames.add(hashText(looseIdentity(event)))
    for (const oldest of this.#goneNames) {
      if (this.#goneNames.size <= maxGone) return
      this.#goneNames.delete(oldest)
    }
  }

  /** Holds the limits while nobody reads: now and then, when so much is new that it costs little for each block. */
  #review(): void {
    this.#holdLimit()
    // What can be forked has logs that begin anew from their blocks.
    if (this.#limits.forkable !== true) this.#forgetDropped()
    this.#nextReview = Math.ceil(this.#stored * 1.25 + this.#limits.taskBlocks / 10)
    this.#nextLengthReview = this.#outputLength * 1.25 + this.#limits.logLength / 4
  }

  /** Lets the output go that its log has dropped. */
  #forgetDropped(): void {
    this.#forgetWhere(({ owner, event }) => {
      const dropped = owner instanceof ToolEvidence && event.kind === 'output' ? owner.dropped : undefined
      if (dropped === undefined || event.seq === undefined || event.seq > dropped.position) return false
      // A log that is built anew can not find it out from what is left.
      const key = toolKey(event)
      if (key !== undefined) this.#dropped.set(key, dropped)
      return true
    })
  }

  #forgetWhere(isGone: (block: Block) => boolean): void {
    for (const block of this.blocks()) if (isGone(block)) this.#forget(block)
  }

  #forget(block: Block): void {
    const { event } = block
    this.#stored -= 1
    if (event.kind === 'output') this.#outputLength -= event.text.length
    if (event.seq === undefined) {
      this.#noteGone(event)
      this.#loose.delete(looseIdentity(event))
      return
    }
    const first = this.#numbered.get(event.seq)
    if (first === block) {
      if (block.next === undefined) this.#numbered.delete(event.seq)
      else this.#numbered.set(event.seq, block.next)
      return
    }
    let previous = first
    while (previous !== undefined && previous.next !== block) previous = previous.next
    if (previous !== undefined) previous.next = block.next
  }
}

/** Whether a block is later than its task's end by every measure that both have, of which there must be one (A7). */
export function isAfterEnd(block: BlockEvent, end: OutcomeEvent): boolean {
  const seq = block.byArrival === true ? undefined : block.seq
  const bySeq = seq === undefined || end.seq === undefined ? undefined : seq > end.seq
  const byTs = block.ts === undefined || end.ts === undefined ? undefined : block.ts > end.ts
  return bySeq === undefined ? byTs === true : bySeq && byTs !== false
}
