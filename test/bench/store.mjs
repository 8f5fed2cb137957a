// 100,000 frames into the store, published and read as a page would: in order, shuffled, and over many calls.
import { createToolCallStore } from '../../dist/store/index.js'

const frameCount = 100_000
const framesPerPublish = 100
const repetitions = 5

/** A long build: output of three tools, thoughts and lines between them. */
function makeFrame(i, callId = 'call-1') {
  const place = { v: 1, callId, taskId: 'task-1', state: 'running', ts: 1_000_000 + i }
  const base = { v: 1, seq: i, status: 'running' }
  if (i % 20 === 0) return { ...place, envelope: { ...base, kind: 'text', payload: { text: `step ${i}` } } }
  if (i % 20 === 10) return { ...place, envelope: { ...base, kind: 'thinking', payload: { text: `thought ${i}` } } }
  const streamKey = `tool-${i % 3}`
  const payload = { tool: 'shell', chunk: `line ${i} of the output of a build\n` }
  return { ...place, envelope: { ...base, kind: 'tool_output_append', streamKey, payload } }
}

/** The same order each time. */
function shuffled(list) {
  const result = [...list]
  let state = 1
  for (let i = result.length - 1; i > 0; i--) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const j = state % (i + 1)
    ;[result[i], result[j]] = [result[j], result[i]]
  }
  return result
}

/** Works the process out, as a component that shows it would. */
const readItems = (store) => store.getState().calls.get('call-1')?.tasks[0]?.items

/** CPU time of this process in ms: on a busy machine it says more than the time on the wall. */
const cpuMs = () => process.cpuUsage().user / 1_000

/** The CPU time of each half in ms, with everything published and the process read every 100 frames. */
function run(frames, { limits = {} } = {}) {
  globalThis.gc?.()
  const store = createToolCallStore({ schedule: () => () => {}, limits, now: () => 2_000_000 })
  const halves = []
  const half = frames.length / 2
  for (let start = 0; start < frames.length; start += half) {
    const before = cpuMs()
    for (let i = start; i < start + half; i++) {
      store.receive('tool_event_stream', frames[i])
      if ((i + 1) % framesPerPublish > 0) continue
      store.flush()
      readItems(store)
    }
    halves.push(cpuMs() - before)
  }
  return halves
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]
const sum = (values) => values.reduce((a, b) => a + b)
const show = (name, ms, extra) =>
  console.log(
    `${name.padEnd(34)} ${ms.toFixed(0).padStart(6)} ms  ${((ms * 1000) / frameCount).toFixed(2)} µs a frame  ${extra}`,
  )

const frames = Array.from({ length: frameCount }, (_, i) => makeFrame(i))
const disturbed = shuffled(frames)
const manyCalls = Array.from({ length: frameCount }, (_, i) => makeFrame(i, `call-${(i % 500) + 1}`))

// So that what is measured is compiled.
run(frames)
run(disturbed.slice(0, 20_000))
const rounds = Array.from({ length: repetitions }, () => ({
  inOrder: run(frames),
  shuffled: run(disturbed),
  repeated: run(frames.flatMap((frame) => [frame, frame])),
  manyCalls: run(manyCalls),
}))
const total = (name) => median(rounds.map((round) => sum(round[name])))
const growth = median(rounds.map(({ inOrder: [first, second] }) => second / first))
const ratio = (name) => `${median(rounds.map((round) => sum(round[name]) / sum(round.inOrder))).toFixed(2)} x in order`

show('in order', total('inOrder'), `second half ${growth.toFixed(2)} x the first (aim 1.3)`)
show('shuffled', total('shuffled'), `${ratio('shuffled')} (aim 5)`)
show('each frame twice', total('repeated'), ratio('repeated'))
show('500 calls', total('manyCalls'), ratio('manyCalls'))
