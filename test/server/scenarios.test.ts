import { describe, expect, test } from 'vitest'
import { logOf, type ToolCall } from '../../src/core/index.js'
import { createToolCallStore } from '../../src/store/index.js'
import { disturb } from '../../stories/live/server/disturb.mjs'
import { scenarios, stepsOf } from '../../stories/live/server/scenarios.mjs'

type Step = ReturnType<typeof stepsOf>[number]

const names = scenarios.map(({ name }) => name)
const run = (scenario: string, fields = {}) => ({
  runId: 'run',
  conversationId: 'c-1',
  scenario,
  startedAt: 1_000_000,
  ...fields,
})

/** What a store shows of these steps, each received at its time. */
function callsAfter(steps: readonly Step[]) {
  let time = 0
  const store = createToolCallStore({ now: () => time })
  for (const { at, event, message } of steps) {
    time = 1_000_000 + at
    store.receive(event === 'agent_event' ? 'agent_bus' : event, message, { conversationId: 'c-1' })
  }
  store.flush()
  const { calls, conversations, diagnostics } = store.getState()
  return {
    calls: (conversations.get('c-1') ?? []).map((id) => calls.get(id) as ToolCall),
    known: calls.size,
    diagnostics,
  }
}

const isBlock = ({ event, message }: Step) => event === 'tool_event_stream' && message.state === 'running'
const logsOf = (call: ToolCall | undefined) =>
  call?.tasks.flatMap(({ items }) => items.flatMap((item) => (item.kind === 'tool' ? (logOf(item)?.text() ?? []) : [])))

/** How each scenario ends: the status and a piece of the final value or the reason, call by call. */
const ends: Record<string, readonly (readonly [status: string, value: unknown])[]> = {
  'release-build': [['done', expect.stringMatching(/two type tests fail/i)]],
  thinking: [['done', expect.stringMatching(/Yes, for one day/)]],
  'parallel-calls': [
    ['done', expect.stringMatching(/Dry, 17 to 21/)],
    ['done', expect.stringMatching(/RE1 at 10:02/)],
    ['done', expect.stringMatching(/338\.60/)],
  ],
  'several-tasks': [['done', expect.stringMatching(/今日から/)]],
  'interleaved-streams': [['done', expect.stringMatching(/holds 400 users/)]],
  aborted: [['error', expect.stringMatching(/quota/)]],
  silent: [['done', expect.stringMatching(/photographer/)]],
  'no-call-id': [
    ['done', expect.stringMatching(/142 chairs/)],
    ['done', expect.stringMatching(/No chair in the south/)],
  ],
  'third-party': [['done', expect.stringMatching(/tables 6 and 7/)]],
  asynchronous: [['done', { handle: 'job-2019-07', state: 'accepted', expected: 'tomorrow morning' }]],
  'large-file': [['done', { path: 'primes.txt', bytes: expect.any(Number) }]],
  'arguments-cut-off': [['error', expect.stringMatching(/stopped answering/)]],
  'result-without-start': [['done', '37 open issues']],
  'twenty-calls': Array.from({ length: 20 }, () => ['done', expect.stringMatching(/hits$/)] as const),
  'error-result': [['error', expect.stringMatching(/Missing script/)]],
  'falsy-results': [
    ['done', 0],
    ['done', false],
    ['done', ''],
    ['done', null],
  ],
  disturbed: [['done', expect.stringMatching(/two type tests fail/i)]],
}

describe.for(names)('the scenario %s', (name) => {
  const steps = stepsOf(run(name))

  test('[A11] ends with the expected status and final value', () => {
    const { calls } = callsAfter(steps)
    expect(
      calls.map(({ status, outcome }) => [status, outcome?.value === undefined ? outcome?.reason : outcome.value]),
    ).toEqual(ends[name])
  })

  test('[A3] sends nothing that the store has to complain about', () => {
    const { diagnostics } = callsAfter(steps)
    const { missing_call_id, block_after_end, ...others } = diagnostics.counts
    expect(others).toEqual({})
    expect(missing_call_id !== undefined).toBe(name === 'no-call-id')
    expect(block_after_end).toBeUndefined()
  })

  test('[A1] makes a call of nothing but its tool snapshots', () => {
    const { calls, known } = callsAfter(steps)
    expect(known).toBe(calls.length)
    expect(calls).toHaveLength(ends[name]?.length ?? 0)
  })

  test('[A2] sends a snapshot of each call before its first frame', () => {
    const called = steps.flatMap(({ message }) => message.callId ?? [])
    const early = called.filter((callId) => {
      const snapshot = steps.findIndex(({ message }) => message.eventId === callId)
      return snapshot < 0 || snapshot > steps.findIndex(({ message }) => message.callId === callId)
    })
    expect(early).toEqual([])
  })

  test('[A7] ends each task exactly once, and its call with a snapshot', () => {
    const terminal = steps
      .filter(({ message }) => ['done', 'aborted'].includes(message.state))
      .map(({ message }) => message.taskId)
    expect(new Set(terminal).size).toBe(terminal.length)
    expect(new Set(steps.filter(isBlock).map(({ message }) => message.taskId))).toEqual(new Set(terminal))
    // After a reload only snapshots are left: they alone have to end every call (A14).
    const { calls } = callsAfter(steps.filter(({ event }) => event === 'chat_event'))
    expect(calls.map(({ status }) => status)).toEqual(ends[name]?.map(([status]) => status))
    expect(calls.flatMap(({ tasks }) => tasks)).toEqual([])
  })

  test('[A14] is the same each time, so that a restarted server can go on', () => {
    expect(stepsOf(run(name))).toEqual(steps)
    expect(steps.map(({ at }) => at)).toEqual(steps.map(({ at }) => at).toSorted((a, b) => a - b))
  })
})

describe('what the scenarios are for', () => {
  test('[C1] calls whose arguments stream in start before them, and grow without a break', () => {
    for (const name of ['large-file', 'arguments-cut-off', 'twenty-calls', 'error-result', 'falsy-results']) {
      const texts = new Map<unknown, string>()
      for (const { event, message } of stepsOf(run(name))) {
        if (event === 'tool_call_start') texts.set(message.tool_call_id, '')
        if (event !== 'tool_call_args_delta') continue
        expect(message.arguments.startsWith(texts.get(message.tool_call_id))).toBe(true)
        texts.set(message.tool_call_id, message.arguments)
      }
      expect(texts.size).toBeGreaterThan(0)
    }
  })

  test('[C8] the large file is one million characters, in updates of 5 kB', () => {
    const deltas = stepsOf(run('large-file')).filter(({ event }) => event === 'tool_call_args_delta')
    expect(deltas.at(-1)?.message.arguments.length).toBeGreaterThan(1_000_000)
    expect(deltas.length).toBeGreaterThan(200)
  })

  test.for(names.filter((name) => name !== 'disturbed'))(
    '[A13] %s sends at most 10 blocks a second for a task',
    (name) => {
      const times = new Map<unknown, number[]>()
      for (const step of stepsOf(run(name)).filter(isBlock)) {
        const earlier = times.get(step.message.taskId) ?? []
        times.set(step.message.taskId, [...earlier, step.at])
      }
      for (const task of times.values()) {
        task.forEach((at, i) => expect((task[i + 10] ?? Number.POSITIVE_INFINITY) - at).toBeGreaterThanOrEqual(1_000))
      }
    },
  )

  test('[A9] the build prints a few hundred lines in over a minute, with colours and bars that overwrite themselves', () => {
    const steps = stepsOf(run('release-build'))
    const [call] = callsAfter(steps).calls
    const logs = logsOf(call) ?? []
    expect(logs.join('').split('\n').length).toBeGreaterThan(200)
    expect(steps.at(-1)?.at).toBeGreaterThan(60_000)
    expect(steps.at(-1)?.at).toBeLessThan(90_000)
    // The bar was drawn 28 times; one line of it is left, and that was wiped.
    expect(logs.join('')).not.toContain('━')
    expect(logs.join('')).toContain('added 412 packages')
    const thinking = call?.tasks[0]?.items.filter(({ kind }) => kind === 'thinking') ?? []
    expect(thinking).toHaveLength(2)
    const marks = call?.tasks[0]?.items.flatMap((item) => (item.kind === 'tool' ? [item.end] : []))
    expect(marks).toEqual(['done', 'done', 'done', 'aborted', 'done', 'done'])
  })

  test('[A5] several tasks stand one after the other, each with its own end', () => {
    const [call] = callsAfter(stepsOf(run('several-tasks'))).calls
    expect(call?.tasks.map(({ taskId }) => taskId)).toEqual(['run-ask-first', 'run-ask-second'])
    expect(call?.tasks.map(({ outcome }) => outcome?.kind)).toEqual(['done', 'done'])
    expect(call?.outcome?.value).toBe(call?.tasks[1]?.outcome?.value)
  })

  test('[B4] two interleaved streams have each a log of its own', () => {
    const steps = stepsOf(run('interleaved-streams'))
    const keys = steps.flatMap(({ message }) => message.envelope?.streamKey ?? [])
    const changes = keys.filter((key, i) => key !== keys[i - 1]).length
    expect(changes).toBeGreaterThan(20)
    const [load, database] = logsOf(callsAfter(steps).calls[0]) ?? []
    expect(load?.match(/req\/s/g)).toHaveLength(24)
    expect(load).not.toContain('connections')
    expect(database?.match(/connections/g)).toHaveLength(20)
    expect(database).not.toContain('req/s')
  })

  test('[A10] aborted carries its reason, and the snapshot the better word', () => {
    const [call] = callsAfter(stepsOf(run('aborted'))).calls
    expect(call?.tasks[0]?.outcome).toMatchObject({ kind: 'aborted', reason: expect.stringContaining('quota') })
    expect(call?.status).toBe('error')
  })

  test('[A8] the silent call has no block and takes longer than the silence timeout', () => {
    const steps = stepsOf(run('silent'))
    expect(steps.filter(isBlock)).toEqual([])
    const [begin, end] = steps.filter(({ message }) => message.eventScene === 'tool')
    expect((end?.at ?? 0) - (begin?.at ?? 0)).toBeGreaterThan(createToolCallStore().silenceMs)
  })

  test('[A4] frames without a call show a process nowhere', () => {
    const { calls } = callsAfter(stepsOf(run('no-call-id')))
    expect(calls.flatMap(({ tasks }) => tasks)).toEqual([])
  })

  test('[A6] plain lines without numbers stand in the order of their time', () => {
    const steps = stepsOf(run('third-party'))
    const backwards = [...steps.filter(isBlock).toReversed(), ...steps.filter((step) => !isBlock(step))]
    for (const each of [steps, backwards]) {
      const texts = callsAfter(each).calls[0]?.tasks[0]?.items.map((item) =>
        item.kind === 'text' ? item.text : item.kind,
      )
      expect(texts).toEqual([
        'Looking at Friday evening.',
        '19:00 is taken; 18:30 and 19:45 are free.',
        expect.stringContaining('Asking the house'),
        'The house agrees.',
      ])
    }
  })

  test('[A16] the asynchronous call ends at once with a handle and no process', () => {
    const steps = stepsOf(run('asynchronous'))
    expect(steps.at(-1)?.at).toBeLessThan(2_000)
    expect(steps.some(({ event }) => event === 'tool_event_stream')).toBe(false)
  })

  test('[A6] the disturbed build comes to what the undisturbed one does, but for the lost blocks', () => {
    const clean = stepsOf(run('release-build'))
    const disturbed = stepsOf(run('disturbed'))
    const sent = new Set(disturbed.map(({ message }) => JSON.stringify(message)))
    const arrived = clean.filter(({ message }) => sent.has(JSON.stringify(message)))
    const lost = clean.length - arrived.length
    expect(lost).toBeGreaterThan(5)
    expect(disturbed.length).toBeGreaterThan(clean.length)
    expect(disturbed.map(({ message }) => JSON.stringify(message))).not.toEqual([...sent])

    const [expected] = callsAfter(arrived).calls
    const [actual] = callsAfter(disturbed).calls
    expect(actual?.tasks[0]?.blockCount).toBe(arrived.filter(isBlock).length)
    expect(logsOf(actual)).toEqual(logsOf(expected))
    expect(plain(actual)).toEqual(plain(expected))
  })

  test('[A13] a disturbance never touches snapshots and terminal frames', () => {
    const clean = stepsOf(run('release-build'))
    for (let seed = 0; seed < 50; seed++) {
      const rest = disturb(clean, seed).filter((step) => !isBlock(step))
      expect(rest).toEqual(clean.filter((step) => !isBlock(step)))
    }
  })

  test('[A14] a faster run does the same in less time', () => {
    const clean = stepsOf(run('thinking'))
    const fast = stepsOf(run('thinking', { speed: 10 }))
    expect(fast.length).toBe(clean.length)
    expect(fast.at(-1)?.at).toBe(Math.round((clean.at(-1)?.at ?? 0) / 10))
  })
})

/** A call without what depends on when something was received, and without its logs. */
function plain(call: ToolCall | undefined) {
  return JSON.parse(
    JSON.stringify(call, (key, value) =>
      ['output', 'outputVersion', 'visibleAt', 'receivedAt', 'lastReceivedAt', 'timings'].includes(key) ? null : value,
    ),
  )
}
