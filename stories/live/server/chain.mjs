// @ts-check
import { setTimeout as wait } from 'node:timers/promises'
import { createA2aAgent } from './a2aAgent.mjs'
import { createBridge } from './bridge.mjs'

/** @typedef {import('./script.mjs').Run} Run */
/** @typedef {import('./a2aAgent.mjs').Turn} Turn */
/** @typedef {{ put: (snapshot: Record<string, any>) => void, emit: (frame: Record<string, any>) => void }} Room */

/**
 * The whole way of a call, with nothing left out: a host that asks a colleague, a real A2A agent that works, and the
 * bridge between them. What it does depends on what really happens, so that a run can not go on after the server has
 * died: its open calls are then recorded as failed.
 * @param {{ speed?: number }} [options] How many times faster the agent works. Default: 1.
 */
export async function createChain({ speed = 1 } = {}) {
  const closing = new AbortController()
  /** @param {number} ms */
  const pause = (ms) => wait(ms / speed, undefined, { signal: closing.signal })
  const agent = await createA2aAgent({
    async act(text, turn) {
      try {
        await readRates(text, turn, { pause, cut: () => agent.cut() })
      } catch (error) {
        if (!closing.signal.aborted) throw error
      }
    },
  })
  return { play, close }

  /**
   * Plays a run. Resolves with whether it came to its end; else the chain was closed.
   * @param {Run} run @param {Room} room
   */
  async function play(run, room) {
    try {
      await playOut(run, room)
      return true
    } catch (error) {
      if (closing.signal.aborted) return false
      throw error
    }
  }

  /** @param {Run} run @param {Room} room */
  async function playOut(run, room) {
    /** The calls to the agent that have not ended. @type {Set<string>} */
    const open = new Set()
    const bridge = await createBridge({
      card: agent.card,
      emit: room.emit,
      openCalls: () => [...open],
      retryMs: 500 / speed,
    })
    closing.signal.addEventListener('abort', bridge.close, { once: true })

    say(run, room, 'user', 'message-1', 'What would 10 USD be in INR, and are the tables of May complete?')
    await pause(400)
    const answer = await call('rates', 'Convert 10 USD to INR.')
    await pause(300)
    say(run, room, 'agent', 'message-2', `${answer} Now both halves of May, at the same time.`)
    await pause(300)
    await Promise.all([call('first-half', 'Check May 1 to 15.'), call('second-half', 'Check May 16 to 31.')])
    await pause(300)
    say(run, room, 'agent', 'message-3', 'Both halves of May are complete.')

    /** One call to the agent, with its snapshots. @param {string} name @param {string} text */
    async function call(name, text) {
      const callId = `${run.runId}-${name}`
      const ts = Date.now()
      open.add(callId)
      snapshot(run, room, { callId, text, ts, status: 'running' })
      await pause(200)
      const result = await bridge.ask(text)
      open.delete(callId)
      const status = result.state === 'done' ? 'completed' : 'failed'
      snapshot(run, room, { callId, text, ts, status, toolReturn: { content: result.text } })
      return result.text
    }
  }

  async function close() {
    closing.abort()
    await agent.close()
  }
}

/** @param {Run} run @param {Room} room @param {'user' | 'agent'} scene @param {string} id @param {string} text */
function say({ runId, conversationId }, room, scene, id, text) {
  const ts = Date.now()
  const eventId = `${runId}-${id}`
  const fields = { eventScene: scene, status: 'completed', content: { text } }
  room.put({ conversationId, eventId, ts, updatedAt: ts, ...fields })
}

/**
 * @param {Run} run @param {Room} room
 * @param {{ callId: string, text: string, ts: number, status: string, toolReturn?: object }} call
 */
function snapshot({ conversationId }, room, { callId, text, ts, status, toolReturn }) {
  const args = JSON.stringify({ peer: 'rates-desk', message: text })
  const toolCall = { toolId: 'builtin.ask_colleague', functionCall: { name: 'ask_colleague', arguments: args } }
  const content = { toolCall, ...(toolReturn && { toolReturn }) }
  const eventId = callId
  room.put({ conversationId, eventId, eventScene: 'tool', status, ts, updatedAt: Date.now(), content })
}

/**
 * What a run that the server's death has cut off leaves behind: its open calls have failed.
 * @param {readonly Record<string, any>[]} snapshots Those of the run's conversation. @param {Run} run
 */
export function abandoned(snapshots, { runId }) {
  return snapshots
    .filter(({ eventId, status }) => eventId.startsWith(`${runId}-`) && status === 'running')
    .map((call) => ({ ...call, status: 'aborted', updatedAt: Date.now() }))
}

/**
 * What the agent does: it thinks, reads a table in pieces, loses the line once, and makes a file.
 * @param {string} text @param {Turn} turn @param {{ pause: (ms: number) => Promise<void>, cut: () => void }} world
 */
async function readRates(text, turn, { pause, cut }) {
  if (!text.startsWith('Convert')) {
    turn.says(`${text} Looking at it.`)
    await pause(1_500)
    turn.ends('COMPLETED', text.replace('Check', 'Complete:'))
    return
  }
  const streamKey = 'callee-1'
  turn.block('thinking', { text: 'The table of today has both currencies; I read that.' }, { text: 'Thinking…' })
  await pause(800)
  turn.block('tool_call', { tool: 'read_table' }, { streamKey, text: 'read_table' })
  for (let row = 1; row <= 24; row++) {
    await pause(70)
    const chunk = `${String(row).padStart(2)}  USD/INR  ${(85.5 + row / 200).toFixed(3)}\n`
    turn.block('tool_output_append', { tool: 'read_table', chunk }, { streamKey, text: chunk })
    if (row === 12) cut()
  }
  turn.block('tool_call', { tool: 'read_table' }, { streamKey, status: 'done', text: 'read_table done' })
  turn.says('24 rows read; the last one counts.')
  await pause(600)
  turn.makes('conversion.txt', '10 USD is 856.20 INR.\n', { lastChunk: true })
  turn.ends('COMPLETED', '10 USD is 856.20 INR.')
}
