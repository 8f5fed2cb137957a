import { io } from 'socket.io-client'
import { createToolCallStore, type ToolCallStore } from '../../src/index.js'
import { connectSocket } from '../../src/socket/index.js'

/** One entry of a conversation: a message, or the place of a tool call. */
export interface ChatEntry {
  readonly eventId: string
  readonly scene: 'user' | 'agent' | 'tool'
  readonly text: string
  /** When it began, in ms since 1970. */
  readonly ts: number
}

/** A conversation on the live server: what a chat front end has of its own, and the store of its tool calls. */
export interface Chat {
  readonly store: ToolCallStore
  /** Connects. Returns what ends the connection. */
  readonly open: () => () => void
  /** The entries in their order; a new list whenever one is added. */
  readonly entries: () => readonly ChatEntry[]
  readonly onEntriesChange: (listener: () => void) => () => void
  readonly startScenario: (scenario: string) => void
  /** Has the server kill itself. */
  readonly crashServer: () => void
  /** Has the server forget the conversation. */
  readonly clear: () => void
}

/** Makes a conversation that is not connected yet. `url` is the namespace of the live server. */
export function createChat(url: string, conversationId: string): Chat {
  const store = createToolCallStore()
  // A chat has a socket for its own messages, and lends it to the library.
  const socket = io(url, { autoConnect: false, forceNew: true, reconnectionDelay: 500, reconnectionDelayMax: 1_000 })
  const room = { conversation_id: conversationId }
  const known = new Map<string, ChatEntry>()
  const listeners = new Set<() => void>()
  let entries: readonly ChatEntry[] = []
  const add = (entry: ChatEntry) => {
    if (known.has(entry.eventId)) return
    known.set(entry.eventId, entry)
    entries = [...known.values()].toSorted((a, b) => a.ts - b.ts)
    for (const listener of listeners) listener()
  }
  socket.on('chat_event', ({ eventId, eventScene: scene, content, ts }) =>
    add({ eventId, scene, text: content.text ?? '', ts }),
  )
  // A call has its place from the first that is heard of it.
  for (const event of ['tool_call_start', 'tool_call_result']) {
    socket.on(event, ({ tool_call_id: eventId }) => add({ eventId, scene: 'tool', text: '', ts: Date.now() }))
  }
  return {
    store,
    open() {
      const connection = connectSocket(store, { socket, conversationId })
      socket.connect()
      return () => {
        connection.close()
        socket.disconnect()
      }
    },
    entries: () => entries,
    onEntriesChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    startScenario: (scenario) => void socket.emit('start_scenario', { ...room, scenario }),
    crashServer: () => void socket.emit('crash'),
    clear: () => void socket.emit('clear_conversation', room),
  }
}
