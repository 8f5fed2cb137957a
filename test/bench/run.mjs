// `npm run bench`: how the store's work grows, as ratios within one run. Figures are for reading; nothing here can fail.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.resolve(fileURLToPath(import.meta.url), '../../..')
const steps = [['.ci/build.mjs'], ['--expose-gc', 'test/bench/store.mjs'], ['--expose-gc', 'test/bench/arguments.mjs']]
for (const args of steps) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
