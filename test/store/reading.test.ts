import fc from 'fast-check'
import { expect, test } from 'vitest'
import { elapsedMs, isCallOpen, type ToolEvent, toPlainText } from '../../src/core/index.js'
import { makeTestStore, type TestStore } from '../support/wire.js'

const small = fc.integer({ min: 0, max: 6 })
const maybe = <Value>(...values: readonly Value[]) => fc.constantFrom(undefined, ...values)
const number = fc.option(small, { nil: undefined })
const callId = fc.constantFrom('c1', 'c2', 'c3')
const session = maybe('s1', 's2')
const decision = fc.record({ approved: fc.boolean(), scope: maybe('once', 'always') })
const event = <Type extends ToolEvent['type']>(type: Type, fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record({ type: fc.constant(type), ...fields })
const block = (fields: Record<string, fc.Arbitrary<unknown>>) =>
  event('block', { callId, taskId: fc.constantFrom('t1', 't2', ''), status: maybe('done', 'aborted'), ...fields })
const numbered = { ts: number, seq: number, streamKey: maybe('k1', 'k2') }
const byArrival = { taskId: fc.constant('terminal'), byArrival: fc.constant(true) }

/** Events of every type, about a few calls, so that they meet. */
const events = fc
  .oneof(
    event('call', {
      callId,
      ts: number,
      startedAt: number,
      alias: maybe('c1', 'c2', 'other'),
      conversationId: maybe('v1', 'v2'),
      toolName: maybe('shell', 'read'),
      sessionId: session,
      parentCallId: fc.option(callId, { nil: undefined }),
      args: maybe('', '{"a"', '{"a":1}', '{"token":"x"}'),
      argsKind: maybe('partial', 'final'),
      pending: maybe(true),
      running: maybe(true),
      timeoutSec: number,
      statusText: maybe('', 'odd'),
    }),
    event('call', { callId, argsDelta: fc.constantFrom('{"a"', ':1', '}') }),
    block({ ...numbered, kind: fc.constantFrom('thinking', 'text', 'error'), text: fc.constantFrom('x', 'y') }),
    block({ ...numbered, kind: fc.constant('output'), text: fc.constantFrom('line\n', 'part', '\rover') }),
    block({ ...numbered, kind: fc.constant('tool'), tool: maybe('shell', 'read') }),
    block({
      ts: number,
      messageId: fc.constantFrom('m1', 'm2'),
      inHistory: fc.option(fc.record({ by: number, behind: small }), { nil: undefined }),
      kind: fc.constant('text'),
      text: fc.constantFrom('m', 'n'),
    }),
    block({ ...byArrival, kind: fc.constant('output'), text: fc.constantFrom('one\n', 'two') }),
    block({ ...byArrival, kind: fc.constant('tool'), terminal: fc.record({ command: fc.constantFrom('a', 'b') }) }),
    block({
      kind: fc.constant('artifact'),
      artifactId: fc.constantFrom('x', 'y'),
      text: fc.constantFrom('a', 'ab', 'b'),
      append: fc.boolean(),
    }),
    event('step', {
      callId,
      seq: number,
      ts: number,
      eventId: maybe('e1', 'e2'),
      tool: maybe('read', 'write'),
      kind: fc.constantFrom('started', 'requested', 'progress', 'result', 'approval', 'heartbeat', 'paused'),
    }),
    event('step', {
      callId,
      seq: number,
      kind: fc.constant('ended'),
      committed: fc.boolean(),
      outcome: fc.constantFrom('done', 'unknown', 'error'),
      authority: fc.constantFrom('final', 'return'),
    }),
    event('outcome', {
      callId: fc.option(callId, { nil: undefined }),
      taskId: maybe('t1', 't2'),
      outcome: fc.constantFrom('done', 'aborted', 'error', 'denied'),
      authority: fc.constantFrom('final', 'return', 'status'),
      seq: number,
      ts: number,
      value: maybe<unknown>(1, 'v'),
    }),
    event('approval', {
      approvalId: fc.constantFrom('a1', 'a2'),
      conversationId: maybe('v1', 'v2'),
      request: fc.record({
        sessionId: session,
        subagentSessionId: session,
        callId: fc.option(callId, { nil: undefined }),
        toolName: fc.constantFrom('shell', 'read'),
        args: maybe('{"a":1}'),
        seq: number,
      }),
    }),
    event('approval', { approvalId: fc.constantFrom('a1', 'a2'), answer: decision }),
    event('approval', {
      approvalId: fc.constantFrom('a1', 'a2'),
      sent: fc.record({ answer: decision, state: fc.constantFrom('sending', 'sent', 'failed') }),
    }),
    event('contact', {
      callId,
      contact: fc.constantFrom('lost', 'back', 'closed', 'ended', 'resumed', 'resume_refused'),
      conversationId: maybe('v1', 'v2'),
      sessionId: session,
    }),
  )
  .map((each) => JSON.parse(JSON.stringify(each)) as ToolEvent)

/** All that can be read of a store, read as components do. */
function allOf(store: TestStore) {
  store.flush()
  const { calls, aliases, conversations, children, approvals, connection } = store.getState()
  const byId = ([a]: readonly [string, ...unknown[]], [b]: readonly [string, ...unknown[]]) => (a < b ? -1 : 1)
  return {
    calls: [...calls]
      .map(([id, call]) => {
        const { tasks: _, parsedArgs, ...plain } = call
        const open = [isCallOpen(call), elapsedMs(call, 99_999), parsedArgs?.complete]
        const tasks = call.tasks.map(({ interruptions, unheard, terminalsOver }) => [
          interruptions,
          unheard,
          terminalsOver,
        ])
        return [id, JSON.stringify(plain), toPlainText(call), open, tasks] as const
      })
      .sort(byId),
    aliases: [...aliases].sort(byId),
    conversations: [...conversations].sort(byId),
    children: [...children].sort(byId),
    approvals: [...approvals],
    connection,
  }
}

/**
 * What is shown in the end of events that are each said to be followed by a reading, or by none, and with no reading. Each
 * comes so many ms after the one before it.
 */
function bothWays(list: readonly (readonly [event: ToolEvent, isRead: boolean, afterMs?: number])[]) {
  const options = { maskArguments: ['token'] }
  const [read, unread] = [makeTestStore(options), makeTestStore(options)]
  let now = 10_000
  for (const [each, isRead, afterMs = 100] of list) {
    now += afterMs
    for (const store of [read, unread]) {
      store.setNow(now)
      store.ingest(structuredClone(each))
    }
    if (isRead) allOf(read)
  }
  return [allOf(read), allOf(unread)] as const
}

test('[A6] what is shown does not depend on when it was read before', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(events, fc.boolean()), { maxLength: 40 }), (list) => {
      const [read, unread] = bothWays(list)
      expect(read).toEqual(unread)
    }),
    { numRuns: 1_000 },
  )
})

test('[A6] nor on when it was read before a clock was set back', () => {
  const afterMs = fc.integer({ min: -400, max: 400 })
  fc.assert(
    fc.property(fc.array(fc.tuple(events, fc.boolean(), afterMs), { maxLength: 20 }), (list) => {
      const [read, unread] = bothWays(list)
      expect(read).toEqual(unread)
    }),
    { numRuns: 1_000 },
  )
})

const message = { type: 'block', callId: 'c', taskId: 't', kind: 'text', text: 'm' } as const
const request = { subagentSessionId: 's2', toolName: 'shell' }
const end = { type: 'outcome', callId: 'c', taskId: 't', outcome: 'done', authority: 'final' } as const

test.each<readonly [name: string, first: readonly ToolEvent[], last: ToolEvent]>([
  [
    '[B7] a message of a history stands before what has the time of its newest entry',
    [{ ...message, ts: 2, seq: 0 }],
    { ...message, text: 'before', messageId: 'm-1', inHistory: { by: 2, behind: 1 } },
  ],
  [
    '[E5] a session that ends is why a run whose resume was refused is unknown',
    [{ type: 'contact', contact: 'resume_refused', callId: 'c' }],
    { type: 'contact', contact: 'ended' },
  ],
  [
    '[D4] a call that was denied is open again once its connection is back',
    [
      { type: 'approval', approvalId: 'a', request: { callId: 'c', toolName: 'shell' }, answer: { approved: false } },
      { type: 'call', callId: 'c' },
      { type: 'contact', contact: 'closed' },
    ],
    { type: 'contact', contact: 'back' },
  ],
  [
    '[A14] a loss in which a process ended is over with the news that the connection is back',
    [message, { type: 'contact', contact: 'lost' }, end],
    { type: 'contact', contact: 'back' },
  ],
  [
    '[A7] the clock of a sender is known from an end that does not count, too',
    [{ ...end, ts: 0 }],
    { ...end, ts: 900 },
  ],
  [
    '[D5] a request is not under the call of a session that another call has now',
    [
      { type: 'call', callId: 'c', sessionId: 's2', parentCallId: 'p' },
      { type: 'approval', approvalId: 'a', request },
    ],
    { type: 'call', callId: 'c', sessionId: 's1' },
  ],
  [
    '[D5] a request is under the id that its call is known by now',
    [
      { type: 'approval', approvalId: 'a', request },
      { type: 'call', callId: 'c', sessionId: 's2', parentCallId: 'p' },
    ],
    { type: 'call', callId: 'q', alias: 'p' },
  ],
])('%s, whenever it is read', (_, first, last) => {
  const [read, unread] = bothWays([...first.map((each, i) => [each, i === first.length - 1] as const), [last, false]])

  expect(read).toEqual(unread)
})
