// `npm run test:visual [-- NAME…] [-- --update]`: compares the stories' pictures with those of test/visual/baselines, all
// or those whose names hold one of NAME. `--update` takes them anew; without names those of stories that are gone go, too.
import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureChromium, ensureReady } from '../../.ci/setup.mjs'
import { browserVersion } from './browserVersion.mjs'

const folder = path.dirname(fileURLToPath(import.meta.url))
const baselines = path.join(folder, 'baselines')
const args = process.argv.slice(2)
const update = args.includes('--update')
const names = args.filter((arg) => !arg.startsWith('-'))

ensureReady()
rmSync(path.join(folder, 'differences'), { recursive: true, force: true })
if (update) {
  if (names.length === 0) {
    for (const name of readdirSync(baselines).filter((file) => file.endsWith('.png')))
      rmSync(path.join(baselines, name))
  }
  writeFileSync(path.join(baselines, 'browser.txt'), `${browserVersion(ensureChromium())}\n`)
}
const filter = names.length === 0 ? [] : ['-t', names.join('|')]
const command = [path.join(folder, '../run.mjs'), '--project=visual', ...filter, ...(update ? ['--update'] : [])]
const env = update ? { ...process.env, VITE_TAKES_PICTURES: 'yes' } : process.env
process.exitCode = spawnSync(process.execPath, command, { stdio: 'inherit', env }).status ?? 1
