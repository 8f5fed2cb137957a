import { describe, expect, test } from 'vitest'
import { logOf } from '../../src/core/index.js'
import { createToolCallStore } from '../../src/store/index.js'
import { busScenarios } from '../../stories/live/server/busScenarios.mjs'
import { scriptOf } from '../../stories/live/server/scenarios.mjs'

type Decision = { readonly approved: boolean }

const names = busScenarios.map(({ name }) => name)

/** A run as far as it comes with these answers, given 2 s after each request; with none to those left undecided. */
function play(scenario: string, decide: (index: number) => Decision | undefined) {
  const run = { runId: 'run', conversationId: 'c-1', scenario, startedAt: 1_000_000, decisions: {} }
  const before = []
  for (;;) {
    const script = scriptOf(run)
    const open = script.requests.findIndex(({ id }, i) => !(id in run.decisions) && decide(i) !== undefined)
    const request = script.requests[open]
    if (request === undefined) return { ...script, before }
    before.push(script.steps)
    run.decisions = { ...run.decisions, [request.id]: { ...decide(open), at: request.at + 2_000 } }
  }
}

/** What a store shows of a run that is played to its end. */
function shown({ steps }: ReturnType<typeof play>) {
  let time = 0
  const store = createToolCallStore({ now: () => time })
  for (const { at, event, message } of steps) {
    time = 1_000_000 + at
    store.receive(event === 'agent_event' ? 'agent_bus' : 'chat_event', message, { conversationId: 'c-1' })
  }
  store.flush()
  const { calls, approvals, children, diagnostics } = store.getState()
  return { calls: [...calls.values()], approvals: [...approvals.values()], children, diagnostics }
}

const allowAll = () => ({ approved: true })
const denyAll = () => ({ approved: false })

/** How the calls of each scenario end when all is allowed, and when all is denied where that differs. */
const ends: Record<string, readonly [allowed: readonly string[], denied?: readonly string[]]> = {
  approval: [['done'], ['denied']],
  'same-tool': [
    ['done', 'done', 'done'],
    ['denied', 'denied', 'denied'],
  ],
  // In the order in which they are first heard of: the manifest comes before the call that it is under.
  'sub-agent': [
    ['done', 'done', 'done', 'done', 'error', 'done'],
    ['done', 'error', 'done', 'done', 'error', 'denied'],
  ],
  terminal: [['error']],
  'instant-commands': [['done', 'done', 'done', 'done', 'done']],
  'several-terminals': [['done']],
  overdue: [['done']],
  'session-ends': [
    ['unknown', 'unknown'],
    ['unknown', 'denied'],
  ],
  'parallel-on-bus': [
    ['done', 'done', 'done', 'done', 'done', 'done', 'error', 'done', 'done'],
    ['done', 'done', 'done', 'done', 'done', 'done', 'error', 'done', 'denied'],
  ],
  expiring: [['done'], ['denied']],
  'refused-answer': [['done'], ['denied']],
  'answer-lost': [
    ['done', 'done'],
    ['denied', 'denied'],
  ],
  'thousand-requests': [Array(1_000).fill('done'), Array(1_000).fill('denied')],
}

// The large one takes a while to be played answer by answer; the store has its own tests of that size.
const played = names.filter((name) => name !== 'thousand-requests')

describe.for(played)('the scenario %s', (name) => {
  test('[D3] ends its calls as it should, allowed and denied', () => {
    const statuses = (decide: typeof allowAll) => {
      const { calls, approvals } = shown(play(name, decide))
      for (const approval of approvals) expect(approval.state).toBe(decide().approved ? 'allowed' : 'denied')
      return calls.map(({ status }) => status).toSorted()
    }
    const [allowed, denied = allowed] = ends[name] ?? []
    expect(statuses(allowAll)).toEqual(allowed?.toSorted())
    expect(statuses(denyAll)).toEqual(denied?.toSorted())
  })

  test('[D1] sends nothing that the store has to complain about', () => {
    for (const decide of [allowAll, denyAll]) {
      expect(shown(play(name, decide)).diagnostics.counts).toEqual({})
    }
  })

  test('[D4] links each request to its call', () => {
    const { approvals } = shown(play(name, () => undefined))
    for (const { id, callId } of approvals) expect(`${callId}-approval`).toBe(id)
  })

  test('[A14] an answer changes nothing of what was sent before it', () => {
    for (const decide of [allowAll, denyAll]) {
      const { steps, before, requests } = play(name, decide)
      for (const [i, earlier] of before.entries()) {
        const sent = earlier.filter(({ at }) => at <= (requests[i]?.at ?? 0))
        expect(steps.slice(0, sent.length)).toEqual(sent)
      }
    }
  })
})

test('[D4] without an answer nothing that depends on it is sent', () => {
  const { calls, approvals } = shown(play('approval', () => undefined))
  expect(calls.map(({ status }) => status)).toEqual(['waiting'])
  expect(approvals.map(({ state }) => state)).toEqual(['open'])
})

test('[D4] the thousand requests are a thousand, each of a call of its own', () => {
  const { approvals } = shown(play('thousand-requests', () => undefined))
  expect(new Set(approvals.map(({ callId }) => callId)).size).toBe(1_000)
  expect(approvals.every(({ state }) => state === 'open')).toBe(true)
})

test('[D5] the sub-agent’s calls stand under the call that it works for, and so do those of its own sub-agent', () => {
  const { children, approvals } = shown(play('sub-agent', () => undefined))
  expect(Object.fromEntries(children)).toEqual({
    'run-delegate': ['run-manifest', 'run-checks', 'run-apply'],
    'run-checks': ['run-scan', 'run-smoke'],
  })
  expect(approvals).toMatchObject([{ subagentSessionId: 'deployer-run-', sessionId: 'run-session' }])
})

test('[D6] terminals show their output, and how each command ended', () => {
  const [call] = shown(play('several-terminals', allowAll)).calls
  const items = call?.tasks.flatMap((task) => task.items) ?? []
  const terminals = items.flatMap((item) => (item.kind === 'tool' ? [[item.terminal, logOf(item)?.text()]] : []))
  expect(terminals).toEqual([
    [expect.objectContaining({ command: 'npm ci', description: 'Install', exitCode: 0 }), expect.stringMatching(/412/)],
    [expect.objectContaining({ command: 'npm run build', exitCode: 0 }), expect.stringMatching(/^✓ 38/)],
    [expect.objectContaining({ command: 'npm run serve', signal: 'SIGTERM' }), expect.stringMatching(/favicon/)],
  ])
})

test('[D2] the overdue call takes longer than the time it was given', () => {
  const { steps } = play('overdue', allowAll)
  const [running, result] = ['ToolStatusEvent', 'ToolResultEvent'].map((type) =>
    steps.find(({ message }) => message.type === type),
  )
  expect((result?.at ?? 0) - (running?.at ?? 0)).toBeGreaterThan(running?.message.timeoutSec * 1_000)
})
