// Hours of stream in minutes, by a clock of its own: calls of every protocol start, stream and end, one after the other.
// `node .ci/build.mjs && node --expose-gc test/bench/soak.mjs [events]`: what is kept and the heap at 10, 50 and 100 %;
// fails when the heap at the end is more than 1.5 times that at half.
import { createToolCallStore } from '../../dist/store/index.js'
import { within } from './budget.mjs'
import { callMessages } from './soakMessages.mjs'

const eventCount = Number(process.argv[2] ?? 2_000_000)
let clock = 1_000_000
const store = createToolCallStore({
  now: () => clock,
  schedule: () => () => {},
  // So small that every limit is reached long before the first report.
  limits: { endedCalls: 500, openCalls: 200, approvals: 500, taskBlocks: 200, logLines: 500 },
})

const heapMb = () => {
  for (let i = 0; i < 4; i++) globalThis.gc?.()
  return process.memoryUsage().heapUsed / 1e6
}
const heaps = []
const marks = [0.1, 0.5, 1].map((share) => Math.floor(share * eventCount))
let sent = 0
for (let call = 0; sent < eventCount; call++) {
  for (const { protocol, message, context } of callMessages(call)) {
    clock += 20
    store.receive(protocol, message, context)
    sent += 1
    if (sent % 200 === 0) store.flush()
    if (sent !== marks[heaps.length]) continue
    store.flush()
    const { calls, approvals, forgotten } = store.getState()
    heaps.push(heapMb())
    const kept = `${calls.size} calls, ${approvals.size} requests, ${forgotten.size} ids of forgotten calls`
    console.log(`${String(sent).padStart(9)} events  ${heaps.at(-1).toFixed(1).padStart(7)} MB  ${kept}`)
  }
}
console.log(within('soak', [heaps[2] / heaps[1]], 1.5, 'that at half', 'heap at the end'))
