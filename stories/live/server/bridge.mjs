// @ts-check
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { Role, TaskState } from '@a2a-js/sdk'
import { ClientFactory } from '@a2a-js/sdk/client'
import { createThrottle } from './throttle.mjs'

/** @typedef {import('./throttle.mjs').Envelope} Envelope */
/** @typedef {import('@a2a-js/sdk').Task} A2aTask */
/** @typedef {{ state: 'done' | 'aborted', text: string }} Answer How a call ended: its final value, or why not. */

/** How often it is tried to hear of a task again, and how long between two tries, in ms. */
const maxTries = 20

/**
 * The caller's side of A2A: asks an agent, and tells what the agent does as `tool_event_stream` frames, at most ten a
 * second. A broken connection is taken up again by subscribing to the task, and nothing is told twice.
 *
 * Frames name their call only where exactly one is open when the agent is asked: which of several it is can not be told
 * from here (A4).
 * @param {object} options
 * @param {import('@a2a-js/sdk').AgentCard} options.card
 * @param {(frame: Record<string, any>) => void} options.emit
 * @param {() => readonly string[]} options.openCalls The ids of the calls to this agent that have not ended.
 * @param {number} [options.retryMs]
 */
export async function createBridge({ card, emit, openCalls, retryMs = 500 }) {
  const client = await new ClientFactory().createFromAgentCard(card)
  const closing = new AbortController()
  const options = { signal: closing.signal }
  return { ask, close: () => closing.abort() }

  /** Asks, and resolves when the last frame has gone. @param {string} text @returns {Promise<Answer>} */
  async function ask(text) {
    const [callId, ...others] = openCalls()
    const place = callId === undefined || others.length > 0 ? {} : { callId }
    /** @param {string} taskId @param {string} state @param {Envelope} envelope */
    const send = (taskId, state, envelope) => emit({ v: 1, ...place, taskId, state, ts: Date.now(), envelope })
    let taskId = ''
    const throttle = createThrottle({ emit: (envelope) => send(taskId, 'running', envelope) })
    closing.signal.addEventListener('abort', () => throttle.stop(), { once: true })
    /** @type {Set<string>} */
    const told = new Set()
    for await (const news of newsOf(text)) {
      taskId = news.taskId
      const isOver = isEnd(news.status?.state)
      for (const message of isOver ? news.history : [...news.history, news.status?.message]) {
        const isLast = isOver && message?.messageId === news.status?.message?.messageId
        if (!message || isLast || message.role !== Role.ROLE_AGENT || told.has(message.messageId)) continue
        told.add(message.messageId)
        for (const envelope of message.parts.map(envelopeOf)) if (envelope) throttle.push(envelope)
      }
      if (!isOver) continue
      const answer = answerOf(/** @type {import('@a2a-js/sdk').TaskStatus} */ (news.status))
      const { state } = answer
      const payload = state === 'done' ? { text: answer.text } : { message: answer.text }
      const kind = state === 'done' ? 'text' : 'error'
      await new Promise((resolve) =>
        throttle.end(() => {
          send(taskId, state, { v: 1, kind, status: state, payload })
          resolve(undefined)
        }),
      )
      return answer
    }
    throw new Error('The agent can not be reached.')
  }

  /**
   * What is heard of the task, whatever becomes of the connection; the last is its end, unless it can not be heard of.
   * @param {string} text
   */
  async function* newsOf(text) {
    const message = {
      messageId: randomUUID(),
      contextId: '',
      taskId: '',
      role: Role.ROLE_USER,
      parts: [
        {
          content: { $case: /** @type {const} */ ('text'), value: text },
          metadata: undefined,
          filename: '',
          mediaType: '',
        },
      ],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    }
    let taskId = ''
    for (let tries = 0; tries < maxTries; tries++) {
      try {
        const stream =
          taskId === ''
            ? client.sendMessageStream({ tenant: '', message, configuration: undefined, metadata: undefined }, options)
            : client.resubscribeTask({ tenant: '', id: taskId }, options)
        for await (const { payload } of stream) {
          if (payload?.$case !== 'task' && payload?.$case !== 'statusUpdate') continue
          const news = payload.$case === 'task' ? newsIn(payload.value) : { ...payload.value, history: [] }
          taskId = news.taskId
          tries = 0
          yield news
          if (isEnd(news.status?.state)) return
        }
      } catch (error) {
        if (closing.signal.aborted || taskId === '') throw error
      }
      await wait(retryMs, undefined, options)
      // A task that has ended meanwhile can not be subscribed to.
      const task = await client.getTask({ tenant: '', id: taskId }, options).catch(() => undefined)
      if (task === undefined) continue
      yield newsIn(task)
      if (isEnd(task.status?.state)) return
    }
  }
}

/** @param {A2aTask} task */
const newsIn = ({ id, status, history }) => ({ taskId: id, status, history })

/** @param {TaskState | undefined} state */
function isEnd(state) {
  const { TASK_STATE_COMPLETED, TASK_STATE_FAILED, TASK_STATE_CANCELED, TASK_STATE_REJECTED } = TaskState
  return [TASK_STATE_COMPLETED, TASK_STATE_FAILED, TASK_STATE_CANCELED, TASK_STATE_REJECTED].some(
    (end) => end === state,
  )
}

/** @param {import('@a2a-js/sdk').TaskStatus} status @returns {Answer} */
function answerOf({ state, message }) {
  const texts = (message?.parts ?? []).map(textOf)
  return { state: state === TaskState.TASK_STATE_COMPLETED ? 'done' : 'aborted', text: texts.join('\n') }
}

/**
 * The envelope that a part carries, or one made up from its text where there is none that can be read (B2).
 * @param {import('@a2a-js/sdk').Part} part @returns {Envelope | undefined}
 */
export function envelopeOf(part) {
  try {
    const envelope = JSON.parse(part.metadata?.tfrs)
    if (envelope.v === 1 && typeof envelope.kind === 'string' && envelope.payload instanceof Object) return envelope
  } catch {
    // No envelope: then the text is what there is.
  }
  const text = textOf(part)
  return text === '' ? undefined : { kind: 'text', payload: { text } }
}

/** @param {import('@a2a-js/sdk').Part} part */
const textOf = ({ content }) => (content?.$case === 'text' ? content.value : '')
