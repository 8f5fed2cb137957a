// Dragging a recording of 100,000 events to any moment, beside taking all of it from the start.
import { performance } from 'node:perf_hooks'
import { logOf } from '../../dist/index.js'
import { protocols } from '../../dist/protocols/index.js'
import { createPlayer } from '../../dist/replay/index.js'
import { createToolCallStore } from '../../dist/store/index.js'
import { cpuMs, median, timed, within } from './budget.mjs'
import { createRandom, makeFrame } from './frames.mjs'

const count = 100_000
const rounds = 3
const seeks = 200

const eventsOf = (message) => protocols.tool_event_stream(message, {}).events
/** `prepare` and `seek` are the most that these may take of taking all of it. */
const recordings = {
  'one call': { make: (i) => eventsOf(makeFrame(i, 'call-0')), prepare: 4, seek: 0.1 },
  '500 calls': { make: (i) => eventsOf(makeFrame(i, `call-${i % 500}`)), prepare: 25, seek: 0.35 },
  '10,000 calls': {
    make: (i) => [
      { type: 'call', callId: `call-${i % 10_000}`, conversationId: 'c-1', toolName: 'read', args: `{"path":"${i}"}` },
    ],
    prepare: 25,
    seek: 0.35,
  },
  'one command': {
    make: (i) => [
      { type: 'block', callId: 'call-0', taskId: 'terminal', byArrival: true, kind: 'output', text: `line ${i}\n` },
    ],
    prepare: 4,
    seek: 0.1,
  },
}

/** What a page does of it: the call that is open is read, and the end of its logs. */
function look(store) {
  const call = store.getState().calls.get('call-0')
  for (const item of call?.tasks[0]?.items ?? []) if (item.kind === 'tool') logOf(item)?.tail(50)
}
const at = (sorted, part) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))].toFixed(1).padStart(6)

function takeWhole(receipts) {
  const store = createToolCallStore({ mode: 'replay', now: () => 3_000_000, schedule: () => () => {} })
  for (const { events } of receipts) store.ingest(events)
  store.flush()
  look(store)
}

/** A player that has been at the end. */
function prepare(receipts) {
  const player = createPlayer({ header: undefined, receipts, problems: [] }, { schedule: () => () => {} })
  player.seek(player.duration)
  look(player.store)
  return player
}

for (const [name, { make, ...most }] of Object.entries(recordings)) {
  const receipts = Array.from({ length: count }, (_, i) => ({
    receivedAt: 2_000_000 + i * 10,
    events: make(i),
    problems: [],
  }))
  const quarter = receipts.slice(0, count / 4)
  takeWhole(receipts)
  const measured = Array.from({ length: rounds }, () => ({
    whole: timed(() => takeWhole(receipts)),
    prepared: timed(() => prepare(receipts)),
    quarter: timed(() => prepare(quarter)),
  }))
  const whole = median(measured.map((each) => each.whole))
  const player = prepare(receipts)
  const wall = []
  const cpu = []
  const random = createRandom()
  for (let i = 0; i < seeks; i++) {
    const to = random() * player.duration
    const [wallBefore, cpuBefore] = [performance.now(), cpuMs()]
    player.seek(to)
    look(player.store)
    wall.push(performance.now() - wallBefore)
    cpu.push(cpuMs() - cpuBefore)
  }
  const preparing = measured.map(({ prepared, whole: all }) => prepared / all)
  const growing = measured.map(({ prepared, quarter: part }) => prepared / 4 / part)
  const seeking = cpu.map((ms) => ms / whole)
  const [byWall, byCpu] = [wall, cpu].map((times) => times.sort((a, b) => a - b))
  console.log(
    `${name.padEnd(13)} CPU of the whole ${whole.toFixed(0).padStart(5)} ms\n` +
      `  prepare ${within(`${name}, prepare`, preparing, most.prepare, 'the whole')}, ` +
      `${within(`${name}, prepare`, growing, 2, 'four times a quarter')}\n` +
      `  seek ${within(`${name}, seek`, seeking, most.seek, 'the whole')}: median ${at(byWall, 0.5)} ms (CPU ${at(byCpu, 0.5)})  ` +
      `95% ${at(byWall, 0.95)} (CPU ${at(byCpu, 0.95)})  worst ${at(byWall, 1)} (CPU ${at(byCpu, 1)})`,
  )
}
