import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { io as connect } from 'socket.io-client'
import { onTestFinished } from 'vitest'
import { createLiveServer } from '../../stories/live/server/server.mjs'

export const soon = { timeout: 15_000, interval: 20 }

export function temporaryFile() {
  const folder = mkdtempSync(path.join(tmpdir(), 'live-server-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return path.join(folder, 'state.json')
}

/** The live page's server, in this process. */
export async function startServer(options: Partial<Parameters<typeof createLiveServer>[0]> = {}) {
  const server = await createLiveServer({ stateFile: temporaryFile(), ...options })
  let closed = false
  const close = async () => {
    if (!closed) await server.close()
    closed = true
  }
  onTestFinished(close)
  return { ...server, close }
}

/** A client that writes down all it hears. */
export function createClient(url: string, options = {}) {
  const socket = connect(url, { forceNew: true, reconnectionDelay: 20, reconnectionDelayMax: 50, ...options })
  onTestFinished(() => void socket.disconnect())
  const heard: { event: string; message: Record<string, unknown> }[] = []
  socket.onAny((event, message) => heard.push({ event, message }))
  const of = (event: string) => heard.filter((entry) => entry.event === event).map(({ message }) => message)
  return {
    socket,
    heard,
    snapshots: () => of('chat_event'),
    frames: () => of('tool_event_stream'),
    /** What the bus said, of one type where one is named. */
    bus: (type?: string) => of('agent_event').filter((message) => type === undefined || message.type === type),
  }
}
