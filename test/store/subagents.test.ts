import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isCallOpen } from '../../src/core/index.js'
import {
  appendString,
  approvalRequest,
  newRunning,
  sessionEnded,
  toolCall,
  toolResult,
  toolStatus,
} from '../support/bus.js'
import { ended, makeTestStore, type TestStore } from '../support/wire.js'

const call = (id: string, parent?: string, more: Record<string, unknown> = {}) =>
  toolCall({ toolCallID: id, parentToolCallID: parent, ...more })

function receive(store: TestStore, messages: readonly object[]): TestStore {
  for (const message of messages) store.receive('agent_bus', message, { conversationId: 'c-1' })
  store.flush()
  return store
}

const heard = (...messages: readonly object[]) => receive(makeTestStore(), messages)

describe('calls of sub-agents', () => {
  test('[D5] stand under their parent, to any depth, and not in the conversation', () => {
    const store = heard(call('a'), call('b', 'a'), call('c', 'b'), call('d', 'a'), call('e'))
    const { conversations, children } = store.getState()

    expect(conversations.get('c-1')).toEqual(['a', 'e'])
    expect([...children]).toEqual([
      ['a', ['b', 'd']],
      ['b', ['c']],
    ])
    expect(store.call('c').parentId).toBe('b')
  })

  test('[D5] a child whose parent nobody has heard of stands in the conversation until that is', () => {
    const store = heard(call('b', 'a'), call('c', 'b'))
    expect(store.getState().conversations.get('c-1')).toEqual(['b'])
    expect([...store.getState().children]).toEqual([['b', ['c']]])

    receive(store, [call('a')])
    expect(store.getState().conversations.get('c-1')).toEqual(['a'])
    expect(store.getState().children.get('a')).toEqual(['b'])
  })

  test('[D5] the parent may be known under another id, and may be named late', () => {
    const store = heard(call('b', 'llm'), call('c'))
    store.receive('chat_event', ended({ text: 'x', meta: { callId: 'llm' } }, { eventId: 'a' }))
    receive(store, [call('c', 'llm')])

    expect(store.getState().children.get('a')).toEqual(['b', 'c'])
    expect(store.call('b').parentId).toBe('a')
    expect(store.getState().conversations.get('c-1')).toEqual(['a'])
  })

  test('[D5] where calls are said to be each other’s parents none is lost, and the store does not hang', () => {
    for (const order of [
      [call('a', 'b'), call('b', 'c'), call('c', 'a'), call('d', 'c'), call('e', 'e')],
      [call('d', 'c'), call('c', 'a'), call('e', 'e'), call('b', 'c'), call('a', 'b')],
    ]) {
      const { conversations, children } = heard(...order).getState()

      expect(conversations.get('c-1')?.toSorted()).toEqual(['a', 'e'])
      expect(children.get('b')).toBeUndefined()
      expect(children.get('a')).toEqual(['c'])
      expect(children.get('c')?.toSorted()).toEqual(['b', 'd'])
    }
  })

  test('[D5] whatever the parents are, every call is in the conversation or under a call, once, and can be reached', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
    fc.assert(
      fc.property(fc.array(fc.tuple(id, fc.option(id, { nil: undefined })), { maxLength: 14 }), (links) => {
        const named = new Map(links)
        const messages = [...named].map(([own, parent]) => call(own, parent))
        const store = makeTestStore()
        for (const message of messages) {
          receive(store, [message])
          const { conversations, children, calls } = store.getState()
          const reached = [...(conversations.get('c-1') ?? [])]
          for (const each of reached) reached.push(...(children.get(each) ?? []))

          expect(reached.toSorted()).toEqual([...calls.keys()].toSorted())
        }
        const { conversations, children } = store.getState()
        const again = receive(makeTestStore(), messages.toReversed()).getState()
        expect(
          [...again.children]
            .map(([key, ids]) => [key, ids.toSorted()])
            .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
        ).toEqual(
          [...children]
            .map(([key, ids]) => [key, ids.toSorted()])
            .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
        )
        expect(again.conversations.get('c-1')?.toSorted()).toEqual(conversations.get('c-1')?.toSorted())
      }),
    )
  })

  test('[H3] children of a call that is no longer kept stand for themselves', () => {
    const store = makeTestStore({ limits: { endedCalls: 1 } })
    receive(store, [call('a'), call('b', 'a'), toolResult('x', { toolCallID: 'a' })])
    receive(store, [call('c'), toolResult('x', { toolCallID: 'c' })])

    expect([...store.getState().forgotten]).toEqual(['a'])
    expect(store.getState().conversations.get('c-1')).toEqual(['b', 'c'])
    expect(store.getState().children.size).toBe(0)
  })

  test('[D5] a chain of 5,000 is read in no time', () => {
    const store = makeTestStore()
    receive(
      store,
      Array.from({ length: 5_000 }, (_, i) => call(`call-${i}`, i === 0 ? undefined : `call-${i - 1}`)),
    )

    expect(store.getState().children.size).toBe(4_999)
    expect(store.getState().conversations.get('c-1')).toEqual(['call-0'])
  })
})

describe('requests of sub-agents', () => {
  const request = approvalRequest({ subagentSessionID: 'sub' })
  const approval = (store: TestStore) => {
    store.flush()
    return store.getState().approvals.get('r-1')
  }

  test("[D5] are about the sub-agent's own call, where that is known", () => {
    expect(approval(heard(call('a'), call('b', 'a', { sessionID: 'sub' }), request))).toMatchObject({
      callId: 'b',
      parentCallId: 'b',
      subagentSessionId: 'sub',
    })
  })

  test('[D5] are shown under the call whose sub-agent asks: as the host says, else as its other calls say', () => {
    const other = call('b', 'a', { sessionID: 'sub', args: { command: 'other' } })
    for (const order of [
      [call('a'), other, request],
      [request, other, call('a')],
    ]) {
      expect(approval(heard(...order))).toMatchObject({ callId: undefined, parentCallId: 'a' })
    }
    const store = makeTestStore({ parentOf: (session) => (session === 'sub' ? 'host' : undefined) })
    expect(approval(receive(store, [call('a'), other, request]))?.parentCallId).toBe('host')
    expect(approval(heard(request))?.parentCallId).toBeUndefined()
  })

  test("[D5] the host's word places calls, too, and what it throws is counted and costs nothing", () => {
    const store = makeTestStore({ parentOf: (session) => (session === 'sub' ? 'a' : undefined) })
    receive(store, [call('a'), call('b', undefined, { sessionID: 'sub' })])
    expect(store.getState().children.get('a')).toEqual(['b'])

    const failing = makeTestStore({
      parentOf: () => {
        throw new Error('host')
      },
    })
    receive(failing, [call('a'), request])
    expect(failing.call('a').status).toBe('pending')
    expect(failing.problems().host_callback_failed).toBeGreaterThan(0)
  })
})

describe('the end of a session', () => {
  test('[D2] leaves none of its open calls running, says why, and goes when the truth comes', () => {
    const store = heard(call('a'), call('b'), toolStatus('running', { toolCallID: 'b' }))
    store.setNow(20_000)
    receive(store, [sessionEnded()])
    for (const id of ['a', 'b']) {
      expect(store.call(id)).toMatchObject({
        status: 'unknown',
        outcome: { kind: 'unknown', cause: 'session_ended', receivedAt: 20_000, value: undefined },
      })
    }

    receive(store, [toolResult('late', { toolCallID: 'b' })])
    expect(store.call('b')).toMatchObject({ status: 'done', outcome: { value: 'late' } })
    expect(store.call('b').outcome).not.toHaveProperty('cause')
  })

  test("[D2] touches no other session's calls and none that are heard of later, as those of the next turn", () => {
    const store = heard(call('a', undefined, { sessionID: 's-2' }), sessionEnded(), call('b'))

    expect([store.call('a').status, store.call('b').status]).toEqual(['pending', 'pending'])
    receive(store, [sessionEnded(), call('c'), sessionEnded({ sessionID: 's-2' })])
    expect(['a', 'b', 'c'].map((id) => store.call(id).status)).toEqual(['unknown', 'unknown', 'pending'])
  })

  test('[D2] an ended call that is told of its session late is ended, too', () => {
    const store = makeTestStore()
    receive(store, [toolStatus('running', { sessionID: undefined }), sessionEnded()])
    expect(store.call().status).toBe('running')

    receive(store, [toolStatus('running')])
    expect(store.call().status).toBe('unknown')
  })

  test('[D2] the first end that a call lived to is the one that counts', () => {
    const store = heard(call('a'))
    for (const now of [20_000, 30_000, 40_000]) {
      store.setNow(now)
      receive(store, [sessionEnded()])
    }

    expect(store.call('a').outcome?.receivedAt).toBe(20_000)
  })

  test('[H3] ends of ever more sessions cost no more memory, and the newest are known', () => {
    const store = heard(call('a'))
    for (let i = 0; i < 10_050; i++) store.receive('agent_bus', sessionEnded({ sessionID: `x-${i}` }))
    receive(store, [sessionEnded()])

    expect(store.call('a').status).toBe('unknown')
  })
})

describe('a connection that is closed for good', () => {
  const word = (contact: 'closed' | 'back' | 'lost', conversationId?: string) =>
    ({ type: 'contact', contact, ...(conversationId !== undefined && { conversationId }) }) as const

  test('[D2] leaves the calls that were heard through it unknown until it is back; a loss changes nothing', () => {
    const store = heard(call('a'))
    store.receive('agent_bus', call('other'), { conversationId: 'c-2' })
    store.ingest(word('lost', 'c-1'))
    expect(store.call('a').status).toBe('pending')

    store.ingest(word('closed', 'c-1'))
    expect(store.call('a').outcome).toMatchObject({ kind: 'unknown', cause: 'connection_closed' })
    expect(store.call('other').status).toBe('pending')

    store.ingest(word('back', 'c-2'))
    expect(store.call('a').status).toBe('unknown')
    store.ingest(word('back', 'c-1'))
    expect(store.call('a').status).toBe('pending')
  })

  test.each([['closed'], ['ended']] as const)(
    '[D6][A16] leaves no process going on of which nothing more can be heard, though its call had ended: %s',
    (contact) => {
      const store = heard(call('a'), newRunning('ls', { toolCallID: 'a' }), toolResult('x', { toolCallID: 'a' }))
      store.setNow(20_000)
      receive(store, [appendString('late', { toolCallID: 'a' })])
      expect(isCallOpen(store.call('a'))).toBe(true)

      store.setNow(30_000)
      store.ingest({ type: 'contact', contact, conversationId: 'c-1' })
      expect(isCallOpen(store.call('a'))).toBe(false)

      store.setNow(40_000)
      store.ingest(word('back', 'c-1'))
      receive(store, [appendString('later', { toolCallID: 'a' })])
      expect(isCallOpen(store.call('a'))).toBe(true)
    },
  )

  test('[D2] all of them are where no conversation is named', () => {
    const store = heard(call('a'))
    store.ingest(word('closed'))
    expect(store.call('a').status).toBe('unknown')
    store.ingest(word('back', 'c-1'))
    expect(store.call('a').status).toBe('pending')
  })

  test('[H3] what it left open is not forgotten as ended calls are', () => {
    const store = makeTestStore({ limits: { endedCalls: 1 } })
    receive(store, [call('a'), call('b'), call('c')])
    store.ingest(word('closed', 'c-1'))
    store.flush()
    store.ingest(word('back', 'c-1'))

    expect(['a', 'b', 'c'].map((id) => store.call(id).status)).toEqual(['pending', 'pending', 'pending'])
  })
})
