import fc from 'fast-check'
import type { Socket } from 'socket.io'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type ConnectSocketOptions, connectSocket } from '../../src/socket/index.js'
import { createToolCallStore, type ToolCallStore } from '../../src/store/index.js'
import { createFakeSocket } from '../../src/testing/index.js'
import { approvalRequest, approvalResponse, toolCall, toolStatus } from '../support/bus.js'
import { createChatServer } from './chatServer.js'

const ioOptions = { reconnectionDelay: 20, reconnectionDelayMax: 20 }
const soon = { timeout: 15_000, interval: 20 }
const answerEvent = 'tool_approval_response'

type Server = Awaited<ReturnType<typeof createChatServer>>
type Reply = (reply?: unknown) => void

/** Answers that a server has heard. `reply` acknowledges the newest. */
function hearAnswers(server: Server, event = answerEvent) {
  const heard: { readonly answer: unknown; readonly reply: Reply }[] = []
  server.chat.on('connection', (socket: Socket) => {
    socket.on(event, (answer, reply) => void heard.push({ answer, reply }))
  })
  return {
    get all() {
      return heard.map(({ answer }) => answer)
    },
    reply: (reply?: unknown) => heard.at(-1)?.reply(reply),
  }
}

async function openRequest(server: Server, options: Partial<ConnectSocketOptions> = {}) {
  const store = createToolCallStore()
  const connection = connectSocket(store, { url: server.url, conversationId: 'c-1', ioOptions, ...options })
  onTestFinished(() => connection.close())
  await joined(server)
  ask(server)
  await vi.waitFor(() => expect(approvalIn(store)?.state).toBe('open'), soon)
  return { store, connection, id: [...store.getState().approvals.keys()][0] as string }
}

const joined = (server: Server, times = 1) =>
  vi.waitFor(() => expect(server.log.filter((entry) => entry === 'join c-1')).toHaveLength(times), soon)

function ask(server: Server) {
  for (const message of [toolCall(), approvalRequest()]) server.chat.to('c-1').emit('agent_event', message)
}

function approvalIn(store: ToolCallStore) {
  store.flush()
  return [...store.getState().approvals.values()][0]
}

const becomes = (store: ToolCallStore, state: string) =>
  vi.waitFor(() => expect(approvalIn(store)?.state).toBe(state), soon)

const allow = { approved: true, scope: 'once' }
const wire = { correlationID: 'r-1', approved: true, scope: 'once', conversation_id: 'c-1' }

describe('carrying answers', () => {
  test('[D4] an answer is sent once however often it is given, and is only sent until the bus has confirmed it', async () => {
    const server = await createChatServer()
    const answers = hearAnswers(server)
    const { store, id } = await openRequest(server)
    for (const answer of [allow, allow, { approved: false }]) store.answer(id, answer)
    expect(approvalIn(store)?.state).toBe('sending')
    await vi.waitFor(() => expect(answers.all).toHaveLength(1), soon)
    answers.reply({ ok: true })
    await becomes(store, 'sent')
    store.answer(id, { approved: false })
    expect(approvalIn(store)).toMatchObject({ state: 'sent', answer: allow, answeredElsewhere: false })
    server.chat.to('c-1').emit('agent_event', approvalResponse(true, { scope: 'once' }))
    await becomes(store, 'allowed')
    expect(answers.all).toEqual([wire])
    expect(store.getState().diagnostics.counts).toEqual({ answer_ignored: 3 })
  })

  test('[D4] the reason goes along, and the id is the bus’s own whatever the scope', async () => {
    const server = await createChatServer()
    const answers = hearAnswers(server, 'decide')
    const { store, id } = await openRequest(server, { context: { scope: 's-1' }, answerEvent: 'decide' })
    expect(id).toBe('s-1/r-1')
    store.answer(id, { approved: false, reason: 'not on Fridays' })
    const denial = { correlationID: 'r-1', approved: false, reason: 'not on Fridays', conversation_id: 'c-1' }
    await vi.waitFor(() => expect(answers.all).toEqual([denial]), soon)
  })

  test.for([
    [{ error: 'already decided' }, 'already decided'],
    [{ error: { code: 7 } }, 'the other side refused the answer'],
  ] as const)('[D4] an answer that is not taken (%j) can be given again', async ([reply, failure]) => {
    const server = await createChatServer()
    const answers = hearAnswers(server)
    const { store, id } = await openRequest(server)
    store.answer(id, allow)
    await vi.waitFor(() => expect(answers.all).toHaveLength(1), soon)
    answers.reply(reply)
    await becomes(store, 'open')
    expect(approvalIn(store)).toMatchObject({ failure, answer: undefined })
    expect(store.getState().diagnostics.counts).toEqual({ answer_failed: 1 })

    store.answer(id, allow)
    expect(approvalIn(store)).toMatchObject({ state: 'sending', failure: undefined })
    await vi.waitFor(() => expect(answers.all).toEqual([wire, wire]), soon)
    answers.reply()
    await becomes(store, 'sent')
  })

  test('[D4] an answer that nobody acknowledges has failed', async () => {
    const server = await createChatServer()
    const { store, id } = await openRequest(server, { answerTimeoutMs: 50 })
    store.answer(id, allow)
    await vi.waitFor(() => expect(approvalIn(store)?.failure).toBe('no acknowledgement came'), soon)
    expect(approvalIn(store)?.state).toBe('open')
  })

  test('[D4] where an answer may have arrived only the same one is ever sent again', async () => {
    const server = await createChatServer()
    const answers = hearAnswers(server)
    const { store, id } = await openRequest(server, { answerTimeoutMs: 50 })
    store.answer(id, allow)
    await vi.waitFor(() => expect(approvalIn(store)).toMatchObject({ state: 'open', onlyAnswer: allow }), soon)

    for (const other of [{ approved: false }, { approved: true, scope: 'always' }]) store.answer(id, other)
    expect(approvalIn(store)?.state).toBe('open')
    expect(store.getState().diagnostics.counts).toEqual({ answer_failed: 1, answer_ignored: 2 })

    store.answer(id, allow)
    await vi.waitFor(() => expect(answers.all).toEqual([wire, wire]), soon)
  })

  test.for([
    ['was acknowledged', { isAcknowledged: true, answerTimeoutMs: 10_000 }],
    ['was on its way', { isAcknowledged: false, answerTimeoutMs: 10_000 }],
    ['nobody acknowledged in time', { isAcknowledged: false, answerTimeoutMs: 0 }],
  ] as const)(
    '[D4] refused when it is sent again, an answer that %s may have arrived all the same',
    async ([, how]) => {
      const socket = createFakeSocket()
      const store = createToolCallStore()
      const connection = connectSocket(store, { socket, conversationId: 'c-1', answerTimeoutMs: how.answerTimeoutMs })
      onTestFinished(() => connection.close())
      socket.connect()
      for (const message of [toolCall(), approvalRequest()]) socket.server.emit('agent_event', message)
      socket.server.onMessage('tool_approval_response', () => (how.isAcknowledged ? {} : undefined))
      store.answer('r-1', allow)
      const isOpen = how.answerTimeoutMs === 0
      await vi.waitFor(() =>
        expect(approvalIn(store)?.state).toBe(how.isAcknowledged ? 'sent' : isOpen ? 'open' : 'sending'),
      )
      socket.server.onMessage('tool_approval_response', () => ({ error: 'already answered' }))
      if (isOpen) store.answer('r-1', allow)
      else {
        socket.server.lose()
        socket.server.restore()
      }
      await vi.waitFor(() => expect(approvalIn(store)?.failure).toBe('already answered'))

      expect(approvalIn(store)?.onlyAnswer).toEqual(allow)
      store.answer('r-1', { approved: false })
      expect(approvalIn(store)?.state).toBe('open')
    },
  )

  test('[D4] an acknowledgement is delivery only; that the call runs afterwards confirms it', async () => {
    const server = await createChatServer()
    const answers = hearAnswers(server)
    const { store, id } = await openRequest(server)
    store.answer(id, allow)
    await vi.waitFor(() => expect(answers.all).toHaveLength(1), soon)
    answers.reply()
    await becomes(store, 'sent')
    expect(store.getState().calls.get('call-1')?.status).toBe('waiting')
    server.chat.to('c-1').emit('agent_event', toolStatus('running'))
    await becomes(store, 'allowed')
    expect(approvalIn(store)).toMatchObject({ answer: allow, answeredElsewhere: false })
    expect(store.getState().calls.get('call-1')?.status).toBe('running')
  })

  test('[D4] an answer given without a connection is sent once there is one', async () => {
    const server = await createChatServer()
    const answers = hearAnswers(server)
    const { store, id, connection } = await openRequest(server, { answerTimeoutMs: 1 })
    connection.onStatusChange((status) => {
      if (status === 'lost') store.answer(id, allow)
    })
    server.breakConnection()
    await vi.waitFor(() => expect(answers.all).toEqual([wire]), soon)
  })

  test('[D4] a server killed between answer and confirmation is sent the same answer once more', async () => {
    const server = await createChatServer()
    const before = hearAnswers(server)
    const { store, id } = await openRequest(server)
    const states = new Set<string | undefined>()
    onTestFinished(store.subscribe(() => states.add(approvalIn(store)?.state)))
    store.answer(id, allow)
    await vi.waitFor(() => expect(before.all).toEqual([wire]), soon)
    before.reply()
    await becomes(store, 'sent')
    await server.kill()

    const next = await createChatServer({}, server.port)
    const after = hearAnswers(next)
    await joined(next)
    ask(next)
    await vi.waitFor(() => expect(after.all).toHaveLength(1), soon)
    after.reply()
    expect(states).not.toContain('allowed')
    next.chat.to('c-1').emit('agent_event', approvalResponse(true, { scope: 'once' }))
    await becomes(store, 'allowed')
    expect(after.all).toEqual([wire])
  })

  test('[D4] an answer that nobody had acknowledged is sent again, too, and waits for it anew', async () => {
    const server = await createChatServer()
    const answers = hearAnswers(server)
    const { store, id } = await openRequest(server)
    store.answer(id, allow)
    await vi.waitFor(() => expect(answers.all).toHaveLength(1), soon)
    server.breakConnection()
    await vi.waitFor(() => expect(answers.all).toEqual([wire, wire]), soon)
    expect(approvalIn(store)?.state).toBe('sending')
    answers.reply()
    await becomes(store, 'sent')
  })

  test('[D4] what was acknowledged is not sent again when Socket.IO recovered the connection', async () => {
    const server = await createChatServer({ connectionStateRecovery: {} })
    const answers = hearAnswers(server)
    const { store, id, connection } = await openRequest(server)
    store.answer(id, allow)
    await vi.waitFor(() => expect(answers.all).toHaveLength(1), soon)
    answers.reply()
    await becomes(store, 'sent')
    server.breakConnection()
    await vi.waitFor(() => expect(connection.status).toBe('lost'), soon)
    await vi.waitFor(() => expect(connection.status).toBe('connected'), soon)
    expect(connection.socket.recovered).toBe(true)
    server.chat.to('c-1').emit('agent_event', approvalResponse(true))
    await becomes(store, 'allowed')
    expect(answers.all).toEqual([wire])
  })

  test('[D4] what was confirmed is not sent again', async () => {
    const server = await createChatServer()
    const answers = hearAnswers(server)
    const { store, id } = await openRequest(server)
    store.answer(id, allow)
    await vi.waitFor(() => expect(answers.all).toHaveLength(1), soon)
    server.chat.to('c-1').emit('agent_event', approvalResponse(true))
    await becomes(store, 'allowed')
    server.breakConnection()
    await joined(server, 2)
    // What the client sent on joining has arrived once this has come back.
    server.chat.to('c-1').emit('agent_event', toolStatus('running'))
    await vi.waitFor(() => {
      store.flush()
      expect(store.getState().calls.get('call-1')?.status).toBe('running')
    }, soon)
    expect(answers.all).toEqual([wire])
  })
})

test('[D4] once an answer may have arrived no other one ever does, whatever happens to the connection', async () => {
  const answering = fc.record({
    answer: fc.record({ approved: fc.boolean(), scope: fc.constantFrom('once', 'always') }),
    reply: fc.constantFrom('none', 'taken', 'refused'),
  })
  const happening = fc.constantFrom('lose', 'restore', 'recover', 'end', 'connect', 'wait', 'close')
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(answering, happening), { maxLength: 25 }), async (list) => {
      const socket = createFakeSocket()
      const store = createToolCallStore({ schedule: () => () => {} })
      const open = () => connectSocket(store, { socket, conversationId: 'c-1', answerTimeoutMs: 100 })
      let connection = open()
      let reply = 'none'
      const arrived: { readonly said: string; readonly reply: string }[] = []
      socket.server.onMessage(answerEvent, ({ approved, scope }: { approved: boolean; scope: string }) => {
        arrived.push({ said: `${approved} ${scope}`, reply })
        return { none: undefined, taken: {}, refused: { error: 'no' } }[reply]
      })
      socket.connect()
      for (const message of [toolCall(), approvalRequest()]) socket.server.emit('agent_event', message)
      for (const each of list) {
        if (typeof each === 'object') {
          reply = each.reply
          store.answer('r-1', each.answer)
        } else if (each === 'wait') await vi.advanceTimersByTimeAsync(150)
        else if (each === 'close') {
          connection.close()
          connection = open()
        } else if (each === 'connect' && !socket.connected) socket.connect()
        else if (each === 'lose' && socket.connected) socket.server.lose()
        else if (each === 'end' && socket.connected) socket.server.disconnect()
        else if (!socket.connected && socket.active) socket.server.restore({ recovered: each === 'recover' })
        await vi.advanceTimersByTimeAsync(0)
        store.flush()
      }
      connection.close()

      const first = arrived.findIndex((each) => each.reply !== 'refused')
      const after = first < 0 ? [] : arrived.slice(first).map(({ said }) => said)
      expect(new Set(after).size).toBeLessThanOrEqual(1)
    }),
    { numRuns: 300 },
  )
})

describe('closing', () => {
  test('[D4] what is open when the connection is closed for good is unknown until it is made again', async () => {
    const server = await createChatServer()
    const { store, connection } = await openRequest(server)
    const call = () => {
      store.flush()
      return store.getState().calls.get('call-1')
    }
    server.breakConnection()
    await joined(server, 2)
    expect(call()?.status).toBe('waiting')
    connection.close()
    expect(call()).toMatchObject({ status: 'unknown', outcome: { kind: 'unknown', cause: 'connection_closed' } })
    expect(approvalIn(store)?.state).toBe('withdrawn')

    const again = connectSocket(store, { url: server.url, conversationId: 'c-1', ioOptions })
    onTestFinished(() => again.close())
    await vi.waitFor(() => expect(call()?.status).toBe('waiting'), soon)
    expect(approvalIn(store)?.state).toBe('open')
  })

  test('[D4] an answer that waits for a connection has failed, and nobody carries the next one', async () => {
    const server = await createChatServer()
    const { store, connection, id } = await openRequest(server)
    server.breakConnection()
    await vi.waitFor(() => expect(connection.status).toBe('lost'), soon)
    store.answer(id, allow)
    connection.close()
    store.ingest({ type: 'contact', contact: 'back', conversationId: 'c-1' })
    await vi.waitFor(() => expect(approvalIn(store)?.failure).toBe('the connection was closed'), soon)
    store.answer(id, allow)
    expect(approvalIn(store)?.failure).toContain('store.carryAnswers')
  })
})
