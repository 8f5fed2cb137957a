import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server, type ServerOptions, type Socket } from 'socket.io'
import { onTestFinished } from 'vitest'

/** A real Socket.IO server with the namespace `/chat` and its rooms, which writes down who came and went. On any port by default. */
export async function createChatServer(options: Partial<ServerOptions> = {}, givenPort = 0) {
  const http = createServer()
  const io = new Server(http, options)
  const chat = io.of('/chat')
  /** `join c-1`, `leave c-1`, in the order in which they came. */
  const log: string[] = []
  const sockets: Socket[] = []
  chat.on('connection', (socket) => {
    sockets.push(socket)
    socket.on('join_conversation', ({ conversation_id }) => {
      void socket.join(conversation_id)
      log.push(`join ${conversation_id}`)
    })
    socket.on('leave_conversation', ({ conversation_id }) => {
      void socket.leave(conversation_id)
      log.push(`leave ${conversation_id}`)
    })
    socket.on('disconnect', (reason) => log.push(reason))
  })
  await new Promise<void>((resolve) => http.listen(givenPort, '127.0.0.1', resolve))
  onTestFinished(() => io.close())
  const { port } = http.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/chat`,
    port,
    chat,
    log,
    /** Ends it, as when its process dies: the clients see their connections break. */
    async kill() {
      for (const { conn } of sockets) conn.close()
      await io.close()
    },
    /** Breaks the newest client's connection, as a network does: the client will come back by itself. */
    breakConnection: () => sockets.at(-1)?.conn.close(),
    /** Ends it by the server's will: Socket.IO's client then stays away. */
    dismiss: () => sockets.at(-1)?.disconnect(),
  }
}
