// The log without a browser: adding in order from the first to the millionth line, one chunk of 16 MB, late chunks, memory.
import { createLog } from '../../dist/core/index.js'
import { cpuMs, growthWithin, median, timed, timedHalves, within } from './budget.mjs'

const lineCount = 1_000_000
const rounds = 7
const inRounds = (measure) => Array.from({ length: rounds }, measure)
const line = (i) =>
  `2026-01-01T00:00:00.${String(i % 1000).padStart(3, '0')}Z info worker[${i % 17}] request ${i} took ${i % 97} ms\n`
// As it comes from a socket: one flat string, not a tree of pieces.
const flat = (text) => Buffer.from(text, 'latin1').toString('latin1')
const linesOf = (from, count) => flat(Array.from({ length: count }, (_, i) => line(from + i)).join(''))
const now = () => performance.now()
const heapMb = () => {
  for (let i = 0; i < 3; i++) globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 1e6
}
const say = (name, text) => console.log(`${name.padEnd(34)} ${text}`)

const chunks = Array.from({ length: lineCount / 50 }, (_, i) => linesOf(i * 50, 50))
const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0)

{
  const halves = inRounds(() => {
    const log = createLog()
    return timedHalves(chunks, (chunk) => {
      log.append(chunk)
      log.tail(40)
    })
  })
  const usPerLine = (median(halves.map(([first, second]) => first + second)) * 1_000) / lineCount
  const name = 'in order, shown after each chunk'
  say(name, `${usPerLine.toFixed(2)} µs a line, ${growthWithin(name, halves, 1.3)}`)
}
{
  const before = heapMb()
  let log = createLog()
  for (let i = 0; i < chunks.length; i++) log.append(linesOf(i * 50, 50))
  log.finish()
  say(
    'memory',
    within('memory', [(heapMb() - before) / (size / 1e6)], 1.5, `the ${(size / 1e6).toFixed(0)} MB of text`),
  )
  log = undefined
}
for (const [name, text] of [
  ['plain', linesOf(0, 250_000)],
  ['CR LF', linesOf(0, 250_000).replaceAll('\n', '\r\n')],
  ['a colour on each word', linesOf(0, 80_000).replace(/\S+/g, '\x1b[32m$&\x1b[0m')],
  ['a progress bar', Array.from({ length: 250_000 }, (_, i) => `\r${line(i).slice(0, -1)}`).join('')],
]) {
  const chunk = flat(text)
  let longest = 0
  const work = (part) => {
    const log = createLog()
    log.append(part)
    for (let isLeft = true; isLeft; ) {
      const began = now()
      isLeft = log.work(8, now)
      longest = Math.max(longest, now() - began)
    }
  }
  const quarters = [0, 1, 2, 3].map((i) => flat(chunk.slice((i * chunk.length) / 4, ((i + 1) * chunk.length) / 4)))
  work(chunk)
  longest = 0
  const measured = inRounds(() => ({
    whole: timed(() => work(chunk)),
    inQuarters: timed(() => quarters.forEach((quarter) => work(quarter))),
  }))
  const ratios = measured.map(({ whole, inQuarters }) => whole / inQuarters)
  say(
    `one chunk: ${name}`,
    `${(chunk.length / 1e6).toFixed(0)} MB in ${median(measured.map(({ whole }) => whole)).toFixed(0)} ms, slices of 8 ms: ` +
      `${longest.toFixed(1)} ms at most, ${within(`one chunk: ${name}`, ratios, 2.5, 'its quarters one by one')}`,
  )
}
{
  const lateMs = (count) => {
    const log = createLog()
    for (let i = 0; i < count; i++) log.append(chunks[i], i)
    log.finish()
    const times = []
    for (let i = 1; i < 400; i++) {
      const before = cpuMs()
      log.append('late\n', Math.floor((i * count) / 400) + 0.5)
      log.finish()
      times.push(cpuMs() - before)
    }
    return median(times)
  }
  const measured = inRounds(() => ({ all: lateMs(chunks.length), tenth: lateMs(chunks.length / 10) }))
  const ratios = measured.map(({ all, tenth }) => all / tenth)
  const ms = median(measured.map(({ all }) => all))
  say('a late chunk', `${ms.toFixed(2)} ms, ${within('a late chunk', ratios, 4, 'that in a tenth of the log')}`)
}
