// @ts-check
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { createSendQueue } from './backpressure.mjs'
import { createDownloads } from './downloads.mjs'
import { createEventBudget } from './eventBudget.mjs'
import { createExecutor } from './executor.mjs'
import { createRunLog } from './runLog.mjs'
import { runScenarios } from './runScenarios.mjs'
import { createToolLedger } from './toolLedger.mjs'

/** @typedef {import('../script.mjs').Run} Run */
/** @typedef {import('./backpressure.mjs').RunEvent} RunEvent */
/** @typedef {import('socket.io').Socket} Socket */

/**
 * What the gateway keeps to (E8). Each has the source document's number as its default, where that has one.
 * @typedef {object} GatewayLimits
 * @property {Parameters<typeof createSendQueue>[0]} [backpressure]
 * @property {Parameters<typeof createEventBudget>[0]} [budget]
 * @property {number} [maxResumeEvents] Default: 1000.
 * @property {number} [retentionMs] Default: 30 minutes.
 * @property {number} [heartbeatMs] Default: 5 s.
 * @property {number} [connectionMs] How long one connection may live. Default: an hour.
 * @property {number} [linkMs] How long a download link holds. Default: 60 s.
 */

/** How many messages a connection may have waiting inside Socket.IO before we hold ours back. */
const maxUnsent = 16

/** How often old runs are looked for, in ms. */
const expireMs = 60_000

/**
 * A gateway between an executor and its readers: it sends what the executor has logged as `run_event`, to each reader as
 * fast as that one reads, and answers `run_resume { run_id, last_seq, last_event_id }` out of the log. Readers come and
 * go, and so may this process: neither changes a run.
 * @param {object} options
 * @param {string} options.folder Where logs, ledger and files are kept.
 * @param {(conversationId: string) => Iterable<Socket>} options.readersOf Who listens to a conversation.
 * @param {GatewayLimits} [options.limits]
 */
export function createGateway({ folder, readersOf, limits = {} }) {
  const log = createRunLog(path.join(folder, 'runs'), limits)
  const ledger = createToolLedger(path.join(folder, 'tools.jsonl'))
  const downloads = createDownloads(path.join(folder, 'files'), limits)
  /** @type {Map<string, ReturnType<typeof createEventBudget>>} */
  const budgets = new Map()
  /** Runs whose next resume is refused. @type {Set<string>} */
  const refusals = new Set()
  /** @type {WeakMap<Socket, ReturnType<typeof createReader>>} */
  const readers = new WeakMap()
  const executor = createExecutor({
    log,
    ledger,
    save: (file) => downloads.save(file),
    onEvent: send,
    onWay: disturbConnection,
    admits,
  })
  const timers = [setInterval(beat, limits.heartbeatMs ?? 5_000), setInterval(() => log.expire(Date.now()), expireMs)]

  for (const run of log.runs()) if (!log.hasEnded(run.runId)) executor.carryOut(run)

  return {
    /** Answers what is asked over HTTP. @type {typeof downloads.handle} */
    handle: (request, response) => downloads.handle(request, response),

    /** @param {Run} run */
    start(run) {
      log.begin(run)
      executor.carryOut(run)
    },

    /** Forgets the runs of a conversation. @param {string} conversationId */
    clear(conversationId) {
      for (const { runId } of log.runs().filter((run) => run.conversationId === conversationId)) {
        executor.stop(runId)
        log.forget(runId)
      }
    },

    /** A new connection. @param {Socket} socket */
    attach(socket) {
      const limit = setTimeout(() => recycle(socket), limits.connectionMs ?? 60 * 60_000)
      socket.once('disconnect', () => clearTimeout(limit))
      socket.on('run_resume', (request, acknowledge) => reply(acknowledge, resume(request)))
      socket.on('count_executions', (request, acknowledge) =>
        reply(acknowledge, ledger.executions(String(request?.run_id))),
      )
    },

    /**
     * The reply to an answer; the same answer is taken as often as it is sent. Undefined: it is about nothing of ours.
     * @param {any} response
     */
    answer(response) {
      const { correlationID, approved, scope } = response ?? {}
      const asked = log
        .runs()
        .flatMap(({ runId }) => log.entries(runId).filter(({ event }) => isAsked(event, correlationID)))
      const { event } = asked[0] ?? {}
      if (!event || typeof approved !== 'boolean') return undefined
      const isAnswer = (/** @type {RunEvent} */ { type, seq }) => type === 'approval_answered' && seq > event.seq
      const before = log.entries(event.run_id).find((entry) => isAnswer(entry.event))?.event
      if (before) return before.payload.approved === approved ? {} : { error: 'answered otherwise' }
      return executor.answer(event.run_id, { approved, scope }) ? {} : { error: 'nobody waits for it' }
    },

    close() {
      for (const timer of timers) clearInterval(timer)
      executor.close()
    },
  }

  /** @param {Run} run @param {RunEvent} event */
  function admits({ runId }, event) {
    let budget = budgets.get(runId)
    if (!budget) {
      budget = createEventBudget(limits.budget)
      // After a restart it counts what was said before.
      for (const { event: earlier } of log.entries(runId)) budget.admits(earlier, Date.parse(earlier.created_at))
      budgets.set(runId, budget)
    }
    return budget.admits(event, Date.now())
  }

  /** @param {Run} run @param {RunEvent} event */
  function send(run, event) {
    if (event.visibility !== 'user') return
    for (const socket of readersOf(run.conversationId)) readerOf(socket).push(event, run)
  }

  /** @param {Socket} socket */
  function readerOf(socket) {
    const reader = readers.get(socket) ?? createReader(socket, limits.backpressure)
    readers.set(socket, reader)
    return reader
  }

  function beat() {
    for (const run of executor.running()) send(run, passing(run.runId, 'heartbeat'))
  }

  /** @param {Run} run @param {'cut' | 'recycle'} way */
  function disturbConnection({ runId, conversationId }, way) {
    if (way === 'cut') refusals.add(runId)
    for (const socket of readersOf(conversationId)) {
      if (way === 'cut') socket.conn.close(true)
      else recycle(socket)
    }
  }

  /** Ends a connection that has lived long enough, so that its reader comes back and loses nothing. @param {Socket} socket */
  function recycle(socket) {
    for (const { runId, conversationId } of executor.running()) {
      if (socket.rooms.has(conversationId)) socket.emit('run_event', passing(runId, 'stream.paused'))
    }
    // Not `disconnect`, which a client takes for good. It waits for what is still to be sent.
    socket.conn.close()
  }

  /** @param {any} request */
  function resume(request) {
    const { run_id: runId, last_seq: lastSeq, last_event_id: lastEventId } = request ?? {}
    if (typeof runId !== 'string') return { error: 'run_id is needed' }
    if (refusals.delete(runId)) return { error: 'refused' }
    const known = log.entries(runId).find(({ event }) => event.event_id === lastEventId)?.event.seq ?? null
    return log.resume(runId, Number.isSafeInteger(lastSeq) ? lastSeq : known, limits.maxResumeEvents ?? 1_000)
  }
}

/** @param {unknown} acknowledge Whatever the other side sent in its place. @param {object} answer */
function reply(acknowledge, answer) {
  if (typeof acknowledge === 'function') acknowledge(answer)
}

/** @param {RunEvent} event @param {unknown} approvalId */
const isAsked = ({ type, run_id, seq }, approvalId) => type === 'approval_required' && `${run_id}/${seq}` === approvalId

/**
 * Sends to one connection what waits for it, as fast as that takes it.
 * @param {Socket} socket @param {Parameters<typeof createSendQueue>[0]} backpressure
 */
function createReader(socket, backpressure) {
  const queue = createSendQueue(backpressure)
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  let readerMs = 0
  let wasDegraded = false
  let runId = ''
  socket.conn.on('drain', pump)
  socket.once('disconnect', () => clearTimeout(timer))

  return {
    /** @param {RunEvent} event @param {Run} run */
    push(event, run) {
      readerMs = (runScenarios.find(({ name }) => name === run.scenario)?.readerMs ?? 0) / (run.speed ?? 1)
      runId = run.runId
      queue.push(event, Date.now())
      sayIfDegraded()
      pump()
    },
  }

  function pump() {
    while (!timer && socket.connected && unsent() < maxUnsent) {
      const event = queue.shift(Date.now())
      sayIfDegraded()
      if (!event) return
      // Before it is sent: where it drains at once, this function is called again from there.
      if (readerMs > 0) timer = setTimeout(afterPause, readerMs)
      socket.emit('run_event', event)
    }
  }

  function afterPause() {
    timer = undefined
    pump()
  }

  function unsent() {
    return /** @type {any} */ (socket.conn).writeBuffer.length
  }

  /** At once, not behind what waits. */
  function sayIfDegraded() {
    if (queue.isDegraded === wasDegraded) return
    wasDegraded = queue.isDegraded
    socket.emit('run_event', { ...passing(runId, 'heartbeat'), degraded: wasDegraded })
  }
}

/** An event of the connection, which has no place in the log. @param {string} runId @param {string} type @returns {RunEvent} */
function passing(runId, type) {
  const place = { event_id: randomUUID(), run_id: runId, created_at: new Date().toISOString() }
  return { ...place, type, visibility: 'user' }
}
