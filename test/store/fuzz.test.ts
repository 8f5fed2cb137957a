import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type OutcomeKind, type Problem, type ToolCall, toPlainJson, toPlainText } from '../../src/core/index.js'
import { protocols } from '../../src/protocols/index.js'
import type { ToolCallStoreOptions } from '../../src/store/index.js'
import type { Family } from '../support/fullMessages.js'
import { hostileMessages, type Mutant, spoiled, throwsWhenRead } from '../support/hostileMessages.js'
import { makeTestStore, type TestStore } from '../support/wire.js'

const families: readonly Family[] = ['chat_event', 'tool_event_stream', 'tool_call', 'agent_bus', 'run_gateway', 'a2a']
const outcomes: readonly OutcomeKind[] = ['done', 'error', 'aborted', 'denied', 'unknown']

/** PROPERTY_MS=600000 tries each property for that long instead of so often. */
const runs = (count: number) => ({ numRuns: process.env.PROPERTY_MS === undefined ? count : 10_000_000 })

/** How many parts of a message are looked at. */
const maxParts = 5_000

/**
 * What there is in a message: itself, and all fields and entries of all that is in it. What holds itself ends there, and
 * what is in many places counts in each.
 */
function partsOf(message: unknown): readonly Part[] {
  const parts: Part[] = [{ name: '', value: message, inside: undefined }]
  const seen = new Set<unknown>()
  for (const part of parts) {
    const { value } = part
    if (parts.length >= maxParts) break
    if (typeof value !== 'object' || value === null || (seen.has(value) && holdsItself(part))) continue
    seen.add(value)
    for (const [name, each] of Object.entries(value)) parts.push({ name, value: each, inside: part })
  }
  return parts
}

interface Part {
  readonly name: string
  readonly value: unknown
  readonly inside: Part | undefined
}

function holdsItself({ value, inside }: Part): boolean {
  for (let part = inside; part !== undefined; part = part.inside) if (part.value === value) return true
  return false
}

/** A store that has received all of it, now and then publishing in between, and the problems that it told of. */
function receiveAll(mutants: readonly Mutant[], options: ToolCallStoreOptions = {}) {
  const told: Problem[] = []
  const store = makeTestStore({ onProblem: (problem) => told.push(problem), ...options })
  for (const [i, mutant] of mutants.entries()) {
    store.receive(mutant.protocol, spoiled(mutant), mutant.context)
    if (i % 3 === 0) store.flush()
  }
  store.flush()
  return { store, told }
}

/** Reads everything that a component could, and holds that it fits together. */
function readAll(store: TestStore): void {
  store.flush()
  const { calls, aliases, conversations, children, approvals } = store.getState()
  for (const [id, call] of calls) {
    expect(call.id).toBe(id)
    expect(typeof toPlainText(call)).toBe('string')
    readCall(call)
    for (const approval of call.approvals) expect(approvals.get(approval.id)).toBe(approval)
    const line = [call]
    for (let parent = calls.get(call.parentId ?? ''); parent; parent = calls.get(parent.parentId ?? '')) {
      expect(line).not.toContain(parent)
      line.push(parent)
    }
  }
  for (const id of aliases.values()) expect(calls.has(id)).toBe(true)
  const listed = [...conversations.values(), ...children.values()].flat()
  expect(new Set(listed).size).toBe(listed.length)
  for (const id of listed) expect(calls.has(id)).toBe(true)
  for (const id of approvals.keys()) store.answer(id, { approved: true })
}

function readCall(call: ToolCall): void {
  const { outcome, status, tasks, story, timings } = call
  expect(outcome === undefined ? outcomes.includes(status as OutcomeKind) : status !== outcome.kind).toBe(false)
  JSON.stringify([outcome, call.recorded, story])
  toPlainJson(call.parsedArgs?.root ?? null)
  for (const ms of Object.values(timings)) expect(ms ?? 0).toBeGreaterThanOrEqual(0)
  for (const { items, blockCount, droppedBlocks, skipped } of tasks) {
    expect(Math.min(blockCount, droppedBlocks, skipped)).toBeGreaterThanOrEqual(0)
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length)
  }
  const lines = story?.lines ?? []
  expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length)
}

const prototypes = [Object.prototype, Array.prototype, Function.prototype, String.prototype]
const ownNames = () => prototypes.map((prototype) => Reflect.ownKeys(prototype).map(String).join()).join('|')

describe.each(families)('%s from a hostile sender', (family) => {
  test('[H1] throws nothing, touches no prototype and no message, and leaves everything readable', () => {
    const before = ownNames()
    fc.assert(
      fc.property(hostileMessages(family), (mutants) => {
        const { store } = receiveAll(mutants)

        readAll(store)
        expect(ownNames()).toBe(before)
        expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
        // What is merely wrong is read as far as it goes, and never stopped by an error of our own. A run's answers may
        // be nested into each other more deeply than is read.
        const isNested = family === 'run_gateway' && mutants.some(({ mutations }) => mutations.length > 0)
        const mayThrow = isNested || mutants.some(throwsWhenRead)
        expect(mayThrow ? 0 : (store.problems().unreadable ?? 0)).toBe(0)
      }),
      runs(200),
    )
  })

  test('[H1] costs no more events and problems than the message has parts', () => {
    fc.assert(
      fc.property(hostileMessages(family), (mutants) => {
        for (const mutant of mutants.filter((each) => !throwsWhenRead(each))) {
          const message = spoiled(mutant)
          const { events, problems } = protocols[mutant.protocol](message, mutant.context ?? {})
          const parts = partsOf(message).length

          const most = parts < maxParts ? 4 * parts : Number.POSITIVE_INFINITY
          expect(Math.max(events.length, problems.length)).toBeLessThanOrEqual(most)
        }
      }),
      runs(100),
    )
  })

  test('[H1] has its problems counted by kind, and nothing of its messages told', () => {
    fc.assert(
      fc.property(hostileMessages(family), (mutants) => {
        const { store, told } = receiveAll(mutants)

        const counts: Record<string, number> = {}
        for (const { kind, callId: _, detail = '', ...rest } of told) {
          counts[kind] = (counts[kind] ?? 0) + 1
          expect(rest).toEqual({})
          expect(detail).toMatch(ownDetails)
        }
        expect(store.problems()).toEqual(counts)
        for (const kind of Object.keys(counts)) expect(kind).toMatch(/^[a-z]+(_[a-z]+)*$/)
      }),
      runs(100),
    )
  })

  test('[E5] [A17] is never taken for success where no message says so', () => {
    fc.assert(
      fc.property(hostileMessages(family), (mutants) => {
        const { store } = receiveAll(mutants.filter((each) => !throwsWhenRead(each) && !saysSuccess(each)))

        for (const call of store.getState().calls.values()) {
          expect([call.status, call.outcome?.kind, call.recorded?.kind]).not.toContain('done')
        }
      }),
      runs(150),
    )
  })

  test('[A6] [E10] [D6] shows the same in any order, and repeated, as far as its protocol promises it', () => {
    const delivered = hostileMessages(family).chain((mutants) => {
      const messages = mutants.filter((each) => !throwsWhenRead(each) && isOrderFree(each))
      return fc.record({
        messages: fc.constant(messages),
        delivery: fc.shuffledSubarray([...messages, ...messages], { minLength: messages.length * 2 }),
      })
    })
    fc.assert(
      fc.property(delivered, ({ messages, delivery }) => {
        expect(shownAtLast(family, delivery)).toEqual(shownAtLast(family, messages))
      }),
      runs(200),
    )
  })
})

test('[E3] of a run that is not for the user nothing comes through, however it is spoiled', () => {
  fc.assert(
    fc.property(
      hostileMessages('run_gateway'),
      fc.constantFrom('internal', '', 'USER', 7, {}),
      (mutants, visibility) => {
        for (const mutant of mutants.filter((each) => !throwsWhenRead(each))) {
          const message = spoiled(mutant)
          if (typeof message !== 'object' || message === null || Array.isArray(message)) continue
          const { events, problems } = protocols.run_gateway({ ...message, visibility }, {})

          expect(events).toEqual([])
          expect(problems).toEqual([{ kind: 'not_visible' }])
        }
      },
    ),
    runs(300),
  )
})

/** What the library itself says about a problem; anything else would come out of a message. */
const ownDetails =
  /^(|\d+ code units|tasks of one call|ends without a call|other ids of one call|requests for a decision|a request for a decision|a request that is no longer kept|Hostile|TypeError)$/

const successWords = /^(done|completed?|success|succeeded|finished|ok|committed)$/
const plain = (word: string) =>
  word
    .toLowerCase()
    .replace(/^task_state_/, '')
    .trim()

/** Whether a message says anywhere, in any way that its protocol knows, that something has gone well. May say so too often. */
function saysSuccess(mutant: Mutant): boolean {
  const parts = partsOf(spoiled(mutant))
  if (parts.length >= maxParts) return true
  const texts = parts.flatMap(({ value }) => (typeof value === 'string' ? [plain(value)] : []))
  const valuesOf = (name: string) => parts.flatMap((part) => (part.name === name ? [part.value] : []))
  const has = (name: string) => valuesOf(name).length > 0
  const saysWord = texts.some((text) => successWords.test(text))
  switch (mutant.protocol) {
    case 'tool_event_stream':
      return valuesOf('state').includes('done')
    case 'chat_event':
      return saysWord || has('toolReturn')
    case 'agent_bus':
      // A message without a type is told by its fields.
      if (!valuesOf('type').some((type) => typeof type === 'string') && (has('display') || has('isError'))) return true
      return saysWord || texts.some((text) => /^tool.?result/.test(text))
    case 'run_gateway':
      return saysWord
    case 'a2a':
      // An answer that takes no task is the result; what an agent says on the way is inside of a status or a history.
      return (
        saysWord ||
        valuesOf('state').includes(3) ||
        parts.some(({ name, inside }) => /^(messageId|parts)$/.test(name) && !isOnTheWay(inside))
      )
    default:
      return saysWord || (has('result') && valuesOf('status').filter((word) => typeof word === 'string').length !== 1)
  }
}

function isOnTheWay(part: Part | undefined): boolean {
  for (let at = part; at !== undefined; at = at.inside) {
    if (/^(status|history|artifact|artifacts)$/.test(at.name)) return true
  }
  return false
}

/** Whether a message's place does not depend on when it came: of the run's events only those with a number. */
function isOrderFree({ protocol, mutations, message }: Mutant): boolean {
  if (protocol === 'run_gateway') return mutations.every(({ way }) => way === 'text' || way === 'retype')
  // A session that ends ends what was heard before.
  return (message as { type?: unknown }).type !== 'SessionEnded'
}

/** What is shown of each call that does not depend on any order: of blocks all, else how it ended. */
function shownAtLast(family: Family, mutants: readonly Mutant[]) {
  const { store } = receiveAll(mutants)
  store.flush()
  return Object.fromEntries(
    [...store.getState().calls].map(([id, call]) => {
      if (family === 'tool_event_stream') return [id, toPlainText(call)]
      const { kind, value, reason } = call.outcome ?? {}
      // Which of several like calls was denied is told by the order of calls and requests alone (D4).
      if (family === 'agent_bus') return [id, kind === 'denied' ? 'error' : kind]
      return [id, family === 'a2a' ? kind : { kind, value, reason }]
    }),
  )
}
