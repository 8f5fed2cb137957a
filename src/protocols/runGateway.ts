import type {
  ApprovalEvent,
  Artifact,
  Citation,
  Effect,
  PlannedStep,
  Problem,
  Receipt,
  StepEvent,
  ToolEvent,
} from '../core/index.js'
import { amountOf } from './amountOf.js'
import { argumentsText } from './argumentsText.js'
import { callKey } from './callKey.js'
import { type Fields, field, fieldsOf, given, idOf, textOf, timeOf } from './fields.js'
import { nothingBut, type Protocol, type ProtocolContext, type Translation } from './protocol.js'
import { statusOf } from './statusWords.js'

/**
 * `run_gateway`: one event of a run in either of its forms, or in the form for user interfaces (E1); a list of them; or
 * the answer to a resume, `{ events, next_seq }` or `{ snapshot }`, whose own `run_id` or `task_id` stands for those that
 * its events lack. What is not meant for the user is dropped here, before anything of it is kept: only that there was
 * such an event is told (E3). Of the others nothing is kept but the fields named in E1.
 */
export const runGateway: Protocol = (message, context) => translate(message, context, context.runId, [])

/** A snapshot may hold a list, which an answer may hold. */
const maxNesting = 4

/** `around`: the lists and answers that the message is in, of which none is read again inside of itself. */
function translate(
  message: unknown,
  context: ProtocolContext,
  runId: string | undefined,
  around: readonly unknown[],
): Translation {
  if (around.length > maxNesting || around.includes(message)) return nothingBut('unreadable')
  const inside = [...around, message]
  if (Array.isArray(message)) return all(message, context, runId, inside)
  const fields = fieldsOf(message)
  if (fields === undefined) return nothingBut('not_an_object')
  const ownRunId = idOf(field(fields, 'run_id')) ?? idOf(field(fields, 'task_id')) ?? runId
  if (field(fields, 'type') !== undefined) return runEvent(fields, ownRunId, context)
  const held = ['events', 'snapshot'].map((name) => field(fields, name)).filter((value) => value !== undefined)
  if (held.length > 0)
    return isVisible(fields, undefined, context) ? all(held, context, ownRunId, inside) : notVisible()
  return runEvent(fields, ownRunId, context)
}

/** One that can not be read costs nothing of the others. */
function all(
  messages: readonly unknown[],
  context: ProtocolContext,
  runId: string | undefined,
  around: readonly unknown[],
): Translation {
  const translations = messages.map((message) => {
    try {
      return translate(message, context, runId, around)
    } catch {
      return nothingBut('unreadable')
    }
  })
  return {
    events: translations.flatMap(({ events }) => events),
    problems: translations.flatMap(({ problems }) => problems),
  }
}

const notVisible = () => nothingBut('not_visible')

/**
 * Whether an event is for the user: it says so, or it says nothing and is of a type that is known (E3). Both the event
 * and its payload have to agree.
 */
function isVisible(fields: Fields, type: string | undefined, { visibleScopes = [] }: ProtocolContext): boolean {
  const said = [field(fields, 'visibility'), field(fieldsOf(field(fields, 'payload')), 'visibility')]
  const scopes = said.filter((value) => value !== undefined && value !== null)
  const isShown = (value: unknown) => value === 'user' || visibleScopes.includes(value as string)
  if (scopes.length === 0) return type === undefined || Object.hasOwn(readers, type)
  return scopes.every(isShown)
}

/** A message that has been let through, and where it is read from: its payload first, then beside it. */
interface RunMessage {
  readonly runId: string
  readonly callId: string
  readonly context: ProtocolContext
  readonly problems: Problem[]
  readonly get: (name: string) => unknown
}

type StepContent = StepEvent extends infer Event ? (Event extends StepEvent ? Omit<Event, keyof Place> : never) : never
type Place = Pick<StepEvent, 'type' | 'callId' | 'seq' | 'eventId' | 'ts' | 'tool' | 'message'> &
  Pick<StepEvent, 'artifacts' | 'citations' | 'degraded' | 'effect'>

function runEvent(fields: Fields, runId: string | undefined, context: ProtocolContext): Translation {
  const type = textOf(field(fields, 'type')) ?? (field(fields, 'type') === undefined ? 'snapshot' : '')
  if (!isVisible(fields, type, context)) return notVisible()
  if (runId === undefined) return nothingBut('missing_run_id')
  const callId = callKey(context.scope, runId)
  const problems: Problem[] = []
  const payload = fieldsOf(field(fields, 'payload'))
  const get = (name: string) => field(payload, name) ?? field(fields, name)
  const message: RunMessage = { runId, callId, context, problems, get }
  const seq = seqOf(field(fields, 'seq'), message)
  const eventId = idOf(field(fields, 'event_id'))
  const ts = tsOf(field(fields, 'created_at') ?? field(fields, 'at'), message)
  const read = Object.hasOwn(readers, type) ? readers[type as keyof typeof readers] : unknownType
  const content = read(message)
  const call: ToolEvent = {
    type: 'call',
    callId,
    ...given('conversationId', context.conversationId),
    ...given('startedAt', ts),
  }
  if (content === undefined) return { events: [], problems }
  const artifacts = artifactsOf(message)
  const citations = citationsOf(get('citations') ?? get('evidence_ids'))
  const degraded = get('degraded')
  const place: Place = {
    type: 'step',
    callId,
    ...given('seq', seq),
    ...given('eventId', eventId),
    ...given('ts', ts),
    ...given('tool', idOf(get('tool'))),
    ...given('message', textOf(get('message'))),
    ...given('effect', effectOf(get('effect'))),
    ...(artifacts.length > 0 && { artifacts }),
    ...(citations.length > 0 && { citations }),
    ...(typeof degraded === 'boolean' && { degraded }),
  }
  const step = { ...place, ...content } as StepEvent
  const events: ToolEvent[] = [call, step]
  if (step.kind === 'approval') events.push(approvalOf(message, step))
  return { events, problems }
}

/** What each type says beside what all may say (E1). */
const readers = {
  run_started: started,
  'task.started': started,
  plan_ready: ({ get }) => ({ kind: 'planned', steps: planOf(get('steps') ?? get('plan')) }),
  tool_requested: () => ({ kind: 'requested' }),
  tool_progress: progress,
  tool_result: ({ get, context }) => ({
    kind: 'result',
    ...((get('is_error') === true ||
      given('error', get('error')).error !== undefined ||
      isFailure(get('status'), context)) && {
      failed: true,
    }),
  }),
  approval_required: () => ({ kind: 'approval' }),
  committed,
  failed: endedWith('error'),
  unknown: endedWith('unknown'),
  token_delta: ({ get, callId, problems }) => {
    const text = textOf(get('text')) ?? textOf(get('delta')) ?? textOf(get('token')) ?? textOf(get('content'))
    if (text !== undefined) return { kind: 'thinking', text }
    problems.push({ kind: 'invalid_payload', callId })
    return undefined
  },
  heartbeat: () => ({ kind: 'heartbeat' }),
  'stream.paused': () => ({ kind: 'paused' }),
  'step.updated': updated,
  'artifact.ready': () => ({ kind: 'artifact' }),
  'task.ended': ended,
  /** A snapshot without events: how the run ended, in one object. */
  snapshot: (message) => (message.get('status') === undefined ? unreadable(message) : ended(message)),
} satisfies Record<string, (message: RunMessage) => StepContent | undefined>

function started({ get }: RunMessage): StepContent {
  const title = textOf(get('title')) ?? textOf(get('goal'))
  // Of a run's start the tool is its name.
  return {
    kind: 'started',
    ...given('tool', idOf(get('name')) ?? idOf(get('tool'))),
    ...given('title', title),
  }
}

function progress({ get, callId, problems }: RunMessage): StepContent {
  const counts = fieldsOf(get('progress'))
  const count = (...names: readonly string[]) => {
    const value = names.map((name) => field(counts, name) ?? get(name)).find((each) => each !== undefined)
    return amountOf(value, callId, problems)
  }
  const confidence = get('confidence')
  const isEstimate = get('is_estimate') === true || (typeof confidence === 'number' && confidence < 1)
  return {
    kind: 'progress',
    ...given('stage', textOf(get('stage')) ?? textOf(get('phase'))),
    ...given('done', count('completed', 'done')),
    ...given('total', count('total')),
    ...(isEstimate && { isEstimate }),
  }
}

function updated(message: RunMessage): StepContent | undefined {
  const { get, callId, problems } = message
  const name = idOf(get('step'))
  const state = get('state')
  if (name === undefined) return unreadable(message)
  if (state === 'running' || state === 'done' || state === 'blocked') return { kind: 'updated', name, state }
  problems.push({ kind: 'unknown_status', callId })
  return { kind: 'updated', name, state: 'running' }
}

/** Only this is the success of a run, and only where it says so (E5). */
function committed({ get, context }: RunMessage): StepContent {
  const word = textOf(get('status'))
  const isOk = word === undefined || statusOf(word, context) === 'done'
  const receipt = receiptOf(get)
  const base = { kind: 'ended', committed: true, authority: 'final', receipt } as const
  return isOk ? { ...base, outcome: 'done', ...valueOf(get) } : { ...base, outcome: 'unknown', reason: word }
}

/** The end in the form for user interfaces, which knows no commit: what a receipt says counts before it. */
function ended({ get, context, callId, problems }: RunMessage): StepContent {
  const word = textOf(get('status'))
  const named = word === 'unknown' ? 'unknown' : word === 'committed' ? 'done' : statusOf(word, context)
  const base = { kind: 'ended', committed: word === 'committed', authority: 'return' } as const
  if (named === 'done') return { ...base, outcome: 'done', receipt: receiptOf(get), ...valueOf(get) }
  if (named === undefined || named === 'running') problems.push({ kind: 'unknown_status', callId })
  const isKnown = named !== undefined && named !== 'running'
  const reason = reasonOf(get) ?? (isKnown ? undefined : word)
  return { ...base, outcome: isKnown ? named : 'unknown', ...given('reason', reason) }
}

/** A type that E1 does not name is shown by its text alone. */
function unknownType(message: RunMessage): StepContent | undefined {
  const text = textOf(message.get('message')) ?? textOf(message.get('text'))
  message.problems.push({ kind: 'unknown_kind', callId: message.callId })
  return text === undefined ? undefined : { kind: 'text', text }
}

function unreadable({ callId, problems }: RunMessage): undefined {
  problems.push({ kind: 'invalid_payload', callId })
  return undefined
}

function approvalOf(message: RunMessage, step: StepEvent): ApprovalEvent {
  const { callId, context, problems, get, runId } = message
  const { seq, eventId, ts, tool, effect } = step
  const args = argumentsText(get('arguments') ?? get('args'), callId, problems)
  return {
    type: 'approval',
    approvalId: callKey(callId, String(seq ?? eventId ?? runId)),
    ...given('conversationId', context.conversationId),
    request: {
      callId,
      ...given('toolName', tool),
      ...given('args', args),
      ...given('message', step.message),
      ...given('effect', effect),
      ...given('seq', seq),
      ...given('expiresAt', timeOf(get('expires_at'))),
    },
    ...given('ts', ts),
  }
}

const receiptFields = [
  ['receipt_id', 'receipt'],
  ['confirmation_id', 'confirmation'],
  ['draft_id', 'draft'],
] as const

/** The first there is of what confirms that something was done; null where there is none (E5). */
function receiptOf(get: RunMessage['get']): Receipt | null {
  for (const [name, kind] of receiptFields) {
    const id = idOf(get(name))
    if (id !== undefined) return { kind, id }
  }
  const artifact = get('artifact')
  const id = idOf(field(fieldsOf(artifact), 'id')) ?? idOf(artifact) ?? idOf(get('artifact_id'))
  return id === undefined ? null : { kind: 'artifact', id }
}

/** What the run gives back; with nothing else its last word. */
function valueOf(get: RunMessage['get']): { readonly value?: unknown } {
  const value = ['result', 'value', 'summary', 'message'].map(get).find((each) => each !== undefined)
  return value === undefined ? {} : { value }
}

function endedWith(outcome: 'error' | 'unknown') {
  return ({ get }: RunMessage) =>
    ({
      kind: 'ended',
      committed: false,
      outcome,
      authority: 'final',
      ...given('reason', reasonOf(get)),
    }) satisfies StepContent
}

function reasonOf(get: RunMessage['get']): string | undefined {
  const error = get('error')
  const said = [get('reason'), get('message'), error, field(fieldsOf(error), 'message'), get('error_code')]
  return said.map(textOf).find((text) => text !== undefined && text !== '')
}

const isFailure = (status: unknown, context: ProtocolContext) => {
  const named = statusOf(textOf(status), context)
  return named === 'error' || named === 'aborted' || named === 'denied'
}

const effectOf = (value: unknown): Effect | undefined => (value === 'read' || value === 'write' ? value : undefined)

/** How many entries of one list are read. */
const maxEntries = 1_000

function planOf(value: unknown): readonly PlannedStep[] {
  if (!Array.isArray(value)) return []
  return value.slice(0, maxEntries).flatMap((entry: unknown) => {
    const fields = fieldsOf(entry)
    const name = idOf(entry) ?? ['tool', 'step', 'name', 'id'].map((key) => idOf(field(fields, key))).find(isThere)
    if (name === undefined) return []
    const title = textOf(field(fields, 'title'))
    return [{ name, ...given('title', title), ...given('effect', effectOf(field(fields, 'effect'))) }]
  })
}

function artifactsOf(message: RunMessage): readonly Artifact[] {
  const { get } = message
  const list = get('artifacts')
  const artifacts = [get('artifact'), ...(Array.isArray(list) ? list.slice(0, maxEntries) : [])].map((each) =>
    artifactOf(each, message),
  )
  const own = idOf(get('artifact_id'))
  const url = textOf(get('download_url'))
  if (own !== undefined)
    artifacts.push({
      ...artifactOf({ name: get('name'), size: get('size'), sha256: get('sha256') }, message, own),
      ...given('url', url),
    } as Artifact)
  return artifacts.filter(isThere)
}

function artifactOf(value: unknown, { callId, problems }: RunMessage, ownId?: string): Artifact | undefined {
  const fields = fieldsOf(value)
  const id = ownId ?? idOf(field(fields, 'id')) ?? idOf(field(fields, 'artifact_id')) ?? idOf(value)
  if (id === undefined) return undefined
  const size = amountOf(field(fields, 'size') ?? field(fields, 'bytes'), callId, problems)
  return {
    id,
    ...given('name', idOf(field(fields, 'name')) ?? idOf(field(fields, 'filename'))),
    ...given('size', size),
    ...given('sha256', idOf(field(fields, 'sha256'))),
    ...given('mediaType', idOf(field(fields, 'media_type')) ?? idOf(field(fields, 'mime_type'))),
    ...given('url', idOf(field(fields, 'download_url')) ?? idOf(field(fields, 'url'))),
  }
}

/** `doc-17#p4`: a source, and behind the first `#` the place in it. */
function citationsOf(value: unknown): readonly Citation[] {
  const list = Array.isArray(value) ? value.slice(0, maxEntries) : []
  return list.flatMap((entry: unknown): readonly Citation[] => {
    const fields = fieldsOf(entry)
    const written =
      idOf(entry) ?? ['source', 'doc', 'id', 'evidence_id', 'url'].map((key) => idOf(field(fields, key))).find(isThere)
    if (written === undefined) return []
    const said = ['place', 'locator', 'page', 'anchor'].map((key) => idOf(field(fields, key))).find(isThere)
    const hash = said === undefined && !/^[a-z]+:\/\//i.test(written) ? written.indexOf('#') : -1
    return [
      {
        source: hash > 0 ? written.slice(0, hash) : written,
        ...given('place', hash > 0 ? written.slice(hash + 1) || undefined : said),
        ...given('title', idOf(field(fields, 'title'))),
        ...given('url', idOf(field(fields, 'url'))),
      },
    ]
  })
}

const isThere = <Value>(value: Value | undefined): value is Value => value !== undefined

function seqOf(seq: unknown, { callId, problems }: RunMessage): number | undefined {
  if (Number.isSafeInteger(seq)) return (seq as number) + 0
  if (seq !== undefined && seq !== null) problems.push({ kind: 'invalid_seq', callId })
  return undefined
}

function tsOf(value: unknown, { callId, problems }: RunMessage): number | undefined {
  const ts = timeOf(value)
  if (ts === undefined && value !== undefined && value !== null) problems.push({ kind: 'invalid_ts', callId })
  return ts
}
