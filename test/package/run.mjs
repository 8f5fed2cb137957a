// The package as a host gets it: packed, installed by npm into folders of their own, built, and run in real Chromium.
// Part of `npm run test:package`.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ensureChromium, root } from '../../.ci/setup.mjs'
import { browserHost } from './browserHost.mjs'
import { serverHost } from './serverHost.mjs'
import { measure } from './sizes.mjs'
import { typedHost } from './typedHost.mjs'

const folder = mkdtempSync(path.join(tmpdir(), 'tool-call-detail-hosts-'))
const chromium = ensureChromium()
let failed = 0
try {
  const tarball = pack()
  await check('size of each entry', () => measure(install('sizes', '19')))
  await check('Vite and React 19', () => browserHost(install('vite-19', '19'), chromium))
  await check('Vite and React 18', () => browserHost(install('vite-18', '18'), chromium))
  await check('rendered on a server and hydrated, React 19', () => serverHost(install('server-19', '19'), chromium))
  await check('rendered on a server and hydrated, React 18', () => serverHost(install('server-18', '18'), chromium))
  for (const version of ['19', '18']) {
    const types = [`@types/react@${version}`, `@types/react-dom@${version}`]
    await check(`types with React ${version}`, () => typedHost(install(`types-${version}`, version, types)))
  }

  /** Installs the package beside React into a new folder, and returns that. */
  function install(name, reactVersion, others = []) {
    const host = path.join(folder, name)
    const packages = [tarball, `react@${reactVersion}`, `react-dom@${reactVersion}`, 'socket.io-client@4', ...others]
    npm('install', '--prefix', host, '--no-audit', '--no-fund', '--prefer-offline', '--silent', ...packages)
    return host
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = failed === 0 ? 0 : 1

async function check(name, run) {
  try {
    const said = await run()
    console.log(`[package] ${name}: passed${said ? `\n${said}` : ''}`)
  } catch (error) {
    failed += 1
    console.error(`[package] ${name}: FAILED\n${error instanceof Error ? error.stack : String(error)}`)
  }
}

function pack() {
  npm('pack', '--silent', '--pack-destination', folder)
  const file = readdirSync(folder).find((name) => name.endsWith('.tgz'))
  if (file === undefined) throw new Error('npm pack left no file.')
  return path.join(folder, file)
}

function npm(...args) {
  const { status, stderr } = spawnSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error(`npm ${args[0]} failed: ${stderr}`)
}
