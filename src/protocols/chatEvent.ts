import type { CallEvent, OutcomeEvent, Problem, ToolEvent } from '../core/index.js'
import { argumentsText } from './argumentsText.js'
import { callKey } from './callKey.js'
import { type Fields, field, fieldsOf, given, idOf, textOf, timeOf } from './fields.js'
import { nothingBut, type Protocol, type ProtocolContext, type Translation } from './protocol.js'
import { statusOf } from './statusWords.js'

/**
 * `chat_event`: a snapshot of a tool call, or a list of them (A17). Events of other scenes than `tool` do not concern
 * us and are passed over in silence.
 */
export const chatEvent: Protocol = (message, context) => {
  if (!Array.isArray(message)) return snapshot(message, context)
  const translations = message.map((entry) => readable(entry, context))
  return {
    events: translations.flatMap(({ events }) => events),
    problems: translations.flatMap(({ problems }) => problems),
  }
}

/** One entry of a list: one that can not be read costs nothing of the others. */
function readable(entry: unknown, context: ProtocolContext): Translation {
  try {
    return snapshot(entry, context)
  } catch {
    return nothingBut('unreadable')
  }
}

function snapshot(message: unknown, context: ProtocolContext): Translation {
  const fields = fieldsOf(message)
  if (fields === undefined) return nothingBut('not_an_object')
  const content = fieldsOf(field(fields, 'content'))
  const toolCall = fieldsOf(field(content, 'toolCall'))
  const scene = textOf(field(fields, 'eventScene'))?.toLowerCase()
  const isToolCall =
    scene === 'tool' || (scene === undefined && (toolCall ?? field(fields, 'toolReturn')) !== undefined)
  if (!isToolCall) return { events: [], problems: [] }
  const callId = idOf(field(fields, 'eventId'))
  if (callId === undefined) return nothingBut('missing_event_id')

  const problems: Problem[] = []
  const functionCall = fieldsOf(field(toolCall, 'functionCall'))
  const toolReturn = field(content, 'toolReturn') ?? field(fields, 'toolReturn')
  const sentAt = time(fields, 'ts', callId, problems)
  const updatedAt = time(fields, 'updatedAt', callId, problems)
  const ts = updatedAt ?? sentAt
  const outcome = outcomeOf(fields, callId, content, ts, context)
  const args = argumentsText(field(functionCall, 'arguments'), callId, problems)
  const beganAt = timeOf(field(fields, 'createdAt')) ?? sentAt
  // An ended snapshot tells when the call began only if it has another, later time for its end.
  const endsLater = updatedAt !== undefined && beganAt !== undefined && updatedAt > beganAt
  const startedAt = outcome === undefined ? (beganAt ?? ts) : endsLater ? beganAt : undefined
  const word = textOf(field(fields, 'status'))
  // The model's id, under which other protocols know the call.
  const otherId = idOf(field(fieldsOf(field(fieldsOf(toolReturn), 'meta')), 'callId'))
  const call: CallEvent = {
    type: 'call',
    callId,
    ...given('alias', otherId === undefined ? undefined : callKey(context.scope, otherId)),
    ...given('conversationId', idOf(field(fields, 'conversationId')) ?? context.conversationId),
    ...given('toolName', idOf(field(functionCall, 'name'))),
    ...given('toolId', idOf(field(toolCall, 'toolId'))),
    ...given('args', args),
    ...(args !== undefined && outcome !== undefined && { argsKind: 'final' as const }),
    ...given('statusText', outcome === undefined && word?.toLowerCase() === 'running' ? '' : word),
    ...given('startedAt', startedAt),
    ...given('ts', ts),
  }
  const events: ToolEvent[] = outcome === undefined ? [call] : [call, outcome]
  return { events, problems }
}

/** How the snapshot says that the call ended, by a return value or by its status word; undefined while it runs. */
function outcomeOf(
  fields: Fields,
  callId: string,
  content: Fields | undefined,
  ts: number | undefined,
  context: ProtocolContext,
): OutcomeEvent | undefined {
  const named = statusOf(textOf(field(fields, 'status')), context)
  const ended = named === 'running' ? undefined : named
  const returns = [field(content, 'toolReturn'), field(fields, 'toolReturn')]
  // A running call's empty return is often sent as null; with a word that ends the call null is the value.
  const toolReturn = returns.find((value) => value !== undefined && value !== null) ?? (ended && returns.find(isNull))
  const base = { type: 'outcome', callId, outcome: ended ?? 'done', ...given('ts', ts) } as const
  if (toolReturn !== undefined) return { ...base, authority: 'return', value: valueOf(toolReturn) }
  return ended === undefined ? undefined : { ...base, authority: 'status' }
}

const isNull = (value: unknown) => value === null

/** Names under which a caller wraps a returned text. */
const wrappings = ['text', 'content', 'result', 'output']

/** The returned value without the caller's own note on it, and a single text without its wrapping. */
function valueOf(toolReturn: unknown): unknown {
  const fields = fieldsOf(toolReturn)
  if (fields === undefined) return toolReturn
  const meta = fieldsOf(field(fields, 'meta'))
  const isNote = idOf(field(meta, 'callId')) !== undefined && Object.keys(meta ?? {}).length === 1
  const entries = Object.entries(fields).filter(([name]) => name !== 'meta' || !isNote)
  const [only] = entries
  if (only === undefined) return isNote ? undefined : toolReturn
  const isWrapped = entries.length === 1 && wrappings.includes(only[0]) && typeof only[1] === 'string'
  return isWrapped ? only[1] : Object.fromEntries(entries)
}

function time(fields: Fields, name: string, callId: string, problems: Problem[]): number | undefined {
  const value = field(fields, name)
  const ms = timeOf(value)
  if (ms === undefined && value !== undefined && value !== null) problems.push({ kind: 'invalid_ts', callId })
  return ms
}
