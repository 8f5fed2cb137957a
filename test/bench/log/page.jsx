// One run in the page: mounts a contender, feeds it and waits until the last line is on screen.
import { workloads } from './workloads.mjs'

const modules = import.meta.glob('./contenders/*.jsx')
const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
const stage = document.getElementById('stage')

/** Whether a line can be seen at the lower end of a box. */
function isOnScreen(text, box) {
  const { left, bottom, top } = box.getBoundingClientRect()
  // Below the last line a terminal may have empty rows, or none.
  let looks = 10
  for (let y = bottom - 3; y > top && looks > 0; y -= 6) {
    let element = document.elementFromPoint(left + 14, y)
    while (element && element !== box && getComputedStyle(element).display.startsWith('inline')) {
      element = element.parentElement
    }
    if (!element || element === box || !box.contains(element) || element.textContent.trim() === '') continue
    if (element.textContent.includes(text)) return true
    looks -= 1
  }
  return false
}

async function feed(chunks, perSecond, append) {
  const { port1, port2 } = new MessageChannel()
  const started = performance.now()
  let fed = 0
  await new Promise((resolve) => {
    port1.addEventListener('message', () => {
      const until = performance.now() + 8
      const due = perSecond ? ((performance.now() - started) / 1000) * perSecond : chunks.length
      while (fed < Math.min(due, chunks.length) && performance.now() < until) append(chunks[fed], fed++)
      if (fed === chunks.length) resolve()
      else if (perSecond) setTimeout(() => port2.postMessage(0), 1)
      else port2.postMessage(0)
    })
    port1.start()
    port2.postMessage(0)
  })
  // An open port would keep the chunks alive.
  port1.close()
}

window.runWorkload = async (contender, name, limitMs) => {
  const { default: mount } = await modules[`./contenders/${contender}.jsx`]()
  const { logs = 1, perSecond, make } = workloads[name]
  const { chunks: pieces, last } = make()
  // As from a socket: each chunk one string, not a tree of the strings that it was put together from.
  const chunks = pieces.map((piece) => new TextDecoder().decode(new TextEncoder().encode(piece)))
  pieces.length = 0
  const boxes = Array.from({ length: logs }, () => {
    const box = document.createElement('div')
    if (logs > 1) {
      box.className = 'card'
      box.style.cssText = 'block-size: 90px; margin: 8px; overflow: hidden'
    } else box.style.blockSize = '600px'
    stage.append(box)
    return box
  })
  const instances = boxes.map((box) => mount(box, logs > 1 ? 90 : 600))
  // Everybody begins warm: a page that shows a log has run its code before.
  for (let i = 0; i < 60; i++) {
    instances[i % logs].append(`\x1b[32mwarm\x1b[0m up ${i}\n`)
    if (i % 4 === 0) await frame()
  }
  for (let i = 0; i < 30; i++) await frame()
  await window.startClock()
  const started = performance.now()
  await feed(chunks, perSecond, (chunk, i) => instances[i % logs].append(chunk))
  const limit = started + limitMs
  let isRight = false
  while (!isRight && performance.now() < limit) {
    await frame()
    isRight = isOnScreen(last, boxes[0])
  }
  const paintedMs = performance.now() - started
  const stopped = window.stopClock()
  // What was shown ahead of the work is worked off now.
  while (instances.some(({ isIdle }) => isIdle?.() === false) && performance.now() < limit) await frame()
  const indexedMs = instances[0].isIdle && performance.now() - started
  const cpuMs = await stopped
  performance.mark('bench-end')
  return { paintedMs, cpuMs, indexedMs, isRight }
}
