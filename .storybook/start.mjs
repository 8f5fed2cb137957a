// `npm start [storybook arguments]`: everything from a fresh clone to Storybook in development, with the live page's
// server beside it.
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { ensureReady, quietEnv, root, tools } from '../.ci/setup.mjs'
import { watchLiveServer } from '../stories/live/server/watch.mjs'

ensureReady()
const args = process.argv.slice(2)
const port = Number(/(?:^|\s)(?:-p|--port)[ =](\d+)/.exec(args.join(' '))?.[1] ?? 6006)
// Storybook would go to another port without a word where nobody looks for it.
if (!(await isFree(port))) {
  console.error(`[start] Port ${port} is taken, perhaps by another Storybook: stop that, or choose another port with
        npm start -- --port=${port + 1}`)
  process.exit(1)
}
const live = await watchLiveServer()
const storybook = spawn(
  process.execPath,
  [tools.storybook, 'dev', '--ci', `--port=${port}`, '--no-version-updates', '--disable-telemetry', ...args],
  { cwd: root, env: { ...quietEnv, STORYBOOK_LIVE_URL: live.url }, stdio: 'inherit' },
)
storybook.on('exit', (code) => {
  process.exitCode = code ?? 1
  live.stop()
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    live.stop()
    storybook.kill(signal)
  })
}

function isFree(wanted) {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(wanted, () => probe.close(() => resolve(true)))
  })
}
