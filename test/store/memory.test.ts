import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { block, makeTestStore } from '../support/wire.js'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** How much more memory is held after that, in MB. */
function heldBy(act: () => unknown): number {
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  const kept = act()
  collectGarbage()
  const held = process.memoryUsage().heapUsed - before
  expect(kept).toBeDefined()
  return held / 2 ** 20
}

/** A text of its own of 512 kB. */
const long = (i: number) => Buffer.alloc(512 * 1024, `${i} `).toString('latin1')

test('[H3] increments that come after the complete arguments are not kept', () => {
  const store = makeTestStore()
  store.receive('tool_call_start', { tool_call_id: 'call-1', tool_name: 't', arguments: { a: 1 } })
  const held = heldBy(() => {
    for (let i = 0; i < 64; i++) {
      store.receive('tool_call_args_delta', { tool_call_id: 'call-1', arguments: long(i) }, { argumentsMode: 'append' })
    }
    return store.call()
  })

  expect(held).toBeLessThan(4)
})

test('[H3] what a recording has told of masked arguments is not kept for calls that are forgotten', () => {
  const store = makeTestStore({ limits: { openCalls: 2 }, maskArguments: ['token'] })
  let receipts = 0
  store.onReceived(() => void (receipts += 1))
  const start = (id: string, text: string) => {
    store.receive('tool_call_start', { tool_call_id: id, tool_name: 't', arguments: { a: text } })
    store.flush()
  }
  const grow = (id: string, text: string) => {
    const context = { argumentsMode: 'append' } as const
    store.receive('tool_call_args_delta', { tool_call_id: id, arguments: `{"a":"${text}"}` }, context)
    store.flush()
  }
  const held = heldBy(() => {
    for (let i = 0; i < 64; i++) start(`whole ${i}`, long(i))
    for (let i = 0; i < 64; i++) grow(`grown ${i}`, long(i))
    for (let i = 0; i < 100; i++) grow(`short ${i}`, 'x')
    return store
  })

  expect(receipts).toBe(228)
  expect(held).toBeLessThan(8)
})

test('[H3] the end marks of tools that a process has dropped are not kept', () => {
  const store = makeTestStore({ limits: { taskBlocks: 10 } })
  const held = heldBy(() => {
    for (let i = 0; i < 64; i++) {
      store.receive(
        'tool_event_stream',
        block(2 * i, 'tool_call', { tool: 't', more: long(i) }, { streamKey: `k${i}`, status: 'done' }),
      )
      store.receive(
        'tool_event_stream',
        block(2 * i + 1, 'text', { text: long(i) }, { streamKey: `l${i}`, status: 'done' }),
      )
      void store.call().tasks[0]?.items
    }
    return store
  })

  expect(held).toBeLessThan(16)
})
