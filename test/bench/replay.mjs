// Dragging a recording of 100,000 events to any moment, beside taking all of it from the start.
import { performance } from 'node:perf_hooks'
import { protocols } from '../../dist/protocols/index.js'
import { createPlayer } from '../../dist/replay/index.js'
import { createToolCallStore } from '../../dist/store/index.js'

const count = 100_000
const seeks = 200

/** A long build in one call: output of three tools, thoughts and lines between them. */
function frame(i, callId, taskId = 'task-1') {
  const place = { v: 1, callId, taskId, state: 'running', ts: 1_000_000 + i }
  const base = { v: 1, seq: i, status: 'running' }
  if (i % 20 === 0) return { ...place, envelope: { ...base, kind: 'text', payload: { text: `step ${i}` } } }
  if (i % 20 === 10) return { ...place, envelope: { ...base, kind: 'thinking', payload: { text: `thought ${i}` } } }
  const payload = { tool: 'shell', chunk: `line ${i} of the output of a build\n` }
  return { ...place, envelope: { ...base, kind: 'tool_output_append', streamKey: `tool-${i % 3}`, payload } }
}
const eventsOf = (message) => protocols.tool_event_stream(message, {}).events
const recordings = {
  'one call': (i) => eventsOf(frame(i, 'call-0')),
  '500 calls': (i) => eventsOf(frame(i, `call-${i % 500}`)),
  '10,000 calls': (i) => [
    { type: 'call', callId: `call-${i % 10_000}`, conversationId: 'c-1', toolName: 'read', args: `{"path":"${i}"}` },
  ],
  'one command': (i) => [
    { type: 'block', callId: 'call-0', taskId: 'terminal', byArrival: true, kind: 'output', text: `line ${i}\n` },
  ],
}

const cpuMs = () => process.cpuUsage().user / 1_000
/** What a page does of it: the call that is open is read, and the end of its logs. */
function look(store) {
  const call = store.getState().calls.get('call-0')
  for (const item of call?.tasks[0]?.items ?? []) if (item.kind === 'tool') item.log?.tail(50)
}
const at = (sorted, part) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))].toFixed(1).padStart(6)

for (const [name, make] of Object.entries(recordings)) {
  const receipts = Array.from({ length: count }, (_, i) => ({
    receivedAt: 2_000_000 + i * 10,
    events: make(i),
    problems: [],
  }))
  const whole = []
  for (let round = 0; round < 3; round++) {
    const store = createToolCallStore({ mode: 'replay', now: () => 3_000_000, schedule: () => () => {} })
    const [wall, cpu] = [performance.now(), cpuMs()]
    for (const { events } of receipts) store.ingest(events)
    store.flush()
    look(store)
    whole.push([performance.now() - wall, cpuMs() - cpu])
  }
  const [wallWhole, cpuWhole] = whole.sort((a, b) => a[1] - b[1])[0]
  const player = createPlayer({ header: undefined, receipts, problems: [] }, { schedule: () => () => {} })
  const preparing = cpuMs()
  player.seek(player.duration)
  look(player.store)
  const prepared = cpuMs() - preparing
  const wall = []
  const cpu = []
  let random = 1
  for (let i = 0; i < seeks; i++) {
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0
    const to = (random / 2 ** 32) * player.duration
    const [wallBefore, cpuBefore] = [performance.now(), cpuMs()]
    player.seek(to)
    look(player.store)
    wall.push(performance.now() - wallBefore)
    cpu.push(cpuMs() - cpuBefore)
  }
  const [byWall, byCpu] = [wall, cpu].map((times) => times.sort((a, b) => a - b))
  console.log(
    `${name.padEnd(13)} whole ${wallWhole.toFixed(0).padStart(5)} ms (CPU ${cpuWhole.toFixed(0)})  prepare CPU ${prepared.toFixed(0)} ms  ` +
      `seek median ${at(byWall, 0.5)} (CPU ${at(byCpu, 0.5)})  95% ${at(byWall, 0.95)} (CPU ${at(byCpu, 0.95)})  worst ${at(byWall, 1)} (CPU ${at(byCpu, 1)})  ` +
      `CPU of the median seek ${(Number(at(byCpu, 0.5)) / cpuWhole).toFixed(3)} of the whole`,
  )
}
