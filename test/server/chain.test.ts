import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { io as connect } from 'socket.io-client'
import { expect, onTestFinished, test, vi } from 'vitest'
import { toPlainText } from '../../src/core/index.js'
import { connectSocket } from '../../src/socket/index.js'
import { createToolCallStore } from '../../src/store/index.js'
import { createLiveServer } from '../../stories/live/server/server.mjs'

const soon = { timeout: 30_000, interval: 20 }

function temporaryFile() {
  const folder = mkdtempSync(path.join(tmpdir(), 'live-chain-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return path.join(folder, 'state.json')
}

async function startServer(options: Partial<Parameters<typeof createLiveServer>[0]> = {}) {
  const server = await createLiveServer({ stateFile: temporaryFile(), ...options })
  onTestFinished(() => server.close())
  return server
}

/** A page's store on a conversation of the server. */
function openPage(url: string) {
  const socket = connect(url, { forceNew: true })
  onTestFinished(() => void socket.disconnect())
  const store = createToolCallStore()
  const connection = connectSocket(store, { socket, conversationId: 'c-1' })
  onTestFinished(() => connection.close())
  const frames: Record<string, unknown>[] = []
  socket.on('tool_event_stream', (frame) => void frames.push(frame))
  const calls = () => {
    store.flush()
    const { calls: all, conversations } = store.getState()
    return (conversations.get('c-1') ?? []).map((id) => all.get(id))
  }
  return { socket, store, frames, calls }
}

const room = { conversation_id: 'c-1' }
const start = { ...room, scenario: 'a2a-agent' }

test('[A2] [B7] a page sees through Socket.IO and the bridge what an A2A agent does, and how it ends', {
  timeout: 60_000,
}, async () => {
  const stateFile = temporaryFile()
  const server = await startServer({ stateFile, speed: 4 })
  const page = openPage(server.url)
  await page.socket.emitWithAck('start_scenario', start)
  await vi.waitFor(() => expect(page.calls().map((call) => call?.status)).toEqual(['done', 'done', 'done']), soon)

  const [first, ...halves] = page.calls()
  const text = first && toPlainText(first)
  expect(text).toContain('thinking: The table of today has both currencies; I read that.\nread_table [done]\n')
  for (let row = 1; row <= 24; row++) expect(text?.split(`${String(row).padStart(2)}  USD/INR  `)).toHaveLength(2)
  expect(text?.split('24 rows read; the last one counts.')).toHaveLength(2)
  expect(first?.outcome?.value).toBe('10 USD is 856.20 INR.')

  // Two at once to the same agent: nobody can tell whose frames they are, so that only the values are shown (A4).
  expect(halves.map((call) => [call?.tasks.length, call?.outcome?.value])).toEqual([
    [0, 'Complete: May 1 to 15.'],
    [0, 'Complete: May 16 to 31.'],
  ])
  expect(page.frames.filter(({ callId }) => callId === undefined).map(({ state }) => state)).toContain('done')
  await vi.waitFor(() => expect(JSON.parse(readFileSync(stateFile, 'utf8')).runs).toEqual([]), soon)
})

test('[A14] a call of an agent that died with the server has ended without a result', async () => {
  const stateFile = temporaryFile()
  const call = {
    conversationId: 'c-1',
    eventId: 'run-rates',
    eventScene: 'tool',
    status: 'running',
    ts: 1,
    updatedAt: Date.now(),
  }
  const other = { ...call, eventId: 'other-call', ts: 2 }
  const run = { runId: 'run', conversationId: 'c-1', scenario: 'a2a-agent', startedAt: Date.now() - 1_000 }
  const kept = [call, other].map((message) => {
    const { conversationId, eventId } = message
    return { conversationId, key: `chat_event ${eventId}`, event: 'chat_event', message }
  })
  writeFileSync(stateFile, JSON.stringify({ kept, runs: [run] }))
  const server = await startServer({ stateFile })
  const page = openPage(server.url)

  await vi.waitFor(() => expect(page.calls()).toHaveLength(2), soon)

  expect(page.calls().map((shown) => [shown?.id, shown?.status])).toEqual([
    ['run-rates', 'aborted'],
    ['other-call', 'running'],
  ])
  expect(JSON.parse(readFileSync(stateFile, 'utf8')).runs).toEqual([])
})

test('[A2] a conversation that is forgotten hears nothing more of its agents', async () => {
  const stateFile = temporaryFile()
  const server = await startServer({ stateFile, speed: 2 })
  const page = openPage(server.url)
  await page.socket.emitWithAck('start_scenario', start)
  await vi.waitFor(() => expect(page.frames.length).toBeGreaterThan(0), soon)

  await page.socket.emitWithAck('clear_conversation', room)
  const before = page.frames.length
  await new Promise((resolve) => setTimeout(resolve, 1_000))

  expect(page.frames).toHaveLength(before)
  expect(JSON.parse(readFileSync(stateFile, 'utf8')).kept).toEqual([])
})
