import fc from 'fast-check'
import { expect, test } from 'vitest'
import { busMessages } from '../support/busConversation.js'
import { expectedBus, type ShownBus } from '../support/busOracle.js'
import { makeTestStore, type TestStore } from '../support/wire.js'

/** What a store shows, in the oracle's terms. */
function shownBus(store: TestStore): ShownBus {
  store.flush()
  const { calls, approvals, children } = store.getState()
  return {
    calls: Object.fromEntries(
      [...calls].map(([id, { status, outcome, title, approvals: own }]) => [
        id,
        { status, value: outcome?.value, title, approvals: own.map((approval) => approval.id) },
      ]),
    ),
    approvals: Object.fromEntries(
      [...approvals].map(([id, { state, answer, callId, parentCallId, args }]) => [
        id,
        {
          state,
          answer: state === 'conflict' ? undefined : answer && { approved: answer.approved, scope: answer.scope },
          callId,
          parentCallId,
          args: args === undefined ? undefined : JSON.parse(args),
        },
      ]),
    ),
    children: Object.fromEntries([...children].map(([id, ids]) => [id, ids.toSorted()])),
  }
}

/** Any order, any of it repeated, and what is published after each message. */
const delivery = (messages: readonly Record<string, any>[]) =>
  fc
    .record({ repeated: fc.subarray([...messages]), publishAfter: fc.array(fc.nat(messages.length * 2)) })
    .chain(({ repeated, publishAfter }) => {
      const all = [...messages, ...repeated]
      return fc.record({
        deliveries: fc.shuffledSubarray(all, { minLength: all.length }),
        publishAfter: fc.constant(new Set(publishAfter)),
      })
    })

function receive(deliveries: readonly object[], publishAfter: ReadonlySet<number>): TestStore {
  const store = makeTestStore()
  for (const [i, message] of deliveries.entries()) {
    store.receive('agent_bus', message)
    if (publishAfter.has(i)) store.flush()
  }
  return store
}

test('[D6] shows what the set of calls, words, requests and results says, whatever the order and repetition', () => {
  fc.assert(
    fc.property(
      busMessages(true).chain((messages) => fc.tuple(fc.constant(messages), delivery(messages))),
      ([messages, { deliveries, publishAfter }]) => {
        const shown = shownBus(receive(deliveries, publishAfter))
        const expected = expectedBus(messages)
        // The order of first receipt is that of the delivery.
        for (const call of [...Object.values(shown.calls), ...Object.values(expected.calls)]) call.approvals.sort()

        expect(shown).toEqual(expected)
      },
    ),
    { numRuns: 300 },
  )
})

test('[D4] the k-th request belongs to the k-th call that is like it and had not ended, in the order of receipt', () => {
  fc.assert(
    fc.property(
      busMessages(false).chain((messages) => delivery(messages)),
      ({ deliveries, publishAfter }) => {
        expect(shownBus(receive(deliveries, publishAfter))).toEqual(expectedBus(deliveries))
      },
    ),
    { numRuns: 300 },
  )
})
