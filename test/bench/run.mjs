// `npm run bench`: how the store's work grows, as ratios within one run. Figures are for reading; nothing here can fail.
// `npm run bench -- log`: the log beside its peers, in Chromium; see log/run.mjs.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.resolve(fileURLToPath(import.meta.url), '../../..')
const [which, ...args] = process.argv.slice(2)
const inNode = ['store', 'arguments', 'logModel'].map((name) => ['--expose-gc', `test/bench/${name}.mjs`])
const steps = [['.ci/build.mjs'], ...(which === 'log' ? [['test/bench/log/run.mjs', ...args]] : inNode)]
for (const step of steps) {
  const { status } = spawnSync(process.execPath, step, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
