// `npm run bench`: how the store's work grows, as ratios within one run. Figures are for reading; nothing here can fail.
// `npm run bench -- log`: the log beside its peers, in Chromium; see log/run.mjs.
// `npm run bench -- hidden`: a busy run in a tab that is hidden half of the time; see hidden/run.mjs.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.resolve(fileURLToPath(import.meta.url), '../../..')
const [which, ...args] = process.argv.slice(2)
const inNode = ['store', 'arguments', 'logModel', 'replay'].map((name) => ['--expose-gc', `test/bench/${name}.mjs`])
const inBrowser = ['log', 'hidden'].includes(which) ? [[`test/bench/${which}/run.mjs`, ...args]] : undefined
const steps = [['.ci/build.mjs'], ...(inBrowser ?? inNode)]
for (const step of steps) {
  const { status } = spawnSync(process.execPath, step, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
