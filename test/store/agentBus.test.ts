import { describe, expect, test } from 'vitest'
import { type Approval, isApprovalOpen, logOf, toPlainText } from '../../src/core/index.js'
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
import { makeTestStore, snapshot, type TestStore, text } from '../support/wire.js'

function heard(...messages: readonly unknown[]): TestStore {
  const store = makeTestStore()
  for (const message of messages) store.receive('agent_bus', message, { conversationId: 'c-1' })
  return store
}

const approval = (store: TestStore, id = 'r-1') => {
  store.flush()
  return store.getState().approvals.get(id)
}

const terminals = (store: TestStore) =>
  store
    .call()
    .tasks.flatMap(({ items }) =>
      items.flatMap((item) =>
        item.kind === 'tool' ? [{ ...item.terminal, text: logOf(item)?.text() ?? '', end: item.end }] : [],
      ),
    )

describe('the life of a call', () => {
  test('[D1] a call is announced with its readable line, its arguments and its session, and is pending', () => {
    const store = heard(toolCall({ serverName: 'files' }))

    expect(store.call()).toMatchObject({
      status: 'pending',
      toolName: 'bash',
      title: 'run: ls',
      args: '{"command":"ls"}',
      argsStreaming: false,
      sessionId: 's-1',
      serverName: 'files',
      conversationId: 'c-1',
    })
    expect(store.getState().conversations.get('c-1')).toEqual(['call-1'])
  })

  test('[D1] of two sessions that a call is said to have at one time the same counts in any order', () => {
    const [one, other] = [toolCall({ ts: 1_000 }), toolCall({ ts: 1_000, sessionID: 's-2' })]

    expect(heard(one, other).call().sessionId).toBe('s-2')
    expect(heard(other, one).call().sessionId).toBe('s-2')
    expect(heard(other, toolCall({ ts: 1_001 })).call().sessionId).toBe('s-1')
  })

  test('[D2] pending, running, done: whatever comes last, the one that says most counts', () => {
    const store = heard(toolCall(), toolStatus('running'))
    expect(store.call().status).toBe('running')

    store.receive('agent_bus', toolStatus('pending'))
    expect(store.call().status).toBe('running')

    store.receive('agent_bus', toolStatus('done'))
    store.receive('agent_bus', toolStatus('running'))
    expect(store.call()).toMatchObject({ status: 'done', outcome: { value: undefined } })
  })

  test('[D2] a status word that is not known is kept as text and says nothing', () => {
    const store = heard(toolCall(), toolStatus('queued'))
    expect(store.call()).toMatchObject({ status: 'pending', statusText: 'queued' })
    expect(store.problems()).toEqual({ unknown_status: 1 })

    store.receive('agent_bus', toolStatus('running'))
    expect(store.call()).toMatchObject({ status: 'running', statusText: undefined })
  })

  test('[D2] its time is up that many seconds after the first word that it runs', () => {
    const store = heard(toolCall(), toolStatus('pending', { timeoutSec: 30 }))
    expect(store.call().deadline).toBeUndefined()

    store.setNow(20_000)
    store.receive('agent_bus', toolStatus('running'))
    store.setNow(25_000)
    store.receive('agent_bus', toolStatus('running', { timeoutSec: 30 }))
    expect(store.call().deadline).toBe(50_000)

    store.receive('agent_bus', toolStatus('running', { timeoutSec: 0 }))
    expect(store.call().deadline).toBe(50_000)
  })

  test('[H1] a time that no calendar has is no limit', () => {
    const store = heard(toolCall(), toolStatus('running'))
    store.ingest({ type: 'call', callId: store.call().id, timeoutSec: 1e306 })
    expect(store.call().deadline).toBeUndefined()

    for (const expiresAt of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.MAX_VALUE])
      store.ingest({ type: 'approval', approvalId: `until ${expiresAt}`, request: { expiresAt } })
    store.flush()
    const approvals = [...store.getState().approvals.values()]
    expect(approvals).toHaveLength(4)
    expect(approvals.every((each) => isApprovalOpen(each, 0) && each.expiresAt === undefined)).toBe(true)
  })

  test.each([[null], [0], [false], [''], ['text'], [{ rows: 3 }]])('[D3] the result %j is the final value', (value) => {
    const store = heard(toolCall(), toolResult(value))

    expect(store.call()).toMatchObject({ status: 'done', outcome: { kind: 'done', value } })
  })

  test('[D3] a result counts before a status word, whatever comes first', () => {
    for (const messages of [
      [toolStatus('done'), toolResult('no such file', { isError: true })],
      [toolResult('no such file', { isError: true }), toolStatus('done')],
    ]) {
      expect(heard(toolCall(), ...messages).call()).toMatchObject({
        status: 'error',
        outcome: { value: 'no such file' },
      })
    }
  })
})

describe('terminals', () => {
  test('[D6] a command has its line, its output and how it exited', () => {
    const store = heard(
      toolCall(),
      newRunning('make', { description: 'Build it' }),
      appendString('cc a.c\n'),
      appendString('cc a.c\n'),
      completed(2, { signal: 'TERM' }),
    )

    expect(terminals(store)).toEqual([
      {
        command: 'make',
        description: 'Build it',
        text: 'cc a.c\ncc a.c\n',
        exitCode: 2,
        isError: true,
        signal: 'TERM',
        end: 'done',
      },
    ])
    expect(store.call()).toMatchObject({ status: 'running', tasks: [{ skipped: 0, blockCount: 4 }] })
  })

  test('[D6] the same command again is the same terminal while it runs, and another one after it has completed', () => {
    const store = heard(newRunning('make'), appendString('1'), newRunning('make'), appendString('2'), completed(0))
    expect(terminals(store)).toMatchObject([{ command: 'make', text: '12', exitCode: 0 }])

    store.receive('agent_bus', newRunning('make'))
    store.receive('agent_bus', appendString('3'))
    expect(terminals(store)).toMatchObject([{ text: '12' }, { text: '3', end: undefined }])
  })

  test('[D6] another command is another terminal, and the output goes to the last one', () => {
    const store = heard(newRunning('a'), appendString('1'), newRunning('b'), appendString('2'), completed(0))

    expect(terminals(store)).toMatchObject([
      { command: 'a', text: '1', end: undefined },
      { command: 'b', text: '2', end: 'done' },
    ])
  })

  test('[D6] an end that is told twice ends one terminal, and what follows it is still its output', () => {
    const store = heard(newRunning('a'), completed(1), completed(1), appendString('late'))

    expect(terminals(store)).toMatchObject([{ command: 'a', exitCode: 1, text: 'late' }])
  })

  test('[D6] output without a start has a terminal, too', () => {
    const store = heard(appendString('1'), completed(0))

    expect(terminals(store)).toEqual([{ text: '1', exitCode: 0, isError: false, end: 'done' }])
  })

  test('[D6] what follows the result is merged, and the call stays ended', () => {
    const store = heard(toolCall(), toolResult('ready'))
    store.setNow(20_000)
    for (const message of [newRunning('make'), appendString('late\n'), completed(0)]) {
      store.receive('agent_bus', message)
    }

    expect(store.call().status).toBe('done')
    expect(terminals(store)).toMatchObject([{ text: 'late\n', exitCode: 0 }])
  })

  test.for([
    ['done', { state: 'done', payload: { text: 'built' } }, 'built'],
    ['aborted', { state: 'aborted', payload: { message: 'no' } }, undefined],
  ] as const)('[D6] a terminal does not keep open a call whose agent has said that it is %s', ([kind, end, value]) => {
    const store = heard(toolCall(), newRunning('make'), appendString('ok\n'))
    store.receive('tool_event_stream', text(1, 'building'))
    store.receive('tool_event_stream', { v: 1, callId: 'call-1', taskId: 'task-1', ts: 2_000, ...end })

    expect(store.call().outcome).toMatchObject({ kind, value })
    store.receive('agent_bus', toolResult('recorded', { isError: kind !== 'done' }))
    expect(store.call().outcome).toMatchObject({ kind: kind === 'done' ? 'done' : 'error', value: value ?? 'recorded' })
  })

  test('[D6] the last word counts, also where two ids of a call were told of its terminals', () => {
    const store = heard(newRunning('make', { toolCallID: 'other' }), completed(0))
    store.ingest({ type: 'call', callId: 'call-1', alias: 'other' })

    expect(store.call().tasks[0]?.terminalsOver).toBe(true)
  })

  test('[D6] a command that starts in one call leaves every other call the object that it was', () => {
    const store = heard(toolCall(), newRunning('make'), toolCall({ toolCallID: 'call-2' }))
    const before = store.call()

    store.receive('agent_bus', newRunning('ls', { toolCallID: 'call-2' }))

    expect(store.call('call-2').tasks).toHaveLength(1)
    expect(store.call()).toBe(before)
  })
})

describe('requests for a decision', () => {
  test('[D4] a request makes its call wait, and says what exactly will run and who asks', () => {
    const store = heard(toolCall(), approvalRequest({ serverName: 'files', display: 'List the files' }))

    expect(store.call()).toMatchObject({ status: 'waiting', approvals: [{ id: 'r-1', state: 'open' }] })
    expect(approval(store)).toMatchObject({
      callId: 'call-1',
      parentCallId: 'call-1',
      conversationId: 'c-1',
      toolName: 'bash',
      args: '{"command":"ls"}',
      serverName: 'files',
      message: 'List the files',
      answer: undefined,
      requestedAt: 10_000,
    })
    expect(store.call().approvals[0]).toBe(approval(store))
  })

  test('[D4] an answer on the bus settles it, whoever gave it and whatever comes first', () => {
    const answer = approvalResponse(true, { scope: 'session' })
    for (const messages of [
      [toolCall(), approvalRequest(), answer],
      [answer, approvalRequest(), toolCall()],
    ]) {
      const store = heard(...messages)

      expect(approval(store)).toMatchObject({
        state: 'allowed',
        answer: { approved: true, scope: 'session' },
        answeredElsewhere: true,
        answeredAt: 10_000,
      })
      expect(store.call().status).toBe('pending')
    }
  })

  test('[D4] a denied answer with an error result is outcome denied', () => {
    const messages = [toolCall(), approvalRequest(), approvalResponse(false), toolResult('denied', { isError: true })]
    for (const order of [messages, messages.toReversed()]) {
      expect(heard(...order).call()).toMatchObject({ status: 'denied', outcome: { kind: 'denied', value: 'denied' } })
    }
    expect(heard(toolCall(), approvalRequest(), approvalResponse(false), toolResult('ran')).call().status).toBe('done')
  })

  test('[D4] a denied answer with a frame that says failed or canceled is outcome denied', () => {
    const store = heard(toolCall(), approvalRequest(), approvalResponse(false))
    const frame = { v: 1, callId: 'call-1', taskId: 'task-1', state: 'aborted', payload: { message: 'not allowed' } }
    store.receive('tool_event_stream', frame)

    expect(store.call().outcome).toMatchObject({ kind: 'denied', reason: 'not allowed', unspecific: false })
    store.receive('chat_event', snapshot({ status: 'canceled' }))
    expect(store.call().outcome?.kind).toBe('aborted')
  })

  test('[D4] two different answers are shown as a conflict, and as no permission', () => {
    const store = heard(approvalRequest(), approvalResponse(true), approvalResponse(false))

    expect(approval(store)).toMatchObject({ state: 'conflict', answer: { approved: false } })
    expect(store.problems()).toEqual({ conflicting_answer: 1 })
  })

  test('[D4] an answer that says more than another one is no conflict', () => {
    const store = heard(approvalRequest(), approvalResponse(true), approvalResponse(true, { scope: 'once' }))

    expect(approval(store)).toMatchObject({ state: 'allowed', answer: { approved: true, scope: 'once' } })
  })

  test('[D4] only a clear word is an answer', () => {
    const store = heard(approvalRequest(), ...[1, 'true', 'yes', null].map((word) => approvalResponse(word)))

    expect(approval(store)?.state).toBe('open')
    expect(store.problems()).toEqual({ invalid_payload: 4 })
  })

  test('[D4] the relayed copy is the same request, and the one that names the sub-agent is shown', () => {
    const direct = approvalRequest({ sessionID: 'sub' })
    const relayed = approvalRequest({ sessionID: 's-1', subagentSessionID: 'sub' })
    for (const messages of [
      [direct, relayed],
      [relayed, direct],
    ]) {
      const store = heard(...messages)

      expect(store.getState().approvals.size).toBe(0)
      expect(approval(store)).toMatchObject({ sessionId: 's-1', subagentSessionId: 'sub' })
      expect(store.getState().approvals.size).toBe(1)
      expect(store.problems()).toEqual({})
    }
  })

  test('[D4] is in the conversation of the request that counts, whichever was heard first and wherever it was answered', () => {
    const relayed = approvalRequest({ subagentSessionID: 's-sub' })
    const heardIn: readonly (readonly [unknown, string | undefined])[] = [
      [approvalRequest(), 'of the sub-agent'],
      [relayed, 'b'],
      [relayed, 'a'],
      [relayed, undefined],
      [approvalResponse(true), '0'],
    ]
    for (const order of [heardIn, heardIn.toReversed(), [...heardIn.slice(2), ...heardIn.slice(0, 2)]]) {
      const store = makeTestStore()
      for (const [message, id] of order)
        store.receive('agent_bus', message, id === undefined ? {} : { conversationId: id })
      expect(approval(store)).toMatchObject({ conversationId: 'a', subagentSessionId: 's-sub', state: 'allowed' })
    }
  })

  test('[D4] the k-th request belongs to the k-th call with the same tool and arguments', () => {
    const store = heard(
      toolCall({ toolCallID: 'a' }),
      toolCall({ toolCallID: 'b' }),
      toolCall({ toolCallID: 'other', args: { command: 'rm' } }),
      approvalRequest({ correlationID: 'r-1' }),
      approvalRequest({ correlationID: 'r-2', args: '{ "command": "ls" }' }),
      approvalRequest({ correlationID: 'r-3' }),
    )

    expect(['r-1', 'r-2', 'r-3'].map((id) => approval(store, id)?.callId)).toEqual(['a', 'b', undefined])
    expect(['a', 'b', 'other'].map((id) => store.call(id).status)).toEqual(['waiting', 'waiting', 'pending'])
  })

  test('[D4] a call that ran without being asked about is passed over', () => {
    const store = heard(
      toolCall({ toolCallID: 'a' }),
      toolResult('ran', { toolCallID: 'a' }),
      toolCall({ toolCallID: 'b' }),
      approvalRequest(),
    )
    expect(approval(store)).toMatchObject({ callId: 'b', state: 'open' })

    store.receive('agent_bus', approvalResponse(true))
    store.receive('agent_bus', toolResult('ran', { toolCallID: 'b' }))
    expect(approval(store)).toMatchObject({ callId: 'b', state: 'allowed' })
  })

  test("[D4] a request is never taken for one of another session's, tool's or argument's calls", () => {
    const store = heard(
      toolCall(),
      approvalRequest({ correlationID: 'r-1', sessionID: 's-2' }),
      approvalRequest({ correlationID: 'r-2', toolName: 'python' }),
      approvalRequest({ correlationID: 'r-3', args: { command: 'rm' } }),
      approvalRequest({ correlationID: 'r-4', args: undefined }),
      approvalRequest({ correlationID: 'r-5', subagentSessionID: 'sub' }),
    )

    for (const id of ['r-1', 'r-2', 'r-3', 'r-4', 'r-5']) expect(approval(store, id)?.callId).toBeUndefined()
    expect(store.call().status).toBe('pending')
  })

  test('[D4] requests are in the order in which they came, whatever was published before them', () => {
    const of = (number: number) => ({ toolCallID: `call-${number}`, args: { command: `ls ${number}` } })
    const asked = (number: number) => approvalRequest({ correlationID: `r-${number}`, args: of(number).args })
    const store = heard(toolCall(of(1)))
    store.flush()
    for (const message of [toolCall(of(2)), asked(1), asked(2)]) store.receive('agent_bus', message)
    store.flush()
    expect([...store.getState().approvals.keys()]).toEqual(['r-1', 'r-2'])
  })

  test.for([
    [11_999, 'withdrawn'],
    [12_000, 'open'],
  ] as const)(
    '[D4] a call that ends at %i after its request expired at 12,000 did not withdraw it: %s',
    ([endsAt, state]) => {
      const store = heard(toolCall(), approvalRequest({ expiresAt: 12_000 }))
      store.setNow(endsAt)
      store.receive('agent_bus', toolResult('nobody answered', { isError: true }))
      expect(approval(store)?.state).toBe(state)
      expect(isApprovalOpen(approval(store) as Approval, endsAt)).toBe(false)
    },
  )

  test('[D4] a request whose call or session has ended without an answer is withdrawn', () => {
    expect(approval(heard(toolCall(), approvalRequest(), toolResult('ran')))?.state).toBe('withdrawn')
    expect(approval(heard(approvalRequest(), sessionEnded()))?.state).toBe('withdrawn')
    expect(approval(heard(approvalRequest(), sessionEnded({ sessionID: 's-2' })))?.state).toBe('open')
    expect(approval(heard(approvalRequest(), sessionEnded(), approvalResponse(true)))?.state).toBe('allowed')
  })

  test('[D4] two requests for different things under one id are counted, and one is shown', () => {
    const [one, other] = [approvalRequest({ args: { command: 'a' } }), approvalRequest({ args: { command: 'b' } })]

    expect(approval(heard(one, other))?.args).toBe('{"command":"a"}')
    expect(approval(heard(other, one))?.args).toBe('{"command":"a"}')
    expect(heard(one, other).problems()).toEqual({ conflicting_request: 1 })
  })
})

test('[D6] the text of a call has its terminals, its requests and its children', () => {
  const store = heard(
    toolCall(),
    toolCall({ toolCallID: 'child', parentToolCallID: 'call-1' }),
    approvalRequest(),
    approvalResponse(true, { scope: 'once', reason: 'go on' }),
    newRunning('make', { description: 'Build it' }),
    appendString('cc\n'),
    completed(2),
  )
  const children = store.call() && store.getState().children.get('call-1')

  expect(toPlainText(store.call(), children).split('\n')).toEqual([
    'bash run: ls [running]',
    'approval bash [allowed] once: go on',
    '{"command":"ls"}',
    '1 call of sub-agents',
    '',
    'arguments:',
    '{"command":"ls"}',
    '',
    'process terminal [open] 3 blocks',
    'terminal [done] exit code 2',
    'Build it',
    '$ make',
    'cc',
    '',
    '',
  ])
})
