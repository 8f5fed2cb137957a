import type { CallEvent, OutcomeEvent, OutcomeKind, Problem } from '../core/index.js'
import { argumentsText } from './argumentsText.js'
import { callKey } from './callKey.js'
import { type Fields, field, fieldsOf, given, idOf, textOf } from './fields.js'
import { nothingBut, type Protocol, type ProtocolContext, type Translation } from './protocol.js'
import { statusOf } from './statusWords.js'

/** `tool_call_start { tool_call_id, tool_name, arguments }`: a call, as soon as its id and name are known (C1). */
export const toolCallStart: Protocol = (message, context) =>
  ofCall(message, context, ({ fields, callId, problems }) => {
    const args = field(fields, 'arguments')
    const text = argumentsText(args, callId, problems) ?? ''
    const call: CallEvent = {
      type: 'call',
      callId,
      ...given('conversationId', context.conversationId),
      ...given('toolName', idOf(field(fields, 'tool_name'))),
      args: text,
      argsKind: kindOf(args),
    }
    return { events: [call], problems }
  })

/**
 * `tool_call_args_delta { tool_call_id, arguments }`: the arguments so far (C2), or with the context's `argumentsMode`
 * `append` what is new at their end.
 */
export const toolCallArgsDelta: Protocol = (message, context) =>
  ofCall(message, context, ({ fields, callId, problems }) => {
    const args = field(fields, 'arguments')
    const text = argumentsText(args, callId, problems)
    if (text === undefined) return { events: [], problems }
    const base = { type: 'call', callId, ...given('conversationId', context.conversationId) } as const
    const isIncrement = context.argumentsMode === 'append' && typeof args === 'string'
    const call: CallEvent = isIncrement ? { ...base, argsDelta: text } : { ...base, args: text, argsKind: kindOf(args) }
    return { events: [call], problems }
  })

/**
 * `tool_call_result { tool_call_id, result, status, summary }`: the call has ended (C6). Whatever `result` is, null, 0,
 * false and "" included, is its final value. A status that is not known is never success.
 */
export const toolCallResult: Protocol = (message, context) =>
  ofCall(message, context, ({ fields, callId, problems }) => {
    const call: CallEvent = { type: 'call', callId, ...given('conversationId', context.conversationId) }
    const word = textOf(field(fields, 'status'))
    const value = field(fields, 'result')
    const summary = textOf(field(fields, 'summary'))
    const named = statusOf(word, context)
    if (named === 'running') return { events: [{ ...call, running: true }], problems }
    const isUnknown = named === undefined && (word !== undefined || value === undefined)
    if (isUnknown) problems.push({ kind: 'unknown_status', callId })
    const outcome: OutcomeKind = named ?? (isUnknown ? 'unknown' : 'done')
    const end: OutcomeEvent = {
      type: 'outcome',
      callId,
      outcome,
      authority: 'final',
      ...(value !== undefined && { value }),
      ...(isUnknown && given('reason', word)),
      ...(summary !== '' && given('summary', summary)),
    }
    return { events: [call, end], problems }
  })

const byType: Readonly<Record<string, Protocol>> = {
  tool_call_start: toolCallStart,
  tool_call_args_delta: toolCallArgsDelta,
  tool_call_result: toolCallResult,
}

/**
 * `tool_call`: any of the three wrapped as `{ type, data }`. Messages of other types do not concern us and are passed
 * over in silence.
 */
export const toolCall: Protocol = (message, context) => {
  const fields = fieldsOf(message)
  if (fields === undefined) return nothingBut('not_an_object')
  const type = textOf(field(fields, 'type'))
  if (type === undefined) return nothingBut('unknown_kind')
  const protocol = field(byType, type) as Protocol | undefined
  return protocol === undefined ? { events: [], problems: [] } : protocol(field(fields, 'data'), context)
}

/** A value is whole; of a text nobody can tell but by what it says. */
const kindOf = (args: unknown) => (typeof args === 'object' && args !== null ? 'complete' : 'partial')

interface CallMessage {
  readonly fields: Fields
  readonly callId: string
  readonly problems: Problem[]
}

function ofCall(
  message: unknown,
  { scope }: ProtocolContext,
  translate: (message: CallMessage) => Translation,
): Translation {
  const fields = fieldsOf(message)
  if (fields === undefined) return nothingBut('not_an_object')
  const id = idOf(field(fields, 'tool_call_id'))
  if (id === undefined) return nothingBut('missing_call_id')
  return translate({ fields, callId: callKey(scope, id), problems: [] })
}
