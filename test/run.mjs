// `npm test`: everything from a fresh clone to the count of what passed. With arguments, which go to Vitest, only that.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ensureChromium, ensureReady, quietEnv, root, run, tools } from '../.ci/setup.mjs'
import { wrongNames } from './requirements.mjs'

const args = process.argv.slice(2)
ensureReady()
const env = needsBrowser(args) ? { ...quietEnv, CHROMIUM_PATH: ensureChromium() } : quietEnv
const count = { passed: 0, failed: 0, skipped: 0 }
if (args.length === 0) {
  // Two lanes at a time: more would only fight over the processors.
  const types = [
    ['types', tools.tsc, '-p', '.'],
    ['types of src', tools.tsc, '-p', 'src', '--noEmit'],
  ]
  const lint = [
    ['format', tools.biome, 'check', '--config-path=.ci', '--colors=off', '.'],
    ['lint', tools.oxlint, '-c', '.ci/oxlint.json', '--type-aware'],
    ['dead code', tools.knip],
  ]
  await Promise.all([types, lint].map(inTurn))
}
runTests()
const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : ''
console.log(`${count.passed} passed, ${count.failed} failed${skipped}`)
process.exitCode = count.failed === 0 ? 0 : 1

/** False when only projects that run in Node were asked for. */
function needsBrowser(vitestArgs) {
  const projects = vitestArgs.filter((arg) => arg.startsWith('--project=')).map((arg) => arg.slice('--project='.length))
  return projects.length === 0 || projects.some((name) => name !== 'core' && name !== 'react')
}

async function inTurn(checks) {
  for (const [name, ...command] of checks) {
    const start = performance.now()
    const { ok, output } = await capture(command)
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    count[ok ? 'passed' : 'failed'] += 1
    console.log(`[${name}] ${ok ? 'passed' : 'FAILED'} in ${seconds} s`)
    if (!ok) console.log(output)
  }
}

function capture(command) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, command, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const pieces = []
    child.stdout.on('data', (piece) => pieces.push(piece))
    child.stderr.on('data', (piece) => pieces.push(piece))
    child.on('close', (code) => resolve({ ok: code === 0, output: Buffer.concat(pieces).toString() }))
  })
}

function runTests() {
  const folder = mkdtempSync(path.join(tmpdir(), 'vitest-'))
  const report = path.join(folder, 'report.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const ok = run(process.execPath, [tools.vitest, 'run', ...reporters, ...args], { env })
  const result = readReport(report)
  rmSync(folder, { recursive: true, force: true })
  count.passed += result.numPassedTests
  count.skipped += result.numPendingTests + result.numTodoTests
  const unloaded = result.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
  count.failed += result.numFailedTests + unloaded.length
  // Vitest also fails when an error is left unhandled or it finds nothing to run.
  if (count.failed === 0 && (!ok || result.numPassedTests === 0)) count.failed = 1
  checkNames(result.testResults, args.length === 0 && unloaded.length === 0)
}

/** One more check, which only a run of all tests can pass: a part of them can at most show that a name is wrong. */
function checkNames(files, isAll) {
  const wrong = wrongNames(files, { isAll })
  if (wrong.length > 0) {
    count.failed += 1
    console.log(`[requirements] FAILED\n${wrong.join('\n')}`)
  } else if (isAll) {
    count.passed += 1
    console.log('[requirements] passed')
  }
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    console.error('Vitest left no report.')
    return { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [] }
  }
}
