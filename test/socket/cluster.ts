import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server as HttpServer } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Socket as TcpSocket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createAdapter } from '@socket.io/redis-streams-adapter'
import { createClient } from 'redis'
import { Server } from 'socket.io'
import { expect, vi } from 'vitest'

/** A message with the event that carries it. */
export type Delivery = readonly [event: string, message: unknown]

/** Whether this machine has a Redis to run. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0

/** A Redis of our own on a Unix socket, without files. Returns its socket and what ends it. */
export async function startRedis() {
  const folder = mkdtempSync(path.join(tmpdir(), 'tcd-redis-'))
  const socketPath = path.join(folder, 'redis.sock')
  const redis = spawn('redis-server', ['--port', '0', '--unixsocket', socketPath, '--save', '', '--dir', folder], {
    stdio: 'ignore',
  })
  const ended = new Promise((resolve) => redis.on('exit', resolve))
  return {
    socketPath,
    async stop() {
      redis.kill()
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Nodes of one Socket.IO service behind Redis Streams, and what stands between them and a client: a proxy that reaches
 * one node at a time. Whoever joins a conversation is sent all of it so far, as a server with a store of its own does.
 */
export async function createCluster(socketPath: string, size: number) {
  const log: Delivery[] = []
  const nodes: (Node | undefined)[] = []
  const proxy = await createProxy(() => nodes[proxy.target]?.port)
  const start = async (index: number) => {
    nodes[index] = await startNode(socketPath, log)
  }
  const kill = async (index: number) => {
    const node = nodes[index]
    nodes[index] = undefined
    await node?.kill()
  }
  for (let index = 0; index < size; index++) await start(index)
  return {
    url: `http://127.0.0.1:${proxy.port}/chat`,
    log,
    proxy,
    start,
    kill,
    /** Keeps a message, and sends it through one of the nodes that live, if there is one. */
    deliver(delivery: Delivery, through: number) {
      log.push(delivery)
      const node = nodes[through] ?? nodes.find((each) => each !== undefined)
      node?.io
        .of('/chat')
        .to('c-1')
        .emit(...delivery)
    },
    async stop() {
      proxy.stop()
      for (let index = 0; index < size; index++) await kill(index)
    },
  }
}

interface Node {
  readonly io: Server
  readonly port: number
  readonly kill: () => Promise<void>
}

async function startNode(socketPath: string, log: readonly Delivery[]): Promise<Node> {
  const redis = createClient({ socket: { path: socketPath, tls: false } })
  redis.on('error', () => {
    // Not there yet, or gone with the test: the client tries again by itself.
  })
  await redis.connect()
  const http = createServer()
  const io = new Server(http, {
    adapter: createAdapter(redis),
    connectionStateRecovery: { maxDisconnectionDuration: 60_000 },
    pingInterval: 400,
    pingTimeout: 1_500,
  })
  io.of('/chat').on('connection', (socket) => {
    socket.on('join_conversation', async ({ conversation_id }) => {
      await socket.join(conversation_id)
      for (const [event, message] of log) socket.emit(event, message)
    })
  })
  const tcp = new Set<TcpSocket>()
  http.on('connection', (socket) => {
    tcp.add(socket)
    socket.on('close', () => tcp.delete(socket))
  })
  const port = await listen(http)
  await vi.waitFor(
    async () => expect(await redis.pubSubChannels()).toEqual(expect.arrayContaining(channelsOf(io))),
    20_000,
  )
  // That the adapter has heard of it takes a round trip and a turn of the event loop more.
  await redis.ping()
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
  return {
    io,
    port,
    /** As a process that is killed: nobody is told. */
    async kill() {
      for (const socket of tcp) socket.destroy()
      await io.close()
      await redis.close()
    },
  }
}

/** What the adapter subscribes to, which it does not wait for. One that is closed before leaves a rejected promise. */
function channelsOf(io: Server): string[] {
  return ['/', '/chat'].map((name) => `socket.io#${name}#${(io.of(name).adapter as unknown as { uid: string }).uid}#`)
}

/** Passes bytes between a client and the node that `portOf` names; it can cut, hold back and go quiet. */
async function createProxy(portOf: () => number | undefined) {
  const pairs = new Set<readonly [TcpSocket, TcpSocket]>()
  let delayMs = 0
  const server = createTcpServer((client) => {
    const port = portOf()
    if (port === undefined) {
      client.destroy()
      return
    }
    const upstream = connect(port, '127.0.0.1')
    const pair = [client, upstream] as const
    pairs.add(pair)
    for (const [from, to] of [pair, [upstream, client]] as const) {
      from.on('data', (chunk) => {
        if (delayMs === 0) to.write(chunk)
        else {
          from.pause()
          setTimeout(() => {
            to.write(chunk)
            from.resume()
          }, delayMs)
        }
      })
      from.on('error', () => from.destroy())
      from.on('close', () => {
        to.destroy()
        pairs.delete(pair)
      })
    }
  })
  const port = await listen(server)
  return {
    port,
    /** The index of the node that new connections go to. */
    target: 0,
    /** Ends all connections at once. */
    cut() {
      for (const pair of pairs) for (const socket of pair) socket.destroy()
    },
    /** Half-open: what is connected now stays connected and hears nothing more. */
    goQuiet() {
      for (const pair of pairs) for (const socket of pair) socket.pause()
    },
    setDelay(ms: number) {
      delayMs = ms
    },
    stop() {
      this.cut()
      server.close()
    },
  }
}

async function listen(server: HttpServer | ReturnType<typeof createTcpServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
