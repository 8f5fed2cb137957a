import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, test, vi } from 'vitest'
import { logOf, type ToolEvent, toPlainText } from '../../src/core/index.js'
import { protocols } from '../../src/protocols/index.js'
import { createPlayer, type Player, parseRecording, type Recording, recordTo } from '../../src/replay/index.js'
import {
  createRewindableStore,
  createToolCallStore,
  type Moment,
  type Received,
  type ToolCallStore,
} from '../../src/store/index.js'
import { busCall, busTerminal, busTerminalEnd, busTerminalOutput, createFixedClock } from '../../src/testing/index.js'

const startedAt = 1_000_000

const byId = (a: readonly unknown[], b: readonly unknown[]) => (String(a[0]) < String(b[0]) ? -1 : 1)

/** All that can be seen of a store. What it counted is not: that goes with how often it was read. */
function shown(store: ToolCallStore) {
  store.flush()
  const { calls, aliases, conversations, approvals, connection, children } = store.getState()
  return {
    calls: [...calls].map(([id, call]) => [id, toPlainText(call), call.status, call.firstReceivedAt]).sort(byId),
    aliases: [...aliases].sort(byId),
    conversations: [...conversations].sort(byId),
    children: [...children].sort(byId),
    approvals: [...approvals.values()]
      .map(({ id, state, callId, failure, onlyAnswer }) => [id, state, callId, failure, onlyAnswer])
      .sort(byId),
    connection,
  }
}

/** The slow way to a moment: all of it from the start, into an ordinary store. */
function playedTo(receipts: readonly Received[], position: number): ToolCallStore {
  const clock = createFixedClock(startedAt)
  const store = createToolCallStore({ mode: 'replay', now: clock.now, schedule: () => () => {} })
  for (const { receivedAt, events, problems } of receipts.slice(0, position)) {
    clock.set(receivedAt)
    for (const problem of problems) store.report(problem)
    store.ingest(events)
    store.flush()
  }
  return store
}

const never = () => () => {}
const playerOf = (receipts: readonly Received[]): Player =>
  createPlayer({ header: undefined, receipts, problems: [] }, { schedule: never })

const callIds = fc.constantFrom('c1', 'c2', 'c3')
const small = fc.integer({ min: 0, max: 40 })
const place = { callId: callIds, taskId: fc.constantFrom('t1', 't2'), ts: fc.option(small, { nil: undefined }) }
const events: fc.Arbitrary<ToolEvent> = fc.oneof(
  fc.record({
    type: fc.constant('call' as const),
    callId: callIds,
    conversationId: fc.constantFrom('v1', 'v2'),
    sessionId: fc.constantFrom('s1', 's2'),
    toolName: fc.constant('shell'),
    args: fc.constantFrom('', '{"a"', '{"a":1', '{"a":1}', '{"b":2}'),
    argsKind: fc.constantFrom('partial' as const, 'complete' as const),
  }),
  fc.record({ type: fc.constant('call' as const), callId: callIds, argsDelta: fc.constantFrom('{"x"', ':1', '}') }),
  fc.record({ type: fc.constant('call' as const), callId: callIds, alias: fc.constantFrom('c2', 'c3', 'other') }),
  fc.record({ type: fc.constant('call' as const), callId: callIds, parentCallId: callIds, pending: fc.boolean() }),
  ...(['thinking', 'text'] as const).map((kind) =>
    fc.record({
      type: fc.constant('block' as const),
      ...place,
      kind: fc.constant(kind),
      seq: fc.option(small, { nil: undefined }),
      text: fc.string({ maxLength: 3 }),
    }),
  ),
  fc.record({
    type: fc.constant('block' as const),
    ...place,
    kind: fc.constant('output' as const),
    streamKey: fc.constantFrom('k1', 'k2'),
    seq: small,
    text: fc.constantFrom('line\n', 'part ', '\rover', '\x1b[31mred\n'),
  }),
  fc.record({
    type: fc.constant('block' as const),
    callId: callIds,
    taskId: fc.constant('terminal'),
    kind: fc.constant('output' as const),
    byArrival: fc.constant(true),
    text: fc.constantFrom('one\n', 'two ', '\rthree'),
  }),
  fc.record({
    type: fc.constant('block' as const),
    ...place,
    kind: fc.constant('tool' as const),
    streamKey: fc.constantFrom('k1', 'k2'),
    seq: small,
    status: fc.constantFrom('running' as const, 'done' as const),
    tool: fc.constant('shell'),
  }),
  fc.record({
    type: fc.constant('step' as const),
    callId: callIds,
    seq: fc.option(small, { nil: undefined }),
    ts: small,
    tool: fc.constantFrom('read', 'write'),
    kind: fc.constantFrom('requested' as const, 'progress' as const, 'result' as const, 'heartbeat' as const),
  }),
  fc.record({
    type: fc.constant('step' as const),
    callId: callIds,
    seq: small,
    kind: fc.constant('ended' as const),
    committed: fc.constant(true),
    outcome: fc.constantFrom('done' as const, 'unknown' as const),
    authority: fc.constant('final' as const),
  }),
  fc.record({
    type: fc.constant('block' as const),
    ...place,
    kind: fc.constant('artifact' as const),
    artifactId: fc.constantFrom('x', 'y'),
    text: fc.constantFrom('a', 'ab', 'b'),
    append: fc.boolean(),
  }),
  fc.record({
    type: fc.constant('outcome' as const),
    callId: fc.option(callIds, { nil: undefined }),
    taskId: fc.constantFrom('t1', 't2', undefined),
    outcome: fc.constantFrom('done' as const, 'aborted' as const, 'error' as const),
    authority: fc.constantFrom('final' as const, 'status' as const),
    seq: fc.option(small, { nil: undefined }),
    value: fc.constantFrom(1, 'v'),
  }),
  fc.record({
    type: fc.constant('approval' as const),
    approvalId: fc.constantFrom('a1', 'a2'),
    request: fc.record({
      sessionId: fc.constantFrom('s1', 's2'),
      toolName: fc.constant('shell'),
      args: fc.constant('{"a":1}'),
    }),
  }),
  fc.record({
    type: fc.constant('approval' as const),
    approvalId: fc.constantFrom('a1', 'a2'),
    answer: fc.record({ approved: fc.boolean() }),
  }),
  fc.record({
    type: fc.constant('approval' as const),
    approvalId: fc.constantFrom('a1', 'a2'),
    sent: fc.record(
      {
        answer: fc.record({ approved: fc.boolean(), scope: fc.constantFrom('once', 'always') }),
        state: fc.constantFrom('sending' as const, 'sent' as const, 'failed' as const),
        reason: fc.constant('no acknowledgement came'),
        mayHaveArrived: fc.boolean(),
      },
      { requiredKeys: ['answer', 'state'] },
    ),
  }),
  fc.record({
    type: fc.constant('contact' as const),
    contact: fc.constantFrom('lost' as const, 'back' as const, 'closed' as const),
  }),
) as fc.Arbitrary<ToolEvent>

const recordings = fc
  .array(fc.array(events, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 60 })
  .map((lists) => lists.map((list, i): Received => ({ receivedAt: startedAt + i * 100, events: list, problems: [] })))

describe('a moment', () => {
  property.prop([recordings, fc.array(fc.nat(), { minLength: 1, maxLength: 6 })], { numRuns: 60 })(
    '[G1] is the same dragged to and played to, wherever the recording was before',
    (receipts, places) => {
      const player = playerOf(receipts)
      for (const each of places) {
        const position = 1 + (each % receipts.length)
        player.seek((position - 1) * 100)
        expect(shown(player.store)).toEqual(shown(playedTo(receipts, position)))
      }
    },
  )

  property.prop([recordings, fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 6 }), fc.boolean()], {
    numRuns: 200,
  })('[G1] is the same when it is reached from any kept one, as often as one likes', (receipts, places, isRead) => {
    const clock = createFixedClock(startedAt)
    const options = { mode: 'replay' as const, now: clock.now, schedule: never }
    const [kept, other] = [createRewindableStore(options), createRewindableStore(options)]
    const give = (store: ToolCallStore, received: Received) => {
      clock.set(received.receivedAt)
      store.ingest(received.events)
    }
    const moments = [kept.keep()]
    for (const received of receipts) {
      give(kept.store, received)
      if (isRead) shown(kept.store)
      moments.push(kept.keep())
    }
    for (const [first, second] of places) {
      const from = first % moments.length
      const to = from + (second % (moments.length - from))
      other.goTo(moments[from] as Moment)
      for (const received of receipts.slice(from, to)) give(other.store, received)
      expect(shown(other.store)).toEqual(shown(playedTo(receipts, to)))
    }
  })

  test('[G1] is the same when it is reached from one that was kept on the way', () => {
    const receipts = Array.from({ length: 6_000 }, (_, i): Received => {
      const block = { type: 'block', callId: `c${i % 3}`, taskId: 't', seq: i, kind: 'output', streamKey: 'k' } as const
      return { receivedAt: startedAt + i * 10, events: [{ ...block, text: `line ${i}\n` }], problems: [] }
    })
    const player = playerOf(receipts)
    for (const position of [5_999, 2_100, 4_500, 1, 4_100]) {
      player.seek(position * 10)
      expect(shown(player.store)).toEqual(shown(playedTo(receipts, position + 1)))
    }
  })
})

describe('playing', () => {
  const text = (seq: number): ToolEvent => ({
    type: 'block',
    callId: 'c',
    taskId: 't',
    seq,
    kind: 'text',
    text: `${seq}`,
  })
  const ten = Array.from(
    { length: 10 },
    (_, i): Received => ({ receivedAt: startedAt + i * 1_000, events: [text(i)], problems: [] }),
  )
  const blocks = (player: Player) => player.store.getState().calls.get('c')?.tasks[0]?.blockCount ?? 0

  /** A player whose time and frames come when the test says so. */
  function manual(receipts: readonly Received[] = ten) {
    const clock = createFixedClock(0)
    let due: (() => void)[] = []
    const schedule = (callback: () => void) => {
      due.push(callback)
      return () => {
        due = due.filter((each) => each !== callback)
      }
    }
    const player = createPlayer({ header: undefined, receipts, problems: [] }, { clock: clock.now, schedule })
    const pass = (ms: number) => {
      clock.advance(ms)
      const now = due
      due = []
      for (const callback of now) callback()
    }
    return { player, pass }
  }

  test('[G1] goes at its speed, stands still when paused, and ends at the end', () => {
    const { player, pass } = manual()
    player.play()
    pass(2_000)
    expect(blocks(player)).toBe(3)
    player.setSpeed(4)
    pass(500)
    expect(player.getState()).toMatchObject({ time: 4_000, position: 5, playing: true })
    player.pause()
    pass(10_000)
    expect(blocks(player)).toBe(5)
    player.play()
    pass(60_000)
    expect(player.getState()).toMatchObject({ time: 9_000, position: 10, playing: false })
    player.play()
    expect(player.getState()).toMatchObject({ time: 0, position: 0, playing: true })
  })

  test('[G1] without waiting it takes what there is, and the time goes along', () => {
    const { player, pass } = manual()
    player.setSpeed('immediate')
    player.play()
    pass(1)
    expect(player.getState()).toMatchObject({ time: 9_000, position: 10, playing: false })
  })

  test('[G1] steps receive one receipt, and take it back', () => {
    const { player } = manual()
    player.step()
    player.step()
    expect(blocks(player)).toBe(2)
    player.step(-1)
    expect([blocks(player), player.getState().time]).toEqual([1, 0])
    player.step(-1)
    player.step(-1)
    expect([player.store.getState().calls.size, player.getState().position]).toEqual([0, 0])
  })

  test('[A12] its store says that it is a replay, tells the time of the recording, and stays the same', () => {
    const { player } = manual()
    const { store } = player
    player.seek(4_500)
    expect([store.getState().mode, store.now(), player.store]).toEqual(['replay', startedAt + 4_500, store])
    let heard = 0
    const stop = store.subscribeClock(() => {
      heard += 1
    })
    player.seek(4_600)
    expect(heard).toBe(1)
    stop()
    player.seek(4_700)
    expect(heard).toBe(1)
  })

  test('[D4] an answer that is given to a recording goes nowhere', () => {
    const { player } = manual([
      {
        receivedAt: startedAt,
        events: [{ type: 'approval', approvalId: 'a', request: { toolName: 'rm' } }],
        problems: [],
      },
    ])
    player.seek(0)
    player.store.answer('a', { approved: true })
    player.store.flush()
    expect(player.store.getState().approvals.get('a')?.state).toBe('open')
    expect(player.store.getState().diagnostics.counts).toMatchObject({ answer_ignored: 1 })
  })

  test('[D6] the output of a terminal goes back as it came', () => {
    const messages = [
      busCall('c', 0, 'shell'),
      busTerminal('c', 0, 'make'),
      ...['one\n', 'tw', 'o\n', '50%', '\r100%\n'].map((delta) => busTerminalOutput('c', 0, delta)),
      busTerminalEnd('c', 0, 0),
    ]
    const receipts = messages.map(({ message }, i): Received => {
      const translated = protocols.agent_bus(message, {})
      return { receivedAt: startedAt + i, events: translated.events, problems: [] }
    })
    const player = playerOf(receipts)
    const logAt = (time: number) => {
      player.seek(time)
      const item = [...player.store.getState().calls.values()][0]?.tasks[0]?.items[0]
      return item?.kind === 'tool' ? logOf(item)?.text() : undefined
    }
    expect([logAt(7), logAt(3), logAt(5), logAt(2), logAt(6)]).toEqual([
      'one\ntwo\n100%\n',
      'one\ntw',
      'one\ntwo\n50%',
      'one\n',
      'one\ntwo\n100%\n',
    ])
  })
})

describe('a recording', () => {
  const record = (fill: (store: ToolCallStore) => void, options = {}, recordOptions = {}) => {
    const lines: string[] = []
    const store = createToolCallStore({ now: () => startedAt, schedule: never, ...options })
    const recorder = recordTo(store, (line) => void lines.push(line), recordOptions)
    fill(store)
    return { lines, store, recorder, recording: (): Recording => parseRecording(lines.join('')) }
  }
  const start = (args: string) => ({ tool_call_id: 'c', tool_name: 'login', arguments: args })

  test('[G1] shows what the store showed, the losses of the connection included', () => {
    const { store, recording } = record((each) => {
      each.receive('tool_call_start', start('{"user":"ann"}'))
      each.ingest({ type: 'contact', contact: 'lost' })
      each.receive('tool_call_result', { tool_call_id: 'c', result: 0, status: 'success' })
      each.receive('tool_event_stream', 7)
    })
    const player = createPlayer(recording(), { schedule: never })
    player.seek(player.duration)
    expect(shown(player.store)).toEqual(shown(store))
    expect(recording().header).toMatchObject({ format: 'tool-call-detail/recording', version: 1, createdAt: startedAt })
    expect([store, player.store].map((each) => each.getState().diagnostics.counts)).toEqual([
      { not_an_object: 1 },
      { not_an_object: 1 },
    ])
  })

  test('[G1] holds nothing of what is masked, in whichever way arguments come', () => {
    const whole = record(
      (store) => {
        store.receive('tool_call_start', start('{"token":"sec'))
        store.receive('tool_call_args_delta', { tool_call_id: 'c', arguments: '{"token":"secret","a":1}' })
        store.ingest({ type: 'approval', approvalId: 'x', request: { toolName: 'login', args: '{"token":"secret"}' } })
      },
      { maskArguments: ['token'] },
    )
    const pieces = record(
      (store) => {
        store.receive('tool_call_start', start(''))
        for (const piece of ['{"tok', 'en":"sec', 'ret","a"', ':1}']) {
          store.receive('tool_call_args_delta', { tool_call_id: 'c', arguments: piece }, { argumentsMode: 'append' })
        }
      },
      { maskArguments: ['token'] },
    )
    const both = record(
      (store) => {
        const append = (piece: string) =>
          store.receive('tool_call_args_delta', { tool_call_id: 'c', arguments: piece }, { argumentsMode: 'append' })
        store.receive('tool_call_start', start('{"tok'))
        append('en":"sec')
        store.receive('tool_call_args_delta', { tool_call_id: 'c', arguments: '{"token":"secret","a"' })
        append('ret","a":1}')
      },
      { maskArguments: ['token'] },
    )
    for (const { lines, recording, store } of [whole, pieces, both]) {
      expect(lines.join('')).not.toMatch(/sec|ret/)
      const player = createPlayer(recording(), { schedule: never })
      player.seek(0)
      expect(shown(player.store).calls).toEqual(shown(store).calls)
      expect(lines.join('')).toContain('•••')
    }
  })

  const inPieces = (text: string, pieces: readonly string[], store: ToolCallStore) => {
    store.receive('tool_call_start', start(text))
    for (const piece of pieces) {
      store.receive('tool_call_args_delta', { tool_call_id: 'c', arguments: piece }, { argumentsMode: 'append' })
    }
  }

  test('[G1] holds nothing of what is masked, wherever its text is cut into pieces and whenever the store is read', () => {
    const text =
      '{"url":"x","tok\\u0065n":"hunter2","list":[{"Token":{"deep":["hunter2",17]}}],"token":17,"n":"é\\n","token":"'
    const by = (a: number, b: number) => a - b
    const cuts = fc.uniqueArray(fc.nat(text.length), { maxLength: text.length }).map((places) => places.sort(by))
    fc.assert(
      fc.property(cuts, fc.boolean(), fc.boolean(), fc.func(fc.boolean()), (places, startsFull, isOver, isRead) => {
        const pieces = [...places, text.length].map((end, i) => text.slice(places[i - 1] ?? 0, end))
        const first = startsFull ? (pieces.shift() ?? '') : ''
        const { lines, store, recording } = record(
          (each) => {
            each.onReceived(() => {
              if (isRead(lines.length)) each.flush()
            })
            inPieces(first, pieces, each)
            if (isOver) each.receive('tool_call_args_delta', { tool_call_id: 'c', arguments: `${text}hunter2"}` })
          },
          { maskArguments: ['token'] },
        )
        const told = recording().receipts.flatMap(({ events: each }) => each)
        const increments = told.flatMap((each) => (each.type === 'call' ? [each.argsDelta ?? ''] : [])).join('')
        const player = createPlayer(recording(), { schedule: never })
        player.seek(0)

        for (const each of [lines.join(''), increments]) expect(each).not.toMatch(/hunter|17/)
        expect(shown(player.store).calls).toEqual(shown(store).calls)
      }),
    )
  })

  test('[G1] holds nothing of what is masked where the beginning of the arguments was missed', () => {
    const { lines, store, recording } = record(
      (each) => {
        for (const piece of ['n":"sec', 'ret","a"', ':1}']) {
          each.receive('tool_call_args_delta', { tool_call_id: 'c', arguments: piece }, { argumentsMode: 'append' })
        }
      },
      { maskArguments: ['token'] },
    )
    const player = createPlayer(recording(), { schedule: never, maskArguments: ['token'] })
    player.seek(0)
    expect(lines.join('') + JSON.stringify(shown(store).calls)).not.toMatch(/sec|ret/)
    expect(shown(player.store).calls).toEqual(shown(store).calls)

    store.receive('tool_call_args_delta', { tool_call_id: 'c', arguments: '{"token":"secret","a":1}' })
    store.flush()
    expect(store.getState().calls.get('c')?.args).toBe('{"token":"•••","a":1}')
  })

  const textOrPiece = fc.oneof(
    fc.tuple(fc.constantFrom('{"b":12', '{"a":1,"c"'), fc.constant('whole' as const)),
    fc.tuple(fc.constantFrom('1', '23456'), fc.constant('append' as const)),
  )
  property.prop([fc.array(textOrPiece, { minLength: 3, maxLength: 8 })], { numRuns: 1_000 })(
    '[G1] shows what the store showed of masked arguments in whole texts and pieces that do not agree',
    (texts) => {
      const { store, recording } = record(
        (each) => {
          for (const [text, argumentsMode] of [['{"a":1', 'append'] as const, ...texts]) {
            each.receive('tool_call_args_delta', { tool_call_id: 'c', arguments: text }, { argumentsMode })
          }
        },
        { maskArguments: ['token'] },
      )
      const player = createPlayer(recording(), { schedule: never })
      player.seek(0)
      expect(shown(player.store).calls).toEqual(shown(store).calls)
    },
  )

  test('[C8] a piece of masked arguments costs what is new, however many were recorded before', () => {
    const unitsRead = (count: number) => {
      const spies = (['startsWith', 'slice'] as const).map((name) => vi.spyOn(String.prototype, name))
      const pieces = Array.from({ length: count }, () => 'x'.repeat(100))
      record((store) => inPieces('{"token":"secret","text":"', pieces, store), { maskArguments: ['token'] })
      const texts = spies.flatMap((spy) => spy.mock.contexts as readonly string[])
      for (const spy of spies) spy.mockRestore()
      return texts.reduce((sum, { length }) => sum + length, 0)
    }

    expect(unitsRead(400)).toBeLessThan(unitsRead(200) * 2.5)
  })

  test('[G1] is without what the host takes out, and what its function throws on', () => {
    const redact = (event: ToolEvent) => {
      if (event.type === 'outcome') throw new Error('no')
      if (event.type === 'contact') return undefined
      return event.type === 'call' ? { ...event, toolName: 'hidden' } : event
    }
    const { lines, store } = record(
      (each) => {
        each.receive('tool_call_start', start('{}'))
        each.ingest({ type: 'contact', contact: 'lost' })
        each.receive('tool_call_result', { tool_call_id: 'c', result: 'private', status: 'success' })
      },
      {},
      { redact },
    )
    expect(lines.join('')).not.toMatch(/login|private|lost/)
    expect(lines.join('')).toContain('hidden')
    store.flush()
    expect(store.getState().diagnostics.counts).toEqual({ host_callback_failed: 1 })
  })

  test('[G1] counts problems, and holds nothing of what errors say of them', () => {
    const { lines, recording } = record((store) => {
      store.report({ kind: 'resume_failed', callId: 'r', detail: 'GET /runs?token=sk-secret failed' })
    })

    expect(recording().receipts.map(({ problems }) => problems)).toEqual([[{ kind: 'resume_failed', callId: 'r' }]])
    expect(lines.join('')).not.toContain('sk-secret')
  })

  test('[G1] holds the end of a run whose value no JSON can hold', () => {
    const result: Record<string, unknown> = { paid: 7n }
    result['itself'] = result
    const { store, recording } = record((each) =>
      each.receive('run_gateway', { type: 'committed', run_id: 'r', seq: 1, result, receipt_id: 'r-1' }),
    )
    const player = createPlayer(recording(), { schedule: never })
    player.seek(0)

    expect(shown(player.store).calls).toEqual(shown(store).calls)
    expect(store.getState().calls.get('r')?.outcome?.value).toEqual({ paid: '7', itself: '…' })
    expect(store.getState().diagnostics.counts).toEqual({ value_cut: 1 })
  })

  test('[G1] holds what another listener throws on, and what stands beside an event that can not be read', () => {
    const unreadable: ToolEvent = { type: 'outcome', callId: 'b', outcome: 'done', authority: 'final' }
    Object.defineProperty(unreadable, 'value', {
      enumerable: true,
      get() {
        throw new Error('no')
      },
    })
    const lines: string[] = []
    const store = createToolCallStore({ schedule: never })
    store.onReceived(() => {
      throw new Error('mine')
    })
    recordTo(store, (line) => void lines.push(line))
    store.ingest([{ type: 'call', callId: 'a' }, unreadable, { type: 'call', callId: 'c' }])
    store.flush()

    expect(parseRecording(lines.join('')).receipts.flatMap((receipt) => receipt.events)).toEqual([
      { type: 'call', callId: 'a' },
      { type: 'call', callId: 'c' },
    ])
    expect(store.getState().diagnostics.counts).toEqual({ unreadable: 1, host_callback_failed: 1 })
  })

  test('[G1] goes to a stream as it comes, which is closed at the end', async () => {
    const chunks: string[] = []
    let closed = false
    const stream = new WritableStream<string>({
      write(chunk) {
        chunks.push(chunk)
      },
      close() {
        closed = true
      },
    })
    const store = createToolCallStore({ schedule: never })
    const recorder = recordTo(store, stream)
    store.ingest({ type: 'contact', contact: 'back' })
    await expect.poll(() => chunks.length).toBe(2)
    await recorder.stop()
    store.ingest({ type: 'contact', contact: 'lost' })
    expect([chunks.length, closed]).toEqual([2, true])
  })

  test('[H1] a sink that fails ends the recording, and is counted once', async () => {
    const failing = new WritableStream<string>({
      write() {
        throw new Error('disk full')
      },
    })
    const thrown = () => {
      throw new Error('no')
    }
    for (const sink of [failing, thrown]) {
      const store = createToolCallStore({ schedule: never })
      const recorder = recordTo(store, sink)
      store.ingest({ type: 'contact', contact: 'back' })
      const counts = () => {
        store.flush()
        return store.getState().diagnostics.counts
      }
      await expect.poll(counts).toEqual({ host_callback_failed: 1 })
      store.ingest({ type: 'contact', contact: 'lost' })
      await recorder.stop()
      expect(counts()).toEqual({ host_callback_failed: 1 })
    }
  })

  const header = '{"format":"tool-call-detail/recording","version":1}\n'
  const line = '{"receivedAt":5,"events":[{"type":"call","callId":"c"}]}\n'
  test.each([
    ['that is whole', header + line, [], 1],
    ['of a newer version', header.replace('1}', '2}') + line, [['newer_version', 1]], 1],
    ['without a header', line, [['missing_header', 1]], 1],
    ['that breaks off', `${header}${line}{"receivedAt":6,"ev`, [['cut_off', 3]], 1],
    ['with a line that is no JSON', `${header}oops\n${line}`, [['unreadable_line', 2]], 1],
    ['with a line that is no receipt', `${header}{"receivedAt":"x","events":[]}\n${line}`, [['unreadable_line', 2]], 1],
    [
      'with an event that is none',
      `${header}{"receivedAt":1,"events":[{"type":"block","callId":3}]}\n`,
      [['invalid_event', 2]],
      1,
    ],
    [
      'with a number that can not be meant',
      `${header}{"receivedAt":1,"events":[{"type":"call","callId":"c","timeoutSec":1e300}]}\n`,
      [['invalid_event', 2]],
      1,
    ],
    ['that is empty', '', [], 0],
  ] as const)('[G1] %s is read as far as it goes, and the rest is said', (_, text, problems, receipts) => {
    const recording = parseRecording(text)
    expect(recording.problems.map(({ kind, line: number }) => [kind, number])).toEqual(problems)
    expect(recording.receipts).toHaveLength(receipts)
    const player = createPlayer(recording, { schedule: never })
    player.seek(1)
    expect(player.problems).toBe(recording.problems)
  })

  property.prop([fc.array(fc.json())])('[H1] whatever its lines are, it plays without throwing', (lines) => {
    const wrapped = lines.map((each) => `{"receivedAt":1,"events":[${each}]}`)
    const player = createPlayer([header.trim(), ...lines, ...wrapped].join('\n'), { schedule: never })
    player.seek(player.duration)
    expect(() => shown(player.store)).not.toThrow()
  })

  property.prop([events])('[G1] every event goes through the file unchanged', (event) => {
    const text = `${header}${JSON.stringify({ receivedAt: 1, events: [event] })}\n`
    expect(parseRecording(text).receipts[0]?.events).toEqual([JSON.parse(JSON.stringify(event))])
  })
})
