// 100,000 frames into the store, published and read as a page would: in order, shuffled, twice, and over many calls.
import { createToolCallStore } from '../../dist/store/index.js'
import { growthWithin, median, sum, timedHalves, within } from './budget.mjs'
import { createRandom, makeFrame } from './frames.mjs'

const frameCount = 100_000
const rounds = 5

/** The same order each time. */
function shuffled(list) {
  const result = [...list]
  const random = createRandom()
  for (let i = result.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[result[i], result[j]] = [result[j], result[i]]
  }
  return result
}

/** Works the process out, as a component that shows it would. */
const readItems = (store) => store.getState().calls.get('call-1')?.tasks[0]?.items

/** The CPU time of each half in ms for a frame, with everything published and the process read every so many frames. */
function run({ frames, framesPerPublish = 100 }) {
  // All is kept: with the usual limit on blocks, work that grows with their number would soon grow no more.
  const limits = { taskBlocks: Number.POSITIVE_INFINITY }
  const store = createToolCallStore({ schedule: () => () => {}, now: () => 2_000_000, limits })
  let left = framesPerPublish
  const halves = timedHalves(frames, (frame) => {
    store.receive('tool_event_stream', frame)
    left -= 1
    if (left > 0) return
    left = framesPerPublish
    store.flush()
    readItems(store)
  })
  return halves.map((ms) => ms / (frames.length / 2))
}

const inOrder = Array.from({ length: frameCount }, (_, i) => makeFrame(i))
const manyCalls = inOrder.map((_, i) => makeFrame(i, `call-${(i % 500) + 1}`))
const few = frameCount / 5
// As the terminals of the bus do, they have a task of the same name.
const beginning = inOrder.slice(0, 2_000).map((_, i) => makeFrame(i, `call-${i + 1}`))

/** With the most that the second half may take of the first, and a frame of one in order. */
const workloads = {
  'in order': { frames: inOrder, growth: 1.3 },
  shuffled: { frames: shuffled(inOrder), growth: 2.5, most: 5 },
  'each frame twice': { frames: inOrder.flatMap((frame) => [frame, frame]), growth: 1.3, most: 2 },
  '500 calls': { frames: manyCalls, growth: 1.3, most: 3.5 },
  'each frame published': { frames: inOrder.slice(0, few), framesPerPublish: 1, growth: 1.3, most: 10 },
  '500 calls, each frame published': { frames: manyCalls.slice(0, few), framesPerPublish: 1, growth: 1.3, most: 20 },
  '2,000 calls that begin': { frames: beginning, framesPerPublish: 10, growth: 2, most: 60 },
}

// So that what is measured is compiled.
for (const workload of Object.values(workloads)) run({ ...workload, frames: workload.frames.slice(0, few) })
const measured = Array.from({ length: rounds }, () =>
  Object.fromEntries(Object.entries(workloads).map(([name, workload]) => [name, run(workload)])),
)
for (const [name, { growth, most }] of Object.entries(workloads)) {
  const halves = measured.map((round) => round[name])
  const ratios = measured.map((round) => sum(round[name]) / sum(round['in order']))
  const usPerFrame = (median(halves.map(sum)) / 2) * 1_000
  const said = [growthWithin(name, halves, growth), ...(most ? [within(name, ratios, most, 'in order')] : [])]
  console.log(`${name.padEnd(34)} ${usPerFrame.toFixed(2).padStart(6)} µs a frame  ${said.join(', ')}`)
}
