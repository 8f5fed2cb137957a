import { spawnSync } from 'node:child_process'

/** What a browser says its version is, as `Chromium 156.0.8078.108`; empty where it does not say. @param {string} file */
export function browserVersion(file) {
  const { stdout } = spawnSync(file, ['--version'], { encoding: 'utf8' })
  return /\w+ [\d.]+/.exec(stdout ?? '')?.[0] ?? ''
}
