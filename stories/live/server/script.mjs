// @ts-check

/**
 * One playing of a scenario: what its steps are made from, and all that has to be kept to go on after a restart.
 * @typedef {object} Run
 * @property {string} runId The ids of everything the run sends begin with it.
 * @property {string} conversationId
 * @property {string} scenario The scenario's name.
 * @property {number} startedAt In ms since 1970.
 * @property {number} [speed] How many times faster than written it plays. Default: 1.
 * @property {Record<string, Decision>} [decisions] What people answered to the run's requests, by the request's id.
 * @property {string[]} [troubled] The requests whose trouble is over.
 */

/**
 * A person's answer to a request, and how many ms after the run's start it was taken.
 * @typedef {{ approved: boolean, scope?: string, reason?: string, at: number }} Decision
 */

/**
 * What happens to the first answer to a request: it is refused, or the server dies, before or after it has noted it.
 * @typedef {'refused' | 'crash-before' | 'crash-after'} Trouble
 */

/**
 * A request for a person's decision. It can be answered from `at` on and before `until`, in ms after the run's start.
 * @typedef {{ id: string, at: number, until: number, trouble?: Trouble }} Request
 */

/**
 * Something to be sent, and how many ms after the run's start.
 * @typedef {{ at: number, event: StepEvent, message: Record<string, any> }} Step
 */

/**
 * @typedef {'chat_event' | 'tool_event_stream' | 'tool_call_start' | 'tool_call_args_delta' | 'tool_call_result' |
 * 'agent_event'} StepEvent
 */

/**
 * A call as the steps know it. Its arguments are the text of them where they were streamed.
 * @typedef {{ callId: string, toolName?: string, args?: object | string, beganAt?: number }} Call
 */

/**
 * A remote agent's task under a call, and how it sends.
 * @typedef {object} Task
 * @property {Call} call
 * @property {string} taskId
 * @property {number} nextSeq
 * @property {boolean} numbered False: envelopes without version, status and `seq`, as made up for third parties.
 * @property {boolean} named False: frames without `callId`.
 */

/** Writing at most this often keeps a task under the 10 blocks a second that senders hold themselves to (A13). */
export const blockMs = 100

/**
 * Writes down what a run sends, as a list of steps in time. Pure: the same run gives the same steps, so that a server
 * that was killed in the middle can go on where the time now is.
 *
 * A script is a pen with a time of its own: each verb writes at the pen's time, and those that send a block move it on.
 * `fork` gives a second pen at the same time, for what goes on side by side. A pen that waits for a person has no time:
 * what it writes is no step of the run until the run holds the answer.
 * @param {Run} run
 */
export function createScript(run) {
  /** @type {{ at: number, write: (ts: number) => Omit<Step, 'at'> }[]} */
  const drafts = []
  const speed = run.speed ?? 1
  let messages = 0
  /** @type {Request[]} */
  const asked = []

  return { ...createPen(0), steps, requests }

  /** All steps in their order. A task's blocks are numbered here, in the order of time, whichever pen wrote them. */
  function steps() {
    return drafts
      .filter(({ at }) => at < Infinity)
      .toSorted((a, b) => a.at - b.at)
      .map(({ at, write }) => {
        const scaled = Math.round(at / speed)
        return { at: scaled, ...write(run.startedAt + scaled) }
      })
  }

  /** The requests that the run comes to. @returns {Request[]} */
  function requests() {
    return asked
      .filter(({ at }) => at < Infinity)
      .map((request) => ({
        ...request,
        at: Math.round(request.at / speed),
        until: Math.round(request.until / speed),
      }))
  }

  /** @param {number} at */
  function createPen(at) {
    const pen = {
      /** @param {number} ms */
      wait(ms) {
        at += ms
      },

      fork: () => createPen(at),

      /** Goes on when all of these have come to their end. @param {{ time(): number }[]} pens */
      join(...pens) {
        at = Math.max(at, ...pens.map((other) => other.time()))
      },

      time: () => at,

      /** The id of the run's call of that name. @param {string} name */
      id: (name) => `${run.runId}-${name}`,

      /** A message in words of its own, made from the time at which it is sent. @param {StepEvent} event @param {(ts: number) => Record<string, any>} message */
      send(event, message) {
        drafts.push({ at, write: (ts) => ({ event, message: message(ts) }) })
      },

      /**
       * Waits for a person's answer to a request; with `expiresMs` only so long.
       * @param {string} id @param {{ expiresMs?: number, trouble?: Trouble }} [options]
       * @returns {Decision | undefined} Undefined when there is no answer.
       */
      awaits(id, { expiresMs = Infinity, trouble } = {}) {
        const decision = run.decisions?.[id]
        asked.push({ id, at, until: at + expiresMs, ...(trouble && { trouble }) })
        at = decision ? Math.max(at, decision.at * speed) : at + expiresMs
        return decision
      },

      /** From now on nobody waits for an answer any more. */
      stopsAsking() {
        for (const request of asked) request.until = Math.min(request.until, at)
      },

      /** How many ms of the run's time are so many of a clock's. @param {number} ms */
      clockMs: (ms) => Math.round(ms / speed),

      /** A message of the conversation. @param {'user' | 'agent'} scene @param {string} text */
      say(scene, text) {
        const eventId = `${run.runId}-message-${++messages}`
        snapshot(() => ({ eventId, eventScene: scene, status: 'completed', content: { text } }))
      },

      /** A call begins: its first snapshot. @param {string} name @param {object} args @returns {Call} */
      call(name, args, toolName = 'ask_colleague') {
        const call = { callId: `${run.runId}-${name}`, toolName, args }
        callSnapshot(call, 'running')
        return call
      },

      /** A call ends: its last snapshot. @param {Call} call @param {string | object} result A text, or what there is. */
      returns(call, result) {
        const fields = typeof result === 'string' ? { content: result } : result
        callSnapshot(call, 'completed', { ...fields, meta: { callId: `call_${call.callId}` } })
      },

      /** A call ends without a result: its last snapshot. @param {Call} call */
      fails: (call) => callSnapshot(call, 'failed'),

      /** A call whose arguments will stream in: its id and its tool. @param {string} name @param {string} toolName @returns {Call} */
      starts(name, toolName) {
        const call = /** @type {Call} */ ({ callId: `${run.runId}-${name}`, toolName, args: '' })
        drafts.push({
          at,
          write: (ts) => {
            call.beganAt ??= ts
            return {
              event: 'tool_call_start',
              message: { tool_call_id: call.callId, tool_name: toolName, arguments: '' },
            }
          },
        })
        return call
      },

      /** All of the arguments so far, each `everyMs` and `pieceLength` longer. @param {Call} call @param {string} text */
      streams(call, text, pieceLength = 8, everyMs = 100) {
        for (let end = pieceLength; end < text.length + pieceLength; end += pieceLength) {
          at += everyMs
          const message = { tool_call_id: call.callId, arguments: text.slice(0, end) }
          drafts.push({ at, write: () => ({ event: 'tool_call_args_delta', message }) })
        }
        call.args = text
      },

      /**
       * The end of a call whose arguments were streamed, and the snapshot that is kept of it.
       * @param {Call} call @param {unknown} result @param {string} [summary]
       */
      results(call, result, status = 'success', summary = '') {
        const message = { tool_call_id: call.callId, result, status, ...(summary && { summary }) }
        drafts.push({ at, write: () => ({ event: 'tool_call_result', message }) })
        at += 50
        callSnapshot(call, status === 'success' ? 'completed' : 'failed', result)
      },

      /** @param {Call} call @param {string} name @param {Partial<Task>} [sending] @returns {Task} */
      task: (call, name, sending) => ({
        call,
        taskId: `${call.callId}-${name}`,
        nextSeq: 1,
        numbered: true,
        named: true,
        ...sending,
      }),

      /** @param {Task} task @param {string} text */
      thinking: (task, text) => block(task, 'thinking', { text }),

      /** @param {Task} task @param {string} text */
      text: (task, text) => block(task, 'text', { text }),

      /** @param {Task} task @param {string} message */
      error: (task, message) => block(task, 'error', { message }),

      /** A tool of the remote agent starts. Returns the key of its stream. @param {Task} task @param {string} tool */
      tool(task, tool, streamKey = `${tool}-${drafts.length}`) {
        block(task, 'tool_call', { tool, tool_call_id: streamKey }, { streamKey })
        return { tool, streamKey }
      },

      /**
       * One piece of a tool's output each `everyMs`.
       * @param {Task} task @param {{ tool: string, streamKey: string }} stream @param {readonly string[]} chunks
       */
      output(task, { tool, streamKey }, chunks, everyMs = blockMs) {
        for (const chunk of chunks) block(task, 'tool_output_append', { tool, chunk }, { streamKey }, everyMs)
      },

      /** @param {Task} task @param {{ tool: string, streamKey: string }} stream @param {'done' | 'aborted'} [status] */
      toolEnds(task, { tool, streamKey }, status = 'done') {
        block(task, 'tool_call', { tool, tool_call_id: streamKey }, { streamKey, status })
      },

      /** The task's terminal frame. @param {Task} task @param {string} text */
      done: (task, text) => frame(task, 'done', { kind: 'text', status: 'done', payload: { text } }),

      /** The task's terminal frame. @param {Task} task @param {string} message */
      aborted: (task, message) => frame(task, 'aborted', { kind: 'error', status: 'aborted', payload: { message } }),
    }
    return pen

    /** @param {Task} task @param {string} kind @param {object} payload */
    function block(task, kind, payload, { streamKey = '', status = 'running' } = {}, afterMs = blockMs) {
      frame(task, 'running', { kind, ...(streamKey && { streamKey }), status, payload })
      at += afterMs
    }

    /** @param {Task} task @param {string} state @param {{ kind: string, status: string, payload: object }} envelope */
    function frame(task, state, envelope) {
      const callId = task.named ? { callId: task.call.callId } : {}
      drafts.push({
        at,
        write: (ts) => ({
          event: 'tool_event_stream',
          message: {
            v: 1,
            ...callId,
            taskId: task.taskId,
            state,
            ts,
            envelope: task.numbered
              ? { v: 1, seq: task.nextSeq++, ...envelope }
              : { kind: envelope.kind, payload: envelope.payload },
          },
        }),
      })
    }

    /** @param {Call} call @param {string} status @param {unknown} [toolReturn] */
    function callSnapshot(call, status, toolReturn) {
      const args = typeof call.args === 'string' ? call.args : JSON.stringify(call.args)
      const toolCall = { toolId: `builtin.${call.toolName}`, functionCall: { name: call.toolName, arguments: args } }
      const content = { ...(call.toolName && { toolCall }), ...(toolReturn !== undefined && { toolReturn }) }
      snapshot((ts) => {
        call.beganAt ??= ts
        return { eventId: call.callId, eventScene: 'tool', status, ts: call.beganAt, content }
      })
    }

    /** @param {(ts: number) => object} fields */
    function snapshot(fields) {
      drafts.push({
        at,
        write: (ts) => ({
          event: 'chat_event',
          message: { conversationId: run.conversationId, ts, updatedAt: ts, ...fields(ts) },
        }),
      })
    }
  }
}
