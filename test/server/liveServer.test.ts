import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectSocket } from '../../src/socket/index.js'
import { createToolCallStore } from '../../src/store/index.js'
import { allScenarios, stepsOf } from '../../stories/live/server/scenarios.mjs'
import { watchLiveServer } from '../../stories/live/server/watch.mjs'
import { createClient, soon, startServer, temporaryFile } from '../support/liveServer.js'

const room = { conversation_id: 'c-1' }

test('[A2] plays a scenario to the room that it was started in, and to no other', async () => {
  const server = await startServer({ speed: 20 })
  const here = createClient(server.url)
  const elsewhere = createClient(server.url)
  here.socket.emit('join_conversation', room)
  elsewhere.socket.emit('join_conversation', { conversation_id: 'c-2' })
  const { run_id } = await here.socket.emitWithAck('start_scenario', { ...room, scenario: 'thinking' })
  const startedAt = () => Number(here.snapshots()[0]?.ts)
  await vi.waitFor(() => {
    const run = { runId: run_id, conversationId: 'c-1', scenario: 'thinking', startedAt: startedAt(), speed: 20 }
    expect(here.heard).toEqual(stepsOf(run).map(({ event, message }) => ({ event, message })))
  }, soon)
  expect(elsewhere.heard).toEqual([])
})

test('[A14] keeps snapshots, not frames, and sends them to who joins', async () => {
  const stateFile = temporaryFile()
  const server = await startServer({ stateFile, speed: 20 })
  const first = createClient(server.url)
  first.socket.emit('join_conversation', room)
  await first.socket.emitWithAck('start_scenario', { ...room, scenario: 'aborted' })
  await vi.waitFor(() => expect(first.snapshots().at(-1)).toMatchObject({ eventScene: 'agent' }), soon)
  expect(first.frames().length).toBeGreaterThan(5)

  const second = createClient(server.url)
  second.socket.emit('join_conversation', room)
  await vi.waitFor(() => expect(second.snapshots()).toHaveLength(3), soon)
  expect(second.snapshots().map(({ eventScene, status }) => [eventScene, status])).toEqual([
    ['user', 'completed'],
    ['tool', 'failed'],
    ['agent', 'completed'],
  ])
  expect(second.frames()).toEqual([])
  expect(readFileSync(stateFile, 'utf8')).not.toContain('envelope')
  await vi.waitFor(() => expect(JSON.parse(readFileSync(stateFile, 'utf8')).runs).toEqual([]), soon)
})

test('[A14] goes on after a restart: what was due meanwhile is lost if a frame, and kept if a snapshot', async () => {
  const stateFile = temporaryFile()
  // As if the server had died at the start and came back after 21 s, of a run so slow that no machine misses the rest.
  const startedAt = Date.now() - 21_000
  const run = { runId: 'run', conversationId: 'c-1', scenario: 'parallel-calls', startedAt, speed: 0.2 }
  writeFileSync(stateFile, JSON.stringify({ kept: [], runs: [run] }))
  const server = await startServer({ stateFile })
  const client = createClient(server.url)
  client.socket.emit('join_conversation', room)
  await vi.waitFor(() => expect(client.frames().length).toBeGreaterThan(0), soon)

  const due = stepsOf(run).filter(({ at }) => at <= 21_000)
  const heard = client.heard.map((entry) => JSON.stringify(entry))
  const isHeard = (step: (typeof due)[number]) =>
    heard.includes(JSON.stringify({ event: step.event, message: step.message }))
  expect(due.filter(({ event }) => event === 'tool_event_stream').some(isHeard)).toBe(false)
  expect(client.snapshots().map(({ eventId, status }) => [eventId, status])).toEqual([
    ['run-message-1', 'completed'],
    ['run-weather-desk', 'completed'],
    ['run-travel-desk', 'running'],
    ['run-finance', 'running'],
  ])
})

test('[A14] starts with nothing when its file is damaged, holds an unknown scenario or is a day old', async () => {
  const message = { eventId: 'e', updatedAt: Date.now() - 25 * 60 * 60 * 1000 }
  const old = { conversationId: 'c-1', key: 'chat_event e', event: 'chat_event', message }
  const run = { runId: 'r', conversationId: 'c-2', scenario: 'gone', startedAt: Date.now() }
  for (const text of ['{"kept"', '{}', JSON.stringify({ kept: [old], runs: [run] })]) {
    const stateFile = temporaryFile()
    writeFileSync(stateFile, text)
    const server = await startServer({ stateFile })
    const client = createClient(server.url)
    client.socket.emit('join_conversation', room)
    await client.socket.emitWithAck('leave_conversation', room)
    expect(client.heard).toEqual([])
    await server.close()
  }
})

test('[A2] forgets a conversation, and stops what runs in it', async () => {
  const server = await startServer({ speed: 5 })
  const client = createClient(server.url)
  client.socket.emit('join_conversation', room)
  await client.socket.emitWithAck('start_scenario', { ...room, scenario: 'thinking' })
  await vi.waitFor(() => expect(client.frames().length).toBeGreaterThan(0), soon)
  await client.socket.emitWithAck('clear_conversation', room)
  const before = client.heard.length
  client.socket.emit('join_conversation', room)
  const other = { conversation_id: 'c-1', scenario: 'asynchronous' }
  await client.socket.emitWithAck('start_scenario', other)
  await vi.waitFor(() => expect(client.snapshots().at(-1)).toMatchObject({ eventScene: 'agent' }), soon)
  expect(client.heard.slice(before)).toHaveLength(4)
})

const requests = [
  'join_conversation',
  'leave_conversation',
  'start_scenario',
  'clear_conversation',
  'tool_approval_response',
]

test.for([
  [undefined],
  [null],
  ['c-1'],
  [{}],
  [{ conversation_id: '' }],
  [{ conversation_id: {} }],
  [{ ...room, scenario: 1 }],
])('[H1] answers a request that makes no sense with an error: %j', async ([request]) => {
  const server = await startServer()
  const client = createClient(server.url)
  for (const event of requests) {
    client.socket.emit(event, request)
    expect(await client.socket.emitWithAck(event, request)).toEqual({ error: expect.any(String) })
  }
  expect(await client.socket.emitWithAck('start_scenario', { ...room, scenario: 'toString' })).toHaveProperty('error')
})

test.for(['https://example.org', 'http://localhost.example.org', 'http://127.0.0.1.example.org:6006', 'null'])(
  '[H1] lets no page from elsewhere in: %s',
  async (origin) => {
    const server = await startServer()
    for (const transports of [['websocket'], ['polling']]) {
      const client = createClient(server.url, { transports, extraHeaders: { origin }, reconnection: false })
      await new Promise((resolve) => void client.socket.once('connect_error', resolve))
      expect(client.socket.connected).toBe(false)
    }
  },
)

test('[A2] lets pages from this machine in', async () => {
  const server = await startServer()
  for (const origin of ['http://localhost:6006', 'http://127.0.0.1:6006', 'http://[::1]:80', 'https://localhost']) {
    const client = createClient(server.url, { transports: ['websocket'], extraHeaders: { origin } })
    await vi.waitFor(() => expect(client.socket.connected).toBe(true), soon)
  }
})

test('[A2] says so when its port is taken', async () => {
  const server = await startServer()
  const port = Number(new URL(server.url).port)
  await expect(startServer({ port })).rejects.toThrow(/EADDRINUSE/)
})

/** The server as `npm start` runs it: a process that is watched. */
async function startWatched(env: Record<string, string> = {}) {
  const watched = await watchLiveServer({
    env: { ...process.env, LIVE_STATE_FILE: temporaryFile(), ...env },
    restartMs: 200,
  })
  onTestFinished(() => watched.stop())
  return watched
}

test('[A14] killed and restarted in mid-stream: the final state is right and the open process says what happened', {
  timeout: 60_000,
}, async () => {
  const server = await startWatched({ LIVE_SPEED: '2' })
  const store = createToolCallStore()
  const host = createClient(server.url)
  const connection = connectSocket(store, { socket: host.socket, conversationId: 'c-1' })
  onTestFinished(() => connection.close())
  const statuses: string[] = []
  connection.onStatusChange((status) => statuses.push(status))
  await host.socket.emitWithAck('start_scenario', { ...room, scenario: 'interleaved-streams' })
  const theCall = () => {
    store.flush()
    return [...store.getState().calls.values()][0]
  }
  await vi.waitFor(() => expect(theCall()?.tasks[0]?.blockCount).toBeGreaterThan(4), soon)
  const blocksBefore = theCall()?.tasks[0]?.blockCount ?? 0

  host.socket.emit('crash')
  await vi.waitFor(() => expect(connection.status).toBe('lost'), soon)
  expect(theCall()?.status).toBe('running')
  expect(theCall()?.tasks[0]?.interruptions).toEqual([{ lostAt: expect.any(Number), backAt: undefined }])

  await vi.waitFor(() => expect(connection.status).toBe('connected'), soon)
  await vi.waitFor(() => expect(theCall()?.status).toBe('done'), soon)
  expect(statuses).toEqual(['connected', 'lost', 'connected'])
  expect(theCall()?.outcome?.value).toContain('holds 400 users')
  const [task] = theCall()?.tasks ?? []
  expect(task?.blockCount).toBeGreaterThanOrEqual(blocksBefore)
  expect(task?.interruptions).toEqual([{ lostAt: expect.any(Number), backAt: expect.any(Number) }])
})

test('[A14] a server that dies comes back at the same address', async () => {
  const server = await startWatched()
  const client = createClient(server.url)
  for (const times of [1, 2]) {
    await vi.waitFor(() => expect(client.socket.connected).toBe(true), soon)
    client.socket.emit('crash')
    await vi.waitFor(() => expect(client.socket.connected, `after crash ${times}`).toBe(false), soon)
  }
  await vi.waitFor(() => expect(client.socket.connected).toBe(true), soon)
})

test('[A14] a watched server that is stopped stays away', async () => {
  const server = await startWatched()
  const client = createClient(server.url)
  await vi.waitFor(() => expect(client.socket.connected).toBe(true), soon)
  server.stop()
  await vi.waitFor(() => expect(client.socket.connected).toBe(false), soon)
  const refused = new Promise((resolve) => void client.socket.io.on('reconnect_error', resolve))
  await refused
  await new Promise((resolve) => void setTimeout(resolve, 600))
  expect(client.socket.connected).toBe(false)
})

test('[A14] the process ends with whoever started it', async () => {
  const { spawn } = await import('node:child_process')
  const main = path.resolve('stories/live/server/main.mjs')
  const env = { ...process.env, LIVE_STATE_FILE: temporaryFile() }
  const child = spawn(process.execPath, [main], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = new Promise((resolve) => void child.once('exit', resolve))
  await new Promise((resolve) => void child.stdout.once('data', resolve))
  child.stdin.end()
  expect(await ended).toBe(0)
})

test('[F3] offers every kind of call', () => {
  expect(allScenarios.map(({ name }) => name)).toEqual([
    'release-build',
    'thinking',
    'parallel-calls',
    'several-tasks',
    'interleaved-streams',
    'aborted',
    'silent',
    'no-call-id',
    'third-party',
    'asynchronous',
    'large-file',
    'arguments-cut-off',
    'result-without-start',
    'twenty-calls',
    'error-result',
    'falsy-results',
    'disturbed',
    'approval',
    'same-tool',
    'sub-agent',
    'terminal',
    'instant-commands',
    'several-terminals',
    'overdue',
    'session-ends',
    'parallel-on-bus',
    'expiring',
    'refused-answer',
    'answer-lost',
    'thousand-requests',
  ])
})
