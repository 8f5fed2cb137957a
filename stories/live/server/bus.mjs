// @ts-check

/** @typedef {Omit<ReturnType<typeof import('./script.mjs').createScript>, 'steps' | 'requests'>} Pen */
/** @typedef {import('./script.mjs').Decision} Decision */
/** @typedef {import('./script.mjs').Trouble} Trouble */

/** A call on the bus. @typedef {{ callId: string, toolName: string, args: object, serverName?: string }} BusCall */

/**
 * Lets a pen write what a session says on the agent's bus: `agent_event` messages with a `type` (D1 to D6). Those of
 * terminals come in an envelope, under their own topic.
 */
export class Bus {
  /** @type {Pen} */
  #pen
  /** @type {string} */
  #sessionID
  /** @type {{ sessionID: string, call: BusCall } | undefined} */
  #parent

  /**
   * @param {Pen} pen
   * @param {string} sessionID
   * @param {{ sessionID: string, call: BusCall }} [parent] Whose sub-agent the session is, and the call it works for.
   */
  constructor(pen, sessionID, parent) {
    this.#pen = pen
    this.#sessionID = sessionID
    this.#parent = parent
  }

  /** @param {number} ms */
  wait(ms) {
    this.#pen.wait(ms)
  }

  /** A message of the conversation. @param {'user' | 'agent'} scene @param {string} text */
  say(scene, text) {
    this.#pen.say(scene, text)
  }

  time() {
    return this.#pen.time()
  }

  /** The same session with a time of its own. */
  fork() {
    return new Bus(this.#pen.fork(), this.#sessionID, this.#parent)
  }

  /** Goes on when all of these have come to their end. @param {readonly Bus[]} others */
  join(...others) {
    this.#pen.join(...others)
  }

  /** A sub-agent that works for a call. @param {BusCall} call @param {string} name */
  subAgent(call, name) {
    // Read by people: who asks is said by this name.
    const session = `${name}-${this.#pen.id('').slice(0, 4)}`
    return new Bus(this.#pen.fork(), session, { sessionID: this.#sessionID, call })
  }

  /**
   * A call that has a name already, and is not announced.
   * @param {string} name @param {string} toolName @param {object} args @param {{ serverName?: string }} [fields]
   * @returns {BusCall}
   */
  plan(name, toolName, args, fields) {
    return { callId: this.#pen.id(name), toolName, args, ...fields }
  }

  /** A call is announced. @param {BusCall} call @param {string} [display] What it does, in a line to read. */
  announces({ callId, toolName, args, serverName }, display) {
    this.#event('ToolCallEvent', {
      toolCallID: callId,
      name: toolName,
      args,
      ...(display && { display }),
      ...(serverName && { serverName }),
      ...(this.#parent && { parentToolCallID: this.#parent.call.callId }),
    })
  }

  /**
   * Plans a call and announces it.
   * @param {string} name @param {string} toolName @param {object} args @param {string} [display]
   * @param {{ serverName?: string }} [fields]
   */
  call(name, toolName, args, display, fields) {
    const call = this.plan(name, toolName, args, fields)
    this.announces(call, display)
    return call
  }

  /** A call runs, for so many seconds at most. @param {BusCall} call @param {number} [timeoutSec] */
  runs({ callId, toolName }, timeoutSec) {
    const limit = timeoutSec === undefined ? {} : { timeoutSec: this.#pen.clockMs(timeoutSec * 1000) / 1000 }
    this.#event('ToolStatusEvent', { toolCallID: callId, toolName, status: 'running', ...limit })
  }

  /**
   * A person is asked whether a call may run, and the answer awaited. What a sub-agent asks is relayed to the session of
   * its parent.
   * @param {BusCall} call
   * @param {{ expiresMs?: number, trouble?: Trouble, confirmMs?: number }} [options] `confirmMs`: how long after the
   * answer the agent says on the bus that it has it; default 500.
   * @returns {Decision | undefined} Undefined when there is no answer.
   */
  asks({ callId, toolName, args, serverName }, options = {}) {
    const { expiresMs, confirmMs = 500 } = options
    const correlationID = `${callId}-approval`
    this.#pen.send('agent_event', (ts) => ({
      type: 'ToolApprovalRequestEvent',
      sessionID: this.#parent?.sessionID ?? this.#sessionID,
      ...(this.#parent && { subagentSessionID: this.#sessionID }),
      correlationID,
      toolName,
      args,
      ...(serverName && { serverName }),
      ...(expiresMs && { expiresAt: ts + this.#pen.clockMs(expiresMs) }),
      ts,
    }))
    const decision = this.#pen.awaits(correlationID, options)
    if (!decision) return undefined
    this.#pen.wait(confirmMs)
    const { approved, scope, reason } = decision
    const said = { approved, ...(scope && { scope }), ...(reason && { reason }) }
    this.#event('ToolApprovalResponseEvent', { correlationID, ...said })
    return decision
  }

  /** A command runs in a terminal of the call. @param {BusCall} call @param {string} command @param {string} [description] */
  opens(call, command, description) {
    this.#terminal('TerminalNewRunningEvent', call, { command, ...(description && { description }) })
  }

  /** One piece of the command's output each `everyMs`. @param {BusCall} call @param {readonly string[]} pieces */
  prints(call, pieces, everyMs = 120) {
    for (const delta of pieces) {
      this.#pen.wait(everyMs)
      this.#terminal('TerminalAppendStringEvent', call, { delta })
    }
  }

  /** The command has ended. @param {BusCall} call @param {number} exitCode */
  exits(call, exitCode) {
    this.#terminal('TerminalCompletedEvent', call, { exitCode, isError: exitCode !== 0 })
  }

  /** The command was ended. @param {BusCall} call @param {string} signal */
  isKilled(call, signal) {
    this.#terminal('TerminalCompletedEvent', call, { signal, isError: true })
  }

  /** A call has ended. @param {BusCall} call @param {unknown} display The final value. */
  returns({ callId, toolName }, display, isError = false) {
    this.#event('ToolResultEvent', { toolCallID: callId, toolName, display, isError })
  }

  /** The session is over, whatever still runs or is asked. */
  ends() {
    this.#event('SessionEndedEvent', {})
    this.#pen.stopsAsking()
  }

  /** @param {string} type @param {Record<string, unknown>} fields */
  #event(type, fields) {
    this.#pen.send('agent_event', (ts) => ({ type, sessionID: this.#sessionID, ...fields, ts }))
  }

  /** @param {string} type @param {BusCall} call @param {Record<string, unknown>} fields */
  #terminal(type, { callId }, fields) {
    this.#pen.send('agent_event', (ts) => ({
      topic: 'TopicTerminalStream',
      payload: { type, sessionID: this.#sessionID, toolCallID: callId, ...fields, ts },
    }))
  }
}
