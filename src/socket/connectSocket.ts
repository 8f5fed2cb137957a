import { io, type ManagerOptions, type SocketOptions } from 'socket.io-client'
import { type Approval, type ApprovalAnswer, isUnconfirmed } from '../core/index.js'
import { callKey, idOfKey, type ProtocolContext, type ProtocolName, protocols } from '../protocols/index.js'
import type { ToolCallStore } from '../store/index.js'
import { AnswerSender, failureOf } from './answerSender.js'
import { type ResumeLimits, type ResumeRequest, RunResume } from './runResume.js'

/** Where a conversation is heard, and under which names (A2). Exactly one of `url` and `socket` is needed. */
export interface ConnectSocketOptions {
  /**
   * The namespace's address: `/chat` on the page's own origin, or in full, `https://example.org/chat`. The connection
   * makes a socket of its own for it, keeps it connected, and ends it on `close`.
   */
  readonly url?: string
  /**
   * The host's own socket of socket.io-client, already in its namespace and with the host's credentials; connected now
   * or later. The connection only listens and emits on it: connecting and disconnecting stay with the host.
   */
  readonly socket?: ChatSocket
  /** The conversation, whose id is also the room's. */
  readonly conversationId: string
  /**
   * Which protocol the messages of an event are in, by the event's name.
   * Default: `chat_event`, `tool_event_stream`, `tool_call_start`, `tool_call_args_delta` and `tool_call_result`, each in
   * the protocol of that name, `agent_event` in `agent_bus`, and `run_event` in `run_gateway`.
   */
  readonly events?: Readonly<Record<string, ProtocolName>>
  /** What the protocols have to know beside the messages: the `scope` of their ids, how arguments are sent. */
  readonly context?: Omit<ProtocolContext, 'conversationId'>
  /** The event that joins the room, sent with `{ conversation_id }`. Default: `join_conversation`. */
  readonly joinEvent?: string
  /**
   * The event that leaves the room of a host's socket, sent with `{ conversation_id }`. Default: `leave_conversation`.
   * A socket of our own leaves it by disconnecting.
   */
  readonly leaveEvent?: string
  /**
   * The event that carries an answer to a request for a decision, with `{ correlationID, approved, scope, reason,
   * conversation_id }` and an acknowledgement, in which `{ error }` says why it was not taken (D4). Default:
   * `tool_approval_response`.
   */
  readonly answerEvent?: string
  /** How long that acknowledgement is waited for, in ms, while there is a connection. Default 10,000. */
  readonly answerTimeoutMs?: number
  /**
   * Fetches the conversation's snapshots, for servers that do not send them on joining (A14). Called after each join
   * and rejoin; what it resolves to is received as `chat_event`. When it fails, that is reported to the store as
   * `host_callback_failed`; the next rejoin calls it again.
   */
  readonly loadSnapshots?: (conversationId: string) => Promise<readonly unknown[]>
  /**
   * Runs to bring up to date on the first join, so that a page that is opened again shows what it showed (E11). Default:
   * those that are heard of.
   */
  readonly runs?: readonly string[]
  /**
   * Fetches what was missed of a run, as over HTTP: resolves to an answer as the gateway would give it (E6), `{ events,
   * next_seq }` or `{ snapshot }`, or `{ error }` where it is refused. Default: asks on the socket by `resumeEvent`.
   */
  readonly resumeRun?: (request: ResumeRequest) => Promise<unknown>
  /**
   * The event that asks for what was missed of a run, sent with `{ run_id, last_seq, last_event_id }` and acknowledged
   * with the answer. Default: `run_resume`.
   */
  readonly resumeEvent?: string
  /** When and how patiently runs are resumed. False: never, for gateways that can not. */
  readonly resume?: Partial<ResumeLimits> | false
  /** Passed to socket.io-client's `io()` along with `url`. */
  readonly ioOptions?: Partial<ManagerOptions & SocketOptions>
}

/** What is needed of a socket of socket.io-client, so that one with typed events fits, too. */
export interface ChatSocket {
  readonly connected: boolean
  /** Whether the last reconnect restored the rooms and sent again what was missed. */
  readonly recovered: boolean
  on(event: string, listener: SocketListener): unknown
  off(event?: string, listener?: SocketListener): unknown
  emit(event: string, ...args: unknown[]): unknown
}

/** `lost` once a connection that held has broken, until it is back; `closed` for good. */
export type ConnectionStatus = 'connecting' | 'connected' | 'lost' | 'closed'

/** A store's connection to one conversation. */
export interface SocketConnection {
  readonly status: ConnectionStatus
  /** The host's socket, or the one made for `url`: for what else the host has to say to the server. */
  readonly socket: ChatSocket
  /**
   * Calls `listener` after each change of `status`; one that throws is reported to the store. Returns the function that
   * ends it. Fits React's `useSyncExternalStore`.
   */
  readonly onStatusChange: (listener: (status: ConnectionStatus) => void) => () => void
  /**
   * Asks what has become of a run, at once or when there is a connection: for a run that was named by its page's address,
   * and to check again one that is unknown (E5). It starts nothing.
   */
  readonly resumeRun: (runId: string) => void
  /**
   * Leaves the room and stops listening; a socket made for `url` is disconnected, a host's stays connected. What the
   * store holds stays. The conversation's calls that are still open read as unknown from now on, until another connection
   * to it is made (D4).
   */
  close(): void
}

const defaultEvents: Readonly<Record<string, ProtocolName>> = {
  chat_event: 'chat_event',
  tool_event_stream: 'tool_event_stream',
  tool_call_start: 'tool_call_start',
  tool_call_args_delta: 'tool_call_args_delta',
  tool_call_result: 'tool_call_result',
  agent_event: 'agent_bus',
  run_event: 'run_gateway',
}

/** Its arguments are whatever the server sent. */
type SocketListener = (...args: any[]) => void

/**
 * The last message that each store took from a socket, and the listener that took it: connections that share a socket hear
 * the same one, and of what has no number it would count once for each.
 */
const lastTaken = new WeakMap<ToolCallStore, { message: unknown; protocol: ProtocolName; by: SocketListener }>()

/** How long a socket of our own waits before it connects again after the server has ended it; doubled up to the limit. */
const firstRetryMs = 1_000
const longestRetryMs = 30_000

/**
 * Connects a store to a conversation on a Socket.IO server (A2): joins its room, now and after each reconnect, hands
 * what the server sends to the store, and tells the store when the connection is lost and back (A14). After a reconnect
 * in which Socket.IO recovered the connection's state nothing is joined or loaded again, since nothing was missed; unless
 * nothing was heard since joining, as when the request to join was lost with the connection.
 *
 * It carries the answers to the conversation's requests for a decision (D4). After a reconnect those that nobody has
 * confirmed are sent once more, with the same `correlationID`.
 *
 * No message and no failing callback makes it throw: they become problems in the store's diagnostics. Several
 * connections may share a host's socket if the server's snapshots name their conversation, one connection a
 * conversation: each message is taken once, by the first of them. It runs in browsers and in Node.js.
 *
 * @throws when `url` and `socket` are both given or both missing, when `conversationId` is empty, or when `events` names
 * a protocol that there is not.
 */
export function connectSocket(store: ToolCallStore, options: ConnectSocketOptions): SocketConnection {
  const { conversationId, joinEvent = 'join_conversation', leaveEvent = 'leave_conversation' } = options
  const events = options.events ?? defaultEvents
  const context: ProtocolContext = { ...options.context, conversationId }
  checkOptions(options, events)
  const ownSocket = options.socket ? undefined : io(options.url, options.ioOptions)
  const socket = (options.socket ?? ownSocket) as ChatSocket
  const room = { conversation_id: conversationId }
  const { answerEvent = 'tool_approval_response', answerTimeoutMs = 10_000 } = options
  const answers = new AnswerSender({ emit: emitAnswer, timeoutMs: answerTimeoutMs })
  const stopCarrying = store.carryAnswers((approval, answer) => answers.send(approval, answer), conversationId)
  const statusListeners = new Set<(status: ConnectionStatus) => void>()
  let status: ConnectionStatus = 'connecting'
  let joined = false
  /** Whether anything was heard since joining: until then the request to join may have been lost with its connection. */
  let heard = false
  let retryMs = firstRetryMs
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  const named = new Set<string>()
  const runs = options.resume === false ? undefined : watchRuns(options.resume)

  const listeners: (readonly [event: string, listener: SocketListener])[] = [
    ['connect', onConnect],
    ['disconnect', onDisconnect],
    ['connect_error', onConnectError],
    ...Object.entries(events).map(([event, protocol]) => [event, receiverOf(protocol)] as const),
  ]
  for (const [event, listener] of listeners) socket.on(event, listener)
  options.runs?.forEach(resumeRun)
  if (socket.connected) onConnect()

  return {
    get status() {
      return status
    },
    socket,
    onStatusChange(listener) {
      // Wrapped, so that a listener that was added twice is also removed twice.
      const entry = (changed: ConnectionStatus) => listener(changed)
      statusListeners.add(entry)
      return () => void statusListeners.delete(entry)
    },
    resumeRun,
    close,
  }

  function receiverOf(protocol: ProtocolName) {
    const receiver = (message: unknown) => {
      if (isClosed()) return
      heard = true
      const last = lastTaken.get(store)
      if (last?.message === message && last?.protocol === protocol && last?.by !== receiver) return
      lastTaken.set(store, { message, protocol, by: receiver })
      take(protocol, message)
    }
    return receiver
  }

  function take(protocol: ProtocolName, message: unknown) {
    if (isClosed()) return
    store.receive(protocol, message, context)
    if (protocol === 'run_gateway') runs?.heard(message)
  }

  function watchRuns(limits: Partial<ResumeLimits> | undefined) {
    const callOf = (runId: string) => callKey(context.scope, runId)
    return new RunResume({
      ...(limits && { limits }),
      ...(context.runId !== undefined && { runId: context.runId }),
      ask: options.resumeRun ?? askOnSocket,
      receive: (message, runId) => store.receive('run_gateway', message, { ...context, runId }),
      isOver(runId) {
        const { calls, forgotten } = published()
        const outcome = calls.get(callOf(runId))?.outcome
        return forgotten.has(callOf(runId)) || (outcome !== undefined && outcome.kind !== 'unknown')
      },
      onEnd(runId, end) {
        // Of a run without an event that we may see nothing is to be seen, unless the host knows of it.
        if (!named.has(runId) && !published().calls.has(callOf(runId))) return
        const contact = end === 'resumed' ? 'resumed' : 'resume_refused'
        store.ingest({ type: 'contact', contact, conversationId, callId: callOf(runId) })
      },
      onFailure: (error) => store.report({ kind: 'resume_failed', detail: errorText(error) }),
    })
  }

  function published() {
    store.flush()
    return store.getState()
  }

  function resumeRun(runId: string) {
    named.add(runId)
    runs?.resume(runId)
  }

  function askOnSocket({ runId, lastSeq, lastEventId }: ResumeRequest) {
    const request = { run_id: runId, last_seq: lastSeq, last_event_id: lastEventId }
    return new Promise((resolve) => socket.emit(options.resumeEvent ?? 'run_resume', request, resolve))
  }

  // Socket.IO calls a listener that was removed while its event is being told: hence the checks for `closed`. So may
  // whoever hears of what happens here close the connection: hence those in between.
  function onConnect() {
    if (isClosed()) return
    // What is recovered are the rooms that the server knew of: not one that it never heard the request for.
    const recovered = heard && socket.recovered
    retryMs = firstRetryMs
    status = 'connected'
    joined = true
    store.ingest({ type: 'contact', contact: 'back', conversationId, recovered })
    if (isClosed()) return
    if (!recovered) {
      heard = false
      socket.emit(joinEvent, room)
      void loadSnapshots()
      if (isClosed()) return
    }
    runs?.connected(recovered)
    sendAnswersAgain(recovered)
    if (!isClosed()) tellStatus()
  }

  function emitAnswer(approval: Approval, answer: ApprovalAnswer, acknowledge: (reply: unknown) => void) {
    const correlationID = idOfKey(context.scope, approval.id)
    socket.emit(answerEvent, { correlationID, ...answer, ...room }, acknowledge)
  }

  /** What nobody has acknowledged may not have arrived; and what was not recovered may be forgotten on the other side. */
  function sendAnswersAgain(recovered: boolean) {
    const { approvals } = published()
    if (isClosed()) return
    const unconfirmed = [...approvals.values()].filter(isUnconfirmed)
    const delivered = unconfirmed.filter((each) => each.state === 'sent' && each.conversationId === conversationId)
    answers.connect((id) => unconfirmed.some((approval) => approval.id === id))
    if (recovered) return
    for (const approval of delivered) {
      const answer = approval.answer as ApprovalAnswer
      emitAnswer(approval, answer, (reply) => {
        const reason = failureOf(reply)
        if (reason === undefined || isClosed()) return
        store.ingest({ type: 'approval', approvalId: approval.id, sent: { answer, state: 'failed', reason } })
      })
    }
  }

  function onDisconnect(reason: unknown) {
    if (isClosed()) return
    runs?.disconnected()
    answers.disconnect()
    if (status === 'connected') {
      status = 'lost'
      sayLost()
      if (isClosed()) return
      tellStatus()
    }
    if (reason === 'io server disconnect') retry()
  }

  function onConnectError() {
    if (ownSocket?.active === false) retry()
  }

  /** Socket.IO does not try again after the server has ended a connection or refused it: with our own socket we do. */
  function retry() {
    if (!ownSocket || isClosed()) return
    clearTimeout(retryTimer)
    retryTimer = setTimeout(() => ownSocket.connect(), retryMs)
    retryMs = Math.min(retryMs * 2, longestRetryMs)
  }

  async function loadSnapshots() {
    try {
      const snapshots = (await options.loadSnapshots?.(conversationId)) ?? []
      for (const snapshot of snapshots) take('chat_event', snapshot)
    } catch (error) {
      if (!isClosed()) reportFailure('loadSnapshots', error)
    }
  }

  function close() {
    if (isClosed()) return
    const wasConnected = status === 'connected'
    status = 'closed'
    clearTimeout(retryTimer)
    runs?.disconnected()
    for (const [event, listener] of listeners) socket.off(event, listener)
    // Disconnecting leaves the room, too; a message sent just before it would not be heard by Socket.IO's server.
    if (ownSocket) ownSocket.disconnect()
    else if (socket.connected) socket.emit(leaveEvent, room)
    stopCarrying()
    answers.close()
    if (wasConnected) sayLost()
    if (joined) store.ingest({ type: 'contact', contact: 'closed', conversationId })
    tellStatus()
  }

  function sayLost() {
    store.ingest({ type: 'contact', contact: 'lost', conversationId })
  }

  function isClosed() {
    return status === 'closed'
  }

  function tellStatus() {
    for (const listener of statusListeners) {
      try {
        // As it is now: a listener before this one may have closed the connection.
        listener(status)
      } catch (error) {
        reportFailure('onStatusChange', error)
      }
    }
  }

  function reportFailure(callback: string, error: unknown) {
    store.report({ kind: 'host_callback_failed', detail: `${callback}: ${errorText(error)}` })
  }
}

const errorText = (error: unknown) => (error instanceof Error ? error.message : typeof error)

function checkOptions(options: ConnectSocketOptions, events: Readonly<Record<string, string>>) {
  if (!options.url === !options.socket) {
    throw new Error('tool-call-detail: connectSocket needs a `url` or a `socket`, and not both.')
  }
  if (typeof options.conversationId !== 'string' || options.conversationId === '') {
    throw new Error('tool-call-detail: connectSocket needs the `conversationId` whose room it is to join.')
  }
  for (const [event, protocol] of Object.entries(events)) {
    if (Object.hasOwn(protocols, protocol)) continue
    const known = Object.keys(protocols).join(', ')
    throw new Error(`tool-call-detail: no protocol "${protocol}" for the event "${event}"; use one of ${known}.`)
  }
}
