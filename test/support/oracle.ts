// A slow and obvious reading of the rules A3 to A11, B1 to B6, A17 and C1 to C7, against which the store is compared. It takes the
// whole list of wire messages at once, so it has no notion of order of arrival.
import { canonicalJson } from '../../src/core/index.js'
import type { Conversation, ToolCallMessage } from './conversation.js'

type Message = Record<string, any>

export interface ShownCall {
  status: string
  value: unknown
  reason: string | undefined
  summary: string | undefined
  unspecific: boolean
  recorded: string | undefined
  toolName: string | undefined
  conversationId: string | undefined
  newer: number
  args: string | undefined
  argsStreaming: boolean
  /** What the arguments say once they are JSON. */
  argsValue: unknown
  tasks: { taskId: string; ended: boolean; blocks: number; items: ShownItem[] }[]
}
export type ShownItem =
  | { thinking: string[]; skips: number[] }
  | { text: string }
  | { error: string }
  | { omitted: number }
  | { tool: string | undefined; started: boolean; end: string | undefined; log: string; skips: number[] }
  | { gap: number }

interface Placed {
  seq: number | undefined
  ts: number
  streamKey: string
  status: string
  kind: string
  payload: Message
  canonical: string
}

const infinite = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : Infinity)
const seqOf = (value: unknown): number | undefined => (Number.isSafeInteger(value) ? (value as number) : undefined)
const compare = <T>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0)
const least = <T>(list: readonly T[], order: (a: T, b: T) => number): T | undefined => [...list].sort(order)[0]

/** What has to be shown of each call once all these messages were received. */
export function expectedCalls({
  snapshots,
  frames,
  toolCalls = [],
}: Partial<Conversation> & Pick<Conversation, 'snapshots' | 'frames'>): Map<string, ShownCall> {
  const mergedId = aliasOf(snapshots)
  const ofCall = new Map<string, { snapshots: Message[]; frames: Message[]; toolCalls: ToolCallMessage[] }>()
  const entry = (id: string) => {
    const root = mergedId(id)
    if (!ofCall.has(root)) ofCall.set(root, { snapshots: [], frames: [], toolCalls: [] })
    return ofCall.get(root)!
  }
  for (const snapshot of snapshots) entry(snapshot.eventId).snapshots.push(snapshot)
  for (const frame of frames) if (frame.callId !== undefined) entry(frame.callId).frames.push(frame)
  for (const each of toolCalls) entry(each.message.tool_call_id).toolCalls.push(each)

  const orphanEnds = frames.filter((frame) => frame.callId === undefined && frame.state !== 'running' && frame.v !== 2)
  const callsWithTask = (taskId: string) =>
    [...ofCall].filter(([, own]) => own.frames.some((frame) => frame.taskId === taskId && frame.v !== 2)).length
  const result = new Map<string, ShownCall>()
  for (const [id, own] of ofCall) {
    const ends = orphanEnds.filter((end) => callsWithTask(end.taskId) === 1)
    const call = expectedOutcome(own.snapshots, own.frames, ends, own.toolCalls)
    result.set(id, { ...call, ...expectedArgs(own.snapshots, own.toolCalls, call) })
  }
  return result
}

/** Of all whole texts the one that says most of itself, then the longest, then the greatest (C2). */
function expectedArgs(snapshots: Message[], toolCalls: ToolCallMessage[], call: Pick<ShownCall, 'status' | 'tasks'>) {
  const texts = [
    ...snapshots.map((snapshot) => ({
      text: snapshot.content.toolCall.functionCall.arguments as string,
      rank: recordOf([snapshot], []) === undefined ? 1 : 2,
    })),
    ...toolCalls
      .filter(({ event }) => event !== 'tool_call_result')
      .map(({ message }) => ({ text: message.arguments as string, rank: 0 })),
  ].filter(({ text, rank }) => text !== '' || rank === 0)
  const best = least(texts, (a, b) => b.rank - a.rank || b.text.length - a.text.length || compare(b.text, a.text))
  if (best === undefined) return { args: undefined, argsStreaming: false, argsValue: undefined }
  let argsValue: unknown
  try {
    argsValue = JSON.parse(best.text)
  } catch {}
  const isOver = call.status !== 'running' || call.tasks.length > 0
  return { args: best.text, argsStreaming: best.rank === 0 && !isOver && argsValue === undefined, argsValue }
}

function aliasOf(snapshots: readonly Message[]): (id: string) => string {
  const claims = snapshots
    .map((snapshot) => [snapshot.eventId, (snapshot.toolReturn ?? snapshot.content?.toolReturn)?.meta?.callId])
    .filter(([id, alias]) => alias !== undefined && alias !== id)
  return (id) => {
    let at = id
    for (let i = 0; i < 10; i++) {
      const claimants = new Set(claims.filter(([, alias]) => alias === at).map(([claimant]) => claimant))
      if (claimants.size !== 1) return at
      at = [...claimants][0]
    }
    throw new Error('the generator makes no circles')
  }
}

function expectedOutcome(
  snapshots: Message[],
  allFrames: Message[],
  orphanEnds: Message[],
  toolCalls: ToolCallMessage[],
) {
  const frames = allFrames.filter((frame) => frame.v !== 2)
  const newer = new Set(allFrames.filter((frame) => frame.v === 2).map(canonicalJson)).size
  const taskIds = [...new Set(frames.map((frame) => frame.taskId))]
  const tasks = taskIds.map((taskId) => {
    const own = frames.filter((frame) => frame.taskId === taskId)
    return expectedTask(
      taskId,
      own,
      orphanEnds.filter((end) => end.taskId === taskId),
    )
  })
  tasks.sort((a, b) => compare(a.leastTs, b.leastTs) || compare(a.taskId, b.taskId))

  const record = recordOf(snapshots, toolCalls)
  const end = tasks.at(-1)?.end
  const base = {
    toolName:
      snapshots[0]?.content.toolCall.functionCall.name ??
      toolCalls.find(({ event }) => event === 'tool_call_start')?.message.tool_name,
    conversationId: snapshots[0]?.conversationId,
    newer,
    tasks: tasks.map((task) => ({
      taskId: task.taskId,
      ended: task.end !== undefined,
      blocks: task.blocks,
      items: task.items,
    })),
  }
  if (end === undefined) {
    const status = record?.status ?? 'running'
    const { value, reason, summary } = record ?? {}
    return { ...base, status, value, reason, summary, unspecific: false, recorded: undefined }
  }
  const known = record?.status === 'unknown' ? undefined : record
  const value = end.state === 'done' ? end.envelope?.payload?.text : undefined
  const reason = end.state === 'done' ? undefined : end.envelope?.payload?.message
  const better = end.state === 'aborted' && known !== undefined && known.status !== 'done'
  const status = better ? known.status : end.state
  const shownValue = value === undefined && known?.status === status ? known?.value : value
  const said = shownValue === undefined ? reason : shownValue
  const agrees =
    known === undefined ||
    (known.status === status &&
      (known.value === undefined || said === undefined || canonicalJson(said) === canonicalJson(known.value)))
  return {
    ...base,
    status,
    value: shownValue,
    reason,
    summary: known?.status === status ? known?.summary : undefined,
    unspecific: end.state === 'aborted' && !better,
    recorded: agrees ? undefined : known?.status,
  }
}

interface CallEnd {
  status: string
  value: unknown
  reason: string | undefined
  summary: string | undefined
}

/** The message that counts as the caller's word on the end (A17, C6). */
function recordOf(snapshots: Message[], toolCalls: ToolCallMessage[]): CallEnd | undefined {
  const words: Record<string, string> = { completed: 'done', failed: 'error', canceled: 'aborted', denied: 'denied' }
  const fromSnapshots = snapshots
    .map((snapshot) => {
      const toolReturn = snapshot.toolReturn ?? snapshot.content.toolReturn
      const word = words[snapshot.status]
      const value = typeof toolReturn === 'object' ? toolReturn.text : toolReturn
      const authority = toolReturn === undefined ? 2 : 1
      const end = { status: word ?? 'done', value, reason: undefined, summary: undefined }
      return { ...end, authority, isEnd: authority === 1 || word !== undefined, ts: snapshot.updatedAt ?? -Infinity }
    })
    .filter(({ isEnd }) => isEnd)
  const fromResults = toolCalls
    .filter(({ event }) => event === 'tool_call_result')
    .map(({ message: { status, result, summary } }) => {
      const isKnown = status !== 'odd' && (status !== undefined || result !== undefined)
      const word = !isKnown ? 'unknown' : status === 'error' ? 'error' : 'done'
      const reason = isKnown ? undefined : status
      return { status: word, value: result, reason, summary, authority: 0, ts: -Infinity }
    })
  const rank = ['error', 'aborted', 'denied', 'done', 'unknown']
  const json = ({ status, value, reason, summary }: CallEnd) =>
    canonicalJson([status, value, reason, summary, value === undefined])
  return least(
    [...fromSnapshots, ...fromResults],
    (a, b) =>
      Number(a.status === 'unknown') - Number(b.status === 'unknown') ||
      a.authority - b.authority ||
      compare(b.ts, a.ts) ||
      rank.indexOf(a.status) - rank.indexOf(b.status) ||
      compare(json(a), json(b)),
  )
}

function expectedTask(taskId: string, frames: Message[], orphanEnds: Message[]) {
  const ends = [...frames.filter((frame) => frame.state !== 'running'), ...orphanEnds]
  const end = least(
    ends,
    (a, b) =>
      compare(infinite(a.ts), infinite(b.ts)) ||
      compare(infinite(a.envelope?.seq), infinite(b.envelope?.seq)) ||
      compare(a.state === 'done' ? 0 : 1, b.state === 'done' ? 0 : 1) ||
      compare(endJson(a), endJson(b)),
  )
  const all = distinct(frames.filter((frame) => frame.state === 'running').map(placed))
  const ordered = inOrder(all).filter((block) => end === undefined || !isAfter(block, end))
  const leastTs = Math.min(...frames.map((frame) => infinite(frame.ts)))
  return { taskId, end, leastTs, blocks: ordered.length, items: itemsOf(ordered, seqs(all), end) }
}

const endJson = (frame: Message) =>
  frame.state === 'done'
    ? canonicalJson(['done', frame.envelope?.payload?.text, undefined])
    : canonicalJson(['aborted', undefined, frame.envelope?.payload?.message])

function placed(frame: Message): Placed {
  const { seq, streamKey = '', status = 'running', kind, payload } = frame.envelope
  const canonical = canonicalJson({ kind, payload, status })
  return { seq: seqOf(seq), ts: infinite(frame.ts), streamKey, status, kind, payload, canonical }
}

/** One block for each identity: the least by time, then by content (A6). */
function distinct(blocks: Placed[]): Placed[] {
  const groups = new Map<string, Placed[]>()
  for (const block of blocks) {
    const { seq, streamKey, ts, kind, payload } = block
    const identity = canonicalJson(seq === undefined ? [streamKey, ts, kind, payload] : [streamKey, seq])
    groups.set(identity, [...(groups.get(identity) ?? []), block])
  }
  return [...groups.values()].map(
    (group) => least(group, (a, b) => compare(a.ts, b.ts) || compare(a.canonical, b.canonical))!,
  )
}

function inOrder(blocks: Placed[]): Placed[] {
  const numbered = blocks
    .filter((block) => block.seq !== undefined)
    .sort((a, b) => compare(a.seq!, b.seq!) || compare(a.ts, b.ts) || compare(a.streamKey, b.streamKey))
  const loose = blocks.filter((block) => block.seq === undefined)
  loose.sort((a, b) => compare(a.ts, b.ts) || compare(a.canonical, b.canonical) || compare(a.streamKey, b.streamKey))
  const anchorOf = (block: Placed) => numbered.findLastIndex((candidate) => candidate.ts <= block.ts)
  const result = loose.filter((block) => anchorOf(block) === -1)
  for (const [i, block] of numbered.entries()) result.push(block, ...loose.filter((each) => anchorOf(each) === i))
  return result
}

/** Later than the end by every measure that both have, of which there is one (A7). */
function isAfter(block: Placed, end: Message): boolean {
  const measures: boolean[] = []
  const endSeq = seqOf(end.envelope?.seq)
  if (block.seq !== undefined && endSeq !== undefined) measures.push(block.seq > endSeq)
  if (block.ts !== Infinity && infinite(end.ts) !== Infinity) measures.push(block.ts > end.ts)
  return measures.length > 0 && measures.every(Boolean)
}

const seqs = (blocks: Placed[]) => [...new Set(blocks.map((block) => block.seq).filter((seq) => seq !== undefined))]

interface Group {
  first: number
  kind: string
  blocks: Placed[]
  end: { at: number; status: string } | undefined
  key: string | undefined
}

function itemsOf(ordered: Placed[], allSeqs: number[], end: Message | undefined): ShownItem[] {
  const groups: Group[] = []
  const groupOf = new Map<Placed, Group>()
  const open = (first: number, kind: string, key?: string) => {
    const group: Group = { first, kind, blocks: [], end: undefined, key }
    groups.push(group)
    return group
  }
  ordered.forEach((block, at) => {
    const isTool = block.kind === 'tool_call' || block.kind === 'tool_output_append'
    const key = block.streamKey || (isTool ? block.payload.tool_call_id : undefined)
    let group: Group | undefined
    if (isTool && key !== undefined) group = groups.find((each) => each.key === key)
    else if (block.kind === 'tool_output_append') group = groups.findLast((each) => each.kind === 'keyless')
    else if (block.kind === 'tool_call' && block.status !== 'running') {
      const { tool } = block.payload
      const isItsLine = (each: Group) => tool === undefined || nameOf(each) === tool
      group = groups.findLast((each) => each.kind === 'keyless' && !each.end && isItsLine(each))
    }
    group ??= open(at, isTool ? (key === undefined ? 'keyless' : 'keyed') : block.kind, isTool ? key : undefined)
    group.blocks.push(block)
    groupOf.set(block, group)
    if (isTool && block.status !== 'running') group.end = { at, status: block.status }
  })
  for (const group of groups.filter((each) => each.key !== undefined)) {
    ordered.forEach((block, at) => {
      const key = block.streamKey || block.payload.tool_call_id
      if (key === group.key && block.status !== 'running') group.end = { at, status: block.status }
    })
  }

  // Holes: between neighbouring numbers of all that was received, the end's number included.
  const endSeq = seqOf(end?.envelope?.seq)
  const numbers = [...allSeqs].sort((a, b) => a - b)
  const holes: { previous: Placed; next: Placed | undefined; count: number }[] = []
  numbers.slice(1).forEach((next, i) => {
    const previous = numbers[i]!
    const inside = endSeq !== undefined && previous < endSeq && endSeq < next ? 1 : 0
    const count = next - previous - 1 - inside
    const before = ordered.findLast((block) => block.seq === previous)
    const after = ordered.find((block) => block.seq === next)
    if (count > 0 && before !== undefined && after !== undefined) holes.push({ previous: before, next: after, count })
    if (inside === 1 && before !== undefined && after === undefined && endSeq! > previous + 1) {
      holes.push({ previous: before, next: undefined, count: endSeq! - previous - 1 })
    }
  })
  const last = ordered.findLast((block) => block.seq === numbers.at(-1))
  if (endSeq !== undefined && last !== undefined && endSeq > last.seq! + 1) {
    holes.push({ previous: last, next: undefined, count: endSeq - last.seq! - 1 })
  }

  // What is missing before the end is said last.
  holes.sort((a, b) => Number(a.next === undefined) - Number(b.next === undefined))

  const shown: { group: Group; item: ShownItem }[] = []
  for (const group of groups) {
    const previous = shown.at(-1)
    if (group.kind === 'thinking' && previous?.group.kind === 'thinking') {
      ;(previous.item as { thinking: string[] }).thinking.push(group.blocks[0]!.payload.text)
      previous.group.blocks.push(...group.blocks)
      for (const block of group.blocks) groupOf.set(block, previous.group)
    } else shown.push({ group, item: itemOf(group) })
  }
  const result: ShownItem[] = []
  const between = holes.filter(
    ({ previous, next }) => next === undefined || groupOf.get(previous) !== groupOf.get(next),
  )
  for (const hole of holes.filter((each) => !between.includes(each))) {
    const { item } = shown.find(({ group }) => group === groupOf.get(hole.previous))!
    ;(item as { skips: number[] }).skips.push(hole.count)
  }
  for (const { group, item } of shown) {
    for (const hole of between) {
      const at = hole.next === undefined ? Infinity : ordered.indexOf(hole.next)
      const before = shown[shown.findIndex((each) => each.group === group) - 1]
      if (at <= group.first && (before === undefined || at > before.group.first)) result.push({ gap: hole.count })
    }
    result.push(item)
  }
  for (const hole of between) {
    const at = hole.next === undefined ? Infinity : ordered.indexOf(hole.next)
    if (at > shown.at(-1)!.group.first) result.push({ gap: hole.count })
  }
  return result
}

function nameOf(group: Group): string | undefined {
  const named = (kind: string) =>
    group.blocks.find((block) => block.kind === kind && block.payload.tool !== undefined)?.payload.tool
  return named('tool_call') ?? named('tool_output_append')
}

function itemOf(group: Group): ShownItem {
  const { payload } = group.blocks[0]!
  if (group.kind === 'thinking') return { thinking: [payload.text], skips: [] }
  if (group.kind === 'text') return { text: payload.text }
  if (group.kind === 'error') return { error: payload.message }
  const output = group.blocks.filter((block) => block.kind === 'tool_output_append')
  return {
    tool: nameOf(group),
    started: group.blocks.some((block) => block.kind === 'tool_call'),
    end: group.end?.status,
    log: output.map((block) => block.payload.chunk).join(''),
    skips: [],
  }
}
