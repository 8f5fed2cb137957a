import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { makeTestStore } from '../support/wire.js'

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
