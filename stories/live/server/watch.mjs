// @ts-check
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/**
 * Starts the live page's server as a process of its own and starts it again, on the same port, whenever it dies.
 * @param {object} [options]
 * @param {NodeJS.ProcessEnv} [options.env] Its environment, with what main.mjs reads from it.
 * @param {number} [options.restartMs] How long it stays dead. Default: 1500, long enough to be seen on the page.
 * @returns {Promise<{ url: string, stop(): void }>} Its address, and what ends it. Rejected when it does not come up the
 * first time.
 */
export async function watchLiveServer({ env = process.env, restartMs = 1_500 } = {}) {
  let { server, url } = await startLiveServer(env)
  const restartEnv = { ...env, LIVE_PORT: new URL(url).port }
  let stopped = false
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  server.once('exit', restartLater)
  return {
    url,
    stop() {
      stopped = true
      clearTimeout(timer)
      server.kill()
    },
  }

  function restartLater() {
    if (!stopped) timer = setTimeout(() => void restart(), restartMs)
  }

  async function restart() {
    try {
      ;({ server } = await startLiveServer(restartEnv))
    } catch {
      restartLater()
      return
    }
    if (stopped) server.kill()
    else server.once('exit', restartLater)
  }
}

/**
 * Starts the live page's server as a process of its own, which ends with this one.
 * @param {NodeJS.ProcessEnv} env Its environment, with what main.mjs reads from it.
 * @returns {Promise<{ server: import('node:child_process').ChildProcess, url: string }>} The process, and its address.
 */
export async function startLiveServer(env) {
  const main = fileURLToPath(new URL('main.mjs', import.meta.url))
  // Its standard input is a pipe from this process, and ends with it: the server then ends too.
  const server = spawn(process.execPath, [main], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  for await (const line of createInterface({ input: server.stdout })) {
    /** @type {{ url: string }} */
    const { url } = JSON.parse(line)
    return { server, url }
  }
  throw new Error('The live server did not start: what it printed says why.')
}
