import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { logOf, toPlainText } from '../../src/core/index.js'
import { createA2aAgent, type Turn } from '../../stories/live/server/a2aAgent.mjs'
import { createBridge, envelopeOf } from '../../stories/live/server/bridge.mjs'
import { createThrottle, type Envelope } from '../../stories/live/server/throttle.mjs'
import { ended, makeTestStore, snapshot } from '../support/wire.js'

const soon = { timeout: 15_000, interval: 20 }

async function startBridge(act: (text: string, turn: Turn) => Promise<void>, openCalls = () => ['call-1']) {
  const agent = await createA2aAgent({ act })
  const frames: Record<string, any>[] = []
  const emit = (frame: Record<string, any>) => void frames.push(frame)
  const bridge = await createBridge({ card: agent.card, emit, openCalls, retryMs: 20 })
  onTestFinished(async () => {
    bridge.close()
    await agent.close()
  })
  const shown = () => {
    const store = makeTestStore()
    store.receive('chat_event', snapshot())
    for (const frame of frames) store.receive('tool_event_stream', frame)
    return { call: store.call(), problems: store.problems() }
  }
  return { agent, bridge, frames, shown }
}

describe('the bridge', () => {
  test('[B2] hands envelopes on as they are, and makes one up from the text where there is none', async () => {
    const { bridge, frames, shown } = await startBridge(async (text, turn) => {
      turn.block('thinking', { text: 'The table first.' }, { text: 'Thinking…' })
      turn.says(`You asked: ${text}`)
      turn.ends('COMPLETED', 'Two rows.')
    })

    expect(await bridge.ask('read')).toEqual({ state: 'done', text: 'Two rows.' })

    const [first] = frames
    const base = { v: 1, callId: 'call-1', taskId: first?.taskId, ts: expect.any(Number) }
    expect(frames).toEqual([
      {
        ...base,
        state: 'running',
        envelope: { v: 1, kind: 'thinking', seq: 41, status: 'running', payload: { text: 'The table first.' } },
      },
      { ...base, state: 'running', envelope: { kind: 'text', payload: { text: 'You asked: read' } } },
      { ...base, state: 'done', envelope: { v: 1, kind: 'text', status: 'done', payload: { text: 'Two rows.' } } },
    ])
    expect(toPlainText(shown().call)).toContain('thinking: The table first.\nYou asked: read\n')
    expect(shown().problems).toEqual({})
  })

  const part = (tfrs: unknown) => ({
    content: { $case: 'text' as const, value: 'as before' },
    metadata: tfrs === undefined ? undefined : { tfrs },
    filename: '',
    mediaType: '',
  })

  test.each([undefined, '{', '7', 'null', '{"v":2,"kind":"text","payload":{}}', '{"v":1,"kind":"text"}', {}])(
    '[B2] falls back to the text beside an envelope that can not be read: %j',
    (tfrs) => {
      expect(envelopeOf(part(tfrs))).toEqual({ kind: 'text', payload: { text: 'as before' } })
    },
  )

  test('[B7] takes up a broken connection again, and tells nothing twice', async () => {
    let goOn = () => {}
    const paused = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const { agent, bridge, frames } = await startBridge(async (_, turn) => {
      turn.says('one')
      turn.block('text', { text: 'two' })
      await paused
      turn.says('three')
      turn.ends('COMPLETED', 'all')
    })
    const answer = bridge.ask('count')
    await vi.waitFor(() => expect(frames).toHaveLength(2), soon)

    agent.cut()
    await vi.waitFor(() => expect(agent.streams()).toBe(1), soon)
    goOn()

    expect(await answer).toEqual({ state: 'done', text: 'all' })
    expect(frames.map(({ envelope }) => envelope.payload.text)).toEqual(['one', 'two', 'three', 'all'])
  })

  test('[B7] cut at the very end, it hears of the end from the task', async () => {
    const { agent, bridge, frames } = await startBridge(async (_, turn) => {
      turn.says('one')
      await vi.waitFor(() => expect(agent.streams()).toBe(1), soon)
      agent.cut()
      turn.says('two')
      turn.ends('FAILED', 'no rates')
    })

    expect(await bridge.ask('count')).toEqual({ state: 'aborted', text: 'no rates' })
    expect(frames.map(({ envelope }) => envelope.payload)).toEqual([
      { text: 'one' },
      { text: 'two' },
      { message: 'no rates' },
    ])
    expect(frames.at(-1)).toMatchObject({ state: 'aborted' })
  })

  test('[A4] leaves callId out when several calls to the agent are open: only the values are shown', async () => {
    const { bridge, frames } = await startBridge(
      async (_, turn) => {
        turn.says('one')
        turn.ends('COMPLETED', 'all')
      },
      () => ['call-1', 'call-2'],
    )
    await bridge.ask('count')

    expect(frames.map(({ state }) => state)).toEqual(['running', 'done'])
    for (const frame of frames) expect(frame).not.toHaveProperty('callId')
    const store = makeTestStore()
    store.receive('chat_event', snapshot())
    for (const frame of frames) store.receive('tool_event_stream', frame)
    store.receive('chat_event', ended('all'))
    expect(store.call().tasks).toEqual([])
    expect(store.call().outcome).toMatchObject({ kind: 'done', value: 'all' })
  })

  test('[A13] an agent that floods it is told of at most ten times a second, with all of its output and its end', async () => {
    const { bridge, frames, shown } = await startBridge(async (_, turn) => {
      turn.block('tool_call', { tool: 'cat' }, { streamKey: 'k' })
      for (let i = 0; i < 500; i++) {
        turn.block('tool_output_append', { tool: 'cat', chunk: `${i}\n` }, { streamKey: 'k' })
      }
      turn.block('tool_call', { tool: 'cat' }, { streamKey: 'k', status: 'done' })
      turn.ends('COMPLETED', 'all')
    })
    await bridge.ask('count')

    const times = frames.slice(0, -1).map(({ ts }) => ts)
    expect(times.slice(1).every((ts, i) => ts - times[i] >= 95)).toBe(true)
    expect(frames.length).toBeLessThan(500)
    expect(frames.at(-1)).toMatchObject({ state: 'done' })
    const [tool] = shown().call.tasks[0]?.items ?? []
    expect(tool).toMatchObject({ kind: 'tool', name: 'cat', end: 'done' })
    expect(tool?.kind === 'tool' && logOf(tool)?.text()).toBe(Array.from({ length: 500 }, (_, i) => `${i}\n`).join(''))
  })

  test('[H1] fails when the agent can not be reached', async () => {
    const { agent, bridge } = await startBridge(async () => {})
    await agent.close()
    await expect(bridge.ask('count')).rejects.toThrow('fetch failed')
  })
})

describe('the throttle', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const thinking = (seq: number): Envelope => ({ kind: 'thinking', seq, status: 'running', payload: { text: 'x' } })
  const output = (seq: number, chunk: string, streamKey = 'a'): Envelope => ({
    kind: 'tool_output_append',
    seq,
    status: 'running',
    streamKey,
    payload: { chunk },
  })
  function throttled() {
    const out: (readonly [at: number, envelope: Envelope | 'end'])[] = []
    const began = Date.now()
    const note = (envelope: Envelope | 'end') => void out.push([Date.now() - began, envelope])
    return { out, end: () => note('end'), throttle: createThrottle({ emit: note }) }
  }

  test('[A13] the first goes at once, the others a tenth of a second apart', () => {
    const { throttle, out } = throttled()

    for (const seq of [1, 2, 3]) throttle.push(thinking(seq))
    vi.advanceTimersByTime(1_000)
    throttle.push(thinking(4))

    expect(out).toEqual([
      [0, thinking(1)],
      [100, thinking(2)],
      [200, thinking(3)],
      [1_000, thinking(4)],
    ])
  })

  test('[A13] beyond what may wait the oldest is dropped, and never the end', () => {
    const { throttle, out, end } = throttled()

    for (let seq = 1; seq <= 31; seq++) throttle.push(thinking(seq))
    throttle.end(end)
    vi.advanceTimersByTime(10_000)

    expect(out.map(([, envelope]) => (envelope === 'end' ? envelope : envelope.seq))).toEqual([
      1,
      ...Array.from({ length: 10 }, (_, i) => 22 + i),
      'end',
    ])
    expect(throttle.dropped()).toBe(20)
  })

  test('[A13] neighbouring output of one tool is merged, up to 8 KB and not with that of another', () => {
    const { throttle, out } = throttled()
    const large = 'x'.repeat(5_000)

    for (const [i, [key, chunk]] of [
      ['a', '1'],
      ['a', '2'],
      ['a', '3'],
      ['b', '4'],
      ['a', large],
      ['a', large],
    ].entries()) {
      throttle.push(output(i, chunk as string, key))
    }
    vi.advanceTimersByTime(10_000)

    expect(out.map(([, envelope]) => envelope)).toEqual([
      output(0, '1'),
      output(2, '23'),
      output(3, '4', 'b'),
      output(4, large),
      output(5, large),
    ])
  })

  test('[A13] stopped, it sends nothing any more', () => {
    const { throttle, out, end } = throttled()

    for (const seq of [1, 2, 3]) throttle.push(thinking(seq))
    throttle.end(end)
    throttle.stop()
    vi.advanceTimersByTime(10_000)

    expect(out).toEqual([[0, thinking(1)]])
  })
})
