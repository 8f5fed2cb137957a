import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { type BlockEvent, logOf, type Problem, toPlainText } from '../../src/core/index.js'
import type { ProtocolName } from '../../src/protocols/index.js'
import { createToolCallStore } from '../../src/store/index.js'
import { enveloped, piece, said, update } from '../support/a2a.js'
import {
  approvalRequest,
  approvalResponse,
  completed,
  newRunning,
  toolCall,
  toolResult,
  toolStatus,
} from '../support/bus.js'
import { conversation } from '../support/conversation.js'
import { fullMessages } from '../support/fullMessages.js'
import { withTextBefore } from '../support/hostileFields.js'
import { hostileStrings } from '../support/hostileStrings.js'
import { expectedCalls } from '../support/oracle.js'
import { shownCalls } from '../support/shown.js'
import { block, done, ended, makeTestStore, snapshot, text } from '../support/wire.js'

const largeOutput = { kind: 'tool_output_append', seq: 1, payload: { chunk: 'x'.repeat(65_537) } }
const cyclic = () => {
  const value: Record<string, unknown> = { name: 'loop' }
  value.self = value
  return value
}
const deep = (depth: number) => {
  let value: unknown = 'bottom'
  for (let i = 0; i < depth; i++) value = [value]
  return value
}
const runOf = (type: string, payload: object) => ({ run_id: 'run-1', seq: 1, type, visibility: 'user', payload })
const throwing = () =>
  Object.defineProperty({ eventId: 'call-1', callId: 'call-1', eventScene: 'tool', state: 'running' }, 'envelope', {
    enumerable: true,
    get: () => {
      throw new Error('no')
    },
  })

describe('hostile input', () => {
  test('[H1] no message whatsoever makes the store throw or touches the prototype', () => {
    const anything = fc.anything({
      withNullPrototype: true,
      withBigInt: true,
      withDate: true,
      withMap: true,
      maxDepth: 4,
    })
    const part = { text: 'x', metadata: { tfrs: '{"v":1,"kind":"text","payload":{"__proto__":{"text":1}}}' } }
    const near = fc.dictionary(
      fc.constantFrom(
        'v',
        'callId',
        'taskId',
        'state',
        'ts',
        'envelope',
        'eventId',
        'status',
        'content',
        'toolReturn',
        'tool_call_id',
        'arguments',
        'result',
        'type',
        'topic',
        'sessionID',
        'toolCallID',
        'correlationID',
        'toolName',
        'args',
        'approved',
        'subagentSessionID',
        'parentToolCallID',
        'delta',
        'command',
        'exitCode',
        'timeoutSec',
        'display',
        '__proto__',
        'id',
        'history',
        'artifacts',
        'artifact',
        'append',
        'message',
        'parts',
        'metadata',
      ),
      fc.oneof(
        anything,
        fc.constantFrom('tool', 'running', 'done', 'call-1', 1, { payload: { text: 1 } }, 'ToolCall', 'ToolStatus'),
        fc.constantFrom('ToolApprovalRequest', 'TerminalNewRunning', 'TerminalCompleted', 'SessionEnded', true),
        fc.constantFrom<unknown>(
          [part],
          { messageId: 1, parts: [part, null] },
          { state: 3, message: { parts: [part] } },
        ),
      ),
    )
    const before = Object.getOwnPropertyNames(Object.prototype).join()
    fc.assert(
      fc.property(fc.array(fc.oneof(anything, near), { maxLength: 8 }), (messages) => {
        const store = makeTestStore()

        for (const message of messages) {
          store.receive('chat_event', message)
          store.receive('tool_event_stream', message)
          store.receive('tool_call_start', message)
          store.receive('tool_call_args_delta', message, { argumentsMode: 'append' })
          store.receive('tool_call', { type: 'tool_call_result', data: message })
          store.receive('agent_bus', message)
          for (const type of ['ToolCall', 'ToolResult', 'ToolApprovalRequest', 'ToolApprovalResponse']) {
            store.receive('agent_bus', { type, payload: message })
          }
          for (const kind of ['task', 'statusUpdate', 'artifactUpdate', 'message']) {
            store.receive('a2a', { [kind]: message }, { callId: 'call-1' })
          }
        }

        store.flush()
        for (const call of store.getState().calls.values()) expect(typeof toPlainText(call)).toBe('string')
        expect(Object.getOwnPropertyNames(Object.prototype).join()).toBe(before)
      }),
    )
  })

  test('[H1] bad messages cost nothing of the good ones between which they come', () => {
    const bad = fc.constantFrom<unknown>(null, 7, 'text', [], {}, { callId: {} }, throwing(), cyclic(), {
      eventScene: 'tool',
    })
    fc.assert(
      fc.property(conversation, fc.array(bad, { maxLength: 5 }), (messages, noise) => {
        const store = makeTestStore()

        for (const message of messages.snapshots) store.receive('chat_event', message)
        for (const message of messages.frames) {
          for (const each of noise) store.receive('tool_event_stream', each)
          store.receive('tool_event_stream', message)
        }

        expect(shownCalls(store)).toEqual(expectedCalls({ snapshots: messages.snapshots, frames: messages.frames }))
      }),
    )
  })

  test.each<[kind: string, protocol: ProtocolName, message: unknown]>([
    ['not_an_object', 'tool_event_stream', 'a frame'],
    ['not_an_object', 'chat_event', [null]],
    ['unreadable', 'tool_event_stream', throwing()],
    ['missing_event_id', 'chat_event', { eventScene: 'tool' }],
    ['missing_call_id', 'tool_event_stream', { taskId: 't', state: 'running', envelope: {} }],
    ['missing_task_id', 'tool_event_stream', { ...text(1, 'x'), taskId: undefined }],
    ['invalid_version', 'tool_event_stream', { ...text(1, 'x'), v: 'one' }],
    ['invalid_ts', 'tool_event_stream', { ...text(1, 'x'), ts: Number.NaN }],
    ['invalid_ts', 'chat_event', snapshot({ updatedAt: 'yesterday' })],
    ['invalid_seq', 'tool_event_stream', block(1.5, 'text', { text: 'x' })],
    ['invalid_seq', 'tool_event_stream', block(2 ** 60, 'text', { text: 'x' }, { ts: 5 })],
    ['invalid_number', 'agent_bus', toolStatus('running', { timeoutSec: 1e300 })],
    ['invalid_number', 'agent_bus', toolStatus('running', { timeoutSec: -1 })],
    ['invalid_number', 'agent_bus', completed(1e21)],
    ['invalid_number', 'run_gateway', runOf('tool_progress', { progress: { done: 1e300 } })],
    ['invalid_number', 'run_gateway', runOf('tool_progress', { progress: { done: 1, total: '2' } })],
    ['invalid_number', 'run_gateway', runOf('artifact.ready', { artifact_id: 'a', size: 1e21 })],
    ['invalid_number', 'run_gateway', runOf('artifact.ready', { artifacts: [{ id: 'a', bytes: -1 }] })],
    ['invalid_payload', 'tool_event_stream', block(1, 'thinking', { text: 7 })],
    [
      'invalid_arguments',
      'chat_event',
      snapshot({ content: { toolCall: { functionCall: { name: 'f', arguments: 7 } } } }),
    ],
    ['unknown_state', 'tool_event_stream', { ...text(1, 'x'), state: 'paused' }],
    ['unknown_status', 'tool_event_stream', text(1, 'x', { status: 'odd' })],
    ['unknown_kind', 'tool_event_stream', block(1, 'mood', { text: 'x' })],
    ['newer_frame', 'tool_event_stream', { ...text(1, 'x'), v: 2 }],
    ['newer_envelope', 'tool_event_stream', { ...text(1, ''), envelope: { v: 2, payload: { text: 'x' } } }],
    ['chunk_too_large', 'tool_event_stream', block(1, 'tool_output_append', { chunk: 'x'.repeat(65_537) })],
    ['missing_approval_id', 'agent_bus', approvalRequest({ correlationID: undefined })],
    ['text_cut', 'agent_bus', approvalRequest({ args: 'x'.repeat(5 * 1024 * 1024) })],
    ['value_cut', 'agent_bus', toolResult(cyclic())],
    ['value_cut', 'tool_event_stream', done(1, deep(200))],
    ['value_cut', 'tool_event_stream', done(1, cyclic())],
    ['not_an_object', 'a2a', 'a task'],
    ['unknown_kind', 'a2a', { jsonrpc: '2.0', id: 1, error: { code: -32004, message: 'no' } }],
    ['missing_task_id', 'a2a', { message: said('m', 'x') }],
    ['unknown_state', 'a2a', update('SLEEPING', 1)],
    ['invalid_payload', 'a2a', { artifactUpdate: { taskId: 't' } }],
    ['invalid_payload', 'a2a', { message: { taskId: 't', status: { state: 'working' } } }],
    ['newer_envelope', 'a2a', update('WORKING', 1, said('m', enveloped('x', { v: 2 })))],
    ['chunk_too_large', 'a2a', update('WORKING', 1, said('m', enveloped('x', largeOutput)))],
    ['value_cut', 'a2a', update('COMPLETED', 1, said('m', { data: deep(200) }))],
    ['value_cut', 'a2a', update('WORKING', 1, said('m', { data: deep(200) }))],
    ['value_cut', 'a2a', update('FAILED', 1, said('m', { data: deep(200) }))],
    ['value_cut', 'a2a', { artifactUpdate: { taskId: 't', artifact: { parts: [{ data: deep(200) }] } } }],
    ['text_cut', 'a2a', update('WORKING', 1, said('m', { data: 'x'.repeat(5 * 1024 * 1024) }))],
    ['text_cut', 'a2a', piece('a', 'x'.repeat(5 * 1024 * 1024))],
    ['text_cut', 'tool_event_stream', text(1, 'x'.repeat(5 * 1024 * 1024))],
  ])('[H1] %s is counted and told to the host', (kind, protocol, message) => {
    const onProblem = vi.fn<(problem: { kind: string }) => void>()
    const store = makeTestStore({ onProblem })

    store.receive(protocol, message)

    expect(store.problems()).toEqual({ [kind]: 1 })
    expect(onProblem.mock.calls).toEqual([[expect.objectContaining({ kind })]])
  })

  test('[H1] a message of A2A as deep or as long as a sender likes is shown cut, at a bounded cost', () => {
    const store = makeTestStore()
    const data = { data: deep(100_000) }
    const tfrs = `${'['.repeat(200_000)}${']'.repeat(200_000)}`

    store.receive('a2a', update('WORKING', 1, said('m-1', data, { text: 'kept', metadata: { tfrs } }, 'last')))
    store.receive('a2a', { task: { id: 'task-1', history: Array(50_000).fill(cyclic()), artifacts: cyclic() } })

    expect(store.call('task-1').tasks[0]?.items.slice(1)).toMatchObject([{ text: 'kept' }, { text: 'last' }])
  })

  test('[H1] a block with a bad number is kept as one without', () => {
    const store = makeTestStore()

    store.receive('tool_event_stream', block(Number.NaN, 'text', { text: 'kept' }, { ts: 5 }))

    expect(store.call().tasks[0]?.items).toMatchObject([{ text: 'kept' }])
  })

  test('[H1] a number that can not be meant is shown nowhere', () => {
    const store = makeTestStore()
    const absurd = 1e300

    store.receive('agent_bus', toolStatus('running', { timeoutSec: absurd }))
    store.receive('run_gateway', runOf('tool_progress', { tool: 't', progress: { done: 1, total: absurd } }))
    store.receive('run_gateway', { ...runOf('artifact.ready', { artifact_id: 'a', size: absurd }), seq: 2 })

    expect(store.call().deadline).toBeUndefined()
    expect(store.call('run-1').story).toMatchObject({ current: { count: undefined }, artifacts: [{ id: 'a' }] })
    expect(toPlainText(store.call('run-1'))).not.toMatch(/\d{10}|e\+/)
  })

  test('[H1] a callback of the host that throws is counted and stops nothing', () => {
    const store = makeTestStore({
      onProblem: () => {
        throw new Error('host')
      },
    })

    store.receive('tool_event_stream', null)
    store.receive('tool_event_stream', text(1, 'x'))

    expect(store.problems()).toEqual({ not_an_object: 1, host_callback_failed: 1 })
    expect(store.call().tasks).toHaveLength(1)
  })

  test('[H1] prototype keys are ordinary keys of a value', () => {
    const store = makeTestStore()

    store.receive('tool_event_stream', done(1, JSON.parse('{"__proto__":{"polluted":true}}')))

    expect(JSON.stringify(store.call().outcome?.value)).toBe('{"__proto__":{"polluted":true}}')
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  test('[H1] what the sender does to a value afterwards changes nothing', () => {
    const store = makeTestStore()
    const value = { answer: 42 }

    store.receive('tool_event_stream', done(1, value))
    value.answer = 0

    expect(store.call().outcome?.value).toEqual({ answer: 42 })
  })

  test('[H1] a protocol that is not known is a mistake of the host, and the error says what to use', () => {
    const store = createToolCallStore()

    expect(() => store.receive('chat_evnet' as 'chat_event', {})).toThrow('Use one of: chat_event, tool_event_stream')
    expect(() => store.receive('constructor' as 'chat_event', {})).toThrow('no protocol')
  })
})

describe('limits', () => {
  const texts = (store: ReturnType<typeof makeTestStore>) =>
    store.call().tasks[0]?.items.map((item) => (item.kind === 'text' ? item.text : item.kind))

  test('[H3] a task keeps its newest blocks by position, counts what it dropped, and refuses what belongs before', () => {
    const store = makeTestStore({ limits: { taskBlocks: 3 } })

    for (let i = 1; i <= 5; i++) store.receive('tool_event_stream', text(i, `${i}`))
    expect(texts(store)).toEqual(['3', '4', '5'])
    store.receive('tool_event_stream', text(0, '0'))
    store.receive('tool_event_stream', text(6, '6'))

    expect(texts(store)).toEqual(['4', '5', '6'])
    expect(store.call().tasks[0]?.droppedBlocks).toBe(4)
    expect(store.problems()).toEqual({ block_refused: 1 })
  })

  test('[H3] a tool that still writes outlives the lines that came after its start', () => {
    const store = makeTestStore({ limits: { taskBlocks: 3 } })
    const output = (seq: number) => block(seq, 'tool_output_append', { chunk: `${seq}\n` }, { streamKey: 'k' })

    for (let i = 1; i < 20; i += 2) {
      store.receive('tool_event_stream', output(i))
      store.receive('tool_event_stream', text(i + 1, `${i + 1}`))
    }

    const [tool, ...lines] = store.call().tasks[0]?.items ?? []
    expect(tool?.kind === 'tool' && logOf(tool)?.text().split('\n')).toHaveLength(11)
    expect(lines.length).toBeLessThanOrEqual(3)
  })

  test('[H3] a log keeps its newest lines and says how many it dropped', () => {
    const store = makeTestStore({ limits: { logLines: 2 } })

    for (let i = 1; i <= 5; i++) {
      store.receive('tool_event_stream', block(i, 'tool_output_append', { chunk: `${i}\n` }, { streamKey: 'k' }))
    }

    const [tool] = store.call().tasks[0]?.items ?? []
    expect(tool?.kind === 'tool' && [logOf(tool)?.text(), logOf(tool)?.droppedLines]).toEqual(['4\n5\n', 3])
  })

  test('[H3] a log that is built anew still says how many lines it dropped', () => {
    const store = makeTestStore({ limits: { logLines: 2_000, logLength: 200_000, taskBlocks: 100 } })
    const lines = Array.from({ length: 20_000 }, (_, i) => `line ${i} ${'x'.repeat(40)}\n`)
    const look = () => {
      const [tool] = store.call().tasks[0]?.items ?? []
      const log = tool?.kind === 'tool' ? logOf(tool) : undefined
      return { log, last: log?.text().split('\n').at(-2), lines: (log?.droppedLines ?? 0) + (log?.lineCount ?? 0) }
    }
    for (let i = 0; i < lines.length; i += 10) {
      const chunk = lines.slice(i, i + 10).join('')
      store.receive('tool_event_stream', block(i, 'tool_output_append', { chunk }, { streamKey: 'k' }))
      if (i % 1_000 === 0) look()
    }
    const before = look()
    expect(before.lines).toBe(20_000)

    // The end stands before the last chunk, which is therefore not shown any more.
    store.receive('tool_event_stream', done(19_985, 'done'))

    const after = look()
    expect(after.last).toBe(lines[19_989]?.trimEnd())
    expect(after.lines).toBe(19_990)
  })

  test('[H3] the oldest ended calls are forgotten but for their ids, and what comes for them is counted', () => {
    const store = makeTestStore({ limits: { endedCalls: 2 } })
    for (const id of ['a', 'b', 'c']) {
      store.receive('chat_event', ended('v', { eventId: id }))
      store.flush()
    }

    store.receive('tool_event_stream', text(1, 'x', { callId: 'a' }))

    store.flush()
    expect([...store.getState().calls.keys()]).toEqual(['b', 'c'])
    expect(store.getState().conversations.get('c-1')).toEqual(['b', 'c'])
    expect([...store.getState().forgotten]).toEqual(['a'])
    expect(store.problems()).toEqual({ call_forgotten: 1 })
  })

  test('[H3] a call that is known under two ids counts once', () => {
    const store = makeTestStore({ limits: { endedCalls: 2 } })
    store.receive('tool_event_stream', done(1, 'v', { callId: 'llm' }))
    store.flush()
    store.receive('chat_event', ended({ text: 'v', meta: { callId: 'llm' } }))
    store.receive('chat_event', ended('v', { eventId: 'other' }))
    store.flush()

    expect([...store.getState().calls.keys()].sort()).toEqual(['call-1', 'other'])
    expect(store.call('llm').tasks).toHaveLength(1)
  })

  test('[H3] ids that claim each other in a row are one call up to a limit, and what is more is counted', () => {
    const store = makeTestStore()
    for (let i = 0; i < 100; i++) {
      store.receive('chat_event', ended({ text: 'v', meta: { callId: `e-${i + 1}` } }, { eventId: `e-${i}` }))
    }
    store.flush()

    for (const { aliases } of store.getState().calls.values()) expect(aliases.length).toBeLessThan(40)
    expect(store.problems().too_many).toBeGreaterThan(0)
  })

  test('[H3] a history that comes newest first leaves its newest calls', () => {
    const store = makeTestStore({ limits: { endedCalls: 2 } })
    for (const ts of [4, 3, 2, 1]) {
      store.receive('chat_event', ended('v', { eventId: `call at ${ts}`, ts }))
      store.flush()
    }

    expect([...store.getState().calls.keys()]).toEqual(['call at 4', 'call at 3'])
  })

  test('[H3] ends that no task is found for do not keep a later one from being taken', () => {
    const store = makeTestStore()
    store.receive('tool_event_stream', text(1, 'x'))
    for (let i = 0; i < 2_100; i++) {
      store.receive('tool_event_stream', done(1, 'v', { callId: undefined, taskId: `t${i}` }))
    }

    store.receive('tool_event_stream', done(2, 'the end', { callId: undefined }))

    expect(store.call().outcome?.value).toBe('the end')
  })

  test('[H3] a dropped block that comes again is not counted again', () => {
    const store = makeTestStore({ limits: { taskBlocks: 3 } })
    const send = () => {
      for (let i = 1; i <= 9; i++) store.receive('tool_event_stream', text(i, `${i}`))
    }
    send()
    expect(store.call().tasks[0]?.droppedBlocks).toBe(6)

    send()

    expect(store.call().tasks[0]?.droppedBlocks).toBe(6)
  })

  test('[H3] a block that was refused is not counted again when it comes again', () => {
    const store = makeTestStore({ limits: { taskBlocks: 3 } })
    for (let i = 1; i <= 5; i++) store.receive('tool_event_stream', text(i, `${i}`))
    expect(store.call().tasks[0]?.droppedBlocks).toBe(2)

    for (let i = 0; i < 3; i++) store.receive('tool_event_stream', text(0, '0'))

    expect(store.call().tasks[0]?.droppedBlocks).toBe(3)
    expect(store.problems()).toEqual({ block_refused: 1 })
  })

  test('[H3] messages of a newer version are counted each for itself, however short texts are held', () => {
    const store = makeTestStore({ limits: { textLength: 1 } })
    for (let n = 0; n < 20; n++) store.receive('tool_event_stream', { v: 2, callId: 'call-1', n })

    expect(store.call().newerMessages).toBe(20)
  })

  const numbered = fc.record({
    seq: fc.nat(20),
    kind: fc.constantFrom('text', 'thinking', 'tool', 'output'),
    streamKey: fc.constantFrom('a', 'b', undefined),
  })
  const unnumbered = fc.record({
    ts: fc.nat(8),
    kind: fc.constantFrom('text', 'thinking'),
    text: fc.constantFrom('m', 'n'),
  })
  test.each([
    ['with numbers', fc.uniqueArray(numbered, { selector: ({ seq }) => seq, minLength: 1 })],
    ['without', fc.uniqueArray(unnumbered, { selector: JSON.stringify, minLength: 1 })],
  ])('[H3] what is kept and what was dropped are all blocks %s, however often each comes', (_, blocks) => {
    const arrivals = blocks.chain((list) =>
      fc.tuple(fc.constant(list), fc.array(fc.tuple(fc.nat(list.length - 1), fc.boolean()), { maxLength: 40 })),
    )
    fc.assert(
      fc.property(arrivals, fc.integer({ min: 1, max: 5 }), ([list, order], taskBlocks) => {
        const store = makeTestStore({ limits: { taskBlocks } })
        const take = (event: object) =>
          store.ingest({ type: 'block', callId: 'call-1', taskId: 't', text: 'x\n', ...event } as BlockEvent)
        for (const event of list) take(event)
        for (const [index, isRead] of order) {
          take(list[index] as object)
          if (isRead) texts(store)
        }
        texts(store)
        const task = store.call().tasks[0]

        expect((task?.blockCount ?? 0) + (task?.droppedBlocks ?? 0)).toBe(list.length)
      }),
      { numRuns: 500 },
    )
  })

  test('[H3] a dropped event of a run that comes again is not counted again, and is not heard of anew', () => {
    const store = makeTestStore({ limits: { taskBlocks: 10 } })
    const send = () => {
      for (let i = 1; i <= 30; i++) {
        const named = i % 2 ? { seq: i } : { event_id: `e-${i}`, created_at: new Date(i).toISOString() }
        store.receive('run_gateway', { type: 'tool_progress', run_id: 'call-1', stage: `${i}`, ...named })
      }
    }
    send()
    const { story } = store.call()
    expect(story?.droppedSteps).toBe(20)
    store.setNow(20_000)

    send()

    expect(store.call().story).toBe(story)
  })

  test('[H3] open calls, tasks of a call and ends without a call are bounded', () => {
    const store = makeTestStore({ limits: { openCalls: 2, callTasks: 2 } })

    for (const id of ['a', 'b', 'c']) store.receive('chat_event', snapshot({ eventId: id }))
    for (const taskId of ['1', '2', '3']) store.receive('tool_event_stream', text(1, 'x', { callId: 'c', taskId }))
    for (let i = 0; i < 2_001; i++)
      store.receive('tool_event_stream', done(1, 'v', { callId: undefined, taskId: `t${i}` }))

    expect(store.problems().too_many).toBe(2)
    expect(store.getState().calls.size).toBe(2)
    expect(store.call('c').tasks).toHaveLength(2)
  })

  test('[H3] arguments of which a part is left out are counted, those that a person decides about included', () => {
    const args = { command: 'ls', files: Array.from({ length: 60_000 }, (_, i) => i) }
    const store = makeTestStore()
    store.receive('agent_bus', toolCall({ args }))
    store.receive('agent_bus', approvalRequest({ args }))
    store.receive('tool_call_start', { tool_call_id: 'c', tool_name: 't', arguments: args })
    store.receive('chat_event', snapshot({ content: { toolCall: { functionCall: { name: 't', arguments: args } } } }))

    expect(store.problems()).toEqual({ value_cut: 4 })
  })

  test('[H3] a text over its limit is cut and says so', () => {
    const store = makeTestStore({ limits: { textLength: 4 } })

    store.receive('tool_event_stream', text(1, 'abcdefgh'))
    store.receive('tool_event_stream', done(2, 'abcdefgh'))

    expect(texts(store)).toEqual(['abcd…'])
    expect(store.call().outcome?.value).toBe('abcd…')
    expect(store.problems()).toEqual({ text_cut: 1, value_cut: 1 })
  })
})

describe('texts over the limit', () => {
  const limit = 2_000

  /** Every text that can be found in there, the names of what holds it included; logs have limits of their own. */
  function* textsIn(node: unknown, seen = new Set<unknown>()): Generator<string> {
    if (typeof node === 'string') yield node
    if (typeof node !== 'object' || node === null || seen.has(node)) return
    seen.add(node)
    if (node instanceof Map || node instanceof Set) for (const each of node) yield* textsIn(each, seen)
    const names = [...Object.keys(node), ...getters(node)].filter((name) => name !== 'output')
    for (const name of names) {
      yield name
      yield* textsIn((node as Record<string, unknown>)[name], seen)
    }
  }
  const getters = (node: object) =>
    Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(node) ?? {}))
      .filter(([name, property]) => property.get !== undefined && name !== '__proto__')
      .map(([name]) => name)

  test.each(Object.entries(fullMessages))('[H3] are cut wherever they are, and counted: %s', (_, messages) => {
    const received = (before: string) => {
      const store = makeTestStore({ limits: { textLength: limit } })
      for (const each of withTextBefore(messages, before)) store.receive(each.protocol, each.message, each.context)
      store.flush()
      return store
    }
    const store = received('x'.repeat(limit + 1_000))
    const [{ calls, approvals }, short] = [store.getState(), received('x').getState()]

    // What is cut ends with a mark, and some ids have a word before them.
    expect(Math.max(...[...textsIn(store.getState())].map(({ length }) => length))).toBeLessThan(limit + 20)
    expect([calls.size, approvals.size]).toEqual([short.calls.size, short.approvals.size])
    expect(store.problems().text_cut).toBeGreaterThan(0)
  })

  test('[H3] are one problem for one message, and what they stood for is told apart all the same', () => {
    const problems: Problem[] = []
    const store = makeTestStore({ limits: { textLength: limit }, onProblem: (problem) => problems.push(problem) })
    const long = 'x'.repeat(5_000)

    store.receive('agent_bus', toolCall({ name: long, display: long, serverName: long }))
    for (const id of ['a', 'b']) store.receive('agent_bus', toolCall({ toolCallID: `${long}${id}` }))

    expect(problems.map(({ kind, callId }) => [kind, callId?.length])).toEqual([
      ['text_cut', 6],
      ['text_cut', limit],
      ['text_cut', limit],
    ])
    expect(store.call()).toMatchObject({ toolName: `${long.slice(0, limit)}…`, title: `${long.slice(0, limit)}…` })
    expect(store.getState().calls.size).toBe(3)
  })
})

test('[H3] the log of an area that nobody looks at any more holds its limits, too', () => {
  const store = makeTestStore({ limits: { logLines: 100 } })
  const chunk = 'a line of output\n'.repeat(3_000)
  const log = () => {
    const [tool] = store.call().tasks[0]?.items ?? []
    return tool?.kind === 'tool' ? logOf(tool) : undefined
  }

  const add = (seq: number) =>
    store.receive('tool_event_stream', block(seq, 'tool_output_append', { chunk }, { streamKey: 'k' }))

  add(0)
  expect(log()?.pendingLength).toBe(chunk.length)
  for (let i = 1; i < 200; i++) add(i)

  expect(log()?.pendingLength).toBeLessThan(1.2 * 1024 * 1024)
})

describe('hostile approvals', () => {
  const approvals = (store: ReturnType<typeof makeTestStore>) => {
    store.flush()
    return store.getState().approvals
  }

  test('[H3] are bounded: the oldest that nobody waits for goes first, and does not come back as a question', () => {
    const store = makeTestStore({ limits: { approvals: 3 } })
    const ask = (i: number) => store.receive('agent_bus', approvalRequest({ correlationID: `r-${i}` }))
    for (let i = 1; i <= 3; i++) ask(i)
    store.receive('agent_bus', approvalResponse(true, { correlationID: 'r-2' }))
    store.flush()

    ask(4)
    expect([...approvals(store).keys()]).toEqual(['r-1', 'r-3', 'r-4'])
    ask(2)
    ask(5)
    expect([...approvals(store).keys()]).toEqual(['r-3', 'r-4', 'r-5'])
    expect(store.problems()).toEqual({ too_many: 3 })
  })

  test('[H3] one that is no longer kept leaves its call, which waits for it no more', () => {
    const store = makeTestStore({ limits: { approvals: 1 } })
    store.receive('agent_bus', toolCall())
    store.receive('run_gateway', { run_id: 'run', seq: 1, type: 'approval_required' })
    expect(store.call('run').status).toBe('waiting')
    store.receive('agent_bus', approvalRequest())
    expect(store.call('run').approvals).toEqual([])
    expect(store.call().status).toBe('waiting')
    store.receive('agent_bus', approvalRequest({ correlationID: 'r-2', toolName: 'other' }))

    expect(store.call()).toMatchObject({ status: 'pending', approvals: [] })
    const state = store.getState()
    store.flush()
    expect(store.getState()).toBe(state)
  })

  test('[H3] one that is no longer kept does not move those of other calls to its own', () => {
    const store = makeTestStore({ limits: { approvals: 2 } })
    for (const toolCallID of ['call-1', 'call-2']) store.receive('agent_bus', toolCall({ toolCallID }))
    for (const correlationID of ['r-1', 'r-2']) store.receive('agent_bus', approvalRequest({ correlationID }))
    store.receive('agent_bus', approvalResponse(true))
    expect(approvals(store).get('r-2')?.callId).toBe('call-2')
    store.receive('agent_bus', approvalRequest({ correlationID: 'r-3', toolName: 'other' }))

    expect([...approvals(store)].map(([id, { callId }]) => [id, callId])).toEqual([
      ['r-2', 'call-2'],
      ['r-3', undefined],
    ])
  })

  test('[H3] where none is to be kept none is, and no call waits for one', () => {
    const store = makeTestStore({ limits: { approvals: 0 } })
    store.receive('agent_bus', toolCall())
    store.receive('agent_bus', approvalRequest())

    expect(approvals(store).size).toBe(0)
    expect(store.call()).toMatchObject({ status: 'pending', approvals: [] })
  })

  test('[H3] the limit on texts changes no answer', () => {
    const store = makeTestStore({ limits: { textLength: 2 } })
    store.carryAnswers(() => new Promise(() => {}))
    store.receive('agent_bus', approvalRequest())
    store.flush()
    store.answer('r-1', { approved: true, scope: 'session' })

    expect(approvals(store).get('r-1')?.answer).toEqual({ approved: true, scope: 'session' })
  })

  test('[H3] one more costs the same however many are kept', () => {
    const entriesRead = (kept: number) => {
      const store = makeTestStore({ limits: { approvals: kept } })
      const ask = (i: number) => store.receive('agent_bus', approvalRequest({ correlationID: `r-${i}`, args: { i } }))
      for (let i = 0; i < kept; i++) ask(i)
      store.flush()
      const next = [new Map().values(), new Set().values()].map((iterator) =>
        vi.spyOn(Object.getPrototypeOf(iterator) as Iterator<unknown>, 'next'),
      )
      for (let i = 0; i < 50; i++) ask(kept + i)
      const count = next.reduce((sum, { mock }) => sum + mock.calls.length, 0)
      for (const spy of next) spy.mockRestore()
      expect(store.problems()).toEqual({ too_many: 50 })
      return count
    }

    expect(entriesRead(600)).toBe(entriesRead(60))
  })

  test('[H3] those of a call that is no longer kept are not, either: they would be open questions again', () => {
    const store = makeTestStore({ limits: { endedCalls: 1 } })
    for (const message of [toolCall(), approvalRequest(), toolResult('ran')]) store.receive('agent_bus', message)
    store.flush()
    store.receive('agent_bus', toolResult('x', { toolCallID: 'other' }))
    store.flush()
    store.receive('agent_bus', approvalRequest())

    expect([...store.getState().forgotten]).toEqual(['call-1'])
    expect(approvals(store).size).toBe(0)
  })

  test('[H3] ever more different answers to one request cost no more memory, and stay a conflict', () => {
    const store = makeTestStore()
    store.receive('agent_bus', approvalRequest())
    for (let i = 0; i < 1_000; i++) store.receive('agent_bus', approvalResponse(true, { scope: `s-${i}` }))
    for (let i = 0; i < 1_000; i++)
      store.receive('agent_bus', approvalResponse(false, { scope: 's-1', reason: `${i}` }))

    expect(approvals(store).get('r-1')).toMatchObject({ state: 'conflict', answer: { approved: false, reason: '0' } })
  })

  test('[H1] prototype names are ordinary ids', () => {
    const store = makeTestStore()
    for (const id of ['__proto__', 'constructor']) {
      store.receive('agent_bus', toolCall({ toolCallID: id, sessionID: id, parentToolCallID: id, args: { id } }))
      store.receive('agent_bus', approvalRequest({ correlationID: id, sessionID: id, args: { id } }))
      store.receive('agent_bus', newRunning(id, { toolCallID: id, sessionID: id }))
    }

    expect([...approvals(store)].map(([id, { callId }]) => [id, callId])).toEqual([
      ['__proto__', '__proto__'],
      ['constructor', 'constructor'],
    ])
  })
})

test('[H3] 2,000 alike calls with 1,000 requests are read in little time, and one more changes only its own', () => {
  const store = makeTestStore()
  for (let i = 0; i < 2_000; i++) store.receive('agent_bus', toolCall({ toolCallID: `call-${i}` }))
  for (let i = 0; i < 1_000; i++) store.receive('agent_bus', approvalRequest({ correlationID: `r-${i}` }))
  store.flush()
  const before = store.getState()
  expect(before.approvals.get('r-999')?.callId).toBe('call-999')

  store.receive('agent_bus', toolCall({ toolCallID: 'new' }))
  store.receive('agent_bus', approvalRequest({ correlationID: 'r-new' }))
  store.flush()

  const { approvals, calls } = store.getState()
  expect(approvals.get('r-new')?.callId).toBe('call-1000')
  expect([...before.approvals].every(([id, approval]) => approvals.get(id) === approval)).toBe(true)
  expect([...before.calls].filter(([id, call]) => calls.get(id) !== call).map(([id]) => id)).toEqual(['call-1000'])
})

test('[H1] the answer to a resume that holds itself, in however many places, costs what is in it', () => {
  const store = makeTestStore()
  const event = { run_id: 'run-1', seq: 1, type: 'failed', payload: { reason: 'no' } }
  const answer: Record<string, unknown> = { run_id: 'run-1' }
  answer.events = [...Array.from({ length: 60 }, () => answer), event, [answer, answer]]

  store.receive('run_gateway', answer)

  expect(store.call('run-1').outcome).toMatchObject({ kind: 'error', reason: 'no' })
  expect(store.getState().diagnostics.total).toBeLessThan(100)
})

test.each(hostileStrings)('[H2] $tries is copied as it came, whichever protocol it came by', ({ text: hostile }) => {
  for (const messages of Object.values(fullMessages)) {
    const store = makeTestStore()
    for (const { protocol, message, context } of withTextBefore(messages, hostile)) {
      store.receive(protocol, message, context)
    }
    store.flush()

    expect([...store.getState().calls.values()].map((call) => toPlainText(call)).join()).toContain(hostile)
  }
})
