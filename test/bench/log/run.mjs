/**
 * `npm run bench -- log`: the log beside what people would use instead, in Chromium, as multiples of a floor of the same
 * run: the last 60 lines written as text once a frame (for W6, with colours). The peers have a package.json of their own here.
 * Quick by default: each run once, and only some workloads. `--full` takes all of them, three times; further words choose
 * contenders and workloads: `npm run bench -- log ours W3 --full`.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { chromium } from 'playwright'
import { build, preview } from 'vite'
import { ensureChromium } from '../../../.ci/setup.mjs'
import { workloads } from './workloads.mjs'

const folder = path.dirname(fileURLToPath(import.meta.url))
const contenders = readdirSync(path.join(folder, 'contenders')).map((file) => path.basename(file, '.jsx'))
const isFull = process.argv.includes('--full')
const asked = process.argv.slice(2).filter((word) => word !== '--full')
const quick = ['W1', 'W2', 'W5', 'W6', 'W7', 'W8']
const chosen = (all) => (asked.some((name) => all.includes(name)) ? all.filter((name) => asked.includes(name)) : all)
const floors = ['floor', 'floor-colored']
const runs = [...new Set([...floors, ...chosen(contenders)])]
const repetitions = isFull ? 3 : 1
/** A contender that takes this long, or is wrong, is not tried again with that workload. */
const limitMs = isFull ? 60_000 : 20_000
const after = (ms, value) => new Promise((resolve) => setTimeout(resolve, ms, value))

if (!existsSync(path.join(folder, 'node_modules'))) {
  const { status } = spawnSync('npm', ['ci'], { cwd: folder, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
const outDir = mkdtempSync(path.join(tmpdir(), 'log-bench-'))
const config = {
  root: folder,
  configFile: false,
  logLevel: 'error',
  plugins: [react()],
  define: { 'process.env.NODE_ENV': '"production"' },
  resolve: { dedupe: ['react', 'react-dom'] },
  build: { outDir, emptyOutDir: true, target: 'esnext', rolldownOptions: { input: path.join(folder, 'page.html') } },
}
await build(config)
const server = await preview({ ...config, preview: { port: 0, host: '127.0.0.1' } })
const { port } = server.httpServer.address()
let chrome = await start()

/** What became of each run, by workload and contender. */
const results = new Map()
let visits = 0
for (const workload of chosen(Object.keys(workloads))) {
  if (!isFull && !asked.includes(workload) && !quick.includes(workload)) continue
  for (let repetition = 0; repetition < repetitions; repetition++) {
    for (const contender of runs) {
      const key = `${workload} ${contender}`
      const all = results.get(key) ?? []
      if (all.some(({ isRight }) => !isRight)) continue
      results.set(key, [...all, await runOnce(contender, workload)])
    }
  }
  report(workload)
}
await chrome.process.close()
await server.close()
rmSync(outDir, { recursive: true, force: true })
process.exit(0)

/** A browser that can be ended from outside, should a page not answer any more. */
async function start() {
  const process = await chromium.launchServer({
    executablePath: ensureChromium(),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  return { process, browser: await chromium.connect(process.wsEndpoint()) }
}

/** A host name of its own gives each run a fresh process. */
async function runOnce(contender, workload) {
  const lost = { isRight: false, reason: `not done after ${limitMs / 1000} s` }
  const result = await Promise.race([measure(contender, workload), after(limitMs + 10_000, lost)]).catch((error) => ({
    isRight: false,
    reason: String(error).split('\n')[0],
  }))
  if (result !== lost) return result
  await chrome.process.kill()
  chrome = await start()
  return lost
}

async function measure(contender, workload) {
  const page = await chrome.browser.newPage({ viewport: { width: 900, height: 600 } })
  try {
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    const cpuMs = async () => {
      const { metrics } = await session.send('Performance.getMetrics')
      return metrics.find(({ name }) => name === 'TaskDuration').value * 1000
    }
    let before = 0
    await page.exposeFunction('startClock', async () => {
      await chrome.browser.startTracing(page, { categories: ['toplevel', 'blink.user_timing'] })
      before = await cpuMs()
    })
    await page.exposeFunction('stopClock', async () => (await cpuMs()) - before)
    await page.goto(`http://run${++visits}.localhost:${port}/page.html`)
    await page.waitForFunction(() => 'runWorkload' in window)
    const run = ([name, id, ms]) => window.runWorkload(name, id, ms)
    const result = await page.evaluate(run, [contender, workload, limitMs])
    return { ...result, longestTask: longestTask(JSON.parse(String(await chrome.browser.stopTracing()))) }
  } finally {
    await page.close()
  }
}

/** The longest task of the page's main thread in thread time, ms: what else runs here makes it no longer. */
function longestTask({ traceEvents }) {
  const mark = traceEvents.find(({ name }) => name === 'bench-end')
  const isTask = ({ pid, tid, name, ts }) =>
    pid === mark.pid && tid === mark.tid && name === 'ThreadControllerImpl::RunTask' && ts < mark.ts
  return traceEvents.filter(isTask).reduce((longest, { tdur = 0 }) => Math.max(longest, tdur / 1000), 0)
}

function report(workload) {
  const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]
  const of = (contender, name) => median(results.get(`${workload} ${contender}`).map((result) => result[name]))
  const floor = workload === 'W6' ? 'floor-colored' : 'floor'
  console.log(`\n${workload}  ${workloads[workload].title}`)
  for (const contender of runs) {
    const wrong = results.get(`${workload} ${contender}`).find(({ isRight }) => !isRight)
    const times = (name, floorName = name) => {
      const value = of(contender, name)
      return `${value.toFixed(0).padStart(6)} ms ${(value / of(floor, floorName)).toFixed(1).padStart(6)} x`
    }
    // Only who shows the end ahead of the work has anything to say here.
    const indexed = of(contender, 'indexedMs') === undefined ? '' : `   all indexed ${times('indexedMs', 'paintedMs')}`
    console.log(
      `  ${contender.padEnd(14)}`,
      wrong
        ? (wrong.reason ?? 'the last line did not come on screen')
        : `painted ${times('paintedMs')}   CPU ${times('cpuMs')}   longest task ${of(contender, 'longestTask').toFixed(0)} ms${indexed}`,
    )
  }
}
