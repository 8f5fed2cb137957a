// The log without a browser: adding in order from the first to the millionth line, one chunk of 20 MB, late chunks, memory.
import { createLog } from '../../dist/core/index.js'

const lineCount = 1_000_000
const line = (i) =>
  `2026-01-01T00:00:00.${String(i % 1000).padStart(3, '0')}Z info worker[${i % 17}] request ${i} took ${i % 97} ms\n`
// As it comes from a socket: one flat string, not a tree of pieces.
const flat = (text) => Buffer.from(text, 'latin1').toString('latin1')
const linesOf = (from, count) => flat(Array.from({ length: count }, (_, i) => line(from + i)).join(''))
const now = () => performance.now()
const cpuMs = () => process.cpuUsage().user / 1_000
const heapMb = () => {
  for (let i = 0; i < 3; i++) globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 1e6
}
const say = (name, text) => console.log(`${name.padEnd(34)} ${text}`)

const chunks = Array.from({ length: lineCount / 50 }, (_, i) => linesOf(i * 50, 50))
const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
const perTenth = chunks.length / 10

{
  const log = createLog()
  const tenths = []
  for (let from = 0; from < chunks.length; from += perTenth) {
    const before = cpuMs()
    for (let i = from; i < from + perTenth; i++) {
      log.append(chunks[i])
      log.tail(40)
    }
    tenths.push((((cpuMs() - before) * 1000) / (lineCount / 10)).toFixed(2))
  }
  say('in order, shown after each chunk', `${tenths.join(' ')} µs a line, by tenths of 1,000,000 lines`)
}
{
  const before = heapMb()
  let log = createLog()
  for (let i = 0; i < chunks.length; i++) log.append(linesOf(i * 50, 50))
  log.finish()
  say('memory', `${((heapMb() - before) / (size / 1e6)).toFixed(2)} x the ${(size / 1e6).toFixed(0)} MB of text`)
  log = undefined
}
for (const [name, text] of [
  ['plain', linesOf(0, 250_000)],
  ['CR LF', linesOf(0, 250_000).replaceAll('\n', '\r\n')],
  ['a colour on each word', linesOf(0, 80_000).replace(/\S+/g, '\x1b[32m$&\x1b[0m')],
  ['a progress bar', Array.from({ length: 250_000 }, (_, i) => `\r${line(i).slice(0, -1)}`).join('')],
]) {
  const chunk = flat(text)
  const log = createLog()
  log.append(chunk)
  let longest = 0
  const before = cpuMs()
  for (let isLeft = true; isLeft; ) {
    const began = now()
    isLeft = log.work(8, now)
    longest = Math.max(longest, now() - began)
  }
  const all = cpuMs() - before
  say(
    `one chunk: ${name}`,
    `${(chunk.length / 1e6).toFixed(0)} MB in ${all.toFixed(0)} ms, slices of 8 ms: ${longest.toFixed(1)} ms at most`,
  )
}
{
  const log = createLog()
  for (let i = 0; i < chunks.length; i++) log.append(chunks[i], i)
  log.finish()
  const times = []
  for (let i = 1; i < 40; i++) {
    const began = now()
    log.append('late\n', Math.floor((i * chunks.length) / 40) + 0.5)
    log.finish()
    times.push(now() - began)
  }
  times.sort((a, b) => a - b)
  say('a late chunk', `${times[Math.floor(times.length / 2)].toFixed(2)} ms, ${times.at(-1).toFixed(2)} ms at most`)
}
