import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { toPlainText } from '../../src/core/index.js'
import { RunResume } from '../../src/socket/runResume.js'
import { createToolCallStore } from '../../src/store/index.js'
import { coalesce, createSendQueue, type RunEvent } from '../../stories/live/server/gateway/backpressure.mjs'

type Draft = { type: string } & Record<string, unknown>

const progress = fc
  .record({ stage: fc.constantFrom('retrieving', 'reranking', 'tidying'), completed: fc.nat(8) })
  .map((payload) => ({ type: 'tool_progress', payload: { ...payload, total: 8 } }))
const aside: fc.Arbitrary<Draft> = fc.constantFrom(
  { type: 'token_delta', payload: { text: 'hm ' } },
  { type: 'tool_progress', visibility: 'audit', payload: { stage: 'secret' } },
)
const step: fc.Arbitrary<Draft[]> = fc
  .record({
    tool: fc.constantFrom('search', 'write', 'send'),
    between: fc.array(fc.oneof({ weight: 4, arbitrary: progress }, aside), { maxLength: 6 }),
    asks: fc.boolean(),
  })
  .map(({ tool, between, asks }) => [
    ...(asks ? [{ type: 'approval_required', tool, payload: { effect: 'write' } }] : []),
    { type: 'tool_requested', tool },
    ...between.map((each) => ({ tool, ...each })),
    { type: 'tool_result', tool, payload: { evidence_ids: [`${tool}#1`] } },
  ])
const end: fc.Arbitrary<Draft> = fc.constantFrom(
  { type: 'committed', status: 'ok', payload: { receipt_id: 'r-1' }, artifact: { id: 'a-1' } },
  { type: 'failed', payload: { reason: 'no' } },
  { type: 'unknown' },
)

/** A whole run as the gateway logs it. */
const run: fc.Arbitrary<RunEvent[]> = fc
  .record({ steps: fc.array(step, { maxLength: 5 }), end })
  .map(({ steps, end: last }) =>
    [{ type: 'run_started', payload: { title: 'A run' } }, ...steps.flat(), last].map((event, i) => ({
      event_id: `e-${i + 1}`,
      run_id: 'run-1',
      seq: i + 1,
      visibility: 'user',
      created_at: new Date(1_000_000 + i * 100).toISOString(),
      ...event,
    })),
  )

/** What happens to a message on its way, by turns. */
const way = fc.record({
  fates: fc.array(fc.constantFrom('arrives', 'is lost', 'is late', 'comes twice', 'breaks the connection'), {
    minLength: 1,
    maxLength: 40,
  }),
  /** How many messages the reader takes while the sender sends this many. */
  pace: fc.record({ sends: fc.integer({ min: 1, max: 9 }), takes: fc.integer({ min: 1, max: 3 }) }),
  bufferEvents: fc.integer({ min: 1, max: 12 }),
  maxEvents: fc.integer({ min: 1, max: 9 }),
})

type Way = typeof way extends fc.Arbitrary<infer Value> ? Value : never

/** The store that a run ends in after all that, once the connection has been there for long enough. */
async function receive(log: readonly RunEvent[], { fates, pace, bufferEvents, maxEvents }: Way) {
  const store = createToolCallStore({ schedule: () => () => {} })
  const timers = new Set<{ at: number; callback: () => void }>()
  let now = 0
  let sent = 0
  const hear = (event: RunEvent) => {
    store.receive('run_gateway', event, { conversationId: 'c-1' })
    resume.heard(event)
  }
  const resume = new RunResume({
    limits: { maxEvents },
    receive: (message) => store.receive('run_gateway', message, { conversationId: 'c-1' }),
    ask: async ({ lastSeq }) => {
      const missed = log.filter(({ seq }) => seq > (lastSeq ?? 0) && seq <= sent).slice(0, maxEvents)
      const nextSeq = missed.at(-1)?.seq ?? lastSeq
      const events = coalesce(missed.filter(({ visibility }) => visibility === 'user'))
      return { events, next_seq: nextSeq, has_more: nextSeq !== null && nextSeq < sent }
    },
    isOver() {
      store.flush()
      const outcome = store.getState().calls.get('run-1')?.outcome
      return outcome !== undefined && outcome.kind !== 'unknown'
    },
    onEnd: (callId, how) =>
      store.ingest({ type: 'contact', contact: how === 'resumed' ? 'resumed' : 'resume_refused', callId }),
    onFailure: () => {},
    schedule(callback, ms) {
      const timer = { at: now + ms, callback }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
  })
  const pass = async (ms: number) => {
    now += ms
    for (const timer of [...timers].filter(({ at }) => at <= now)) {
      timers.delete(timer)
      timer.callback()
    }
    await new Promise<void>((resolve) => void setImmediate(resolve))
  }
  const queue = createSendQueue({ bufferEvents })
  const late: RunEvent[] = []
  let turn = 0
  const take = () => {
    const event = queue.shift(now)
    if (!event) return
    const fate = fates[turn++ % fates.length]
    if (fate === 'breaks the connection') {
      // What was on its way is gone with it.
      while (queue.size > 0) queue.shift(now)
      late.length = 0
      resume.disconnected()
      resume.connected(false)
    } else if (fate === 'is late') late.unshift(event)
    else if (fate !== 'is lost') {
      hear(event)
      if (fate === 'comes twice') late.push(event)
    }
  }
  // The host that started the run knows of it, even if nothing of it ever arrives.
  resume.resume('run-1')
  resume.connected(false)
  for (const event of log) {
    sent += 1
    queue.push(event, now)
    if (sent % pace.sends === 0) for (let i = 0; i < pace.takes; i++) take()
    if (turn % 5 === 0) late.splice(0, 2).forEach(hear)
    await pass(50)
  }
  while (queue.size > 0) take()
  late.forEach(hear)
  // The last event may be lost, with none after it that shows it: the next connection asks.
  resume.disconnected()
  resume.connected(false)
  for (let i = 0; i < 40; i++) await pass(5_000)
  store.flush()
  return store
}

describe('a run on any way', () => {
  test.prop([run, way])(
    '[E10] delayed, reordered, repeated, lost and read slowly ends in the story and the outcome of the undisturbed run',
    async (log, disturbance) => {
      const undisturbed = createToolCallStore({ schedule: () => () => {} })
      for (const event of log) undisturbed.receive('run_gateway', event, { conversationId: 'c-1' })
      undisturbed.flush()
      const disturbed = await receive(log, disturbance)
      const [expected, actual] = [undisturbed, disturbed].map((store) => store.getState().calls.get('run-1'))
      expect(actual?.outcome?.kind).toBe(expected?.outcome?.kind)
      expect(actual && toPlainText(actual)).toBe(expected && toPlainText(expected))
    },
  )
})
