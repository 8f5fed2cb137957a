// `npm run bench`: both of what follows.
// `npm run bench -- growth`: how work grows with size, as ratios within one run. Fails where one is over its budget, and says
// whose it is; the times are for reading. No test waits for it.
// `npm run bench -- log`: the log beside its peers, in Chromium; see log/run.mjs.
// `npm run bench -- hidden`: a busy run in a tab that is hidden half of the time; see hidden/run.mjs.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.resolve(fileURLToPath(import.meta.url), '../../..')
const [which, ...args] = process.argv.slice(2)
const growth = ['store', 'arguments', 'logModel', 'replay'].map((name) => ['--expose-gc', `test/bench/${name}.mjs`])
const inBrowser = (name) => [`test/bench/${name}/run.mjs`, ...args]
const benchmarks = { growth, log: [inBrowser('log')], hidden: [inBrowser('hidden')] }
const chosen = which === undefined ? [...growth, inBrowser('log')] : benchmarks[which]
if (chosen === undefined)
  throw new Error(`There is no benchmark ${which}; there are ${Object.keys(benchmarks).join(', ')}.`)
const start = (step) => spawnSync(process.execPath, step, { cwd: root, stdio: 'inherit' }).status ?? 1
const built = start(['.ci/build.mjs'])
if (built !== 0) process.exit(built)
// One that fails keeps none of the others from being measured.
process.exitCode = Math.max(...chosen.map(start))
