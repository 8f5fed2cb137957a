import { describe, expect, test } from 'vitest'
import { agentBus, idOfKey } from '../../src/protocols/index.js'
import {
  appendString,
  approvalRequest,
  approvalResponse,
  completed,
  newRunning,
  sessionEnded,
  toolCall,
  toolResult,
  toolStatus,
} from '../support/bus.js'

const messages = [
  ['ToolCall', toolCall({ parentToolCallID: 'call-0' })],
  ['ToolStatus', toolStatus('running', { timeoutSec: 30 })],
  ['ToolResult', toolResult('ready')],
  ['ToolApprovalRequest', approvalRequest({ subagentSessionID: 'sub' })],
  ['ToolApprovalResponse', approvalResponse(true, { scope: 'once' })],
  ['TerminalNewRunning', newRunning('make')],
  ['TerminalAppendString', appendString('text')],
  ['TerminalCompleted', completed(1)],
  ['TurnEnded', sessionEnded()],
] as const

const context = { conversationId: 'c-1', scope: 's' }

describe.each(messages)('%s', (name, message) => {
  const fields = Object.fromEntries(Object.entries(message).filter(([key]) => key !== 'type'))
  const expected = agentBus({ type: name, ...fields }, context)

  test('[D7] is told in events without a problem', () => {
    expect(expected.problems).toEqual([])
    expect(expected.events).not.toHaveLength(0)
    expect(JSON.stringify(expected.events)).toContain('"conversationId":"c-1"')
  })

  test.each<[string, unknown]>([
    ['by its name as an event', { type: `${name}Event`, ...fields }],
    ['by its name as a message', { type: `${name}Msg`, ...fields }],
    ['by its name in snake case', { type: `${name.replace(/(?!^)([A-Z])/g, '_$1').toLowerCase()}_event`, ...fields }],
    ['wrapped with a type', { type: name, data: fields }],
    ['wrapped with a type and a payload', { type: name, payload: fields }],
    ['wrapped with its name as the topic', { topic: `${name}Event`, payload: fields }],
    ['wrapped with a topic, with its type inside', { topic: 'TopicTools', payload: { type: name, ...fields } }],
    [
      'with its ids in camelCase',
      {
        type: name,
        ...Object.fromEntries(Object.entries(fields).map(([key, value]) => [key.replace('ID', 'Id'), value])),
      },
    ],
  ])('[D7] is told the same %s', (_form, other) => {
    expect(agentBus(other, context)).toEqual(expected)
  })

  test('[D7] is told by its fields, bare or under a topic, unless it ends a session', () => {
    const told = name === 'TurnEnded' ? { events: [], problems: [{ kind: 'unknown_kind' }] } : expected

    expect(agentBus(fields, context)).toEqual(told)
    expect(agentBus({ topic: 'TopicTerminalStream', payload: fields }, context)).toEqual(told)
  })
})

test('[D7] events of other types do not concern us', () => {
  expect(agentBus({ type: 'AgentTextEvent', toolCallID: 'call-1', delta: 'hello' }, context)).toEqual({
    events: [],
    problems: [],
  })
})

test('[D4] ids are told apart by the scope, those of parents and requests, too, and are found again in their keys', () => {
  expect(agentBus(toolCall({ parentToolCallID: 'call-0' }), { scope: 's' }).events).toMatchObject([
    { callId: 's/call-1', parentCallId: 's/call-0' },
  ])
  expect(agentBus(approvalRequest(), { scope: 's' }).events).toMatchObject([{ approvalId: 's/r-1' }])
  expect([idOfKey('s', 's/r/1'), idOfKey(undefined, 's/r-1'), idOfKey('s', 'r-1')]).toEqual(['r/1', 's/r-1', 'r-1'])
})

test.each<[string, unknown, string]>([
  ['is no object', 'ToolCall', 'not_an_object'],
  ['has no object for its payload', { type: 'ToolCall', payload: 7 }, 'not_an_object'],
  ['says nothing of what it is', { sessionID: 's-1' }, 'unknown_kind'],
  ['names a call and its tool, and says nothing of them', { toolCallID: 'call-1', toolName: 'bash' }, 'unknown_kind'],
  ['names no call', toolCall({ toolCallID: undefined }), 'missing_call_id'],
  ['names no request', approvalRequest({ correlationID: '' }), 'missing_approval_id'],
  ['decides nothing', approvalResponse('true'), 'invalid_payload'],
  ['adds no text', appendString(7), 'invalid_payload'],
  ['ends no session', sessionEnded({ sessionID: undefined }), 'invalid_payload'],
  ['has a word that is not known', toolStatus('odd'), 'unknown_status'],
  ['has arguments that are none', toolCall({ args: 7 }), 'invalid_arguments'],
])('[H1] a message that %s is counted', (_, message, kind) => {
  expect(agentBus(message, {}).problems).toMatchObject([{ kind }])
})

test.each([[Number.NaN], [-1], [0], ['30'], [Number.POSITIVE_INFINITY]])(
  '[D2] a time limit of %j is none',
  (timeoutSec) => {
    expect(agentBus(toolStatus('running', { timeoutSec }), {}).events[0]).not.toHaveProperty('timeoutSec')
  },
)
