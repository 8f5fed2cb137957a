import { describe, expect, test, vi } from 'vitest'
import type { ApprovalAnswer, Problem, ToolEvent } from '../../src/core/index.js'
import type { SendAnswer, ToolCallStoreOptions } from '../../src/store/index.js'
import { approvalRequest, approvalResponse, newRunning, toolCall, toolResult, toolStatus } from '../support/bus.js'
import { makeTestStore } from '../support/wire.js'

const allow: ApprovalAnswer = { approved: true, scope: 'once' }
const deny: ApprovalAnswer = { approved: false }

/** A store with an open request and a carrier that is settled by hand. */
function asked(options: ToolCallStoreOptions = {}, ...messages: readonly object[]) {
  const store = makeTestStore(options)
  for (const message of [toolCall(), approvalRequest(), ...messages]) {
    store.receive('agent_bus', message, { conversationId: 'c-1' })
  }
  const settle: { resolve: () => void; reject: (reason: unknown) => void }[] = []
  const send = vi.fn<SendAnswer>(() => new Promise((resolve, reject) => void settle.push({ resolve, reject })))
  store.carryAnswers(send)
  const approval = () => {
    store.flush()
    return store.getState().approvals.get('r-1')
  }
  /** Waits until what was settled has been told. */
  const settled = () => new Promise((resolve) => void setTimeout(resolve))
  return { store, send, settle, approval, settled }
}

describe('answering', () => {
  test('[D4] is sent once, and stays sent until it is confirmed', async () => {
    const { store, send, settle, approval, settled } = asked()

    store.answer('r-1', allow)
    store.answer('r-1', allow)
    expect(approval()).toMatchObject({ state: 'sending', answer: allow, answeredElsewhere: false })
    expect(store.call().status).toBe('waiting')
    settle[0]?.resolve()
    await settled()
    store.answer('r-1', deny)

    expect(approval()).toMatchObject({ state: 'sent', answer: allow, answeredAt: undefined })
    expect(send.mock.calls).toEqual([[expect.objectContaining({ id: 'r-1', args: '{"command":"ls"}' }), allow]])
    expect(store.problems()).toEqual({ answer_ignored: 2 })

    store.setNow(20_000)
    store.receive('agent_bus', approvalResponse(true, { scope: 'once' }))
    expect(approval()).toMatchObject({ state: 'allowed', answeredElsewhere: false, answeredAt: 20_000 })
    store.answer('r-1', deny)
    expect(send).toHaveBeenCalledOnce()
  })

  test.each([
    ['rejects', () => Promise.reject(new Error('503')), '503'],
    [
      'throws',
      () => {
        throw new Error('no socket')
      },
      'no socket',
    ],
    ['rejects with something else', () => Promise.reject('offline'), 'offline'],
  ] as const)('[D4] a carrier that %s opens the request again, with the reason', async (_, send, failure) => {
    const { store, approval, settled } = asked()
    const stop = store.carryAnswers(send, 'c-1')

    store.answer('r-1', allow)
    await settled()
    expect(approval()).toMatchObject({ state: 'open', failure, answer: undefined })
    expect(store.problems()).toEqual({ answer_failed: 1 })

    stop()
    store.answer('r-1', deny)
    expect(approval()).toMatchObject({ state: 'sending', failure: undefined, answer: deny })
  })

  test('[D4] where nobody carries answers, the request and the problem say what to do', () => {
    const problems: Problem[] = []
    const store = makeTestStore({ onProblem: (problem) => problems.push(problem) })
    store.receive('agent_bus', approvalRequest())

    store.answer('r-1', allow)
    store.flush()

    const said = 'nobody carries answers: use connectSocket or store.carryAnswers'
    expect(store.getState().approvals.get('r-1')).toMatchObject({ state: 'open', failure: said })
    expect(problems).toEqual([{ kind: 'answer_failed', detail: said }])
  })

  test('[D4] an answer to a request that is not known, has expired or is settled is not sent', () => {
    const { store, send, approval } = asked({}, approvalRequest({ correlationID: 'r-2', expiresAt: 15_000 }))
    store.setNow(15_000)

    store.answer('r-9', allow)
    store.answer('r-2', allow)
    store.receive('agent_bus', toolResult('ran'))
    store.answer('r-1', allow)

    expect(approval()?.state).toBe('withdrawn')
    expect(send).not.toHaveBeenCalled()
    expect(store.problems()).toEqual({ answer_ignored: 3 })
  })

  test('[D4] the carrier of the conversation counts before one of all, and the last one before others', () => {
    const { store, send } = asked()
    const [own, newer, other] = [vi.fn<SendAnswer>(), vi.fn<SendAnswer>(), vi.fn<SendAnswer>()]
    store.carryAnswers(own, 'c-1')
    const stop = store.carryAnswers(newer, 'c-1')
    store.carryAnswers(other, 'c-2')
    stop()
    stop()

    store.answer('r-1', allow)

    expect([own, newer, other, send].map(({ mock }) => mock.calls.length)).toEqual([1, 0, 0, 0])
  })

  test.each([
    ['allowed', allow, toolStatus('running'), 'allowed', false],
    ['allowed', allow, newRunning('ls'), 'allowed', false],
    ['allowed', allow, toolResult('ran'), 'allowed', false],
    ['allowed', allow, toolResult('no', { isError: true }), 'allowed', false],
    ['allowed', allow, toolStatus('denied'), 'denied', true],
    ['allowed', allow, toolStatus('cancelled'), 'withdrawn', false],
    ['denied', deny, toolResult('no', { isError: true }), 'denied', false],
    ['denied', deny, toolStatus('running'), 'allowed', true],
    ['denied', deny, toolStatus('pending'), 'sending', false],
  ] as const)('[D4] %s here, then %o %o: %s', (_, answer, message, state, answeredElsewhere) => {
    const { store, approval } = asked()
    store.answer('r-1', answer)

    store.receive('agent_bus', message)

    expect(approval()).toMatchObject({ state, answeredElsewhere })
  })

  test('[D4] what the call did before the answer confirms nothing, also when it is told again', () => {
    const before = [toolStatus('running'), newRunning('ls')]
    const { store, approval } = asked({}, ...before)
    store.answer('r-1', allow)

    for (const message of before) store.receive('agent_bus', message)

    expect(approval()?.state).toBe('sending')
  })

  describe('a call waits, whenever it is said to run, until its request is', () => {
    const request = approvalRequest({ expiresAt: 12_000 })
    const responses = [approvalResponse(true), approvalResponse(false)] as const
    const withdrawn: ToolEvent = { type: 'approval', approvalId: 'r-1', withdrawn: true }

    test.each([
      ['allowed on the bus', [], [responses[0]], 'allowed'],
      ['denied on the bus', [], [responses[1]], 'denied'],
      ['allowed here and on the bus', [allow], [responses[0]], 'allowed'],
      ['allowed here and denied on the bus', [allow], [responses[1]], 'denied'],
      ['denied here and on the bus', [deny], [responses[1]], 'denied'],
      ['allowed and denied on the bus', [], responses, 'conflict'],
      ['allowed here, and allowed and denied on the bus', [allow], responses, 'conflict'],
      ['withdrawn', [], [withdrawn], 'withdrawn'],
      ['allowed on the bus after it had expired', [], [13_000, responses[0]], 'allowed'],
      ['allowed on the bus once it was withdrawn', [], [withdrawn, responses[0]], 'allowed'],
    ] as const)('[D4] %s', (_, given, news, state) => {
      for (const runsFrom of [undefined, 'before the request', 'before the answer', 'after the answer'] as const) {
        const store = makeTestStore()
        const mayRun = (now: typeof runsFrom) => {
          if (runsFrom === now) store.receive('agent_bus', toolStatus('running'))
        }
        store.carryAnswers(() => new Promise(() => {}))
        store.receive('agent_bus', toolCall())
        mayRun('before the request')
        store.receive('agent_bus', request)
        mayRun('before the answer')
        expect(store.call().status).toBe('waiting')
        for (const answer of given) store.answer('r-1', answer)
        for (const each of news) {
          if (typeof each === 'number') store.setNow(each)
          else if (each === withdrawn) store.ingest(withdrawn)
          else store.receive('agent_bus', each)
        }
        mayRun('after the answer')

        expect(store.call()).toMatchObject({
          status: runsFrom === undefined ? 'pending' : 'running',
          approvals: [{ state }],
        })
      }
    })
  })

  test('[D4] the host can change nothing of what was sent, and an answer elsewhere is told as such', () => {
    const { store, approval } = asked()
    const answer = { approved: true }
    store.answer('r-1', answer)
    answer.approved = false
    expect(approval()?.answer).toEqual({ approved: true })

    store.receive('agent_bus', approvalResponse(false))
    expect(approval()).toMatchObject({ state: 'denied', answer: { approved: false }, answeredElsewhere: true })
  })
})

describe('arguments of a request', () => {
  const request = (args: string | undefined) =>
    ({
      type: 'approval',
      approvalId: 'r-1',
      request: { callId: 'call-1', ...(args !== undefined && { args }) },
    }) as const

  test('[C9] are final, and a difference to those of the call is said', () => {
    const store = makeTestStore()
    store.ingest([{ type: 'call', callId: 'call-1', args: '{"a":1,"b":2}' }, request('{ "b": 2, "a": 1 }')])
    expect(store.call().approvals).toMatchObject([{ argsDiffer: false, argsPending: false }])

    store.ingest({ type: 'call', callId: 'call-1', args: '{"a":1,"b":3}', argsKind: 'final' })
    expect(store.call().approvals).toMatchObject([{ args: '{ "b": 2, "a": 1 }', argsDiffer: true }])
  })

  test('[C9] a request without any can not be approved while those of the call stream in, but denied', () => {
    const store = makeTestStore()
    const send = vi.fn<SendAnswer>(() => Promise.resolve())
    store.carryAnswers(send)
    store.ingest([{ type: 'call', callId: 'call-1', args: '{"a":', argsKind: 'partial' }, request(undefined)])
    expect(store.call()).toMatchObject({ argsStreaming: true, approvals: [{ argsPending: true, argsDiffer: false }] })

    store.answer('r-1', allow)
    expect(store.problems()).toEqual({ answer_ignored: 1 })
    store.ingest({ type: 'call', callId: 'call-1', args: '{"a":1}' })
    expect(store.call().approvals).toMatchObject([{ argsPending: false }])
    store.answer('r-1', allow)
    expect(send).toHaveBeenCalledOnce()
  })

  test('[C6] a request with arguments says that those of the call are all there', () => {
    const store = makeTestStore()
    store.ingest([{ type: 'call', callId: 'call-1', args: '{"a":', argsKind: 'partial' }, request('{"a":1}')])

    expect(store.call().argsStreaming).toBe(false)
  })

  test('[C9] are masked as those of the call, and compared as they are', () => {
    const store = makeTestStore({ maskArguments: ['token'] })
    store.receive('agent_bus', toolCall({ args: { token: 'one' } }))
    store.receive('agent_bus', approvalRequest({ args: { token: 'one' } }))
    store.receive('agent_bus', approvalRequest({ correlationID: 'r-2', args: { token: 'two' } }))

    const [one, two] = (store.call(), [...store.getState().approvals.values()])
    expect(JSON.stringify([...store.getState().approvals, store.call()])).not.toMatch(/one|two/)
    expect([one?.callId, two?.callId]).toEqual(['call-1', undefined])
  })
})
