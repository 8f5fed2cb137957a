// What `npm start`, `npm test` and the build need first. Plain Node: it runs before anything is installed.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.resolve(fileURLToPath(import.meta.url), '../..')

/** Storybook's `disableTelemetry` option alone still reports a build that fails. */
export const quietEnv = { ...process.env, STORYBOOK_DISABLE_TELEMETRY: '1' }

/** The scripts behind the tools' commands, to be run with this very Node on every platform. */
export const tools = {
  biome: 'node_modules/@biomejs/biome/bin/biome',
  knip: 'node_modules/knip/bin/knip.js',
  oxlint: 'node_modules/oxlint/bin/oxlint',
  storybook: 'node_modules/storybook/dist/bin/dispatcher.js',
  tsc: 'node_modules/typescript/bin/tsc',
  vitest: 'node_modules/vitest/vitest.mjs',
}

/** For a Chromium in which tests and benchmarks are alone: without a sandbox of its own, and without traffic of its own. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Runs a command in the project's folder, showing what it prints; true when it exits with 0. */
export function run(command, args, options = {}) {
  return spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options }).status === 0
}

function say(text) {
  console.log(`[setup] ${text}`)
}

function fail(text) {
  console.error(`[setup] ${text}`)
  process.exit(1)
}

/** Node.js and the packages: all that is needed without a browser. */
export function ensureReady() {
  ensureNode()
  ensureInstalled()
}

function ensureNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) return
  fail(`Node.js ${process.versions.node} does not do: use 20.19 or later, 22.12 or later, or 24.`)
}

/** Installs node_modules from the lock file when they are missing or older than it. */
function ensureInstalled() {
  const lock = path.join(root, 'package-lock.json')
  const installed = path.join(root, 'node_modules/.package-lock.json')
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return
  say('installing packages (npm ci)…')
  // npm tells the scripts it runs where it is itself; without npm around, the one on the PATH is taken.
  const npm = process.env.npm_execpath
  const ok = npm?.endsWith('.js')
    ? run(process.execPath, [npm, 'ci'])
    : run('npm', ['ci'], { shell: process.platform === 'win32' })
  if (!ok) fail('npm ci failed, see above.')
}

/** The path of a Chromium or Chrome. On Debian, as root, the distribution's is installed when there is none. */
export function ensureChromium() {
  const found = findChromium()
  if (found) return found
  if (isDebian() && process.getuid?.() === 0) {
    say("no Chromium found: installing Debian's (apt-get)…")
    const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
    // fonts-liberation: where there is no font at all, Chromium does not load web fonts either.
    const packages = ['chromium', 'fonts-liberation']
    const ok =
      run('apt-get', ['update', '-q'], options) &&
      run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], options)
    const installed = ok && findChromium()
    if (installed) return installed
  }
  return fail(`The browser tests need Chromium or Chrome, and none was found.
  Debian, Ubuntu: sudo apt-get install chromium fonts-liberation
  macOS:          brew install --cask google-chrome
  or set CHROMIUM_PATH to one that you have. 'npm run test:unit' needs no browser.`)
}

const chromiums = {
  linux: ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge'],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
}

function findChromium() {
  const given = process.env.CHROMIUM_PATH
  if (given) return isRunnable(given) ? given : fail(`CHROMIUM_PATH is ${given}, which is not a program.`)
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  return (chromiums[process.platform] ?? [])
    .flatMap((name) => (path.isAbsolute(name) ? [name] : folders.map((folder) => path.join(folder, name))))
    .find(isRunnable)
}

function isRunnable(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function isDebian() {
  try {
    return /^ID(_LIKE)?=.*debian/m.test(readFileSync('/etc/os-release', 'utf8'))
  } catch {
    return false
  }
}
