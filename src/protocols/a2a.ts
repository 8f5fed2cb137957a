import type { ArtifactPiece, BlockEvent, CallEvent, OutcomeEvent, Problem, ToolEvent } from '../core/index.js'
import { plainValue } from '../core/index.js'
import { callKey } from './callKey.js'
import { envelopeBlock, isNewer } from './envelope.js'
import { type Fields, field, fieldsOf, given, idOf, textOf, timeOf } from './fields.js'
import { nothingBut, type Protocol, type ProtocolContext } from './protocol.js'
import { statusOf } from './statusWords.js'

/**
 * `a2a`: what an A2A agent streams, as the official SDK's objects, as the JSON of version 1 or 0.3, and inside of a
 * JSON-RPC response (B7). A task is a process of the context's call, or else a call of its own. Progress envelopes in
 * `metadata.tfrs` become blocks (B2), other messages of the agent plain lines, known by their ids. A task's `history`
 * says again what was missed. An answer without a task ends the context's call.
 */
export const a2a: Protocol = (message, context) => {
  const fields = fieldsOf(message)
  if (fields === undefined) return nothingBut('not_an_object')
  const found = contentOf(fields)
  if (found === undefined) return nothingBut('unknown_kind')
  const [kind, value] = found
  const taskId = idOf(field(value, kind === 'task' ? 'id' : 'taskId'))
  const callId = context.callId ?? (taskId === undefined ? undefined : callKey(context.scope, taskId))
  if (callId === undefined) return nothingBut('missing_task_id')
  const problems: Problem[] = []
  if (taskId === undefined && kind !== 'message') problems.push({ kind: 'missing_task_id', callId })
  const place: Place = { callId, taskId: taskId ?? '', context, problems, contextId: idOf(field(value, 'contextId')) }
  switch (kind) {
    case 'task':
      return { events: taskEvents(value, place), problems }
    case 'statusUpdate':
      return { events: statusEvents(fieldsOf(field(value, 'status')), place), problems }
    case 'artifactUpdate':
      return { events: [callOf(place), ...artifactEvents(value, place)], problems }
    case 'message':
      return { events: answerEvents(value, taskId, place), problems }
  }
}

type Kind = 'task' | 'statusUpdate' | 'artifactUpdate' | 'message'

/** The names of the four in version 1, in the SDK and in version 0.3. */
const kinds: ReadonlyMap<unknown, Kind> = new Map([
  ...(['task', 'statusUpdate', 'artifactUpdate', 'message'] as const).map((kind) => [kind, kind] as const),
  ['status-update', 'statusUpdate'],
  ['artifact-update', 'artifactUpdate'],
])

/** Which of the four a message is, out of what it is wrapped in. */
function contentOf(message: Fields): readonly [Kind, Fields] | undefined {
  const fields = fieldsOf(field(message, 'result')) ?? message
  const payload = fieldsOf(field(fields, 'payload'))
  const wrapped = fieldsOf(field(payload, 'value')) ?? fieldsOf(field(fields, 'data'))
  const named = kinds.get(field(payload, '$case') ?? field(fields, 'kind'))
  if (named !== undefined) return [named, wrapped ?? fields]
  for (const [name, kind] of kinds) {
    const value = fieldsOf(field(fields, name as string))
    if (value !== undefined) return [kind, value]
  }
  return shapeOf(fields)
}

/** A bare object, as the SDK has them, by its fields. */
function shapeOf(fields: Fields): readonly [Kind, Fields] | undefined {
  const has = (name: string) => field(fields, name) !== undefined
  if (has('status') && has('taskId')) return ['statusUpdate', fields]
  if (has('artifact') && has('taskId')) return ['artifactUpdate', fields]
  if (has('status') && has('id')) return ['task', fields]
  return has('parts') && has('messageId') ? ['message', fields] : undefined
}

interface Place {
  readonly callId: string
  readonly taskId: string
  readonly contextId: string | undefined
  readonly context: ProtocolContext
  readonly problems: Problem[]
}

/** The call, without news of it. An agent's context is a conversation where the receiver knows of no other. */
function callOf({ callId, contextId, context }: Place): CallEvent {
  const conversationId = context.conversationId ?? (context.callId === undefined ? contextId : undefined)
  return { type: 'call', callId, ...given('conversationId', conversationId) }
}

/** The whole task as it is now: what it said so far, what it made, and its state. */
function taskEvents(task: Fields, place: Place): ToolEvent[] {
  const status = fieldsOf(field(task, 'status'))
  const isOver = endOf(status, place) !== undefined
  const by = timeOf(field(status, 'timestamp'))
  const last = idOf(field(fieldsOf(field(status, 'message')), 'messageId'))
  const history = listOf(field(task, 'history'))
  const told = history.flatMap((entry, i) => {
    const message = fieldsOf(entry)
    // What a task ends with is its outcome, and no step on the way to it.
    if (message === undefined || (isOver && last !== undefined && idOf(field(message, 'messageId')) === last)) return []
    return messageBlocks(message, place, { inHistory: { ...given('by', by), behind: history.length - 1 - i } })
  })
  const made = listOf(field(task, 'artifacts')).flatMap((artifact) =>
    artifactEvents({ artifact, lastChunk: isOver }, place, isOver),
  )
  return [...told, ...made, ...statusEvents(status, place)]
}

/** The states that say nothing more than that the task goes on. */
const ordinary = ['submitted', 'working']
/** The states in which an agent waits, and for what. */
const waiting: Readonly<Record<string, string>> = { 'input-required': 'input', 'auth-required': 'authorization' }

function statusEvents(status: Fields | undefined, place: Place): ToolEvent[] {
  const { callId, taskId, problems } = place
  const ts = timeOf(field(status, 'timestamp'))
  const message = fieldsOf(field(status, 'message'))
  const outcome = endOf(status, place)
  if (outcome !== undefined) {
    const value = message && valueOf(message, place)
    const said =
      outcome === 'done' ? { ...(value !== undefined && { value }) } : given('reason', textIn(message, place))
    const base = { type: 'outcome', callId, taskId, outcome, authority: 'final', ...given('ts', ts) } as const
    return [callOf(place), { ...base, ...said } satisfies OutcomeEvent]
  }
  const state = stateOf(status)
  const waitingFor = state === undefined ? undefined : field(waiting, state)
  const isKnown = waitingFor !== undefined || (state !== undefined && ordinary.includes(state))
  if (!isKnown) problems.push({ kind: 'unknown_state', callId })
  const call: CallEvent = {
    ...callOf(place),
    ...(state === 'submitted' ? { pending: true } : { running: true }),
    statusText: isKnown && waitingFor === undefined ? '' : (state ?? ''),
    waitingFor: (waitingFor as string | undefined) ?? '',
    ...given('startedAt', ts),
    ...given('ts', ts),
  }
  return [call, ...(message === undefined ? [] : messageBlocks(message, place, given('ts', ts)))]
}

/** The numbers of the SDK's states, in their order. */
const states = [
  'unspecified',
  'submitted',
  'working',
  'completed',
  'failed',
  'canceled',
  'input-required',
  'rejected',
  'auth-required',
]

/** The state as version 0.3 spells it. */
function stateOf(status: Fields | undefined): string | undefined {
  const state = field(status, 'state')
  if (typeof state === 'number') return states[state]
  return textOf(state)
    ?.toLowerCase()
    .replace(/^task_state_/, '')
    .replaceAll('_', '-')
}

function endOf(status: Fields | undefined, { context }: Place) {
  const outcome = statusOf(stateOf(status), context)
  return outcome === 'running' ? undefined : outcome
}

/** What the agent says on the way, one block a part. What the user said is the call's own text, and no step. */
function messageBlocks(message: Fields, place: Place, when: Pick<BlockEvent, 'ts' | 'inHistory'>): BlockEvent[] {
  const role = field(message, 'role')
  if (role === 1 || (typeof role === 'string' && /^(role_)?user$/i.test(role))) return []
  const messageId = idOf(field(message, 'messageId'))
  return listOf(field(message, 'parts')).flatMap((part, i) => {
    const fields = fieldsOf(part)
    const block = fields && partBlock(fields, place, when.ts)
    if (block === undefined) return []
    const identity = block.seq === undefined && messageId !== undefined && { messageId: `${messageId}/${i}` }
    return [{ ...block, ...when, ...identity }]
  })
}

/** The block that a part stands for: its envelope's, or, where that can not be read, its text (B2). */
function partBlock(part: Fields, around: Place, ts: number | undefined): BlockEvent | undefined {
  const { callId, taskId, problems } = around
  const text = contentText(part, around)
  const asText: BlockEvent | undefined = text ? { type: 'block', callId, taskId, kind: 'text', text } : undefined
  const sent = field(fieldsOf(field(part, 'metadata')), 'tfrs')
  if (sent === undefined) return asText
  const envelope = fieldsOf(typeof sent === 'string' ? parsed(sent) : sent)
  if (envelope === undefined) {
    problems.push({ kind: 'invalid_payload', callId })
    return asText
  }
  const place = { callId, taskId, ts }
  if (!isNewer(envelope)) {
    const block = envelopeBlock(envelope, place, problems)
    // A kind that is not known is left out, whatever stands beside it (B3).
    return block ?? (problems.at(-1)?.kind === 'unknown_kind' ? undefined : asText)
  }
  problems.push({ kind: 'newer_envelope', callId })
  // Its number still tells where it belongs, and that nothing is missing there.
  return text ? envelopeBlock({ ...envelope, payload: { text } }, place, problems) : undefined
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** A piece of what the task made. */
function artifactEvents(update: Fields, place: Place, final = false): BlockEvent[] {
  const { callId, taskId, problems } = place
  const artifact = fieldsOf(field(update, 'artifact'))
  if (artifact === undefined) {
    problems.push({ kind: 'invalid_payload', callId })
    return []
  }
  const parts = listOf(field(artifact, 'parts')).map(fieldsOf)
  const fileName = parts.map((part) => idOf(field(part, 'filename'))).find((name) => name !== undefined)
  const name = idOf(field(artifact, 'name')) ?? fileName
  const piece: ArtifactPiece = {
    kind: 'artifact',
    // The specification's own example has none.
    artifactId: idOf(field(artifact, 'artifactId')) ?? name ?? '',
    ...given('name', name),
    text: parts.map((part) => (part === undefined ? '' : contentText(part, place))).join(''),
    append: field(update, 'append') === true,
    last: field(update, 'lastChunk') === true,
    final,
  }
  return [{ type: 'block', callId, taskId, ...piece }]
}

/** An answer that took no task. What has neither an id nor parts is none, and ends nothing. */
function answerEvents(message: Fields, taskId: string | undefined, place: Place): ToolEvent[] {
  if (idOf(field(message, 'messageId')) === undefined && !Array.isArray(field(message, 'parts'))) {
    place.problems.push({ kind: 'invalid_payload', callId: place.callId })
    return []
  }
  const value = valueOf(message, place)
  const end: OutcomeEvent = {
    type: 'outcome',
    callId: place.callId,
    ...given('taskId', taskId),
    outcome: 'done',
    authority: 'final',
    ...(value !== undefined && { value }),
  }
  return [callOf(place), end]
}

/** What a message says as a final value: its text, else its data. */
function valueOf(message: Fields, place: Place): unknown {
  const parts = listOf(field(message, 'parts'))
    .map(fieldsOf)
    .filter((part) => part !== undefined)
  const data = parts.map((part) => contentIn(part, 'data')).filter((value) => value !== undefined)
  const hasText = parts.some((part) => contentIn(part, 'data') === undefined)
  return hasText || data.length === 0 ? textIn(message, place) : data.length === 1 ? data[0] : data
}

function textIn(message: Fields | undefined, place: Place): string | undefined {
  const texts = listOf(field(message, 'parts')).map((part) => contentText(fieldsOf(part) ?? {}, place))
  return texts.join('\n') || undefined
}

/** A part's content as text: data as JSON, a file as its name or address. */
function contentText(part: Fields, { callId, problems }: Place): string {
  const text = textOf(contentIn(part, 'text'))
  if (text !== undefined) return text
  const data = contentIn(part, 'data')
  if (data !== undefined) {
    // How long a text may be is the store's to say.
    const plain = plainValue(data, Number.POSITIVE_INFINITY)
    if (plain.cut) problems.push({ kind: 'value_cut', callId })
    return JSON.stringify(plain.value)
  }
  const file = fieldsOf(field(part, 'file'))
  const url = textOf(contentIn(part, 'url')) ?? textOf(field(file, 'uri'))
  const names = [field(part, 'filename'), field(file, 'name'), url, field(part, 'mediaType'), field(file, 'mimeType')]
  return names.map(idOf).find((name) => name !== undefined) ?? ''
}

/** A part's content of that kind, in the SDK's way or as a field. */
function contentIn(part: Fields, kind: 'text' | 'data' | 'url'): unknown {
  const content = fieldsOf(field(part, 'content'))
  if (content === undefined) return field(part, kind)
  return field(content, '$case') === kind ? field(content, 'value') : undefined
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
