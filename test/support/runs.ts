import fc from 'fast-check'

type Message = Record<string, any>

const time = (ms: number) => new Date(1_000_000 + ms).toISOString()
const tool = fc.constantFrom('search', 'draft', 'pay')
const effect = fc.constantFrom(undefined, 'read', 'write')
const compact = (record: Message) =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))

const inner = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant('tool_requested'), tool, payload: fc.record({ effect }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('tool_progress'),
      tool: fc.constantFrom('search', 'draft', 'pay', undefined),
      payload: fc.record({
        stage: fc.constantFrom('retrieving', 'reranking', 'odd', undefined),
        completed: fc.constantFrom(undefined, 0, 3, 9),
        total: fc.constantFrom(undefined, 3, 8),
        is_estimate: fc.constantFrom(undefined, true, false),
        message: fc.constantFrom(undefined, 'half'),
      }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('tool_result'),
      tool,
      payload: fc.record({
        status: fc.constantFrom(undefined, 'ok', 'failed'),
        evidence_ids: fc.constantFrom(undefined, ['doc-1#p4'], ['doc-1#p4', 'doc-2']),
        artifact: fc.constantFrom(undefined, { id: 'a-1' }, { id: 'a-2', name: 'b.pdf' }),
      }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('approval_required'), tool, payload: fc.record({ effect }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('plan_ready'),
      payload: fc.record({
        steps: fc.constantFrom(['search', 'pay', 'commit'], [{ tool: 'pay', effect: 'write' }], []),
      }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('token_delta'), payload: fc.record({ text: fc.constantFrom('a', 'b') }) }),
  },
  { weight: 1, arbitrary: fc.constantFrom<Message>({ type: 'heartbeat' }, { type: 'stream.paused' }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('step.updated'),
      step: fc.constantFrom('collect', 'pay'),
      state: fc.constantFrom('running', 'done', 'blocked'),
    }),
  },
)

const end = fc.oneof(
  fc.record({
    type: fc.constant('committed'),
    payload: fc.record({
      status: fc.constantFrom(undefined, 'ok', 'partial'),
      receipt_id: fc.constantFrom(undefined, 'r-1'),
      draft_id: fc.constantFrom(undefined, 'd-1'),
    }),
  }),
  fc.record({
    type: fc.constant('failed'),
    tool: fc.constantFrom('search', undefined),
    payload: fc.constant({ reason: 'no' }),
  }),
  fc.record({ type: fc.constant('unknown'), payload: fc.constant({}) }),
  fc.record({ type: fc.constant('task.ended'), status: fc.constantFrom('succeeded', 'failed', 'unknown') }),
)

/** The events of one run in the order in which the gateway numbered them; its numbers skip here and there. */
export const runEvents: fc.Arbitrary<readonly Message[]> = fc
  .record({
    body: fc.array(inner, { maxLength: 25 }),
    ends: fc.array(end, { maxLength: 2 }),
    skips: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 30, maxLength: 30 }),
    degraded: fc.array(fc.constantFrom(undefined, undefined, undefined, true, false), { minLength: 30, maxLength: 30 }),
  })
  .map(({ body, ends, skips, degraded }) => {
    let seq = 0
    return [{ type: 'run_started', payload: { name: 'run', title: 'A run' } } as Message, ...body, ...ends].map(
      (event: Message, index) => {
        seq += skips[index] as number
        const payload = event.payload && compact(event.payload)
        return compact({
          ...event,
          payload,
          event_id: `evt-${seq}`,
          run_id: 'run-1',
          seq,
          created_at: time(seq * 100),
          degraded: degraded[index],
        })
      },
    )
  })
