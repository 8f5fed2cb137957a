// `npm run bench -- hidden [seconds]`: a run of 200 events a second for 60 s, in a tab that is hidden for half of the time,
// driven by the browser's protocol alone, since Playwright's pages are never hidden. Prints what was received and how
// the heap went; fails when the tab was not hidden, or when anything is missing.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { Server } from 'socket.io'
import { build, preview } from 'vite'
import { chromiumArgs } from '../../../.ci/setup.mjs'

const seconds = Number(process.argv[2] ?? 60)
const perSecond = 200
const batchMs = 50
/** One event in so many begins or ends a step; the others are its progress. */
const stepEvery = 20

const folder = mkdtempSync(path.join(tmpdir(), 'hidden-run-'))
const vite = {
  configFile: false,
  root: fileURLToPath(new URL('.', import.meta.url)),
  logLevel: 'warn',
  plugins: [react()],
  build: { outDir: path.join(folder, 'page'), emptyOutDir: true },
}
await build(vite)
const pages = await preview({ ...vite, preview: { host: '127.0.0.1', port: 0 } })
const gateway = createGateway()
const browser = startBrowser(path.join(folder, 'profile'))
try {
  await measure()
} finally {
  browser.process.kill()
  await new Promise((resolve) => void browser.process.once('exit', resolve))
  await Promise.all([pages.close(), gateway.close()])
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

async function measure() {
  const address = `${pages.resolvedUrls.local[0]}?server=${encodeURIComponent(gateway.url)}`
  const page = await browser.open(address)
  await until(async () => gateway.readers() === 1)
  const other = await browser.open('about:blank')
  await other.show()
  await until(async () => (await page.measure()).visibility === 'hidden')
  const heaps = []
  const hidden = { true: 0, false: 0 }
  gateway.start()
  while (!gateway.ended()) {
    const isHidden = Math.floor(gateway.elapsedMs() / 5_000) % 2 === 0
    await (isHidden ? other : page).show()
    await pause(2_500)
    const { visibility, heard } = await page.measure()
    hidden[visibility === 'hidden'] += 1
    heaps.push({ heard, mb: await page.heapMb() })
  }
  await page.show()
  await until(async () => (await page.measure()).status === 'done')
  const { heard, steps, resumes } = await page.measure()
  const sent = gateway.sent()
  console.log(
    `sent ${sent.events} events with ${sent.steps} steps in ${seconds} s; heard ${heard}, steps ${steps}, resumes ${resumes}`,
  )
  console.log(`looked at while hidden ${hidden.true} times, while visible ${hidden.false} times`)
  console.log(`heap after a collection, MB: ${heaps.map(({ heard: at, mb }) => `${mb.toFixed(1)} @${at}`).join('  ')}`)
  if (heard !== sent.events || steps !== sent.steps) throw new Error('Something was lost.')
  if (hidden.true === 0 || hidden.false === 0) throw new Error('The tab was not hidden half of the time.')
}

function createGateway() {
  const io = new Server(0, { serveClient: false, cors: { origin: true } })
  const chat = io.of('/chat')
  const log = []
  let steps = 0
  let startedAt = Number.POSITIVE_INFINITY
  let timer
  chat.on('connection', (socket) => {
    socket.on('join_conversation', () => void socket.join('c-1'))
    socket.on('run_resume', ({ last_seq: last }, answer) => {
      const events = log.filter(({ seq }) => seq > (last ?? 0)).slice(0, 1_000)
      answer({ events, next_seq: events.at(-1)?.seq ?? last })
    })
  })
  const say = (type, fields) => {
    const seq = log.length + 1
    const event = { event_id: `e-${seq}`, run_id: 'run-1', seq, type, visibility: 'user', ...fields }
    log.push({ ...event, created_at: new Date().toISOString() })
    chat.to('c-1').emit('run_event', log.at(-1))
  }
  const next = () => {
    const i = log.length
    const [part, place] = [Math.floor(i / stepEvery), i % stepEvery]
    const tool = `part-${part}`
    if (i === 0) say('run_started', { payload: { title: 'Two hundred events a second' } })
    else if (place === 1) say('tool_requested', { tool, payload: { effect: 'read' } })
    else if (place === stepEvery - 1) {
      say('tool_result', { tool, payload: {} })
      steps += 1
    } else say('tool_progress', { tool, payload: { stage: 'retrieving', completed: place, total: stepEvery } })
  }
  const elapsedMs = () => Math.max(0, Date.now() - startedAt)
  const tick = () => {
    const due = Math.min(Math.floor((elapsedMs() * perSecond) / 1_000), seconds * perSecond - 1)
    while (log.length < due) next()
    if (due < seconds * perSecond - 1) return
    clearInterval(timer)
    say('committed', { status: 'ok', payload: { receipt_id: 'r-1' } })
    steps += 1
  }
  return {
    url: `http://127.0.0.1:${io.httpServer.address().port}/chat`,
    readers: () => chat.adapter.rooms.get('c-1')?.size ?? 0,
    start() {
      startedAt = Date.now()
      timer = setInterval(tick, batchMs)
    },
    elapsedMs,
    ended: () => log.at(-1)?.type === 'committed',
    sent: () => ({ events: log.length, steps }),
    async close() {
      clearInterval(timer)
      await io.close()
    },
  }
}

/** Chromium, spoken to over a pipe: messages of JSON, each ended by a zero. */
function startBrowser(profile) {
  const child = spawn(
    process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    ['--headless=new', '--remote-debugging-pipe', `--user-data-dir=${profile}`, ...chromiumArgs, 'about:blank'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  )
  const waiting = new Map()
  let lastId = 0
  let rest = ''
  child.stdio[4].setEncoding('utf8').on('data', (piece) => {
    const messages = (rest + piece).split('\0')
    rest = messages.pop()
    for (const text of messages) {
      const { id, result, error } = JSON.parse(text)
      if (error) waiting.get(id)?.reject(new Error(error.message))
      else waiting.get(id)?.resolve(result)
      waiting.delete(id)
    }
  })
  const send = (method, params = {}, sessionId) =>
    new Promise((resolve, reject) => {
      lastId += 1
      waiting.set(lastId, { resolve, reject })
      child.stdio[3].write(`${JSON.stringify({ id: lastId, method, params, sessionId })}\0`)
    })
  return {
    process: child,
    async open(url) {
      const { targetId } = await send('Target.createTarget', { url })
      const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })
      return {
        show: () => send('Target.activateTarget', { targetId }),
        async measure() {
          const expression = 'measure()'
          const { result, exceptionDetails } = await send(
            'Runtime.evaluate',
            { expression, returnByValue: true },
            sessionId,
          )
          return exceptionDetails ? {} : result.value
        },
        async heapMb() {
          await send('HeapProfiler.collectGarbage', {}, sessionId)
          const { usedSize } = await send('Runtime.getHeapUsage', {}, sessionId)
          return usedSize / 1e6
        },
      }
    },
  }
}

async function until(isSo) {
  const end = Date.now() + 60_000
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`Not in a minute: ${isSo}`)
    await pause(100)
  }
}

function pause(ms) {
  return new Promise((resolve) => void setTimeout(resolve, ms))
}
