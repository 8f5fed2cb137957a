import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ToolCall, toPlainText } from '../../src/core/index.js'
import { resumingGateway } from '../support/resumingGateway.js'
import { expectedOutcome, expectedSteps } from '../support/runOracle.js'
import { runEvents } from '../support/runs.js'
import { makeTestStore } from '../support/wire.js'

type Message = Record<string, any>

function show(messages: readonly unknown[]): ToolCall {
  const store = makeTestStore()
  for (const message of messages) {
    store.receive('run_gateway', message)
    store.flush()
  }
  expect(store.problems().unreadable).toBeUndefined()
  return store.call('run-1')
}

const stepsOf = (call: ToolCall) =>
  (call.story?.lines ?? [])
    .flatMap((line) => (line.kind === 'thinking' || line.kind === 'text' || line.state === 'pending' ? [] : [line]))
    .map(({ kind, name, state, stage, count, message }) => ({
      kind,
      name,
      state,
      progress: [stage, count && `${count.done}/${count.total}`, message].filter(Boolean).join(' '),
    }))

/** What a reader sees that does not depend on when it was received. */
const told = (call: ToolCall) => ({ text: toPlainText(call), status: call.status, outcome: call.outcome?.kind })

describe('a run, whatever happens on its way', () => {
  test('[E2] tells what its events say', () => {
    fc.assert(
      fc.property(runEvents, (events) => {
        const call = show(events)

        const { kind, receipt } = call.outcome ?? {}
        expect(call.outcome && { kind, receipt: receipt === null ? null : receipt?.id }).toEqual(
          expectedOutcome(events),
        )
        expect(stepsOf(call)).toEqual(expectedSteps(events))
      }),
      { numRuns: 3_000 },
    )
  })

  test('[E10] ends in the same outcome and story, delayed, reordered and repeated', () => {
    const disturbed = runEvents.chain((events) =>
      fc.record({
        events: fc.constant(events),
        delivered: fc
          .subarray([...events])
          .chain((again) => fc.shuffledSubarray([...events, ...again], { minLength: events.length + again.length })),
      }),
    )
    fc.assert(
      fc.property(disturbed, ({ events, delivered }) => {
        expect(told(show(delivered))).toEqual(told(show(events)))
      }),
      { numRuns: 2_000 },
    )
  })

  test('[E10] ends in the same outcome and story, lost in part and resumed', () => {
    const lossy = runEvents.chain((events) =>
      fc.record({ events: fc.constant(events), heard: fc.subarray([...events]), early: fc.nat(30) }),
    )
    fc.assert(
      fc.property(lossy, ({ events, heard, early }) => {
        const resumed = resumingGateway(events).answer(heard)
        // Some of what is live arrives before the answer, some after it.
        expect(told(show([...heard.slice(0, early), resumed, ...heard.slice(early)]))).toEqual(told(show(events)))
      }),
      { numRuns: 1_000 },
    )
  })

  test('[E8] ends in the same outcome and steps for a slow reader, to whom only the newest progress is sent', () => {
    fc.assert(
      fc.property(runEvents, (events) => {
        const isOld = ({ type, tool }: Message, index: number) => {
          const next = events[index + 1]
          return type === 'heartbeat' || (type === 'tool_progress' && next?.type === type && next?.tool === tool)
        }
        const sampled = events.filter((event, index) => !isOld(event, index))

        expect(stepsOf(show(sampled))).toEqual(stepsOf(show(events)))
        expect(show(sampled).outcome?.kind).toBe(show(events).outcome?.kind)
      }),
      { numRuns: 1_000 },
    )
  })
})

const fixture = (name: string) => readFileSync(new URL(`../fixtures/runs/${name}`, import.meta.url), 'utf8')

describe('the recorded path of a user', () => {
  const lines = fixture('audit-report.jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly at: number; readonly say?: string; readonly message?: Message })
  const messages = lines.flatMap(({ message }) => (message === undefined ? [] : [message]))

  function replay(upTo: string | undefined) {
    let store = makeTestStore()
    for (const { at, say, message } of lines) {
      store.setNow(at)
      if (say === 'left') store.ingest({ type: 'contact', contact: 'lost' })
      // The page is another one: all that it knows is what the gateway sends it again.
      if (say === 'came back') store = makeTestStore()
      if (message !== undefined) store.receive('run_gateway', message, { conversationId: 'c-1' })
      if (say !== undefined && say === upTo) break
    }
    return store
  }

  test('[E10] ends as it did when it was written down', () => {
    expect(toPlainText(replay(undefined).call('run-018'))).toBe(fixture('audit-report.expected.txt'))
  })

  test('[E11] shows where it is after coming back in the middle, from what is sent again alone', () => {
    const call = replay('looked').call('run-018')

    expect(call).toMatchObject({ status: 'running', toolName: 'audit_report' })
    expect(call.story?.current).toMatchObject({ name: 'collect_documents', count: { done: 18, total: 24 } })
    expect(call.story?.artifacts).toEqual([])
  })

  test('[E11] has the file and the sources at its end', () => {
    const call = replay(undefined).call('run-018')

    expect(call.outcome).toMatchObject({ kind: 'done', receipt: { kind: 'receipt', id: 'rcp-7731' } })
    expect(call.story?.artifacts.map(({ id }) => id)).toEqual(['report-20260822-018'])
    expect(call.story?.citations).toEqual([
      { source: 'doc-17', place: 'p4' },
      { source: 'doc-22', place: 'p7' },
    ])
  })

  test('[E10] ends so in any order, and however often', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...messages, ...messages], { minLength: messages.length * 2 }), (shuffled) => {
        const store = makeTestStore()
        for (const message of shuffled) store.receive('run_gateway', message)

        expect(toPlainText(store.call('run-018'))).toBe(fixture('audit-report.expected.txt'))
      }),
      { numRuns: 200 },
    )
  })
})
