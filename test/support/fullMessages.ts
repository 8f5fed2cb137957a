import type { ProtocolContext, ProtocolName } from '../../src/protocols/index.js'
import { at, enveloped, piece, said, taskAfter, update } from './a2a.js'
import {
  appendString,
  approvalRequest,
  approvalResponse,
  completed,
  newRunning,
  toolCall,
  toolResult,
  toolStatus,
} from './bus.js'
import { aborted, block, done, snapshot } from './wire.js'

/** A raw message as a store receives it. */
export interface Received {
  readonly protocol: ProtocolName
  readonly message: unknown
  readonly context?: ProtocolContext
}

/** The protocols; those whose names begin with `tool_call` are one. */
export type Family = 'chat_event' | 'tool_event_stream' | 'tool_call' | 'agent_bus' | 'run_gateway' | 'a2a'

const by = (protocol: ProtocolName, messages: readonly unknown[], context?: ProtocolContext): readonly Received[] =>
  messages.map((message) => ({ protocol, message, ...(context !== undefined && { context }) }))

const k = { streamKey: 'key' }
const call = { tool_call_id: 'call-1' }
const sub = { toolCallID: 'call-2', sessionID: 's-2', parentToolCallID: 'call-1' }

const run = (seq: number, type: string, payload: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  event_id: `e-${seq}`,
  run_id: 'run-1',
  seq,
  type,
  visibility: 'user',
  created_at: at(1_000 + seq),
  payload,
  ...more,
})
const artifact = {
  id: 'a-1',
  name: 'report.pdf',
  size: 5,
  sha256: 'abc',
  media_type: 'a/b',
  download_url: 'https://h.test/a',
}
const citation = { source: 'doc-1', place: 'p4', title: 'A document', url: 'https://h.test/doc' }

const part = enveloped('readable', { v: 1, kind: 'tool_call', streamKey: 'key', seq: 1, payload: { tool: 'shell' } })
const output = {
  v: 1,
  kind: 'tool_output_append',
  streamKey: 'key',
  seq: 2,
  payload: { tool: 'shell', chunk: 'out\n' },
}
const said1 = said('m-1', part, enveloped('out', output), 'plain', { data: { key: 'value' } }, { filename: 'f.txt' })
const stream = [
  update('SUBMITTED', 1),
  update('WORKING', 2, said1),
  update('INPUT_REQUIRED', 3, said('m-2', 'Which one?')),
  piece('file', 'content\n'),
]

/** One message of each sort that a protocol knows, about one call, with every field that is read; valid, and in order. */
export const fullMessages: Readonly<Record<Family, readonly Received[]>> = {
  chat_event: by('chat_event', [
    snapshot({ ts: 1_000, status: 'looking around', createdAt: at(1_000) }),
    snapshot({
      status: 'completed',
      ts: 1_000,
      updatedAt: 2_000,
      toolReturn: { list: ['first', { second: 'value' }], meta: { callId: 'other' } },
    }),
  ]),
  tool_event_stream: by('tool_event_stream', [
    block(1, 'thinking', { text: 'thought' }),
    block(2, 'text', { text: 'line' }),
    block(3, 'error', { message: 'wrong' }),
    block(4, 'tool_call', { tool: 'shell', tool_call_id: 'id' }, k),
    block(5, 'tool_output_append', { tool: 'shell', tool_call_id: 'id', chunk: 'out\n' }, k),
    block(6, 'tool_call', { tool: 'shell' }, { ...k, status: 'done' }),
    block(7, 'mood', { text: 'good' }),
    aborted(8, 'gave up', { taskId: 'task-0', ts: 500 }),
    { v: 1, callId: 'call-1', taskId: 'task-1', state: 'running', ts: 1_009, payload: { text: 'bare' } },
    { v: 2, callId: 'call-1', taskId: 'task-1', state: 'running', envelope: { payload: { text: 'newer' } } },
    done(12, 'the value'),
  ]),
  tool_call: [
    ...by('tool_call_start', [{ ...call, tool_name: 'shell', arguments: '' }]),
    ...by('tool_call_args_delta', [{ ...call, arguments: '{"command":"ls","list":["a"]}' }]),
    ...by('tool_call_result', [{ ...call, result: { list: ['value'] }, status: 'success', summary: 'it went' }]),
    ...by('tool_call', [{ type: 'tool_call_start', data: { tool_call_id: 'call-2', tool_name: 'git' } }]),
    ...by('tool_call', [{ type: 'tool_call_result', data: { tool_call_id: 'call-2', result: 'r', status: 'odd' } }]),
  ],
  agent_bus: by(
    'agent_bus',
    [
      toolCall({ serverName: 'server', ts: 1_000 }),
      approvalRequest({ subagentSessionID: 's-1', serverName: 'server', display: 'May I?', expiresAt: at(1e12) }),
      newRunning('ls -la', { description: 'Lists files' }),
      appendString('file\n'),
      completed(1, { signal: 'SIGTERM' }),
      { topic: 'tools', payload: toolCall({ ...sub, args: { command: 'x' }, display: 'a sub-agent' }) },
      approvalRequest({ correlationID: 'r-2', sessionID: 's-2', args: { command: 'x' } }),
      toolStatus('thinking hard', { ...sub, timeoutSec: 60 }),
      approvalRequest({ correlationID: 'r-3', sessionID: 's-9', toolName: 'orphan', args: 'plain' }),
      approvalResponse(false, { scope: 'once', reason: 'No.' }),
      toolResult({ error: 'not allowed' }, { isError: true }),
    ],
    { conversationId: 'c-1' },
  ),
  run_gateway: by(
    'run_gateway',
    [
      run(1, 'run_started', { name: 'run', title: 'A run' }),
      run(2, 'plan_ready', { steps: ['search', { tool: 'pay', title: 'Pay it', effect: 'write' }, 'commit'] }),
      run(3, 'tool_requested', { message: 'starts' }, { tool: 'search' }),
      run(4, 'tool_progress', { stage: 'retrieving', completed: 1, total: 2, message: 'half' }, { tool: 'search' }),
      run(5, 'tool_result', { citations: [citation, 'doc-2#p7'], evidence_ids: ['doc-3#p1'] }, { tool: 'search' }),
      run(6, 'token_delta', { text: 'hm' }),
      run(7, 'step.updated', { step: 'collect', state: 'running' }),
      run(8, 'artifact.ready', { artifact, artifacts: [{ ...artifact, id: 'a-2' }] }),
      run(9, 'artifact.ready', { artifact_id: 'a-3', download_url: 'https://h.test/3', name: 'three' }),
      run(10, 'news', { text: 'something else' }),
      run(11, 'approval_required', { args: { amount: '5' }, message: 'Pay?', expires_at: at(1e12) }, { tool: 'pay' }),
      run(12, 'failed', { reason: 'no money', error: { message: 'broke' } }, { run_id: 'run-2' }),
      run(13, 'approval_required', { message: 'Really?' }, { tool: 'pay', run_id: 'run-3' }),
      run(14, 'committed', { receipt_id: 'rcp-1', result: { paid: 'yes' }, message: 'paid' }, { tool: 'pay' }),
    ],
    { conversationId: 'c-1' },
  ),
  a2a: by('a2a', [
    ...stream,
    { jsonrpc: '2.0', id: 1, result: { kind: 'status-update', taskId: 'task-1', status: { state: 'working' } } },
    { payload: { $case: 'statusUpdate', value: { taskId: 'task-1', status: { state: 'pondering' } } } },
    update('COMPLETED', 9, said('m-9', 'the end')),
    taskAfter([...stream, update('COMPLETED', 9, said('m-9', 'the end'))]),
    { message: { ...said('m-a', 'an answer'), taskId: 'task-2', contextId: 'x-1' } },
    update('FAILED', 9, said('m-f', 'a reason')),
  ]),
}
