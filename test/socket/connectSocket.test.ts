import { io as connect } from 'socket.io-client'
import { describe, expect, expectTypeOf, onTestFinished, test, vi } from 'vitest'
import { logOf } from '../../src/core/index.js'
import {
  type ChatSocket,
  type ConnectionStatus,
  type ConnectSocketOptions,
  connectSocket,
} from '../../src/socket/index.js'
import { createToolCallStore, type ToolCallStore } from '../../src/store/index.js'
import { createFakeSocket } from '../../src/testing/index.js'
import { createChatServer } from './chatServer.js'
import { doneFrame, snapshot, textFrame } from './messages.js'

/** Reconnects fast; a machine that is slow all the same is waited for. */
const ioOptions = { reconnectionDelay: 20, reconnectionDelayMax: 20 }
const soon = { timeout: 15_000, interval: 20 }

function openConnection(store: ToolCallStore, options: Partial<ConnectSocketOptions>) {
  const connection = connectSocket(store, { conversationId: 'c-1', ...(options.url && { ioOptions }), ...options })
  onTestFinished(() => connection.close())
  return connection
}

function hostSocket(url: string) {
  const socket = connect(url, { ...ioOptions, forceNew: true })
  onTestFinished(() => void socket.disconnect())
  return socket
}

function callIn(store: ToolCallStore, callId = 'evt-1') {
  store.flush()
  return store.getState().calls.get(callId)
}

function textsIn(store: ToolCallStore, callId = 'evt-1') {
  return callIn(store, callId)?.tasks.flatMap(({ items }) =>
    items.map((item) => ('text' in item ? item.text : item.kind)),
  )
}

/** What the server's socket has been told, once everything on its way has arrived. */
const joined = (log: readonly string[], times = 1) =>
  vi.waitFor(() => expect(log.filter((entry) => entry === 'join c-1')).toHaveLength(times), soon)

describe('rooms', () => {
  test("[A2] joins the conversation's room on connect and hears what is sent to it, and only that", async () => {
    const server = await createChatServer()
    const store = createToolCallStore()
    openConnection(store, { url: server.url })
    await joined(server.log)
    server.chat.to('c-2').emit('chat_event', snapshot({ eventId: 'other', conversationId: 'c-2' }))
    server.chat.to('c-1').emit('chat_event', snapshot())
    server.chat.to('c-1').emit('tool_event_stream', textFrame(1, 'hello'))
    await vi.waitFor(() => expect(textsIn(store)).toEqual(['hello']), soon)
    expect(callIn(store)?.toolName).toBe('ask_colleague')
    expect(store.getState().conversations.get('c-1')).toEqual(['evt-1'])
    expect(callIn(store, 'other')).toBeUndefined()
  })

  test('[C1] hears the calls whose arguments stream in, with the scope and the mode that the host names', async () => {
    const server = await createChatServer()
    const store = createToolCallStore()
    openConnection(store, { url: server.url, context: { scope: 's-1', argumentsMode: 'append' } })
    await joined(server.log)
    const id = { tool_call_id: 'call-1' }
    server.chat.to('c-1').emit('tool_call_start', { ...id, tool_name: 'write_file', arguments: '' })
    for (const piece of ['{"path":', '"a"}']) {
      server.chat.to('c-1').emit('tool_call_args_delta', { ...id, arguments: piece })
    }
    server.chat.to('c-1').emit('tool_call_result', { ...id, result: 0, status: 'success' })
    await vi.waitFor(() => expect(callIn(store, 's-1/call-1')?.status).toBe('done'), soon)
    expect(callIn(store, 's-1/call-1')).toMatchObject({ toolName: 'write_file', args: '{"path":"a"}' })
    expect(store.getState().conversations.get('c-1')).toEqual(['s-1/call-1'])
  })

  test('[A2] takes a snapshot that names no conversation for one of its own', async () => {
    const server = await createChatServer()
    const store = createToolCallStore()
    openConnection(store, { url: server.url })
    await joined(server.log)
    server.chat.to('c-1').emit('chat_event', snapshot({ conversationId: undefined }))
    await vi.waitFor(() => expect(callIn(store)).toBeDefined(), soon)
    expect(store.getState().conversations.get('c-1')).toEqual(['evt-1'])
  })

  test('[A2] disconnects its own socket on close, which leaves the room, and takes nothing more', async () => {
    const server = await createChatServer()
    const store = createToolCallStore()
    const connection = openConnection(store, { url: server.url })
    await joined(server.log)
    connection.close()
    connection.close()
    await vi.waitFor(() => expect(server.log).toEqual(['join c-1', 'client namespace disconnect']), soon)
    expect(server.chat.adapter.rooms.has('c-1')).toBe(false)
    expect(connection.status).toBe('closed')
    expect(connection.socket.connected).toBe(false)
  })

  test('[A2] joins again after each reconnect', async () => {
    const server = await createChatServer()
    const store = createToolCallStore()
    openConnection(store, { url: server.url })
    await joined(server.log)
    server.breakConnection()
    await joined(server.log, 2)
    server.breakConnection()
    await joined(server.log, 3)
    server.chat.to('c-1').emit('chat_event', snapshot())
    await vi.waitFor(() => expect(callIn(store)).toBeDefined(), soon)
  })

  test('[A2] connects its own socket again after the server has ended the connection', async () => {
    const server = await createChatServer()
    const connection = openConnection(createToolCallStore(), { url: server.url })
    await joined(server.log)
    server.dismiss()
    await vi.waitFor(() => expect(connection.status).toBe('lost'), soon)
    await joined(server.log, 2)
    expect(connection.status).toBe('connected')
  })

  test('[A2] connects its own socket again after the server has refused it', async () => {
    const server = await createChatServer()
    let refusals = 1
    server.chat.use((_socket, next) => next(refusals-- > 0 ? new Error('not yet') : undefined))
    const connection = openConnection(createToolCallStore(), { url: server.url })
    await joined(server.log)
    expect(connection.status).toBe('connected')
  })

  test('[A2] takes the names of the events, and which protocol each is in, as options', async () => {
    const server = await createChatServer()
    const heard: unknown[] = []
    server.chat.on('connection', (socket) => {
      socket.onAny((...args) => heard.push(args))
      socket.emit('frames', textFrame(1, 'hello'))
      socket.emit('tool_event_stream', textFrame(2, 'not listened to'))
    })
    const store = createToolCallStore()
    const connection = openConnection(store, {
      socket: hostSocket(server.url),
      events: { frames: 'tool_event_stream' },
      joinEvent: 'enter',
      leaveEvent: 'exit',
    })
    await vi.waitFor(() => expect(textsIn(store)).toEqual(['hello']), soon)
    connection.close()
    const room = { conversation_id: 'c-1' }
    await vi.waitFor(
      () =>
        expect(heard).toEqual([
          ['enter', room],
          ['exit', room],
        ]),
      soon,
    )
    expect(textsIn(store)).toEqual(['hello'])
  })
})

describe("a host's own socket", () => {
  test('[A2] joins at once when it is connected already', async () => {
    const server = await createChatServer()
    const socket = hostSocket(server.url)
    await vi.waitFor(() => expect(socket.connected).toBe(true), soon)
    const connection = openConnection(createToolCallStore(), { socket })
    expect(connection.status).toBe('connected')
    expect(connection.socket).toBe(socket)
    await joined(server.log)
  })

  test('[A2] joins when it connects later', async () => {
    const server = await createChatServer()
    const socket = connect(server.url, { ...ioOptions, autoConnect: false })
    onTestFinished(() => void socket.disconnect())
    const connection = openConnection(createToolCallStore(), { socket })
    expect(connection.status).toBe('connecting')
    socket.connect()
    await joined(server.log)
    expect(connection.status).toBe('connected')
  })

  test("[A2] on close leaves the host's listeners and its connection alone", async () => {
    const server = await createChatServer()
    const socket = hostSocket(server.url)
    const hostListener = vi.fn()
    socket.on('chat_event', hostListener)
    socket.on('disconnect', hostListener)
    await vi.waitFor(() => expect(socket.connected).toBe(true), soon)
    const store = createToolCallStore()
    const connection = openConnection(store, { socket })
    await joined(server.log)
    connection.close()
    await vi.waitFor(() => expect(server.log).toEqual(['join c-1', 'leave c-1']), soon)
    server.chat.emit('chat_event', snapshot())
    await vi.waitFor(() => expect(hostListener).toHaveBeenCalledOnce(), soon)
    expect(socket.connected).toBe(true)
    expect(socket.listeners('chat_event')).toEqual([hostListener])
    expect(socket.listeners('disconnect')).toEqual([hostListener])
    for (const event of ['connect', 'connect_error', 'tool_event_stream'] as const) {
      expect(socket.listeners(event)).toEqual([])
    }
    expect(callIn(store)).toBeUndefined()
  })

  test('[A2] is not connected again by us after the server has ended the connection', async () => {
    const server = await createChatServer()
    const socket = hostSocket(server.url)
    const connection = openConnection(createToolCallStore(), { socket })
    await joined(server.log)
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    server.dismiss()
    await vi.waitFor(() => expect(connection.status).toBe('lost'), soon)
    vi.advanceTimersByTime(60_000)
    vi.useRealTimers()
    expect(socket.active).toBe(false)
    socket.connect()
    await joined(server.log, 2)
    expect(connection.status).toBe('connected')
  })

  test('[A2] is shared by the connections of several conversations', async () => {
    const server = await createChatServer()
    const socket = hostSocket(server.url)
    const store = createToolCallStore()
    openConnection(store, { socket, conversationId: 'c-1' })
    const second = openConnection(store, { socket, conversationId: 'c-2' })
    await vi.waitFor(() => expect(server.log).toEqual(['join c-1', 'join c-2']), soon)
    server.chat.to('c-1').emit('chat_event', snapshot())
    server.chat.to('c-2').emit('chat_event', snapshot({ eventId: 'evt-2', conversationId: 'c-2' }))
    await vi.waitFor(() => expect(callIn(store, 'evt-2')).toBeDefined(), soon)
    expect(store.getState().conversations.get('c-1')).toEqual(['evt-1'])
    expect(store.getState().conversations.get('c-2')).toEqual(['evt-2'])
    second.close()
    server.chat.to('c-1').emit('tool_event_stream', textFrame(1, 'still here'))
    await vi.waitFor(() => expect(textsIn(store)).toEqual(['still here']), soon)
  })

  test('[D6] shared by several conversations, each piece of output and of arguments counts once in each store', () => {
    const socket = createFakeSocket()
    const stores = [createToolCallStore(), createToolCallStore()]
    for (const store of stores) {
      for (const conversationId of ['c-1', 'c-2']) {
        openConnection(store, { socket, conversationId, context: { argumentsMode: 'append' } })
      }
    }
    socket.connect()
    const output = { type: 'TerminalAppendString', sessionID: 's', toolCallID: 'evt-1', delta: 'ha' }
    for (let i = 0; i < 2; i++) socket.server.emit('agent_event', output)
    for (const args of ['{"n":1', '1}']) {
      socket.server.emit('tool_call_args_delta', { tool_call_id: 'evt-2', arguments: args })
    }

    for (const store of stores) {
      const [item] = callIn(store)?.tasks[0]?.items ?? []
      expect(item?.kind === 'tool' && logOf(item)?.text()).toBe('haha')
      expect(callIn(store, 'evt-2')?.args).toBe('{"n":11}')
    }
  })

  test('[F2] may be a socket with typed events', () => {
    interface ServerEvents {
      chat_event: (message: { eventId: string }) => void
    }
    interface ClientEvents {
      join_conversation: (room: { conversation_id: string }) => void
    }
    expectTypeOf<import('socket.io-client').Socket<ServerEvents, ClientEvents>>().toExtend<ChatSocket>()
  })
})

describe('losing contact', () => {
  test('[A14] says when the connection was lost and when it was back, and changes no status', async () => {
    const server = await createChatServer()
    let time = 10_000
    const store = createToolCallStore({ now: () => time })
    const connection = openConnection(store, { url: server.url })
    expect(connection.status).toBe('connecting')
    const seen: unknown[] = []
    connection.onStatusChange((status) => {
      const call = callIn(store)
      seen.push([status, call?.status, call?.tasks[0]?.interruptions, store.getState().connection])
      if (status === 'lost') time = 18_000
    })
    await joined(server.log)
    server.chat.to('c-1').emit('chat_event', snapshot())
    server.chat.to('c-1').emit('tool_event_stream', textFrame(1, 'hello'))
    await vi.waitFor(() => expect(textsIn(store)).toEqual(['hello']), soon)

    time = 13_000
    server.breakConnection()
    await joined(server.log, 2)
    expect(seen).toEqual([
      ['connected', undefined, undefined, { connected: true, lostAt: undefined }],
      ['lost', 'running', [{ lostAt: 13_000, backAt: undefined }], { connected: false, lostAt: 13_000 }],
      ['connected', 'running', [{ lostAt: 13_000, backAt: 18_000 }], { connected: true, lostAt: undefined }],
    ])
  })

  test('[A14] a connection that never came about is not called lost', async () => {
    const server = await createChatServer()
    const socket = connect(server.url, { autoConnect: false, reconnection: false })
    const store = createToolCallStore()
    const connection = openConnection(store, { socket })
    server.chat.use((_socket, next) => next(new Error('no')))
    const refused = new Promise((resolve) => void socket.once('connect_error', resolve))
    socket.connect()
    await refused
    expect(connection.status).toBe('connecting')
    connection.close()
    store.flush()
    expect(store.getState().connection).toEqual({ connected: undefined, lostAt: undefined })
  })

  test('[A14] says nothing of an interruption when Socket.IO recovered the state of the connection', async () => {
    const server = await createChatServer({ connectionStateRecovery: {} })
    const store = createToolCallStore()
    const loadSnapshots = vi.fn(async () => [])
    const connection = openConnection(store, { url: server.url, loadSnapshots })
    connection.onStatusChange((status) => {
      if (status === 'lost') server.chat.to('c-1').emit('tool_event_stream', textFrame(2, 'missed'))
    })
    await joined(server.log)
    server.chat.to('c-1').emit('chat_event', snapshot())
    server.chat.to('c-1').emit('tool_event_stream', textFrame(1, 'before'))
    await vi.waitFor(() => expect(textsIn(store)).toEqual(['before']), soon)
    server.breakConnection()
    await vi.waitFor(() => expect(textsIn(store)).toEqual(['before', 'missed']), soon)
    expect(connection.socket.recovered).toBe(true)
    expect(callIn(store)?.tasks[0]?.interruptions).toEqual([])
    expect(server.log.filter((entry) => entry.startsWith('join'))).toEqual(['join c-1'])
    expect(loadSnapshots).toHaveBeenCalledOnce()
  })

  test('[A14] joins again when nothing was heard since it joined, also if Socket.IO recovered the connection', async () => {
    const socket = createFakeSocket().connect()
    const joins = () => socket.server.received.filter(({ event }) => event === 'join_conversation').length
    const loadSnapshots = vi.fn(async () => [snapshot()])
    const store = createToolCallStore()
    const connection = connectSocket(store, { socket, conversationId: 'c-1', loadSnapshots })
    await vi.waitFor(() => expect(store.getState().calls.size).toBe(1), soon)

    // The server was killed before it read the request; what was loaded elsewhere says nothing about that.
    socket.server.lose()
    socket.server.restore({ recovered: true })
    expect(joins()).toBe(2)

    socket.server.emit('chat_event', snapshot())
    socket.server.lose()
    socket.server.restore({ recovered: true })
    expect(joins()).toBe(2)
    connection.close()
  })

  test("[A14] joins a host's socket that had recovered its state before we came", async () => {
    const server = await createChatServer({ connectionStateRecovery: {} })
    const socket = hostSocket(server.url)
    const heard = vi.fn()
    socket.on('anything', heard)
    await vi.waitFor(() => expect(socket.connected).toBe(true), soon)
    server.chat.emit('anything')
    await vi.waitFor(() => expect(heard).toHaveBeenCalled(), soon)
    server.breakConnection()
    await vi.waitFor(() => expect(socket.recovered).toBe(true), soon)
    openConnection(createToolCallStore(), { socket })
    await joined(server.log)
  })

  test('[A14] closing leaves open processes with the time from which nothing is heard', async () => {
    const server = await createChatServer()
    const store = createToolCallStore({ now: () => 10_000 })
    const connection = openConnection(store, { url: server.url })
    await joined(server.log)
    server.chat.to('c-1').emit('chat_event', snapshot())
    server.chat.to('c-1').emit('tool_event_stream', textFrame(1, 'hello'))
    await vi.waitFor(() => expect(textsIn(store)).toEqual(['hello']), soon)
    connection.close()
    expect(callIn(store)?.tasks[0]?.interruptions).toEqual([{ lostAt: 10_000, backAt: undefined }])
    expect(callIn(store)?.outcome).toMatchObject({ kind: 'unknown', cause: 'connection_closed' })
  })
})

describe('loading snapshots', () => {
  test('[A14] loads the snapshots after each join and rejoin, and receives them', async () => {
    const server = await createChatServer()
    const store = createToolCallStore()
    const loadSnapshots = vi
      .fn<(conversationId: string) => Promise<readonly unknown[]>>()
      .mockResolvedValueOnce([snapshot()])
      .mockResolvedValueOnce([snapshot({ status: 'completed', content: { toolReturn: { content: '42' } } })])
    openConnection(store, { url: server.url, loadSnapshots })
    await vi.waitFor(() => expect(callIn(store)?.status).toBe('running'), soon)
    expect(loadSnapshots.mock.calls).toEqual([['c-1']])
    server.breakConnection()
    await vi.waitFor(() => expect(callIn(store)?.status).toBe('done'), soon)
    expect(loadSnapshots.mock.calls).toEqual([['c-1'], ['c-1']])
  })

  test.for([
    ['rejects', () => Promise.reject(new Error('503'))],
    [
      'throws',
      () => {
        throw new TypeError('no such function')
      },
    ],
    ['resolves to something else than a list', () => Promise.resolve({} as never)],
  ] as const)('[H1] reports a loader that %s, and goes on', async ([, loadSnapshots]) => {
    const server = await createChatServer()
    const onProblem = vi.fn()
    const store = createToolCallStore({ onProblem })
    openConnection(store, { url: server.url, loadSnapshots })
    await vi.waitFor(() => {
      const detail = expect.stringContaining('loadSnapshots')
      expect(onProblem).toHaveBeenCalledWith(expect.objectContaining({ kind: 'host_callback_failed', detail }))
    }, soon)
    await joined(server.log)
    server.chat.to('c-1').emit('chat_event', snapshot())
    await vi.waitFor(() => expect(callIn(store)).toBeDefined(), soon)
  })

  test('[A14] takes no notice of what is loaded, or fails to, after it was closed', async () => {
    const server = await createChatServer()
    for (const settle of [() => [snapshot()], () => Promise.reject(new Error('gone'))]) {
      const loading = new EventTarget()
      const ended = new Promise((resolve) => loading.addEventListener('end', resolve))
      const loadSnapshots = vi.fn(() => ended.then(settle))
      const store = createToolCallStore()
      const connection = openConnection(store, { url: server.url, loadSnapshots })
      await vi.waitFor(() => expect(loadSnapshots).toHaveBeenCalled(), soon)
      connection.close()
      loading.dispatchEvent(new Event('end'))
      await new Promise((resolve) => void setTimeout(resolve))
      expect(callIn(store)).toBeUndefined()
      expect(store.getState().diagnostics.total).toBe(0)
    }
  })
})

describe('what a server may send', () => {
  test('[A6] duplicates and any order come to the same result', async () => {
    const server = await createChatServer()
    const inOrder = createToolCallStore()
    const store = createToolCallStore()
    const frames = Array.from({ length: 40 }, (_, i) => textFrame(i + 1, `line ${i + 1}`))
    openConnection(store, { url: server.url })
    await joined(server.log)
    inOrder.receive('chat_event', snapshot())
    for (const frame of [...frames, doneFrame(41, 'ready')]) inOrder.receive('tool_event_stream', frame)
    for (const i of frames.keys()) {
      // 23 is prime to 40: each block is sent once in a wild order, and every third one again.
      server.chat.to('c-1').emit('tool_event_stream', frames[(i * 23) % 40])
      if (i % 3 === 0) server.chat.to('c-1').emit('tool_event_stream', frames[i])
      if (i === 20) server.chat.to('c-1').emit('tool_event_stream', doneFrame(41, 'ready'))
    }
    server.chat.to('c-1').emit('chat_event', snapshot())
    await vi.waitFor(() => expect(callIn(store)?.toolName).toBe('ask_colleague'), soon)
    expect(textsIn(store)).toEqual(textsIn(inOrder))
    expect(textsIn(store)).toHaveLength(40)
    expect(callIn(store)?.outcome).toMatchObject({ kind: 'done', value: 'ready' })
  })

  test('[H1] garbage is counted, and nothing beside it is lost', async () => {
    const server = await createChatServer()
    const onProblem = vi.fn()
    const store = createToolCallStore({ onProblem })
    openConnection(store, { url: server.url })
    await joined(server.log)
    let deep: unknown = 'bottom'
    for (let i = 0; i < 2_000; i++) deep = { [i % 2 ? 'content' : '__proto__x']: deep }
    const wellMeant = JSON.parse('{"__proto__": {"callId": "evt-1"}, "constructor": 1, "taskId": {}}')
    const garbage = [
      null,
      0,
      -1.5,
      true,
      '',
      'text',
      [],
      [[null]],
      {},
      deep,
      { envelope: deep },
      wellMeant,
      Buffer.from('x'),
    ]
    for (const event of ['chat_event', 'tool_event_stream']) {
      server.chat.to('c-1').emit(event)
      for (const message of garbage) server.chat.to('c-1').emit(event, message)
    }
    server.chat.to('c-1').emit('tool_event_stream', textFrame(Number.MAX_SAFE_INTEGER + 2, 'unsafe'))
    server.chat.to('c-1').emit('tool_event_stream', textFrame(1, 'hello'), { one: 'more' }, 'argument')
    server.chat.to('c-1').emit('chat_event', snapshot({ content: deep }))
    server.chat.to('c-1').emit('chat_event', snapshot())
    server.chat.to('c-1').emit('tool_event_stream', doneFrame(2, 'ready'))
    await vi.waitFor(() => expect(callIn(store)?.status).toBe('done'), soon)
    expect(textsIn(store)).toContain('hello')
    expect(callIn(store)?.outcome?.value).toBe('ready')
    const { counts, total } = store.getState().diagnostics
    expect(counts.not_an_object).toBeGreaterThanOrEqual(10)
    expect(counts.invalid_seq).toBe(1)
    expect(onProblem).toHaveBeenCalledTimes(total)
    expect(store.getState().connection.connected).toBe(true)
  })
})

describe('the host', () => {
  test('[H1] a listener that throws is reported, and the others are told', async () => {
    const server = await createChatServer()
    const onProblem = vi.fn()
    const store = createToolCallStore({ onProblem })
    const connection = openConnection(store, { url: server.url })
    const told: ConnectionStatus[] = []
    connection.onStatusChange(() => {
      throw new Error('mine')
    })
    connection.onStatusChange((status) => told.push(status))
    const stop = connection.onStatusChange((status) => told.push(status))
    stop()
    await joined(server.log)
    expect(told).toEqual(['connected'])
    expect(onProblem).toHaveBeenCalledWith({ kind: 'host_callback_failed', detail: 'onStatusChange: mine' })
  })

  test.for(['connect', 'lose'] as const)(
    '[A2] closed on %s by who hears of it in the store, it stays closed',
    (change) => {
      const socket = createFakeSocket()
      const store = createToolCallStore({ schedule: () => () => {} })
      const told: ConnectionStatus[] = []
      const connection = openConnection(store, { socket })
      if (change === 'lose') socket.connect()
      connection.onStatusChange((status) => void told.push(status))
      const stop = store.onReceived(() => {
        stop()
        connection.close()
      })
      if (change === 'lose') socket.server.lose()
      else socket.connect()
      store.flush()
      expect(connection.status).toBe('closed')
      expect(told).toEqual(['closed'])
      expect(store.getState().connection.connected).toBe(false)
    },
  )

  test.for(['loading', 'publishing'] as const)(
    '[A2] closed while it joins, by what hears of %s, it stays closed',
    (closes) => {
      const socket = createFakeSocket()
      const store = createToolCallStore({ schedule: () => () => {} })
      const told: ConnectionStatus[] = []
      const connection = openConnection(store, {
        socket,
        loadSnapshots: () => {
          if (closes === 'loading') connection.close()
          return Promise.resolve([])
        },
      })
      connection.onStatusChange((status) => void told.push(status))
      if (closes === 'publishing') store.subscribe(() => connection.close())
      socket.connect()
      expect(connection.status).toBe('closed')
      expect(told).toEqual(['closed'])
    },
  )

  test('[A2] may close the connection from a listener of its own', async () => {
    const server = await createChatServer()
    const socket = hostSocket(server.url)
    socket.on('connect', () => {
      connection.close()
      socket.emit('leave_conversation', { conversation_id: 'last' })
    })
    const connection = openConnection(createToolCallStore(), { socket })
    await vi.waitFor(() => expect(server.log.at(-1)).toBe('leave last'), soon)
    expect(server.log).toEqual(['leave c-1', 'leave last'])
  })

  test.for([
    [{}, 'needs a `url` or a `socket`'],
    [{ url: '' }, 'needs a `url` or a `socket`'],
    [{ url: '/chat', socket: {} }, 'and not both'],
    [{ url: '/chat', conversationId: '' }, '`conversationId`'],
    [{ url: '/chat', conversationId: undefined }, '`conversationId`'],
    [{ url: '/chat', events: { news: 'newspaper' } }, 'no protocol "newspaper" for the event "news"'],
    [{ url: '/chat', events: { news: 'toString' } }, 'no protocol "toString"'],
  ] as const)('[A2] a mistake throws and says what to do: %j', ([options, message]) => {
    const store = createToolCallStore()
    const given = { conversationId: 'c-1', ...options } as ConnectSocketOptions
    const connecting = () => connectSocket(store, given)
    expect(connecting).toThrow(/^tool-call-detail: /)
    expect(connecting).toThrow(message)
  })
})
