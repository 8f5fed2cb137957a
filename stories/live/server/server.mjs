// @ts-check
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { Server } from 'socket.io'
import { abandoned, createChain } from './chain.mjs'
import { createGateway } from './gateway/gateway.mjs'
import { runScenarios } from './gateway/runScenarios.mjs'
import { isLoopback } from './loopback.mjs'
import { createPlayer } from './player.mjs'
import { allScenarios, chainScenario } from './scenarios.mjs'
import { createState } from './state.mjs'

/** @typedef {import('./player.mjs').Answer} Answer */
/** @typedef {import('./script.mjs').Run} Run */

/**
 * The server behind the live page: Socket.IO on loopback, with the namespace and the events of the protocol (A2).
 *
 * - `join_conversation`, `leave_conversation` `{ conversation_id }`: on joining, all snapshots of the conversation are
 *   sent as `chat_event`, and what the bus says of its calls and requests as `agent_event`. Frames and terminals' output
 *   are sent to who is in the room at the time, and never again (A14).
 * - `tool_approval_response` `{ conversation_id, correlationID, approved, scope, reason }`: a person's answer (D4). It is
 *   acknowledged with `{}`, or `{ error }`; that it counts is said to the room, on the bus.
 * - `start_scenario` `{ conversation_id, scenario }`: acknowledged with `{ run_id }`, or `{ error }`.
 * - `say` `{ conversation_id, text }`: a message of the user's, told to the room as `chat_event`.
 * - `clear_conversation` `{ conversation_id }`: forgets it.
 * - `crash`: calls `onCrash`.
 * - `run_resume`, `count_executions`, and downloads over HTTP: the gateway's.
 *
 * Runs that the state file still holds go on where the time now is: snapshots that were due meanwhile are kept, frames
 * that were due are lost.
 * @param {object} options
 * @param {string} options.stateFile Where snapshots and runs are kept.
 * @param {number} [options.port] Default: one that is free.
 * @param {number} [options.speed] How many times faster than written new runs play. Default: 1.
 * @param {import('./gateway/gateway.mjs').GatewayLimits} [options.gatewayLimits]
 * @param {() => void} [options.onCrash]
 * @returns {Promise<{ url: string, close(): Promise<void> }>} The address of the namespace `/chat`; rejected when the
 * port is taken.
 */
export async function createLiveServer({ stateFile, port = 0, speed = 1, gatewayLimits = {}, onCrash = () => {} }) {
  const state = createState(stateFile)
  /** @type {ReturnType<typeof createChain> | undefined} */
  let chain
  const http = createServer((request, response) => {
    // Socket.IO answers its own.
    if (!request.url?.startsWith('/socket.io/')) gateway.handle(request, response)
  })
  const io = new Server(http, {
    serveClient: false,
    cors: { origin: (origin, answer) => answer(null, isLoopback(origin)) },
    // A web socket is not held back by CORS: without this any page on the web could open one.
    allowRequest: ({ headers }, answer) => answer(null, isLoopback(headers.origin)),
  })
  const chat = io.of('/chat')
  const player = createPlayer({
    state,
    onCrash,
    send: (conversationId, { event, message }) => chat.to(conversationId).emit(event, message),
  })

  const gateway = createGateway({
    folder: `${stateFile}.gateway`,
    readersOf: (conversationId) =>
      [...(chat.adapter.rooms.get(conversationId) ?? [])].flatMap((id) => chat.sockets.get(id) ?? []),
    limits: gatewayLimits,
  })

  chat.on('connection', (socket) => {
    gateway.attach(socket)
    onRequest(socket, 'join_conversation', isText, ({ conversation_id }) => {
      void socket.join(conversation_id)
      for (const { event, message } of state.kept(conversation_id)) socket.emit(event, message)
    })
    onRequest(socket, 'leave_conversation', isText, ({ conversation_id }) => void socket.leave(conversation_id))
    onRequest(socket, 'say', isText, ({ conversation_id: conversationId, text = '' }) => {
      const ts = Date.now()
      const fields = { eventId: randomUUID(), eventScene: 'user', status: 'completed', content: { text } }
      player.tell(conversationId, [
        { at: 0, event: 'chat_event', message: { conversationId, ts, updatedAt: ts, ...fields } },
      ])
    })
    onRequest(socket, 'clear_conversation', isText, ({ conversation_id }) => {
      player.stop(conversation_id)
      state.clear(conversation_id)
      gateway.clear(conversation_id)
    })
    onRequest(socket, 'start_scenario', isText, ({ conversation_id, scenario = '' }) => {
      const run = { runId: randomUUID(), conversationId: conversation_id, scenario, startedAt: Date.now(), speed }
      if (startRun(run)) return { run_id: run.runId }
      if (!isScenario(scenario)) return { error: 'unknown scenario' }
      state.begin(run)
      play(run)
      return { run_id: run.runId }
    })
    onRequest(
      socket,
      'tool_approval_response',
      isAnswer,
      ({ conversation_id, ...answer }) => gateway.answer(answer) ?? player.answer(conversation_id, answer),
    )
    socket.on('crash', () => onCrash())
  })

  for (const run of state.runs()) {
    if (isScenario(run.scenario)) play(run, Date.now() - run.startedAt)
    else state.end(run)
  }

  await new Promise((resolve, reject) => {
    http.once('error', reject)
    http.listen(port, '127.0.0.1', () => resolve(undefined))
  })
  const address = /** @type {import('node:net').AddressInfo} */ (http.address())
  return {
    url: `http://127.0.0.1:${address.port}/chat`,
    async close() {
      player.close()
      gateway.close()
      await (await chain)?.close()
      await io.close()
    },
  }

  /**
   * Has the gateway carry out a run, if it is one of its own; what the user said and the run's place in the conversation
   * are kept.
   * @param {Run} run
   */
  function startRun(run) {
    const { runId, conversationId, startedAt: ts } = run
    const request = runScenarios.find(({ name }) => name === run.scenario)?.request
    if (request === undefined) return false
    const said = { eventId: `${runId}-message`, eventScene: 'user', status: 'completed', content: { text: request } }
    const place = { eventId: runId, eventScene: 'run', status: 'running', content: {} }
    for (const fields of [said, place]) {
      const message = { conversationId, ts, updatedAt: ts, ...fields }
      player.tell(conversationId, [{ at: 0, event: 'chat_event', message }])
    }
    gateway.start(run)
    return true
  }

  /** Sends what a run has to send after `fromMs`, each step at its time. @param {Run} run @param {number} [fromMs] */
  function play(run, fromMs) {
    if (run.scenario === chainScenario.name) void playChain(run, fromMs)
    else player.play(run, fromMs)
  }

  /** Plays a run that a real agent acts in; one that the server's death has cut off is over. @param {Run} run @param {number} [fromMs] */
  async function playChain(run, fromMs) {
    const isOn = () => state.runs().some(({ runId }) => runId === run.runId)
    const room = {
      /** @param {any} snapshot */
      put(snapshot) {
        if (isOn()) player.tell(run.conversationId, [{ at: 0, event: 'chat_event', message: snapshot }])
      },
      /** @param {object} frame */
      emit(frame) {
        if (isOn()) chat.to(run.conversationId).emit('tool_event_stream', frame)
      },
    }
    if (fromMs === undefined) {
      chain ??= createChain({ speed })
      if (!(await (await chain).play(run, room))) return
    } else {
      const kept = state.kept(run.conversationId).filter(({ event }) => event === 'chat_event')
      const snapshots = kept.map(({ message }) => /** @type {any} */ (message))
      for (const snapshot of abandoned(snapshots, run)) room.put(snapshot)
    }
    state.end(run)
  }
}

/**
 * Listens for an event whose argument is an object with a `conversation_id` and what else `isValid` asks for; anything
 * else is answered with an error. What the listener returns is acknowledged, `null` with silence.
 * @template Request
 * @param {import('socket.io').Socket} socket
 * @param {string} event
 * @param {(request: any) => request is Request & { conversation_id: string }} isValid
 * @param {(request: Request & { conversation_id: string }) => object | null | void} listener
 */
function onRequest(socket, event, isValid, listener) {
  socket.on(event, (request, acknowledge) => {
    const isRoom = typeof request?.conversation_id === 'string' && request.conversation_id !== ''
    const answer = isRoom && isValid(request) ? listener(request) : { error: 'the request is not complete' }
    if (answer !== null && typeof acknowledge === 'function') acknowledge(answer ?? {})
  })
}

/** @param {object} request @returns {request is { conversation_id: string, scenario?: string, text?: string }} */
function isText(request) {
  return Object.values(request).every((value) => typeof value === 'string')
}

/** @param {any} request @returns {request is Answer & { conversation_id: string }} */
function isAnswer(request) {
  const { correlationID, approved, scope = '', reason = '' } = request
  return typeof approved === 'boolean' && [correlationID, scope, reason].every((value) => typeof value === 'string')
}

/** @param {string} name */
function isScenario(name) {
  return [...allScenarios, chainScenario].some((scenario) => scenario.name === name)
}
