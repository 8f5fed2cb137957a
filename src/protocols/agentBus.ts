import type { ApprovalRequest, BlockEvent, CallEvent, OutcomeEvent, Problem, ToolEvent } from '../core/index.js'
import { amountOf } from './amountOf.js'
import { argumentsText } from './argumentsText.js'
import { callKey } from './callKey.js'
import { type Fields, field, fieldsOf, given, idOf, textOf, timeOf } from './fields.js'
import { nothingBut, type Protocol, type ProtocolContext, type Translation } from './protocol.js'
import { statusOf } from './statusWords.js'

/** The task that holds the terminals of a call (D6). */
const terminalTask = 'terminal'

/**
 * `agent_bus`: the events of a tool call's life on an agent's bus (D1 to D7). They come bare, as `{ type, ... }`, or in an
 * envelope, `{ type, data }`, `{ type, payload }` or `{ topic, payload }`; a bare one without a type is told by its
 * fields. Names are taken with and without `Event` or `Msg` at their end, in any case, and ids as `sessionID` and as
 * `sessionId`. Events of other types do not concern us and are passed over in silence.
 */
export const agentBus: Protocol = (message, context) => {
  const outer = fieldsOf(message)
  if (outer === undefined) return nothingBut('not_an_object')
  const payload = field(outer, 'payload') ?? field(outer, 'data')
  const isWrapped = payload !== undefined && payload !== null
  const fields = isWrapped ? fieldsOf(payload) : outer
  if (fields === undefined) return nothingBut('not_an_object')
  const type = textOf(field(outer, 'type')) ?? (isWrapped ? textOf(field(fields, 'type')) : undefined)
  const topic = textOf(field(outer, 'topic'))
  const named = translationOf(type) ?? (type === undefined ? (translationOf(topic) ?? toldByFields(fields)) : undefined)
  if (named === undefined) return type === undefined ? nothingBut('unknown_kind') : { events: [], problems: [] }
  return named(fields, context)
}

type Translate = (fields: Fields, context: ProtocolContext) => Translation

/** A call is announced. `display` is its readable line (D1). */
const toolCall: Translate = (fields, context) =>
  ofCall(fields, context, (base, problems) => {
    const args = argumentsText(field(fields, 'args'), base.callId, problems)
    const parent = id(fields, 'parentToolCallID')
    return [
      {
        ...base,
        ...given('toolName', idOf(field(fields, 'name'))),
        ...given('title', idOf(field(fields, 'display'))),
        ...given('parentCallId', parent === undefined ? undefined : callKey(context.scope, parent)),
        ...given('args', args),
        pending: true,
      },
    ]
  })

/** A word about where the call is (D2). A word that is not known is kept, and says nothing. */
const toolStatus: Translate = (fields, context) =>
  ofCall(fields, context, (base, problems) => {
    const { callId } = base
    const timeoutSec = amountOf(field(fields, 'timeoutSec'), callId, problems)
    // Zero is no limit.
    const call: CallEvent = { ...base, ...given('timeoutSec', timeoutSec || undefined) }
    const word = textOf(field(fields, 'status'))
    const lower = word?.toLowerCase()
    if (lower === 'pending') return [{ ...call, pending: true, statusText: '' }]
    const named = lower === 'running' ? 'running' : statusOf(word, context)
    if (named === 'running') return [{ ...call, running: true, statusText: '' }]
    if (named !== undefined) return [call, { type: 'outcome', callId, outcome: named, authority: 'status' }]
    problems.push({ kind: 'unknown_status', callId })
    return [{ ...call, ...given('statusText', word) }]
  })

/** The call has ended; whatever `display` is, it is the final value (D3). */
const toolResult: Translate = (fields, context) =>
  ofCall(fields, context, (base) => {
    const value = field(fields, 'display')
    const end: OutcomeEvent = {
      type: 'outcome',
      callId: base.callId,
      outcome: field(fields, 'isError') === true ? 'error' : 'done',
      authority: 'final',
      ...(value !== undefined && { value }),
      ...given('ts', base.ts),
    }
    return [base, end]
  })

/** A person is asked whether the tool may run (D4). It names no call. */
const approvalRequest: Translate = (fields, context) =>
  ofApproval(fields, context, (base, problems) => {
    const args = argumentsText(field(fields, 'args'), base.approvalId, problems)
    const request: ApprovalRequest = {
      ...given('sessionId', id(fields, 'sessionID')),
      ...given('toolName', idOf(field(fields, 'toolName'))),
      ...(args !== '' && given('args', args)),
      ...given('subagentSessionId', id(fields, 'subagentSessionID')),
      ...given('serverName', idOf(field(fields, 'serverName'))),
      ...given('message', idOf(field(fields, 'display'))),
      ...given('expiresAt', timeOf(field(fields, 'expiresAt'))),
    }
    return { ...base, request }
  })

/** Somebody has answered (D4). What is not said in so many words is no answer. */
const approvalResponse: Translate = (fields, context) =>
  ofApproval(fields, context, (base, problems) => {
    const approved = field(fields, 'approved')
    if (typeof approved !== 'boolean') {
      problems.push({ kind: 'invalid_payload' })
      return undefined
    }
    const [scope, reason] = [idOf(field(fields, 'scope')), idOf(field(fields, 'reason'))]
    return { ...base, answer: { approved, ...given('scope', scope), ...given('reason', reason) } }
  })

/** A command runs in a terminal (D6). */
const terminalNewRunning: Translate = (fields, context) =>
  ofCall(fields, context, (base) => {
    const command = idOf(field(fields, 'command'))
    const description = idOf(field(fields, 'description'))
    const terminal = { ...given('command', command), ...given('description', description) }
    return [base, { ...placeOf(base), kind: 'tool', terminal }]
  })

const terminalAppendString: Translate = (fields, context) =>
  ofCall(fields, context, (base, problems) => {
    const text = textOf(field(fields, 'delta'))
    if (text !== undefined) return [base, { ...placeOf(base), kind: 'output', text }]
    problems.push({ kind: 'invalid_payload', callId: base.callId })
    return []
  })

const terminalCompleted: Translate = (fields, context) =>
  ofCall(fields, context, (base, problems) => {
    const [exitCode = null, isError] = [field(fields, 'exitCode'), field(fields, 'isError')]
    if (exitCode !== null && !Number.isSafeInteger(exitCode)) {
      problems.push({ kind: 'invalid_number', callId: base.callId })
    }
    const terminal = {
      ...(Number.isSafeInteger(exitCode) && { exitCode: exitCode as number }),
      ...given('signal', idOf(field(fields, 'signal'))),
      ...(typeof isError === 'boolean' && { isError }),
    }
    return [base, { ...placeOf(base), kind: 'tool', status: 'done', terminal }]
  })

/** A turn or a session is over: what it left open will never be heard of again. */
const ended: Translate = (fields, { conversationId }) => {
  const sessionId = id(fields, 'sessionID')
  if (sessionId === undefined) return nothingBut('invalid_payload')
  return {
    events: [{ type: 'contact', contact: 'ended', sessionId, ...given('conversationId', conversationId) }],
    problems: [],
  }
}

const byName: ReadonlyMap<string, Translate> = new Map([
  ['toolcall', toolCall],
  ['toolstatus', toolStatus],
  ['toolresult', toolResult],
  ['toolapprovalrequest', approvalRequest],
  ['approvalrequest', approvalRequest],
  ['toolapprovalresponse', approvalResponse],
  ['approvalresponse', approvalResponse],
  ['terminalnewrunning', terminalNewRunning],
  ['terminalappendstring', terminalAppendString],
  ['terminalcompleted', terminalCompleted],
  ['turnended', ended],
  ['sessionended', ended],
])

/** The names as senders spell them, as far as they have been read. */
const bySpelling = new Map(byName)
const maxSpellings = 100

function translationOf(name: string | undefined): Translate | undefined {
  // A name longer than any that is known need not be read.
  if (name === undefined || name.length > 64) return undefined
  const known = bySpelling.get(name)
  if (known !== undefined) return known
  const plain = name.replace(/[_\-. ]/g, '').toLowerCase()
  const found = byName.get(plain.replace(/(event|msg)$/, ''))
  if (found !== undefined && bySpelling.size < maxSpellings) bySpelling.set(name, found)
  return found
}

/** Which event it is by what only that event has. That a session is over is never told so; nor an end by a bare name. */
function toldByFields(fields: Fields): Translate | undefined {
  const has = (name: string) => field(fields, name) !== undefined
  if (id(fields, 'correlationID') !== undefined) return has('approved') ? approvalResponse : approvalRequest
  if (id(fields, 'toolCallID') === undefined) return undefined
  if (has('name')) return toolCall
  if (has('delta')) return terminalAppendString
  if (has('command')) return terminalNewRunning
  if (has('exitCode')) return terminalCompleted
  if (has('status')) return toolStatus
  return has('display') || has('isError') ? toolResult : undefined
}

function ofCall(
  fields: Fields,
  { scope, conversationId }: ProtocolContext,
  translate: (base: CallEvent, problems: Problem[]) => readonly ToolEvent[],
): Translation {
  const toolCallId = id(fields, 'toolCallID')
  if (toolCallId === undefined) return nothingBut('missing_call_id')
  const problems: Problem[] = []
  const base: CallEvent = {
    type: 'call',
    callId: callKey(scope, toolCallId),
    ...given('conversationId', conversationId),
    ...given('sessionId', id(fields, 'sessionID')),
    ...given('toolName', idOf(field(fields, 'toolName'))),
    ...given('serverName', idOf(field(fields, 'serverName'))),
    ...given('ts', timeOf(field(fields, 'ts'))),
  }
  return { events: translate(base, problems), problems }
}

function ofApproval(
  fields: Fields,
  { scope, conversationId }: ProtocolContext,
  translate: (
    base: { type: 'approval'; approvalId: string; conversationId?: string; ts?: number },
    problems: Problem[],
  ) => ToolEvent | undefined,
): Translation {
  const correlationId = id(fields, 'correlationID')
  if (correlationId === undefined) return nothingBut('missing_approval_id')
  const problems: Problem[] = []
  const base = {
    type: 'approval',
    approvalId: callKey(scope, correlationId),
    ...given('conversationId', conversationId),
    ...given('ts', timeOf(field(fields, 'ts'))),
  } as const
  const event = translate(base, problems)
  return { events: event === undefined ? [] : [event], problems }
}

/** The bus has no numbers: a terminal's pieces stand in the order of their arrival. */
const placeOf = ({ callId }: CallEvent) =>
  ({ type: 'block', callId, taskId: terminalTask, byArrival: true }) satisfies Partial<BlockEvent>

/** An id in either spelling, `sessionID` or `sessionId` (D7). */
const id = (fields: Fields, name: `${string}ID`) =>
  idOf(field(fields, name)) ?? idOf(field(fields, name.replace(/ID$/, 'Id')))
