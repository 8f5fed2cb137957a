import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createToolCallStore } from '../../src/store/index.js'
import { type Conversation, conversation, type Delivery, deliveryOf } from '../support/conversation.js'
import { expectedCalls } from '../support/oracle.js'
import { shownCalls } from '../support/shown.js'

const makeStore = () => createToolCallStore({ now: () => 5_000, schedule: () => () => {} })

/** Receives in the given order and reads everything where it says so, so that what is kept between reads is tried. */
function receiveAll(deliveries: readonly Delivery[], publishAfter: ReadonlySet<number> = new Set()) {
  const store = makeStore()
  deliveries.forEach(([event, message], i) => {
    store.receive(event, message)
    if (publishAfter.has(i)) shownCalls(store)
  })
  store.flush()
  expect(store.getState().diagnostics.counts.unreadable).toBeUndefined()
  return store
}

const delivered = conversation.chain((messages) =>
  fc.record({ messages: fc.constant(messages), delivery: deliveryOf(messages) }),
)

describe('merging', () => {
  test('[A6] shows what the set of messages says, whatever the order, repetition and batching', () => {
    fc.assert(
      fc.property(delivered, ({ messages, delivery }) => {
        const store = receiveAll(delivery.deliveries, delivery.publishAfter)

        expect(shownCalls(store)).toEqual(expectedCalls(messages))
      }),
      { numRuns: 20_000 },
    )
  })

  test('[A7] shows what the rest of the messages says when some are lost', () => {
    const lossy = conversation.chain((messages) =>
      fc
        .record({
          frames: fc.subarray([...messages.frames]),
          snapshots: fc.subarray([...messages.snapshots]),
          toolCalls: fc.subarray([...messages.toolCalls]),
        })
        .chain((rest: Conversation) => fc.record({ messages: fc.constant(rest), delivery: deliveryOf(rest) })),
    )
    fc.assert(
      fc.property(lossy, ({ messages, delivery }) => {
        const store = receiveAll(delivery.deliveries, delivery.publishAfter)

        expect(shownCalls(store)).toEqual(expectedCalls(messages))
      }),
      { numRuns: 5_000 },
    )
  })
})
