// @ts-check
// The live page's server as a process. It says its address in one line of JSON, and ends when its standard input does,
// so that it never outlives who started it.
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createLiveServer } from './server.mjs'

const cache = fileURLToPath(new URL('../../../node_modules/.cache/tool-call-detail', import.meta.url))
const { LIVE_PORT, LIVE_SPEED, LIVE_STATE_FILE } = process.env

process.stdin.resume()
for (const event of ['end', 'close']) process.stdin.once(event, () => process.exit())
const { url } = await createLiveServer({
  port: Number(LIVE_PORT ?? 0),
  speed: Number(LIVE_SPEED ?? 1),
  stateFile: LIVE_STATE_FILE ?? path.join(cache, 'live-state.json'),
  onCrash: () => process.kill(process.pid, 'SIGKILL'),
})
console.log(JSON.stringify({ url }))
