import { io } from 'socket.io-client'
import { createToolCallStore, type ToolCallStore } from '../../src/index.js'
import { recordTo } from '../../src/replay/index.js'
import { connectSocket, type SocketConnection } from '../../src/socket/index.js'

/** One entry of a conversation: a message, or the place of a tool call. */
export interface ChatEntry {
  readonly eventId: string
  readonly scene: 'user' | 'agent' | 'tool'
  readonly text: string
  /** When it began, in ms since 1970. */
  readonly ts: number
  /** When it ended; infinite while that is not known. */
  readonly endedAt: number
}

/** A conversation on the live server: what a chat front end has of its own, and the store of its tool calls. */
export interface Chat {
  readonly conversationId: string
  readonly store: ToolCallStore
  /** Connects. Returns what ends the connection. */
  readonly open: () => () => void
  /** The entries in their order; a new list whenever one is added or changes. */
  readonly entries: () => readonly ChatEntry[]
  readonly onEntriesChange: (listener: () => void) => () => void
  readonly startScenario: (scenario: string) => void
  /** Adds a message of the user's. */
  readonly say: (text: string) => void
  /** A fresh address for a file that a run has made (E9). */
  readonly resolveArtifact: (id: string) => Promise<string>
  /** Asks what has become of a run (E5). */
  readonly checkRun: (runId: string) => void
  /** Has the server kill itself. */
  readonly crashServer: () => void
  /** Has the server forget the conversation. */
  readonly clear: () => void
  /** All that the store has taken so far, as the file of a recording. */
  readonly recording: () => Blob
}

/** Makes a conversation that is not connected yet. `url` is the namespace of the live server. */
export function createChat(url: string, conversationId: string): Chat {
  const store = createToolCallStore()
  const lines: string[] = []
  recordTo(store, (line) => void lines.push(line))
  // A chat has a socket for its own messages, and lends it to the library.
  const socket = io(url, { autoConnect: false, forceNew: true, reconnectionDelay: 500, reconnectionDelayMax: 1_000 })
  const room = { conversation_id: conversationId }
  const known = new Map<string, ChatEntry>()
  const runs = new Set<string>()
  const listeners = new Set<() => void>()
  let entries: readonly ChatEntry[] = []
  let connection: SocketConnection | undefined
  let telling: ReturnType<typeof setTimeout> | undefined
  const put = (entry: ChatEntry) => {
    const before = known.get(entry.eventId)
    if (before !== undefined && before.endedAt <= entry.endedAt) return
    known.set(entry.eventId, { ...entry, ts: before?.ts ?? entry.ts })
    // Told together: a thousand calls may begin at once.
    telling ??= setTimeout(tell, 16)
  }
  const tell = () => {
    telling = undefined
    entries = [...known.values()].toSorted((a, b) => a.ts - b.ts)
    for (const listener of listeners) listener()
  }
  const putCall = (eventId: string, ts: number, endedAt = Number.POSITIVE_INFINITY) =>
    put({ eventId, scene: 'tool', text: '', ts, endedAt })

  socket.on('chat_event', ({ eventId, eventScene: scene, content, status, ts, updatedAt }) => {
    if (scene === 'run') {
      // Of a run only its place is kept in the conversation; what has become of it is asked of the gateway (E11).
      if (!runs.has(eventId)) connection?.resumeRun(eventId)
      runs.add(eventId)
      putCall(eventId, ts)
    } else if (scene === 'tool') putCall(eventId, ts, status === 'running' ? undefined : updatedAt)
    else put({ eventId, scene, text: content.text ?? '', ts, endedAt: ts })
  })
  // A call has its place from the first that is heard of it.
  socket.on('tool_call_start', ({ tool_call_id }) => putCall(tool_call_id, Date.now()))
  socket.on('tool_call_result', ({ tool_call_id }) => putCall(tool_call_id, Date.now(), Date.now()))
  socket.on('agent_event', ({ type, toolCallID, parentToolCallID, ts }) => {
    // The calls of a sub-agent have their place under the call that it works for.
    if (type === 'ToolCallEvent' && parentToolCallID === undefined) putCall(toolCallID, ts)
    if (type === 'ToolResultEvent' && known.has(toolCallID)) putCall(toolCallID, ts, ts)
  })
  return {
    conversationId,
    store,
    open() {
      const opened = connectSocket(store, { socket, conversationId, runs: [...runs] })
      connection = opened
      socket.connect()
      return () => {
        opened.close()
        socket.disconnect()
      }
    },
    entries: () => entries,
    onEntriesChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    startScenario: (scenario) => void socket.emit('start_scenario', { ...room, scenario }),
    say: (text) => void socket.emit('say', { ...room, text }),
    async resolveArtifact(id) {
      const answer = await fetch(new URL(`/artifacts/${encodeURIComponent(id)}/link`, url))
      if (!answer.ok) throw new Error(`No link to ${id}: ${answer.status}`)
      const { url: link } = await answer.json()
      return link
    },
    checkRun: (runId) => connection?.resumeRun(runId),
    crashServer: () => void socket.emit('crash'),
    recording: () => new Blob(lines, { type: 'application/jsonl' }),
    clear: () => void socket.emit('clear_conversation', room),
  }
}
