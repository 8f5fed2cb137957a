import { describe, expect, test } from 'vitest'
import { isQuiet, type Step, type Story, type ToolCall, toPlainText } from '../../src/core/index.js'
import type { ProtocolContext } from '../../src/protocols/index.js'
import type { ToolCallStoreOptions } from '../../src/store/index.js'
import { makeTestStore, type TestStore } from '../support/wire.js'

const at = (seq: number) => new Date(1_000_000 + seq * 1_000).toISOString()
const event = (seq: number, type: string, payload: object = {}, beside: object = {}) => ({
  event_id: `evt-${seq}`,
  run_id: 'run-1',
  seq,
  type,
  visibility: 'user',
  created_at: at(seq),
  ...beside,
  payload,
})
const ofTool = (seq: number, type: string, tool: string, payload: object = {}) => event(seq, type, payload, { tool })

function received(messages: readonly unknown[], options: ToolCallStoreOptions = {}, context?: ProtocolContext) {
  const store = makeTestStore(options)
  for (const message of messages) store.receive('run_gateway', message, context)
  return store
}
const run = (store: TestStore): ToolCall => store.call('run-1')
const storyOf = (messages: readonly unknown[], options?: ToolCallStoreOptions) =>
  run(received(messages, options)).story as Story
const steps = (story: Story) =>
  story.lines.filter((line): line is Step => line.kind !== 'thinking' && line.kind !== 'text')
const told = (story: Story) => steps(story).map(({ kind, name, state }) => [name ?? kind, state].join(' '))

describe('a run', () => {
  test('[E1] is told in one story: plan, tools, approval, commit', () => {
    const store = received(
      [
        event(1, 'run_started', { name: 'expense_draft', title: 'Draft the claim' }),
        event(2, 'plan_ready', { steps: ['search_policy', 'draft_claim', 'approval', 'commit'] }),
        ofTool(3, 'tool_requested', 'search_policy'),
        ofTool(4, 'tool_progress', 'search_policy', { stage: 'reranking', completed: 6, total: 8 }),
        ofTool(5, 'tool_result', 'search_policy', { evidence_ids: ['e12', 'e19'] }),
        event(6, 'approval_required', { draft_id: 'd-42' }),
      ],
      {},
      { conversationId: 'c-1' },
    )

    expect(run(store)).toMatchObject({
      id: 'run-1',
      toolName: 'expense_draft',
      title: 'Draft the claim',
      status: 'waiting',
      conversationId: 'c-1',
      tasks: [],
    })
    expect(told(run(store).story as Story)).toEqual([
      'plan done',
      'search_policy done',
      'approval waiting',
      'draft_claim pending',
      'commit pending',
    ])
    expect(run(store).story?.citations).toEqual([{ source: 'e12' }, { source: 'e19' }])

    store.receive('run_gateway', event(7, 'committed', { draft_id: 'd-42' }))

    expect(run(store)).toMatchObject({ status: 'done', outcome: { receipt: { kind: 'draft', id: 'd-42' } } })
    expect(told(run(store).story as Story)).toContain('commit done')
    expect(store.problems()).toEqual({})
  })

  test('[E1] reads the flatter form, in which the fields stand beside the payload', () => {
    const flat = {
      run_id: 'run-1',
      seq: 12,
      type: 'tool_progress',
      phase: 'retrieval',
      message: '18 of 24 documents checked',
      progress: { done: 18, total: 24 },
      artifact: null,
      replayable: true,
    }
    const end = {
      run_id: 'run-1',
      seq: 31,
      type: 'committed',
      status: 'ok',
      artifact: { id: 'report-018', sha256: 'abc' },
      citations: ['doc-17#p4', 'doc-22#p7'],
    }
    const store = received([flat])

    expect(run(store).story?.current).toMatchObject({
      stage: 'retrieval',
      message: '18 of 24 documents checked',
      count: { done: 18, total: 24 },
    })

    store.receive('run_gateway', end)

    expect(run(store)).toMatchObject({ status: 'done', outcome: { receipt: { kind: 'artifact', id: 'report-018' } } })
    expect(run(store).story).toMatchObject({
      artifacts: [{ id: 'report-018', sha256: 'abc' }],
      citations: [
        { source: 'doc-17', place: 'p4' },
        { source: 'doc-22', place: 'p7' },
      ],
    })
    expect(store.problems()).toEqual({})
  })

  test('[E1] reads the form for user interfaces, whose runs are tasks and whose events have no numbers', () => {
    const ui = (id: number, type: string, fields: object) => ({ event_id: `e${id}`, task_id: 'run-1', type, ...fields })
    const store = received([
      ui(1, 'task.started', { at: at(1) }),
      ui(3, 'step.updated', { step: 'Collect', state: 'done' }),
      ui(2, 'step.updated', { step: 'Collect', state: 'running' }),
      ui(4, 'step.updated', { step: 'Check', state: 'blocked' }),
      ui(5, 'artifact.ready', { artifact_id: 'a-1', download_url: 'https://files.example/a-1' }),
    ])

    expect(run(store)).toMatchObject({ status: 'running', startedAt: 1_001_000 })
    expect(told(run(store).story as Story)).toEqual(['Collect done', 'Check blocked'])
    expect(run(store).story?.artifacts).toEqual([{ id: 'a-1', url: 'https://files.example/a-1' }])

    store.receive('run_gateway', ui(6, 'task.ended', { status: 'succeeded' }))

    expect(run(store)).toMatchObject({ status: 'done', outcome: { receipt: null } })
    expect(told(run(store).story as Story)).toEqual(['Collect done', 'Check unreported'])
    expect(store.problems()).toEqual({})
  })

  test('[E1] folds what the model thinks between two steps', () => {
    const { lines } = storyOf([
      event(1, 'token_delta', { text: 'The ' }),
      event(2, 'tool_progress', { stage: 'retrieving' }),
      event(4, 'token_delta', { text: 'caps.' }),
      event(3, 'token_delta', { text: 'policy ' }),
      ofTool(5, 'tool_requested', 'search'),
      event(6, 'token_delta', { text: 'Then' }),
    ])

    expect(lines.map((line) => ('texts' in line ? line.texts : line.kind))).toEqual([
      ['The '],
      'step',
      ['policy ', 'caps.'],
      'tool',
      ['Then'],
    ])
    expect(lines[2]).toMatchObject({ durationMs: 1_000 })
  })

  test('[E1] takes a list of events, and the answers to a resume', () => {
    const list = [event(1, 'run_started'), ofTool(2, 'tool_requested', 'search')]
    const nameless = list.map((each) => ({ ...each, run_id: undefined }))
    const answers = [
      list,
      { events: list, next_seq: 2 },
      { run_id: 'run-1', snapshot: { events: nameless } },
      { snapshot: list },
    ]

    for (const answer of answers) expect(told(storyOf([answer]))).toEqual(['search running'])
    expect(run(received([{ run_id: 'run-1', status: 'failed', reason: 'late' }])).outcome).toMatchObject({
      kind: 'error',
      reason: 'late',
    })
  })

  test('[E1] shows an unknown type for the user by its text, and counts it', () => {
    const store = received([event(1, 'run_started'), event(2, 'note.added', { message: 'Half of the way' })])

    expect(run(store).story?.lines).toEqual([{ kind: 'text', id: 'text:2', text: 'Half of the way' }])
    expect(store.problems()).toEqual({ unknown_kind: 1 })
  })

  test('[E2] is told apart from others by the scope of its id', () => {
    const store = received([event(1, 'run_started')], {}, { scope: 'tenant' })

    expect([...(store.call('tenant/run-1') && store.getState().calls.keys())]).toEqual(['tenant/run-1'])
  })

  test('[E2] takes each event once; of two contents the earlier one counts, and it is said', () => {
    const early = ofTool(3, 'tool_requested', 'search')
    const late = { ...ofTool(3, 'tool_requested', 'other'), created_at: at(9) }
    for (const messages of [
      [early, early, late],
      [late, early, early],
    ]) {
      const store = received(messages)

      expect(told(run(store).story as Story)).toEqual(['search running'])
      expect(store.problems().conflicting_step).toBe(1)
    }
  })

  test('[E2] closes the oldest open step of a tool with its result, by number and not by arrival', () => {
    const messages = [
      ofTool(1, 'tool_requested', 'search', { message: 'first' }),
      ofTool(2, 'tool_requested', 'search', { message: 'second' }),
      ofTool(3, 'tool_result', 'search', { message: 'found 4' }),
      ofTool(4, 'tool_progress', 'search', { stage: 'reranking' }),
    ]
    for (const order of [messages, messages.toReversed()]) {
      expect(steps(storyOf(order)).map(({ state, message, stage }) => [state, message, stage])).toEqual([
        ['done', 'found 4', undefined],
        ['running', undefined, 'reranking'],
      ])
    }
  })

  test('[E2] says of what comes without a number where it stands by its time', () => {
    const loose = { ...ofTool(0, 'tool_requested', 'between'), seq: undefined, created_at: at(2.5) }
    const messages = [ofTool(2, 'tool_requested', 'a'), ofTool(3, 'tool_requested', 'b'), loose]

    for (const order of [messages, messages.toReversed()]) {
      expect(steps(storyOf(order)).map(({ name }) => name)).toEqual(['a', 'between', 'b'])
    }
  })
})

describe('what is not meant for the user', () => {
  const secret = 'sk-live-51H8'
  const full = (visibility: unknown, type: string, seq: number, payload: object = {}) => ({
    event_id: secret + seq,
    run_id: secret,
    task_id: secret,
    seq,
    type,
    visibility,
    tool: secret,
    created_at: secret,
    step: secret,
    message: secret,
    phase: secret,
    progress: { done: secret, total: secret, note: secret },
    artifact: { id: secret, name: secret },
    citations: [secret],
    reason: secret,
    [secret]: secret,
    payload: {
      stage: secret,
      arguments: { token: secret },
      text: secret,
      error: { message: secret },
      receipt_id: secret,
      steps: [{ tool: secret, title: secret }],
      [secret]: secret,
      ...payload,
    },
  })
  const types = [
    'run_started plan_ready tool_requested tool_progress tool_result approval_required committed failed unknown',
    'token_delta heartbeat stream.paused task.started step.updated artifact.ready task.ended sql.executed',
  ].flatMap((line) => line.split(' '))

  test('[E3] never reaches the store, whatever its type, scope and fields', () => {
    const reported: unknown[] = []
    const scopes = ['audit', 'debug', 'internal', 'User', '', 7, ['user'], { user: true }]
    const hidden = [
      ...types.flatMap((type, index) => scopes.map((scope) => full(scope, type, index))),
      ...types.map((type, index) => full('user', type, index, { visibility: 'debug' })),
      full(undefined, secret, 1),
      { visibility: 'audit', run_id: secret, events: [full('user', 'token_delta', 1)] },
    ]
    const store = received([event(1, 'run_started'), hidden, { run_id: 'run-1', events: hidden }], {
      onProblem: (problem) => reported.push(problem),
    })

    store.flush()
    const { calls, diagnostics, approvals } = store.getState()
    const kept = JSON.stringify([
      [...calls].map(([id, call]) => [id, call, toPlainText(call)]),
      [...approvals],
      diagnostics,
      reported,
      [...store.getState().conversations],
    ])
    expect(kept).not.toContain(secret)
    expect([...calls.keys()]).toEqual(['run-1'])
    expect(reported).toEqual(reported.map(() => ({ kind: 'not_visible' })))
    expect(store.problems()).toEqual({ not_visible: hidden.length * 2 })
  })

  test('[E3] keeps of a visible event nothing but the fields that are known', () => {
    const store = received([
      { ...ofTool(1, 'tool_requested', 'search', { prompt: secret, arguments: { key: secret } }), internal: secret },
    ])

    expect(JSON.stringify([[...store.getState().calls], run(store), toPlainText(run(store))])).not.toContain(secret)
  })

  test('[E3] comes in where the host names its scope', () => {
    const audit = event(1, 'run_started', { title: 'seen' }, { visibility: 'audit' })

    expect(run(received([audit], {}, { visibleScopes: ['audit'] })).title).toBe('seen')
  })

  test('[E3] lets a known type without a scope in, and an unknown one not', () => {
    const bare = { ...event(1, 'run_started'), visibility: undefined }
    const store = received([bare, { ...bare, seq: 2, type: 'thought.made' }])

    expect(run(store).status).toBe('running')
    expect(store.problems()).toEqual({ not_visible: 1 })
  })
})

describe('progress', () => {
  const progress = (payload: object) =>
    storyOf([ofTool(1, 'tool_requested', 'search'), ofTool(2, 'tool_progress', 'search', payload)]).current

  test('[E4] has a count only where both numbers are facts', () => {
    expect(progress({ completed: 6, total: 8 })?.count).toEqual({ done: 6, total: 8 })
    expect(progress({ done: 0, total: 8 })?.count).toEqual({ done: 0, total: 8 })
    expect(progress({ completed: 6 })?.count).toBeUndefined()
    expect(progress({ completed: 9, total: 8 })?.count).toBeUndefined()
    expect(progress({ completed: '6', total: 8 })?.count).toBeUndefined()
    expect(progress({ completed: -1, total: Number.NaN })?.count).toBeUndefined()
  })

  test('[E4] that is an estimate has none', () => {
    expect(progress({ completed: 80, total: 100, is_estimate: true })).toMatchObject({
      count: undefined,
      estimate: true,
    })
    expect(progress({ completed: 80, total: 100, confidence: 0.9 })).toMatchObject({ count: undefined, estimate: true })
    expect(progress({ completed: 80, total: 100, confidence: 1 })).toMatchObject({ estimate: false })
  })

  test('[E4] shows its newest state alone', () => {
    const story = storyOf([
      ofTool(1, 'tool_requested', 'search'),
      ofTool(3, 'tool_progress', 'search', { stage: 'reranking', completed: 2, total: 8 }),
      ofTool(2, 'tool_progress', 'search', { stage: 'retrieving', message: 'old', completed: 8, total: 8 }),
    ])

    expect(steps(story)).toHaveLength(1)
    expect(story.current).toMatchObject({ stage: 'reranking', message: undefined, count: { done: 2, total: 8 } })
  })
})

describe('an outcome', () => {
  const outcomeOf = (...messages: readonly unknown[]) => run(received([event(1, 'run_started'), ...messages])).outcome

  test('[E5] is not a tool result', () => {
    expect(outcomeOf(ofTool(2, 'tool_requested', 't'), ofTool(3, 'tool_result', 't', { status: 'ok' }))).toBeUndefined()
  })

  test('[E5] has the first receipt there is', () => {
    const all = { artifact: { id: 'a' }, draft_id: 'd', confirmation_id: 'c', receipt_id: 'r' }
    const { receipt_id: _, ...noReceipt } = all
    const { confirmation_id: __, ...noConfirmation } = noReceipt
    const { draft_id: ___, ...noDraft } = noConfirmation

    expect(
      [all, noReceipt, noConfirmation, noDraft, {}].map((fields) => outcomeOf(event(2, 'committed', fields))?.receipt),
    ).toEqual([
      { kind: 'receipt', id: 'r' },
      { kind: 'confirmation', id: 'c' },
      { kind: 'draft', id: 'd' },
      { kind: 'artifact', id: 'a' },
      null,
    ])
  })

  test('[E5] of a commit that does not say ok is unknown, with its word', () => {
    expect(outcomeOf(event(2, 'committed', { status: 'partial', receipt_id: 'r' }))).toMatchObject({
      kind: 'unknown',
      reason: 'partial',
    })
    expect(outcomeOf(event(2, 'committed', { status: 'failed' }))).toMatchObject({ kind: 'unknown', reason: 'failed' })
  })

  test('[E5] that is known beats unknown whatever its time; a commit beats the end of a task', () => {
    const unknown = event(9, 'unknown', { reason: 'cut' })
    const failed = event(4, 'failed', { reason: 'refused' })
    const committed = event(3, 'committed', { receipt_id: 'r' })
    const ended = { event_id: 'e', task_id: 'run-1', type: 'task.ended', status: 'succeeded' }

    for (const order of [
      [unknown, failed],
      [failed, unknown],
    ]) {
      expect(outcomeOf(...order)).toMatchObject({ kind: 'error', reason: 'refused' })
    }
    for (const order of [
      [ended, committed],
      [committed, ended],
    ]) {
      expect(outcomeOf(...order)).toMatchObject({ kind: 'done', receipt: { id: 'r' } })
    }
  })

  test('[E5] of a word that is not known is unknown, with that word', () => {
    const ended = { event_id: 'e', task_id: 'run-1', type: 'task.ended', status: 'odd' }

    expect(outcomeOf(ended)).toMatchObject({ kind: 'unknown', reason: 'odd' })
    expect(outcomeOf({ ...ended, status: 'unknown' })).toMatchObject({ kind: 'unknown', reason: undefined })
  })

  test('[E5] may have happened after a write or a request for approval, and not otherwise', () => {
    const may = (...messages: readonly unknown[]) => storyOf([...messages, event(9, 'unknown')]).mayHaveChanged

    expect(may(ofTool(2, 'tool_requested', 'pay', { effect: 'write' }))).toBe(true)
    expect(may(event(2, 'approval_required'))).toBe(true)
    expect(may(ofTool(2, 'tool_requested', 'search', { effect: 'read' }))).toBe(false)
    expect(may(event(2, 'plan_ready', { steps: [{ tool: 'pay', effect: 'write' }] }))).toBe(false)
  })

  test('[E5] marks the step that a failure names, and leaves the others without an end', () => {
    const story = storyOf([
      ofTool(1, 'tool_requested', 'a'),
      ofTool(2, 'tool_requested', 'b'),
      ofTool(3, 'failed', 'a', { reason: 'no' }),
    ])

    expect(told(story)).toEqual(['a failed', 'b unreported'])
    expect(told(storyOf([ofTool(1, 'tool_requested', 'a'), ofTool(2, 'tool_result', 'a', { error: 'no' })]))).toEqual([
      'a failed',
    ])
  })

  test('[E6] is unknown once a resume was refused, until something new is heard', () => {
    const store = received([ofTool(1, 'tool_requested', 'pay', { effect: 'write' })])
    store.setNow(20_000)
    store.ingest({ type: 'contact', contact: 'resume_refused', callId: 'run-1' })

    expect(run(store)).toMatchObject({
      status: 'unknown',
      outcome: { kind: 'unknown', cause: 'resume_refused', receivedAt: 20_000 },
      story: { mayHaveChanged: true },
    })

    store.setNow(30_000)
    store.receive('run_gateway', ofTool(1, 'tool_requested', 'pay', { effect: 'write' }))
    expect(run(store).status).toBe('unknown')

    store.receive('run_gateway', ofTool(2, 'tool_progress', 'pay'))
    expect(run(store).status).toBe('running')

    store.ingest({ type: 'contact', contact: 'resume_refused', callId: 'run-1' })
    store.setNow(40_000)
    store.receive('run_gateway', event(3, 'committed', { receipt_id: 'r' }))
    expect(run(store)).toMatchObject({ status: 'done', outcome: { receipt: { id: 'r' } } })
  })

  test('[E6] goes by what came after the refusal, and not by a clock that stands still or is set back', () => {
    const contact = (store: TestStore, news: 'resumed' | 'resume_refused') =>
      store.ingest({ type: 'contact', contact: news, callId: 'run-1' })
    for (const now of [10_000, 5_000]) {
      for (const goOn of [
        (store: TestStore) => store.receive('run_gateway', event(2, 'heartbeat')),
        (store: TestStore) => contact(store, 'resumed'),
      ]) {
        const store = received([event(1, 'run_started')])
        contact(store, 'resume_refused')
        expect(run(store).status).toBe('unknown')
        store.setNow(now)
        goOn(store)
        expect(run(store).status).toBe('running')
        contact(store, 'resume_refused')
        expect(run(store).status).toBe('unknown')
      }
    }
  })

  test('[E6] is not unknown any more when a resume is answered', () => {
    const store = received([event(1, 'run_started')])
    store.ingest({ type: 'contact', contact: 'resume_refused', callId: 'run-1' })
    store.setNow(20_000)
    store.ingest({ type: 'contact', contact: 'resumed', callId: 'run-1' })

    expect(run(store)).toMatchObject({ status: 'running', timings: { resumes: 1 } })
  })
})

describe('contact', () => {
  test('[E7] progress is sampled from the event that says so to the one that takes it back', () => {
    const messages = [event(1, 'run_started'), event(2, 'heartbeat', {}, { degraded: true }), event(3, 'heartbeat')]

    expect(storyOf(messages).degraded).toBe(true)
    expect(storyOf([event(4, 'heartbeat', { degraded: false }), ...messages]).degraded).toBe(false)
    expect(storyOf([...messages, event(5, 'committed')]).degraded).toBe(false)
  })

  test('[E7] a pause lasts until whatever comes after it, in any order', () => {
    const pause = event(2, 'stream.paused')

    expect(storyOf([event(1, 'run_started'), pause]).paused).toBe(true)
    for (const order of [
      [pause, event(3, 'heartbeat')],
      [event(3, 'heartbeat'), pause],
    ]) {
      expect(storyOf(order).paused).toBe(false)
    }
    expect(storyOf([pause, event(1, 'unknown')]).paused).toBe(false)
  })

  test('[E7] a heartbeat says that the run was heard, and shows nothing', () => {
    const store = received([event(1, 'run_started')])
    store.setNow(25_000)
    store.receive('run_gateway', event(2, 'heartbeat'))

    expect(run(store).story).toMatchObject({ heardAt: 25_000, lines: [] })
  })

  test('[E7] each heartbeat and each pause counts where the gateway gives them neither number, id nor time', () => {
    const bare = (type: string) => ({ run_id: 'run-1', type })
    const store = received([event(1, 'run_started')])
    for (const now of [20_000, 40_000, 60_000]) {
      store.setNow(now)
      store.receive('run_gateway', bare('heartbeat'))
      expect(isQuiet(run(store), now + 1_000, 30_000)).toBe(false)
    }
    for (const seq of [2, 3]) {
      store.receive('run_gateway', bare('stream.paused'))
      expect(run(store).story?.paused).toBe(true)
      store.receive('run_gateway', event(seq, 'tool_progress'))
      expect(run(store).story?.paused).toBe(false)
    }
    expect(isQuiet(run(store), 90_000, 30_000)).toBe(true)
  })
})

describe('effects', () => {
  test('[E12] a step is said to change data by its event, else by the plan, else by the host', () => {
    const asked: string[] = []
    const effectOf = (tool: string) => {
      asked.push(tool)
      if (tool === 'odd') throw new Error('no')
      return tool === 'pay' ? ('write' as const) : undefined
    }
    const store = received(
      [
        event(1, 'plan_ready', { steps: [{ tool: 'b', effect: 'write' }, { tool: 'pay' }] }),
        ofTool(2, 'tool_requested', 'a', { effect: 'write' }),
        ofTool(3, 'tool_requested', 'b'),
        ofTool(4, 'tool_requested', 'odd'),
        ofTool(5, 'tool_requested', 'odd'),
      ],
      { effectOf },
    )

    const story = run(store).story as Story
    expect(steps(story).map(({ name, effect }) => [name, effect])).toEqual([
      [undefined, undefined],
      ['a', 'write'],
      ['b', 'write'],
      ['odd', undefined],
      ['odd', undefined],
      ['pay', 'write'],
    ])
    expect(story.next).toMatchObject({ name: 'pay', effect: 'write' })
    expect(asked.filter((tool) => tool === 'odd')).toHaveLength(1)
    expect(store.problems()).toEqual({ host_callback_failed: 1 })
  })

  test('[E12] where it is, what is confirmed and what comes next can be told at any time', () => {
    const story = storyOf([
      event(1, 'plan_ready', {
        steps: [{ tool: 'search', effect: 'read' }, { tool: 'pay', effect: 'write' }, 'commit'],
      }),
      ofTool(2, 'tool_requested', 'search'),
      ofTool(3, 'tool_result', 'search'),
      ofTool(4, 'approval_required', 'pay', { effect: 'write' }),
    ])

    expect(story.current).toMatchObject({ kind: 'approval', state: 'waiting' })
    expect(story.confirmed.map(({ name }) => name)).toEqual(['search'])
    expect(story.next).toMatchObject({ name: 'pay', effect: 'write' })
  })

  test('[E12] a request for approval ends with the next step that is requested, or the end', () => {
    const asks = event(2, 'approval_required')
    for (const [next, state] of [
      [ofTool(3, 'tool_requested', 'pay'), 'done'],
      [event(3, 'committed'), 'done'],
      [event(3, 'failed'), 'done'],
      [event(3, 'unknown'), 'done'],
      [event(3, 'heartbeat'), 'waiting'],
      [ofTool(1, 'tool_requested', 'pay'), 'waiting'],
    ] as const) {
      for (const order of [
        [asks, next],
        [next, asks],
      ]) {
        expect(steps(storyOf(order)).find(({ kind }) => kind === 'approval')?.state).toBe(state)
      }
    }
  })
})

describe('a request for approval in a run', () => {
  const asks = ofTool(2, 'approval_required', 'pay', { message: 'Pay 20 EUR', arguments: { amount: 20 } })
  const approvalOf = (store: TestStore) => {
    store.flush()
    const approvals = [...store.getState().approvals.values()]
    expect(approvals).toHaveLength(1)
    return approvals[0]
  }

  test('[E12] waits for a person, names what it is about, and says what the host knows of the tool', () => {
    const store = received([event(1, 'run_started'), asks], { effectOf: () => 'write' }, { conversationId: 'c-1' })

    expect(approvalOf(store)).toMatchObject({
      id: 'run-1/2',
      callId: 'run-1',
      conversationId: 'c-1',
      toolName: 'pay',
      message: 'Pay 20 EUR',
      args: '{"amount":20}',
      effect: 'write',
      state: 'open',
    })
    expect(run(store).status).toBe('waiting')
  })

  test('[E12] ends with the next step: allowed where that is what was asked for, else withdrawn', () => {
    for (const [next, state] of [
      [ofTool(3, 'tool_requested', 'pay'), 'allowed'],
      [event(3, 'committed'), 'allowed'],
      [ofTool(3, 'tool_requested', 'other'), 'withdrawn'],
      [event(3, 'failed'), 'withdrawn'],
      [event(3, 'unknown'), 'withdrawn'],
      [event(3, 'heartbeat'), 'open'],
      [ofTool(1, 'tool_requested', 'pay'), 'open'],
    ] as const) {
      for (const order of [
        [asks, next],
        [next, asks],
      ]) {
        expect(approvalOf(received(order))?.state).toBe(state)
      }
    }
  })

  test('[E12] an answer given here is confirmed when the run goes on', () => {
    for (const [approved, next, state] of [
      [true, ofTool(3, 'tool_requested', 'pay'), 'allowed'],
      [false, ofTool(3, 'tool_requested', 'other'), 'denied'],
      [false, event(3, 'failed', { reason: 'denied' }), 'denied'],
    ] as const) {
      const store = received([asks])
      store.carryAnswers(async () => {})
      store.answer('run-1/2', { approved })
      expect(['sending', 'sent']).toContain(approvalOf(store)?.state)

      store.receive('run_gateway', next)

      expect(approvalOf(store)).toMatchObject({ state, answeredElsewhere: false })
    }
  })
})

describe('what is measured', () => {
  test('[G2] first event, first usable result, end, disconnects and resumes of a run', () => {
    const store = makeTestStore()
    store.ingest({ type: 'call', callId: 'run-1', conversationId: 'c-1' })
    const later = (ms: number, message: unknown) => {
      store.setNow(10_000 + ms)
      store.receive('run_gateway', message)
    }
    later(300, event(1, 'run_started'))
    later(400, ofTool(2, 'tool_requested', 'search'))
    later(2_000, ofTool(3, 'tool_result', 'search'))
    store.ingest({ type: 'contact', contact: 'lost', conversationId: 'c-1' })
    store.setNow(14_000)
    store.ingest({ type: 'contact', contact: 'back', conversationId: 'c-1' })
    store.ingest({ type: 'contact', contact: 'resumed', callId: 'run-1' })
    later(5_000, event(4, 'committed'))

    expect(run(store).timings).toEqual({
      firstEventMs: 300,
      firstResultMs: 2_000,
      endedMs: 5_000,
      disconnects: 1,
      resumes: 1,
    })
  })

  test('[G2] a disconnect of a run counts at once, whenever it was read', () => {
    const store = received([event(1, 'run_started')])
    expect(run(store).timings.disconnects).toBe(0)

    store.ingest({ type: 'contact', contact: 'lost' })

    expect(run(store).timings.disconnects).toBe(1)
  })
})

describe('hostile events', () => {
  test('[H1] never throw and are counted', () => {
    const cycle: Record<string, unknown> = {}
    cycle.events = [cycle]
    const store = received([
      null,
      7,
      [],
      [[[[[[[]]]]]]],
      cycle,
      { type: 'heartbeat' },
      event(1, 'constructor'),
      event(1, '__proto__'),
      { ...event(1, 'run_started'), type: 4 },
      { ...event(1, 'run_started'), seq: 1.5, created_at: 'never' },
      event(2, 'token_delta', { text: 5 }),
      event(3, 'step.updated', { state: 'done' }),
      event(4, 'plan_ready', { steps: 'all' }),
      event(5, 'tool_result', { citations: [null, 7, {}], artifacts: [null, 'a', {}] }),
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error('no')
          },
          getOwnPropertyDescriptor: () => {
            throw new Error('no')
          },
        },
      ),
    ])

    store.flush()
    expect(store.problems()).toMatchObject({ not_an_object: 2, invalid_seq: 1, invalid_ts: 1, missing_run_id: 1 })
    expect(run(store).story?.citations).toEqual([{ source: '7' }])
  })

  test('[H3] are kept up to a limit: heartbeats and progress go first, ends never', () => {
    const store = makeTestStore({ limits: { taskBlocks: 20 } })
    store.receive('run_gateway', event(1, 'committed', { receipt_id: 'r' }))
    for (let seq = 2; seq < 200; seq++) {
      store.receive('run_gateway', event(seq, seq % 2 ? 'heartbeat' : 'tool_progress', { stage: `s${seq}` }))
    }
    store.receive('run_gateway', ofTool(200, 'tool_requested', 'a'))

    expect(run(store)).toMatchObject({ status: 'done', outcome: { receipt: { id: 'r' } } })
    expect(run(store).story?.droppedSteps).toBeGreaterThan(50)
    expect(told(run(store).story as Story)).toContain('a unreported')
  })
})
