import { canonicalJson } from './canonicalJson.js'
import type { BlockEvent, BlockStatus } from './events.js'
import { hashText } from './hashText.js'

/** A block as it counts: of all contents received under its identity the least by `ts`, then by canonical JSON (A6). */
export interface Block {
  event: BlockEvent
  /** When its identity was first received, in ms on the store's clock. */
  receivedAt: number
  /** The block with the same `seq` and another `streamKey`, if there is one. */
  next: Block | undefined
  /**
   * Only for a block without `seq`: the block that it stands after, or undefined when it stands first. Set before
   * blocks are compared.
   */
  anchor: Block | undefined
  /** What shows it: its own line, or the tool that it belongs to. Undefined while it is not shown. */
  owner: object | undefined
}

/** Whether two contents are the same, whenever they were sent. */
export function sameContent(a: BlockEvent, b: BlockEvent): boolean {
  return a.kind === b.kind && canonicalBlock(a) === canonicalBlock(b)
}

/** A name for a block that is unique in its task and does not depend on what else was received. */
export function blockId({ event }: Block): string {
  if (event.seq === undefined) return `~${hashText(looseIdentity(event))}`
  return `${event.byArrival === true ? '#' : ''}${event.seq}/${event.streamKey ?? ''}`
}

/** Compares two numbers of which a missing one counts as infinite. */
export function compareNumbers(a: number | undefined, b: number | undefined): number {
  const left = a ?? Number.POSITIVE_INFINITY
  const right = b ?? Number.POSITIVE_INFINITY
  return left < right ? -1 : left > right ? 1 : 0
}

/** Its time, or a time by which it was there (B7), in ms on the sender's clock; infinite while neither is known. */
export const orderTs = ({ ts, inHistory }: BlockEvent): number => ts ?? inHistory?.by ?? Number.POSITIVE_INFINITY

/** Compares two texts by their UTF-16 code units. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The canonical JSON of a block's kind, payload and status, by which ties end (A6). */
export function canonicalBlock(event: BlockEvent): string {
  return `${canonicalContent(event).slice(0, -1)},"status":"${event.status ?? 'running'}"}`
}

/** Identifies a block that has no `seq` inside its task: its message, else stream key, time, kind and payload (A6). */
export function looseIdentity(event: BlockEvent): string {
  if (event.messageId !== undefined) return `message/${event.messageId}`
  return `${JSON.stringify([event.streamKey ?? '', event.ts ?? null])}${canonicalContent(event)}`
}

function canonicalContent(event: BlockEvent): string {
  if (event.canonical !== undefined) return event.canonical
  switch (event.kind) {
    case 'thinking':
    case 'text':
      return canonicalJson({ kind: event.kind, payload: { text: event.text } })
    case 'error':
      return canonicalJson({ kind: event.kind, payload: { message: event.text } })
    case 'tool':
      return canonicalJson({ kind: 'tool_call', payload: { tool: event.tool, tool_call_id: event.toolCallId } })
    case 'output':
      return canonicalJson({
        kind: 'tool_output_append',
        payload: { tool: event.tool, tool_call_id: event.toolCallId, chunk: event.text },
      })
    case 'omitted':
      return canonicalJson({ kind: event.kind, payload: { bytes: event.bytes } })
    case 'artifact':
      return canonicalJson({ kind: event.kind, payload: { text: event.text } })
  }
}

/** Which of two contents under one identity counts: the least by (`ts`, canonical JSON), then by the history told of. */
export function compareContents(a: BlockEvent, b: BlockEvent, areSame = sameContent(a, b)): number {
  return (
    compareNumbers(a.ts, b.ts) ||
    // A kind of a newer version is shown as another one, with the same content.
    (areSame ? 0 : compareText(canonicalBlock(a), canonicalBlock(b)) || compareText(a.kind, b.kind)) ||
    compareHistories(a, b)
  )
}

/** By the time of the newest entry, then by the place in the history. */
function compareHistories({ inHistory: a }: BlockEvent, { inHistory: b }: BlockEvent): number {
  return compareNumbers(a?.by, b?.by) || (b?.behind ?? 0) - (a?.behind ?? 0)
}

/** Which was first: what a history tells without a time stands in its order, before what has the newest entry's time. */
function compareTimes(a: BlockEvent, b: BlockEvent): number {
  return (
    compareNumbers(orderTs(a), orderTs(b)) ||
    (orderTs(a) === Number.POSITIVE_INFINITY ? 0 : (b.inHistory?.behind ?? 0) - (a.inHistory?.behind ?? 0))
  )
}

/** The order of a task's blocks (A6): by `seq`, then `ts`, `streamKey`; blocks without `seq` after their anchor. */
export function compareBlocks(a: Block, b: Block): number {
  const left = a.event.seq === undefined ? a.anchor : a
  const right = b.event.seq === undefined ? b.anchor : b
  if (left !== right) {
    if (left === undefined) return -1
    if (right === undefined) return 1
    return compareNumbered(left.event, right.event)
  }
  if (a.event.seq !== undefined) return b.event.seq === undefined ? -1 : 0
  if (b.event.seq !== undefined) return 1
  // An agent's stream keeps its order: of one time, its messages stand as they arrived.
  if (a.event.messageId !== undefined && b.event.messageId !== undefined) return compareTimes(a.event, b.event)
  return compareContents(a.event, b.event) || compareText(a.event.streamKey ?? '', b.event.streamKey ?? '')
}

function compareNumbered(a: BlockEvent, b: BlockEvent): number {
  return compareNumbers(a.seq, b.seq) || compareNumbers(a.ts, b.ts) || compareText(a.streamKey ?? '', b.streamKey ?? '')
}

/**
 * Gives each block without `seq` its anchor: of the numbered blocks whose `ts` is not later than its own, the one that
 * stands last (A6). `numbered` is in order.
 */
export function setAnchors(loose: Iterable<Block>, numbered: readonly Block[]): void {
  const byTs = numbered.map((block, position) => ({ block, position }))
  byTs.sort((a, b) => compareTimes(a.block.event, b.block.event))
  const blocks = [...loose].sort((a, b) => compareTimes(a.event, b.event))
  let next = 0
  let last = -1
  for (const block of blocks) {
    for (; next < byTs.length; next++) {
      const candidate = byTs[next] as (typeof byTs)[number]
      if (compareTimes(candidate.block.event, block.event) > 0) break
      last = Math.max(last, candidate.position)
    }
    block.anchor = numbered[last]
  }
}

/** The key that gathers the blocks of one tool (A9); undefined where the sender gave none. */
export function toolKey(event: BlockEvent): string | undefined {
  if (event.streamKey !== undefined) return event.streamKey
  return 'toolCallId' in event ? event.toolCallId : undefined
}

/** The end mark that a block carries for its tool (B1). */
export function endMark(event: BlockEvent): Exclude<BlockStatus, 'running'> | undefined {
  return event.status === 'done' || event.status === 'aborted' ? event.status : undefined
}
