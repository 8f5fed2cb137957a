import { fc, test as lawTest } from '@fast-check/vitest'
import { describe, expect, test, vi } from 'vitest'
import { type ResumeRequest, RunResume, type RunResumeOptions } from '../../src/socket/runResume.js'
import { makeTestStore } from '../support/wire.js'

/** A clock that stands still until it is moved. */
function createSchedule() {
  let now = 0
  const waiting = new Set<{ at: number; callback: () => void }>()
  return {
    schedule: (callback: () => void, ms: number) => {
      const entry = { at: now + ms, callback }
      waiting.add(entry)
      return () => void waiting.delete(entry)
    },
    pass: async (ms: number) => {
      const end = now + ms
      for (;;) {
        const next = [...waiting].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
        if (!next) break
        now = next.at
        waiting.delete(next)
        next.callback()
        await settled()
      }
      now = end
      await settled()
    },
    get waiting() {
      return waiting.size
    },
  }
}

/** Lets promises that are already resolved go on. */
const settled = () => new Promise<void>((resolve) => void setImmediate(resolve))

const event = (seq: number, fields: object = {}) => ({
  event_id: `e-${seq}`,
  run_id: 'run-1',
  seq,
  type: seq === 1 ? 'run_started' : 'tool_progress',
  visibility: 'user',
  ...fields,
})

function createResume(options: Partial<RunResumeOptions> = {}) {
  const clock = createSchedule()
  const asked: ResumeRequest[] = []
  const answers: ((answer: unknown) => void)[] = []
  const failures: string[] = []
  const ends: string[] = []
  const received: unknown[] = []
  const resume = new RunResume({
    ask: (request) => {
      asked.push(request)
      return new Promise((resolve) => void answers.push(resolve))
    },
    receive: (message) => received.push(message),
    isOver: () => false,
    onEnd: (runId, end) => ends.push(`${runId} ${end}`),
    onFailure: (error) => failures.push(String(error)),
    schedule: clock.schedule,
    ...options,
  })
  return {
    resume,
    clock,
    asked,
    failures,
    ends,
    received,
    lastSeqs: () => asked.map(({ lastSeq }) => lastSeq),
    answer: async (answer: unknown) => {
      answers.at(-1)?.(answer)
      await settled()
    },
  }
}

async function connected(options: Partial<RunResumeOptions> = {}) {
  const it = createResume(options)
  it.resume.connected(false)
  return it
}

describe('a gap', () => {
  test('[E6] is asked for from the last number before it, once it has stayed open for a while', async () => {
    const { resume, clock, asked } = await connected()
    for (const seq of [1, 2, 4]) resume.heard(event(seq))
    await clock.pass(299)
    expect(asked).toEqual([])
    await clock.pass(1)
    expect(asked).toEqual([{ runId: 'run-1', lastSeq: 2, lastEventId: null }])
  })

  test('[E6] that closes by itself is not asked for', async () => {
    const { resume, clock, asked } = await connected()
    for (const seq of [1, 4, 2, 3]) resume.heard(event(seq))
    await clock.pass(60_000)
    expect(asked).toEqual([])
    expect(clock.waiting).toBe(0)
  })

  test('[E6] before the first event that was heard is asked for from the beginning', async () => {
    const { resume, clock, lastSeqs, answer } = await connected()
    resume.heard(event(7))
    await clock.pass(300)
    expect(lastSeqs()).toEqual([null])
    await answer({ events: [event(5), event(6), event(7)], next_seq: 7 })
    resume.heard(event(9))
    await clock.pass(300)
    expect(lastSeqs()).toEqual([null, 7])
  })

  test('[E6] one request a run at a time, and each run for itself', async () => {
    const { resume, clock, asked } = await connected()
    for (const run_id of ['a', 'b']) for (const seq of [1, 3]) resume.heard(event(seq, { run_id }))
    await clock.pass(300)
    for (const run_id of ['a', 'b']) for (const seq of [5, 7]) resume.heard(event(seq, { run_id }))
    await clock.pass(5_000)
    expect(asked.map(({ runId }) => runId)).toEqual(['a', 'b'])
  })

  test('[E3][E6] is none where the event is not meant for the user: its number counts as received', async () => {
    const { resume, clock, asked } = await connected()
    for (const seq of [1, 2, 3, 4]) resume.heard(event(seq, { visibility: seq % 2 ? 'user' : 'audit' }))
    await clock.pass(60_000)
    expect(asked).toEqual([])
  })

  test('[E6] numbers that the answer speaks for and does not contain are never asked for again', async () => {
    const { resume, clock, lastSeqs, answer, received } = await connected()
    for (const seq of [1, 2, 9]) resume.heard(event(seq))
    await clock.pass(300)
    await answer({ events: [event(5)], next_seq: 8 })
    expect(received).toEqual([event(5)])
    for (const seq of [10, 11]) resume.heard(event(seq))
    await clock.pass(60_000)
    expect(lastSeqs()).toEqual([2])
  })

  test('[E6] that the answer leaves open is asked for again after a while, and in the end given up', async () => {
    const { resume, clock, lastSeqs, answer, ends, failures } = await connected({ limits: { attempts: 3 } })
    for (const seq of [1, 3]) resume.heard(event(seq))
    await clock.pass(300)
    for (const wait of [1_000, 2_000, 4_000]) {
      await answer({ events: [], next_seq: 1 })
      await clock.pass(wait)
    }
    await clock.pass(60_000)
    expect(lastSeqs()).toEqual([1, 1, 1])
    expect(ends).toEqual(['run-1 refused'])
    expect(failures).toHaveLength(3)
    resume.heard(event(4))
    await clock.pass(60_000)
    expect(lastSeqs()).toHaveLength(3)
  })

  test('[E7][E8] is left alone for longer while the gateway only samples progress', async () => {
    const { resume, clock, asked } = await connected()
    resume.heard({ ...event(1), seq: undefined, type: 'heartbeat', degraded: true })
    for (const seq of [1, 2, 9]) resume.heard(event(seq))
    await clock.pass(7_999)
    expect(asked).toEqual([])
    await clock.pass(1)
    expect(asked).toHaveLength(1)
  })

  test('[H3] of ten thousand events is given up', async () => {
    const { resume, clock, lastSeqs } = await connected()
    resume.heard(event(1))
    for (let seq = 3; seq < 10_010; seq++) resume.heard(event(seq))
    await clock.pass(300)
    expect(lastSeqs()).toEqual([])
  })
})

describe('the connection', () => {
  test('[E6] once it is back, every run is resumed of which no end is known', async () => {
    const over = new Set(['b'])
    const { resume, asked } = await connected({ isOver: (runId) => over.has(runId) })
    for (const run_id of ['a', 'b']) for (const seq of [1, 2]) resume.heard(event(seq, { run_id }))
    resume.disconnected()
    resume.connected(false)
    await settled()
    expect(asked).toEqual([{ runId: 'a', lastSeq: 2, lastEventId: null }])
  })

  test('[E6] recovered by Socket.IO: nothing was missed, so only what was on its way is asked for again', async () => {
    const { resume, clock, asked } = await connected()
    for (const seq of [1, 2]) resume.heard(event(seq, { run_id: 'a' }))
    for (const seq of [1, 3]) resume.heard(event(seq, { run_id: 'b' }))
    await clock.pass(300)
    resume.disconnected()
    resume.connected(true)
    await settled()
    expect(asked.map(({ runId }) => runId)).toEqual(['b', 'b'])
  })

  test('[E6] nothing is asked while there is none, and an answer from before it was lost comes to nothing', async () => {
    const { resume, clock, asked, answer, received } = await connected()
    for (const seq of [1, 3]) resume.heard(event(seq))
    await clock.pass(300)
    resume.disconnected()
    await answer({ events: [event(2)], next_seq: 3 })
    resume.heard(event(9))
    await clock.pass(60_000)
    expect(asked).toHaveLength(1)
    expect(received).toEqual([])
    expect(clock.waiting).toBe(0)
  })

  test('[E11] a run that the host names is asked for as soon as there is one', async () => {
    const { resume, asked, answer, received, ends } = createResume()
    resume.resume('run-1')
    await settled()
    expect(asked).toEqual([])
    resume.connected(false)
    await settled()
    expect(asked).toEqual([{ runId: 'run-1', lastSeq: null, lastEventId: null }])
    await answer({ events: [event(1), event(2)], next_seq: 2 })
    expect(received).toHaveLength(2)
    expect(ends).toEqual(['run-1 resumed'])
  })
})

describe('an answer', () => {
  test('[E6] that is empty ends the request and changes nothing', async () => {
    const { resume, clock, asked, answer, received, ends } = await connected()
    for (const seq of [1, 2]) resume.heard(event(seq))
    resume.disconnected()
    resume.connected(false)
    await settled()
    await answer({ events: [], next_seq: 2 })
    await clock.pass(60_000)
    expect([asked.length, received, ends]).toEqual([1, [], ['run-1 resumed']])
  })

  test('[E6][E8] with as many events as the gateway gives at once is followed by the next request', async () => {
    const { resume, lastSeqs, answer, ends } = await connected({ limits: { maxEvents: 2 } })
    resume.resume('run-1')
    await settled()
    await answer({ events: [event(1), event(2)], next_seq: 2 })
    await answer({ events: [event(3), event(4)], next_seq: 4 })
    await answer({ events: [event(5)], next_seq: 5 })
    expect(lastSeqs()).toEqual([null, 2, 4])
    expect(ends).toEqual(['run-1 resumed'])
  })

  test('[E6] that says that there is more is followed by the next request, unless it brought nothing', async () => {
    const { resume, lastSeqs, answer } = await connected()
    resume.resume('run-1')
    await settled()
    await answer({ events: [event(1)], next_seq: 1, has_more: true })
    await answer({ events: [event(1)], next_seq: 1, has_more: true })
    await settled()
    expect(lastSeqs()).toEqual([null, 1])
  })

  test.for([
    ['one event', { snapshot: event(31, { type: 'committed' }) }],
    ['the event itself', event(31, { type: 'committed' })],
    ['a list', { snapshot: [event(30), event(31, { type: 'committed' })] }],
    ['a list with its last number', { snapshot: { events: [event(30)], next_seq: 31 } }],
    ['beside a refusal', { error: 'expired', snapshot: [event(31)] }],
    ['how the run ended', { snapshot: { run_id: 'run-1', status: 'ok', receipt_id: 'r-1' } }],
    ['how it ended, as it is', { run_id: 'run-1', status: 'succeeded', receipt_id: 'r-1' }],
  ])('[E6] may be a snapshot, which stands for all before it: %s', async ([, snapshot]) => {
    const { resume, clock, lastSeqs, answer, ends } = await connected()
    for (const seq of [1, 31, 32]) resume.heard(event(seq))
    await clock.pass(300)
    await answer(snapshot)
    resume.heard(event(33))
    await clock.pass(60_000)
    expect(lastSeqs()).toEqual([1])
    expect(ends).toEqual(['run-1 resumed'])
  })

  test.for([[{ error: 'expired' }], [{ status: 'refused' }], [{ status: 'expired', events: [] }]])(
    '[E6] that refuses ends the request for good, until the connection is back: %j',
    async ([refusal]) => {
      const { resume, clock, lastSeqs, answer, ends } = await connected()
      for (const seq of [1, 3]) resume.heard(event(seq))
      await clock.pass(300)
      await answer(refusal)
      resume.heard(event(4))
      await clock.pass(60_000)
      expect(lastSeqs()).toEqual([1])
      expect(ends).toEqual(['run-1 refused'])
      resume.disconnected()
      resume.connected(false)
      await settled()
      expect(lastSeqs()).toEqual([1, 4])
    },
  )

  test.for([
    [{ visibility: 'internal' }, {}],
    [{ payload: { visibility: 'audit' } }, {}],
    [{}, { visibility: 'internal' }],
    [{ visibility: 'user' }, { payload: { visibility: ['user'] } }],
  ])(
    '[E3] that is not meant for the user brings nothing in, and its numbers count as received: %j',
    async ([around, inside]) => {
      const store = makeTestStore()
      const receive = (message: unknown, runId: string) => store.receive('run_gateway', message, { runId })
      const secret = event(2, { type: 'committed', message: 'sk-secret', visibility: undefined })
      for (const answered of [
        { ...around, ...inside, events: [secret] },
        { ...around, snapshot: { ...inside, events: [secret] } },
        { ...around, snapshot: { ...secret, ...inside } },
      ]) {
        const { resume, answer, asked } = await connected({ receive })
        resume.resume('run-1')
        await settled()
        await answer(answered)
        resume.resume('run-1')
        await settled()
        expect(asked.at(-1)?.lastSeq).toBe(2)
      }
      expect(store.problems()).toEqual({ not_visible: 3 })
      expect(store.getState().calls.size).toBe(0)
    },
  )

  test('[E6] that does not come is asked for again, each time after a longer while; then it counts as refused', async () => {
    const limits = { deadlineMs: 100, retryMs: 1_000, longestRetryMs: 3_000, attempts: 5 }
    const { resume, clock, asked, ends, failures } = await connected({ limits })
    resume.resume('run-1')
    const times: number[] = []
    for (let time = 0; time <= 20_000; time += 100) {
      await settled()
      while (times.length < asked.length) times.push(time)
      await clock.pass(100)
    }
    expect(times).toEqual([0, 1_100, 3_200, 6_300, 9_400])
    expect(failures).toHaveLength(5)
    expect(ends).toEqual(['run-1 refused'])
  })

  test('[H1] that is none is a failure, whatever it is', async () => {
    const throwing = Object.defineProperty({}, 'events', {
      enumerable: true,
      get() {
        throw new Error('no')
      },
    })
    for (const nonsense of [
      undefined,
      null,
      1,
      'events',
      [],
      {},
      { events: {} },
      { status: 'ok' },
      { snapshot: 3 },
      throwing,
    ]) {
      const { resume, answer, failures, ends } = await connected({ limits: { attempts: 1 } })
      resume.resume('run-1')
      await settled()
      await answer(nonsense)
      expect(failures).toHaveLength(1)
      expect(ends).toEqual(['run-1 refused'])
    }
  })

  test("[E6] a host's function that throws or rejects is a failure like any other", async () => {
    for (const ask of [() => Promise.reject(new Error('503')), vi.fn<() => never>().mockThrow(new Error('503'))]) {
      const { resume, failures } = await connected({ ask })
      resume.resume('run-1')
      await settled()
      expect(failures).toEqual(['Error: 503'])
    }
  })

  test('[E6] in the UI form, what comes after the last event is asked for by its id', async () => {
    const { resume, asked } = await connected({ runId: 'task-1' })
    resume.heard({ type: 'task.started', event_id: 'e-1', task_id: 'task-1' })
    resume.heard({ type: 'step.updated', event_id: 'e-2', step: 'read', state: 'running' })
    resume.heard({ type: 'heartbeat', event_id: 'h-1' })
    resume.disconnected()
    resume.connected(false)
    await settled()
    expect(asked).toEqual([{ runId: 'task-1', lastSeq: null, lastEventId: 'e-2' }])
  })

  test('[H3] the run that is known for the longest time is forgotten when there are too many', async () => {
    const { resume, asked } = await connected()
    for (let i = 0; i < 2_001; i++) resume.heard(event(1, { run_id: `run-${i}` }))
    resume.disconnected()
    resume.connected(false)
    await settled()
    expect(asked).toHaveLength(2_000)
    expect(asked[0]?.runId).toBe('run-1')
  })
})

describe('whatever is lost', () => {
  lawTest.prop([
    fc.integer({ min: 1, max: 60 }),
    fc.array(fc.record({ seq: fc.nat(59), fate: fc.constantFrom('live', 'lost', 'hidden', 'break') }), {
      maxLength: 120,
    }),
    fc.integer({ min: 1, max: 7 }),
  ])('[E6] in the end every event was received, live or in an answer', async (length, sent, maxEvents) => {
    const all = Array.from({ length }, (_, i) => event(i + 1))
    const hidden = new Set(sent.filter(({ fate }) => fate === 'hidden').map(({ seq }) => (seq % length) + 1))
    const visible = all.filter(({ seq }) => !hidden.has(seq))
    const got = new Set<number>()
    const receive = (message: unknown) => void got.add((message as { seq: number }).seq)
    const { resume, clock } = createResume({
      limits: { maxEvents },
      receive,
      ask: async ({ lastSeq }) => {
        const after = all.filter(({ seq }) => seq > (lastSeq ?? 0)).slice(0, maxEvents)
        const nextSeq = after.at(-1)?.seq ?? lastSeq
        const events = after.filter(({ seq }) => !hidden.has(seq))
        return { events, next_seq: nextSeq, has_more: nextSeq !== null && nextSeq < length }
      },
    })
    resume.connected(false)
    const hear = (seq: number) => {
      const message = all[seq - 1] as ReturnType<typeof event>
      if (!hidden.has(seq)) receive(message)
      resume.heard({ ...message, ...(hidden.has(seq) && { visibility: 'audit' }) })
    }
    for (const { seq, fate } of sent) {
      if (fate === 'break') {
        resume.disconnected()
        resume.connected(false)
      } else if (fate !== 'lost') hear((seq % length) + 1)
      await clock.pass(seq)
    }
    // The last event always comes: after it nothing is heard that could show that it was lost.
    hear(length)
    await clock.pass(60_000)
    expect([...got].sort((a, b) => a - b)).toEqual(visible.map(({ seq }) => seq))
    expect(clock.waiting).toBe(0)
  })
})
