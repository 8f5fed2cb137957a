// `npm run bench`: how work grows with size, as ratios within one run. Fails where one is over its budget, and says whose it
// is; the times are for reading. No test waits for it.
// `npm run bench -- log`: the log beside its peers, in Chromium; see log/run.mjs.
// `npm run bench -- hidden`: a busy run in a tab that is hidden half of the time; see hidden/run.mjs.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.resolve(fileURLToPath(import.meta.url), '../../..')
const [which, ...args] = process.argv.slice(2)
const inNode = ['store', 'arguments', 'logModel', 'replay'].map((name) => ['--expose-gc', `test/bench/${name}.mjs`])
const inBrowser = ['log', 'hidden'].includes(which) ? [[`test/bench/${which}/run.mjs`, ...args]] : undefined
const start = (step) => spawnSync(process.execPath, step, { cwd: root, stdio: 'inherit' }).status ?? 1
const built = start(['.ci/build.mjs'])
if (built !== 0) process.exit(built)
// One that fails keeps none of the others from being measured.
process.exitCode = Math.max(...(inBrowser ?? inNode).map(start))
