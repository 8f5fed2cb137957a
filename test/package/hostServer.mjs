import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'
import { Server } from 'socket.io'

const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/**
 * A host's server on loopback: the files of `folder`, and a Socket.IO namespace `/chat` that sends one ended call to
 * whoever joins. `render` makes the page, where it is not the folder's index.html. Returns its address and what ends it.
 */
export async function startServer(folder, render) {
  const http = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost')
    const file = pathname === '/' ? 'index.html' : pathname.slice(1)
    try {
      const body = pathname === '/' && render ? await render() : await readFile(path.join(folder, file))
      response.writeHead(200, { 'content-type': types[path.extname(file)] ?? 'application/octet-stream' }).end(body)
    } catch (error) {
      // A page without an icon is not worth a complaint.
      response.writeHead(pathname === '/favicon.ico' ? 204 : 500).end(String(error))
    }
  })
  const io = new Server(http)
  io.of('/chat').on('connection', (socket) => {
    socket.on('join_conversation', () => socket.emit('chat_event', endedCall))
  })
  await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve))
  return { address: `http://127.0.0.1:${http.address().port}/`, stop: () => io.close() }
}

/** A call that has ended. */
export const endedCall = {
  eventId: 'evt-1',
  conversationId: 'c-1',
  eventScene: 'tool',
  status: 'done',
  content: {
    toolCall: { functionCall: { name: 'read_file', arguments: '{"path":"a.txt"}' } },
    toolReturn: 'the file as it is',
  },
}
