import { expect, test } from 'vitest'
import { logOf } from '../../src/core/index.js'
import { callMessages } from '../bench/soakMessages.mjs'
import { makeTestStore } from '../support/wire.js'

// The heap over 2,000,000 events: `node .ci/build.mjs && node --expose-gc test/bench/soak.mjs`.
test('[H3] over a long stream of calls by every protocol no more is kept than the limits say', () => {
  const limits = { endedCalls: 40, openCalls: 20, approvals: 10, taskBlocks: 20, logLines: 10 }
  const store = makeTestStore({ limits })
  let sent = 0
  for (let call = 0; call < 500; call++) {
    for (const { protocol, message, context } of callMessages(call)) {
      store.receive(protocol, message, context)
      sent += 1
      store.setNow(10_000 + sent * 20)
    }
    store.flush()
    const { calls, conversations, children, aliases, approvals } = store.getState()
    expect(calls.size).toBeLessThanOrEqual(limits.endedCalls + limits.openCalls)
    expect(approvals.size).toBeLessThanOrEqual(limits.approvals)
    expect([...conversations.values(), ...children.values()].flat().length + aliases.size).toBeLessThanOrEqual(
      calls.size,
    )
  }

  expect(sent).toBeGreaterThan(15_000)
  const { calls, forgotten } = store.getState()
  expect(calls.size + forgotten.size).toBe(500)
  let blocks = 0
  let lines = 0
  for (const { tasks, story } of calls.values()) {
    for (const { items, blockCount, droppedBlocks } of tasks) {
      blocks = Math.max(blocks, items.filter(({ kind }) => kind !== 'gap').length)
      for (const item of items) {
        if (item.kind === 'tool') lines = Math.max(lines, logOf(item)?.text().split('\n').length ?? 0)
      }
      expect(blockCount + droppedBlocks).toBeLessThanOrEqual(100)
    }
    expect(story?.lines.length ?? 0).toBeLessThanOrEqual(limits.taskBlocks * 1.1)
  }
  // Artifacts have a limit of their own.
  expect(blocks).toBeLessThanOrEqual(limits.taskBlocks + 1)
  // A line break at the very end opens none.
  expect(lines).toBe(limits.logLines + 1)
  expect(store.problems()).not.toHaveProperty('unreadable')
})
