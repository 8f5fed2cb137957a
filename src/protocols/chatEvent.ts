import {
  type CallEvent,
  type OutcomeEvent,
  type OutcomeKind,
  type Problem,
  plainValue,
  type ToolEvent,
} from '../core/index.js'
import { type Fields, field, fieldsOf, given, idOf, textOf, timeOf } from './fields.js'
import { nothingBut, type Protocol, type ProtocolContext, type Translation } from './protocol.js'

/** What the status words of snapshots mean, in lower case (A17). */
const statusWords: ReadonlyMap<string, OutcomeKind> = new Map([
  ...(['done', 'completed', 'complete', 'success', 'succeeded', 'finished', 'ok'] as const).map(
    (word) => [word, 'done'] as const,
  ),
  ...(['error', 'failed', 'failure', 'timeout'] as const).map((word) => [word, 'error'] as const),
  ...(['aborted', 'canceled', 'cancelled', 'interrupted'] as const).map((word) => [word, 'aborted'] as const),
  ...(['denied', 'rejected'] as const).map((word) => [word, 'denied'] as const),
])

/**
 * `chat_event`: a snapshot of a tool call, or a list of them (A17). Events of other scenes than `tool` do not concern
 * us and are passed over in silence.
 */
export const chatEvent: Protocol = (message, context) => {
  if (!Array.isArray(message)) return snapshot(message, context)
  const translations = message.map((entry) => snapshot(entry, context))
  return {
    events: translations.flatMap(({ events }) => events),
    problems: translations.flatMap(({ problems }) => problems),
  }
}

function snapshot(message: unknown, context: ProtocolContext): Translation {
  const fields = fieldsOf(message)
  if (fields === undefined) return nothingBut('not_an_object')
  const content = fieldsOf(field(fields, 'content'))
  const toolCall = fieldsOf(field(content, 'toolCall'))
  const scene = textOf(field(fields, 'eventScene'))?.toLowerCase()
  if (scene !== 'tool' && (scene !== undefined || toolCall === undefined)) return { events: [], problems: [] }
  const callId = idOf(field(fields, 'eventId'))
  if (callId === undefined) return nothingBut('missing_event_id')

  const problems: Problem[] = []
  const functionCall = fieldsOf(field(toolCall, 'functionCall'))
  const toolReturn = field(content, 'toolReturn') ?? field(fields, 'toolReturn')
  const sentAt = time(fields, 'ts', callId, problems)
  const updatedAt = time(fields, 'updatedAt', callId, problems)
  const ts = updatedAt ?? sentAt
  const outcome = outcomeOf(fields, callId, content, ts, context)
  const args = argumentsOf(field(functionCall, 'arguments'), callId, problems)
  const beganAt = timeOf(field(fields, 'createdAt')) ?? sentAt
  // An ended snapshot tells when the call began only if it has another, later time for its end.
  const endsLater = updatedAt !== undefined && beganAt !== undefined && updatedAt > beganAt
  const startedAt = outcome === undefined ? (beganAt ?? ts) : endsLater ? beganAt : undefined
  const word = textOf(field(fields, 'status'))
  const call: CallEvent = {
    type: 'call',
    callId,
    ...given('alias', idOf(field(fieldsOf(field(fieldsOf(toolReturn), 'meta')), 'callId'))),
    ...given('conversationId', idOf(field(fields, 'conversationId')) ?? context.conversationId),
    ...given('toolName', idOf(field(functionCall, 'name')) ?? idOf(field(toolCall, 'toolId'))),
    ...given('args', args),
    ...given(
      'statusText',
      outcome === undefined && word !== undefined && word.toLowerCase() !== 'running' ? word : undefined,
    ),
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
  { statusMap }: ProtocolContext,
): OutcomeEvent | undefined {
  const word = textOf(field(fields, 'status'))?.toLowerCase()
  const mapped = word !== undefined && statusMap !== undefined ? field(statusMap, word) : undefined
  const named = (mapped as OutcomeKind | 'running' | undefined) ?? statusWords.get(word ?? '')
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
  const isNote = (name: string) => name === 'meta' && idOf(field(fieldsOf(fields.meta), 'callId')) !== undefined
  const entries = Object.entries(fields).filter(([name]) => !isNote(name))
  const [only] = entries
  if (only === undefined) return undefined
  const isWrapped = entries.length === 1 && wrappings.includes(only[0]) && typeof only[1] === 'string'
  return isWrapped ? only[1] : Object.fromEntries(entries)
}

function argumentsOf(value: unknown, callId: string, problems: Problem[]): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value
  if (typeof value === 'object') return JSON.stringify(plainValue(value, Number.POSITIVE_INFINITY).value)
  problems.push({ kind: 'invalid_arguments', callId })
  return undefined
}

function time(fields: Fields, name: string, callId: string, problems: Problem[]): number | undefined {
  const value = field(fields, name)
  const ms = timeOf(value)
  if (ms === undefined && value !== undefined && value !== null) problems.push({ kind: 'invalid_ts', callId })
  return ms
}
