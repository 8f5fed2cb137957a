import { type ProtocolName, protocols } from '../../src/protocols/index.js'
import { allowedEnded, terminals } from '../fixtures/bus.js'
import { ended, returned } from '../fixtures/calls.js'
import { runCommitted } from '../fixtures/runs.js'
import type { Fixture } from '../fixtures/storeOf.js'
import { argsDelta, result, start, type WireMessage } from '../fixtures/wire.js'

/** The names of all protocols. */
export const protocolNames = Object.keys(protocols) as readonly ProtocolName[]

const id = 'call-7'
const written = [
  start(id, 0, 'write_file'),
  argsDelta(id, 100, '{"path":"game.html","content":"<!DOC'),
  argsDelta(id, 200, '{"path":"game.html","content":"<!DOCTYPE html>"}'),
  result(id, 300, { result: 'Wrote 1 line.', status: 'success', summary: 'Wrote game.html' }),
]

const messagesOf = (protocol: ProtocolName, { receives }: Fixture) =>
  receives.flatMap((each) => ('protocol' in each && each.protocol === protocol ? [each.message] : []))
const only = (protocol: ProtocolName) => messagesOf(protocol, { receives: written })
const wrapped = ({ protocol, message }: WireMessage) => ({ type: protocol, data: message })

const ofAgent = (state: string, text: string, messageId: string) => ({
  statusUpdate: {
    taskId: 'task-1',
    contextId: 'context-1',
    status: {
      state: `TASK_STATE_${state}`,
      timestamp: '2026-01-02T12:03:00.000Z',
      message: { messageId, role: 'ROLE_AGENT', parts: [{ text }] },
    },
  },
})

/** Messages to start from, by protocol and by what they are about. */
export const examples: Readonly<Record<ProtocolName, Readonly<Record<string, readonly unknown[]>>>> = {
  chat_event: { 'A call that returns': messagesOf('chat_event', returned('export const answer = 42')) },
  tool_event_stream: {
    'A process that ends': messagesOf('tool_event_stream', ended),
    'Out of order, and twice': messagesOf('tool_event_stream', ended)
      .toReversed()
      .flatMap((each) => [each, each]),
    'A newer version': [{ v: 2, callId: 'call-1', taskId: 'task-1', parts: [] }],
    'Nothing that can be used': [{ hello: 'world' }, 42, null],
  },
  tool_call: { 'Arguments that stream in': written.map(wrapped) },
  tool_call_start: { 'A start': only('tool_call_start') },
  tool_call_args_delta: { 'Arguments so far': only('tool_call_args_delta') },
  tool_call_result: { 'A result': only('tool_call_result') },
  agent_bus: {
    'A request that is answered': messagesOf('agent_bus', allowedEnded),
    Terminals: messagesOf('agent_bus', terminals),
  },
  a2a: {
    'A task of an agent': [
      ofAgent('WORKING', 'Reading the change.', 'm-1'),
      ofAgent('WORKING', 'Reading the tests.', 'm-2'),
      ofAgent('COMPLETED', 'Both fit.', 'm-3'),
    ],
  },
  run_gateway: { 'A run that is committed': messagesOf('run_gateway', runCommitted) },
}
