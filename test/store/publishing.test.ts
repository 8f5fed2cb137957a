import { describe, expect, test, vi } from 'vitest'
import { createToolCallStore, type ToolCallStore } from '../../src/store/index.js'
import { appendString, newRunning, sessionEnded, toolCall, toolResult } from '../support/bus.js'
import { done, ended, makeTestStore, snapshot, text } from '../support/wire.js'

describe('publishing', () => {
  test('[A6] what is received is published once, together', () => {
    const publishes: (() => void)[] = []
    const store = createToolCallStore({ schedule: (publish) => (publishes.push(publish), () => {}) })
    const listener = vi.fn<() => void>()
    store.subscribe(listener)

    store.receive('chat_event', snapshot())
    store.receive('tool_event_stream', text(1, 'a'))
    store.receive('tool_event_stream', text(2, 'b'))
    expect(store.getState().calls.size).toBe(0)
    for (const publish of publishes) publish()

    expect(publishes).toHaveLength(1)
    expect(listener).toHaveBeenCalledTimes(1)
    expect(store.getState().calls.get('call-1')?.tasks[0]?.items).toHaveLength(2)
  })

  test('[A6] is as often as the host likes, also at once', () => {
    const store = createToolCallStore({ schedule: (publish) => (publish(), () => {}) })
    for (const eventId of ['call-1', 'call-2']) store.receive('chat_event', snapshot({ eventId }))

    expect([...store.getState().calls.keys()]).toEqual(['call-1', 'call-2'])
  })

  test('[H1] a host that publishes while it is asked for something is asked once, and loses nothing', () => {
    const store: ToolCallStore = createToolCallStore({
      schedule: () => () => {},
      onProblem: () => store.flush(),
      effectOf: () => {
        store.flush()
        throw new Error('mine')
      },
    })
    for (const id of ['r-1', 'r-2']) {
      store.receive('run_gateway', { run_id: id, seq: 1, type: 'approval_required', tool: id })
    }
    store.flush()

    expect([...store.getState().calls.keys()]).toEqual(['r-1', 'r-2'])
    expect([...store.getState().approvals.values()].map(({ callId }) => callId)).toEqual(['r-1', 'r-2'])
    expect(store.getState().diagnostics.counts).toEqual({ host_callback_failed: 2 })
  })

  test('[H1] what a host gives while it is asked for something is shown, too', () => {
    const store: ToolCallStore = createToolCallStore({
      schedule: () => () => {},
      onProblem: ({ kind }) => {
        if (kind === 'host_callback_failed') store.receive('chat_event', snapshot())
      },
      effectOf: () => {
        throw new Error('mine')
      },
    })
    store.receive('chat_event', snapshot({ status: 'pending' }))
    store.receive('run_gateway', { run_id: 'run', seq: 1, type: 'tool_requested', tool: 'search' })
    store.flush()
    store.flush()

    expect(store.getState().calls.get('call-1')?.statusText).toBeUndefined()
  })

  test('[H1] a host that gives something each time it is called is stopped, and told', () => {
    const store = makeTestStore()
    const other = makeTestStore()
    store.onReceived(({ events }) => other.ingest(events))
    other.onReceived(({ events }) => store.ingest(events))
    store.receive('tool_event_stream', text(1, 'a'))

    expect(store.call().tasks[0]?.items).toMatchObject([{ text: 'a' }])
    expect(store.problems().host_callback_failed).toBeGreaterThan(0)
  })

  test('[G1] what a listener gives on hearing something is heard by all after that', () => {
    const store = makeTestStore()
    const heard: string[] = []
    store.onReceived(({ events }) => {
      if (events.some(({ type }) => type === 'block')) store.ingest({ type: 'contact', contact: 'lost' })
    })
    store.onReceived(({ events }) => heard.push(...events.map(({ type }) => type)))
    store.receive('tool_event_stream', text(1, 'a'))

    expect(heard).toEqual(['block', 'contact'])
  })

  test('[A6] a repeated message changes nothing, and nobody is told', () => {
    const store = makeTestStore()
    const messages = [text(1, 'a'), text(3, 'c'), done(4, 'v')]
    for (const message of messages) store.receive('tool_event_stream', message)
    store.receive('chat_event', ended('v'))
    const state = (store.flush(), store.getState())
    const listener = vi.fn<() => void>()
    store.subscribe(listener)

    for (const message of messages) store.receive('tool_event_stream', message)
    store.receive('chat_event', ended('v'))
    store.flush()

    expect(store.getState()).toBe(state)
    expect(listener).not.toHaveBeenCalled()
  })

  test('[A1] a call, task or item that did not change keeps its identity', () => {
    const store = makeTestStore()
    store.receive('tool_event_stream', text(1, 'a'))
    store.receive('tool_event_stream', text(1, 'other', { callId: 'call-2' }))
    store.receive('tool_event_stream', text(1, 'b', { taskId: 'task-0', ts: 1 }))
    const [other, call] = [store.call('call-2'), store.call()]
    const [first, second] = call.tasks
    const item = second?.items[0]

    store.receive('tool_event_stream', text(2, 'c'))

    expect(store.call('call-2')).toBe(other)
    expect(store.call()).not.toBe(call)
    expect(store.call().tasks[0]).toBe(first)
    expect(store.call().tasks[1]).not.toBe(second)
    expect(store.call().tasks[1]?.items[0]).toBe(item)
  })

  test('[A14] a loss of the connection leaves alone the calls of other conversations and those that have ended', () => {
    const store = makeTestStore()
    store.receive('chat_event', snapshot({ eventId: 'elsewhere', conversationId: 'c-2' }))
    store.receive('tool_event_stream', text(1, 'x', { callId: 'elsewhere' }))
    store.receive('tool_event_stream', done(1, 'v', { callId: 'over' }))
    store.receive('chat_event', snapshot())
    store.receive('tool_event_stream', text(1, 'x'))
    const [elsewhere, over, call] = [store.call('elsewhere'), store.call('over'), store.call()]

    store.ingest({ type: 'contact', contact: 'lost', conversationId: 'c-1' })

    expect(store.call('elsewhere')).toBe(elsewhere)
    expect(store.call('over')).toBe(over)
    expect(store.call()).not.toBe(call)
  })

  test('[D2] the end of a turn, and a loss, leave alone the calls that were over before, their terminals included', () => {
    const store = makeTestStore()
    const bus = (message: object) => store.receive('agent_bus', message, { conversationId: 'c-1' })
    for (const id of ['over', 'goes on']) {
      bus(newRunning('ls', { toolCallID: id }))
      bus(toolResult('x', { toolCallID: id }))
    }
    store.setNow(20_000)
    bus(appendString('more', { toolCallID: 'goes on' }))
    bus(toolCall({ toolCallID: 'open' }))
    const calls = () => ['over', 'goes on', 'open'].map((id) => store.call(id))
    const news = [
      () => store.ingest({ type: 'contact', contact: 'lost' }),
      () => store.ingest({ type: 'contact', contact: 'back' }),
      () => bus(sessionEnded()),
    ]
    news.forEach((tell, i) => {
      const before = calls()
      store.setNow(30_000 + i * 1_000)
      tell()
      expect(calls().map((call, at) => call === before[at])).toEqual([true, false, false])
    })
  })

  test('[A12] the mode belongs to the store, and is live unless it is said otherwise', () => {
    expect(createToolCallStore().getState().mode).toBe('live')
    expect(createToolCallStore({ mode: 'replay' }).getState().mode).toBe('replay')
  })

  test('[A8] one timer tells all who want to hear of the time, and none runs while nobody does', () => {
    vi.useFakeTimers()
    const store = createToolCallStore()
    const listeners = Array.from({ length: 200 }, () => vi.fn<() => void>())
    const stops = listeners.map((listener) => store.subscribeClock(listener))

    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(3_000)
    for (const listener of listeners) expect(listener).toHaveBeenCalledTimes(3)
    for (const stop of stops) stop()

    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })

  test('[A15] a conversation lists its calls in the order in which they began', () => {
    const store = makeTestStore()
    store.receive('chat_event', [snapshot({ eventId: 'late', ts: 20 }), snapshot({ eventId: 'early', ts: 10 })])
    store.flush()
    const list = store.getState().conversations.get('c-1')
    expect(list).toEqual(['early', 'late'])

    store.receive('tool_event_stream', text(1, 'x', { callId: 'late' }))
    store.flush()

    expect(store.getState().conversations.get('c-1')).toBe(list)
  })
})
