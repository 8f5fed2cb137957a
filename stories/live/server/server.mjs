// @ts-check
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { Server } from 'socket.io'
import { abandoned, createChain } from './chain.mjs'
import { chainScenario, scenarios, stepsOf } from './scenarios.mjs'
import { createState } from './state.mjs'

/** @typedef {import('./script.mjs').Run} Run */

/**
 * The server behind the live page: Socket.IO on loopback, with the namespace and the events of the protocol (A2).
 *
 * - `join_conversation`, `leave_conversation` `{ conversation_id }`: on joining, all snapshots of the conversation are
 *   sent as `chat_event`. Frames are sent to who is in the room at the time, and never again (A14).
 * - `start_scenario` `{ conversation_id, scenario }`: acknowledged with `{ run_id }`, or `{ error }`.
 * - `clear_conversation` `{ conversation_id }`: forgets it.
 * - `crash`: calls `onCrash`.
 *
 * Runs that the state file still holds go on where the time now is: snapshots that were due meanwhile are kept, frames
 * that were due are lost.
 * @param {object} options
 * @param {string} options.stateFile Where snapshots and runs are kept.
 * @param {number} [options.port] Default: one that is free.
 * @param {number} [options.speed] How many times faster than written new runs play. Default: 1.
 * @param {() => void} [options.onCrash]
 * @returns {Promise<{ url: string, close(): Promise<void> }>} The address of the namespace `/chat`; rejected when the
 * port is taken.
 */
export async function createLiveServer({ stateFile, port = 0, speed = 1, onCrash = () => {} }) {
  const state = createState(stateFile)
  /** @type {Map<string, NodeJS.Timeout>} */
  const timers = new Map()
  /** @type {ReturnType<typeof createChain> | undefined} */
  let chain
  const http = createServer()
  const io = new Server(http, {
    serveClient: false,
    cors: { origin: (origin, answer) => answer(null, isLoopback(origin)) },
    // A web socket is not held back by CORS: without this any page on the web could open one.
    allowRequest: ({ headers }, answer) => answer(null, isLoopback(headers.origin)),
  })
  const chat = io.of('/chat')

  chat.on('connection', (socket) => {
    onText(socket, 'join_conversation', ({ conversation_id }) => {
      void socket.join(conversation_id)
      for (const snapshot of state.snapshots(conversation_id)) socket.emit('chat_event', snapshot)
    })
    onText(socket, 'leave_conversation', ({ conversation_id }) => void socket.leave(conversation_id))
    onText(socket, 'clear_conversation', ({ conversation_id }) => {
      for (const { runId, conversationId } of state.runs()) {
        if (conversationId === conversation_id) clearTimeout(timers.get(runId))
      }
      state.clear(conversation_id)
    })
    onText(socket, 'start_scenario', ({ conversation_id, scenario = '' }) => {
      if (!isScenario(scenario)) return { error: 'unknown scenario' }
      const run = { runId: randomUUID(), conversationId: conversation_id, scenario, startedAt: Date.now(), speed }
      state.begin(run)
      play(run, -1)
      return { run_id: run.runId }
    })
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
      for (const timer of timers.values()) clearTimeout(timer)
      await (await chain)?.close()
      await io.close()
    },
  }

  /** Sends what a run has to send after `fromMs`, each step at its time. @param {Run} run @param {number} fromMs */
  function play(run, fromMs) {
    if (run.scenario === chainScenario.name) {
      void playChain(run, fromMs)
      return
    }
    const steps = stepsOf(run)
    const due = steps.findIndex(({ at }) => at > fromMs)
    const missed = due < 0 ? steps.splice(0) : steps.splice(0, due)
    for (const { event, message } of missed) if (event === 'chat_event') state.put(/** @type {any} */ (message))
    next()

    function next() {
      const step = steps.shift()
      if (!step) {
        timers.delete(run.runId)
        state.end(run)
        return
      }
      const send = () => {
        if (step.event === 'chat_event') state.put(/** @type {any} */ (step.message))
        chat.to(run.conversationId).emit(step.event, step.message)
        next()
      }
      timers.set(run.runId, setTimeout(send, run.startedAt + step.at - Date.now()))
    }
  }

  /** Plays a run that a real agent acts in; one that the server's death has cut off is over. @param {Run} run @param {number} fromMs */
  async function playChain(run, fromMs) {
    const isOn = () => state.runs().some(({ runId }) => runId === run.runId)
    const room = {
      /** @param {any} snapshot */
      put(snapshot) {
        if (!isOn()) return
        state.put(snapshot)
        chat.to(run.conversationId).emit('chat_event', snapshot)
      },
      /** @param {object} frame */
      emit(frame) {
        if (isOn()) chat.to(run.conversationId).emit('tool_event_stream', frame)
      },
    }
    if (fromMs >= 0) {
      for (const snapshot of abandoned(state.snapshots(run.conversationId), run)) room.put(snapshot)
    } else {
      chain ??= createChain({ speed })
      if (!(await (await chain).play(run, room))) return
    }
    state.end(run)
  }
}

/**
 * Listens for an event whose argument is an object of texts with a `conversation_id`; anything else is answered with an
 * error.
 * @param {import('socket.io').Socket} socket
 * @param {string} event
 * @param {(request: { conversation_id: string, scenario?: string }) => object | void} listener
 */
function onText(socket, event, listener) {
  socket.on(event, (request, acknowledge) => {
    const valid =
      typeof request?.conversation_id === 'string' &&
      request.conversation_id !== '' &&
      Object.values(request).every((value) => typeof value === 'string')
    const answer = valid ? listener(request) : { error: 'conversation_id is needed' }
    if (typeof acknowledge === 'function') acknowledge(answer ?? {})
  })
}

/** @param {string} name */
function isScenario(name) {
  return [...scenarios, chainScenario].some((scenario) => scenario.name === name)
}

/** @param {string | undefined} origin Absent when it is not a browser that asks. */
function isLoopback(origin) {
  return origin === undefined || /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(origin)
}
