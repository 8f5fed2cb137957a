// 1 MB of arguments into the store, as they stream in: in pieces of 16 characters, and as whole texts that are 1 kB longer
// each time. The tree is read, and what a page would show of it, at each publish.
import { createToolCallStore } from '../../dist/store/index.js'
import { growthWithin, median, sum, timed, timedHalves, within } from './budget.mjs'

const size = 1_000_000
const repetitions = 7
const line = 'export const answer = "forty-two" // a line of a file that is being written\n'
const args = JSON.stringify({ path: 'src/answers.ts', content: line.repeat(Math.ceil(size / line.length)) }).slice(
  0,
  size,
)
const whole = `${args}"}`

const makeStore = () => createToolCallStore({ schedule: () => () => {}, now: () => 2_000_000 })
const start = { tool_call_id: 'call-1', tool_name: 'write_file', arguments: '' }
const append = { argumentsMode: 'append' }

/** What a page reads of the call when it is published: the first row, and the last lines of the last one. */
function look(store) {
  store.flush()
  const root = store.getState().calls.get('call-1')?.parsedArgs?.root
  if (!root || root.length === 0) return
  const last = root.valueAt(root.length - 1)
  if (typeof last === 'object') last?.tail?.(2_000)
}

const pieces = Array.from({ length: Math.ceil(args.length / 16) }, (_, i) => args.slice(i * 16, i * 16 + 16))
const texts = Array.from({ length: Math.floor(args.length / 1_000) }, (_, i) => args.slice(0, (i + 1) * 1_000))

/** CPU time of each half, in pieces, published after every `perPublish` of them. */
function inPieces(perPublish) {
  const store = makeStore()
  store.receive('tool_call_start', start)
  let count = 0
  return timedHalves(pieces, (piece) => {
    store.receive('tool_call_args_delta', { tool_call_id: 'call-1', arguments: piece }, append)
    count += 1
    if (count % perPublish === 0 || count === pieces.length) look(store)
  })
}

/** As many updates that change nothing. */
function noUpdates(perPublish) {
  const store = makeStore()
  store.receive('tool_call_start', start)
  for (let i = 0; i < pieces.length; i++) {
    store.receive('tool_call_args_delta', { tool_call_id: 'call-1', arguments: '' })
    if ((i + 1) % perPublish === 0) look(store)
  }
}

/** CPU time of each half, for texts that grow by 1 kB; each text is a string of its own, as it comes from a socket. */
function inWholeTexts() {
  const store = makeStore()
  const own = texts.map((text) => JSON.parse(JSON.stringify(text)))
  store.receive('tool_call_start', start)
  return timedHalves(own, (text) => {
    store.receive('tool_call_args_delta', { tool_call_id: 'call-1', arguments: text })
    look(store)
  })
}

const json = () => JSON.parse(whole)
for (let i = 0; i < 3; i++) {
  inPieces(64)
  inWholeTexts()
  json()
}
const measured = Array.from({ length: repetitions }, () => ({
  // One parse is too short for the clock.
  json: timed(() => Array.from({ length: 20 }, json)) / 20,
  inPieces: inPieces(64),
  noUpdates: timed(() => noUpdates(64)),
  eachPublished: inPieces(1),
  noneEachPublished: timed(() => noUpdates(1)),
  wholeTexts: inWholeTexts(),
}))

/** `besides` is what is taken anyway, and `most` the most that the workload may take of it. */
function show(name, key, growth, besides, most) {
  const halves = measured.map((each) => each[key])
  const said = [growthWithin(name, halves, growth)]
  if (besides !== undefined) {
    const ratios = measured.map((each) => sum(each[key]) / (each.json + each[besides]))
    said.push(within(name, ratios, most, 'JSON.parse and as many empty updates'))
  }
  console.log(`${name.padEnd(34)} ${median(halves.map(sum)).toFixed(0).padStart(6)} ms  ${said.join(', ')}`)
}

show('1 MB of arguments, 16 characters', 'inPieces', 1.8, 'noUpdates', 3)
show('the same, each one published', 'eachPublished', 1.8, 'noneEachPublished', 5)
show('the same as whole texts, 1 kB more', 'wholeTexts', 2.2)
