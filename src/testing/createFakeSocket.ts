/** Its arguments are whatever is emitted. */
type Listener = (...args: any[]) => void

/** A message that the client has emitted. */
export interface SentMessage {
  readonly event: string
  readonly args: readonly unknown[]
}

/** Stands in for a socket of socket.io-client in tests, and for the server behind it. */
export interface FakeSocket {
  readonly connected: boolean
  /** Whether the last reconnect restored the state. */
  readonly recovered: boolean
  /** Whether it connects again by itself: not after `disconnect`, nor after the server has ended the connection. */
  readonly active: boolean
  /** The connection's id; undefined while there is none. Another one after each reconnect that recovered nothing. */
  readonly id: string | undefined
  on(event: string, listener: Listener): FakeSocket
  /** Its own listener for one time only. */
  once(event: string, listener: Listener): FakeSocket
  /** Without a listener all of that event, without an event all. */
  off(event?: string, listener?: Listener): FakeSocket
  /**
   * Sends to the server; a function as the last argument is called with its acknowledgement. While there is no
   * connection messages are kept, and sent when there is one.
   */
  emit(event: string, ...args: unknown[]): FakeSocket
  connect(): FakeSocket
  disconnect(): FakeSocket
  /** The other side. */
  readonly server: FakeServer
}

/** What a test does as the server, or as the network between. */
export interface FakeServer {
  /** All that has reached the server, oldest first. */
  readonly received: readonly SentMessage[]
  /** Sends to the client. Nothing arrives while there is no connection. */
  emit(event: string, ...args: unknown[]): void
  /** Answers what the client emits: what it returns is the acknowledgement; undefined acknowledges nothing. */
  onMessage(event: string, answer: (...args: readonly any[]) => unknown): void
  /** The network breaks, as socket.io-client tells it: `transport close`. The socket stays active. */
  lose(): void
  /** The network is back; with `recovered` the server has restored the state. Only after `lose`. */
  restore(options?: { readonly recovered?: boolean }): void
  /** The server ends the connection: `io server disconnect`. The client has to connect again itself. */
  disconnect(): void
  /** The server refuses the next connection: `connect_error`. */
  refuse(message: string): void
}

/**
 * Makes a socket that is not connected yet; it behaves as one of socket.io-client 4 does, at once and without a network,
 * for `connectSocket({ socket })` and for code of the host that has a socket.
 */
export function createFakeSocket(): FakeSocket {
  const listeners = new Map<string, { readonly listener: Listener; readonly call: Listener }[]>()
  const answers = new Map<string, (...args: readonly any[]) => unknown>()
  const received: SentMessage[] = []
  let kept: (readonly unknown[])[] = []
  let state: 'connected' | 'lost' | 'ended' = 'ended'
  let recovered = false
  let refusal: string | undefined
  let connections = 0

  // Lists are never changed in place: listeners that are removed meanwhile are still told, as in socket.io-client.
  const tell = (event: string, ...args: unknown[]) => {
    for (const { call } of listeners.get(event) ?? []) call(...args)
  }
  const add = (event: string, listener: Listener, call: Listener) =>
    listeners.set(event, [...(listeners.get(event) ?? []), { listener, call }])
  const send = (event: string, args: readonly unknown[]) => {
    const acknowledge = args.at(-1)
    const said = typeof acknowledge === 'function' ? args.slice(0, -1) : args
    received.push({ event, args: said })
    const answer = answers.get(event)?.(...said)
    if (typeof acknowledge === 'function' && answer !== undefined) (acknowledge as Listener)(answer)
  }
  const open = (isRecovered: boolean) => {
    if (refusal !== undefined) {
      const error = new Error(refusal)
      refusal = undefined
      state = 'ended'
      tell('connect_error', error)
      return
    }
    state = 'connected'
    recovered = isRecovered
    if (!isRecovered) connections += 1
    const waiting = kept
    kept = []
    tell('connect')
    for (const [event, ...args] of waiting) send(event as string, args)
  }
  const close = (to: 'lost' | 'ended', reason: string) => {
    const before = state
    state = to
    if (before === 'connected') tell('disconnect', reason)
  }

  const socket: FakeSocket = {
    get connected() {
      return state === 'connected'
    },
    get recovered() {
      return recovered
    },
    get active() {
      return state !== 'ended'
    },
    get id() {
      return state === 'connected' ? `fake-${connections}` : undefined
    },
    on(event, listener) {
      add(event, listener, listener)
      return socket
    },
    once(event, listener) {
      add(event, listener, (...args) => {
        socket.off(event, listener)
        listener(...args)
      })
      return socket
    },
    off(event, listener) {
      if (event === undefined) listeners.clear()
      else if (listener === undefined) listeners.delete(event)
      else {
        const known = listeners.get(event) ?? []
        const at = known.findIndex((each) => each.listener === listener)
        listeners.set(
          event,
          known.filter((_, i) => i !== at),
        )
      }
      return socket
    },
    emit(event, ...args) {
      if (state === 'connected') send(event, args)
      else kept.push([event, ...args])
      return socket
    },
    connect() {
      if (state === 'ended') open(false)
      return socket
    },
    disconnect() {
      close('ended', 'io client disconnect')
      return socket
    },
    server: {
      received,
      emit(event, ...args) {
        if (state === 'connected') tell(event, ...args)
      },
      onMessage(event, answer) {
        answers.set(event, answer)
      },
      lose: () => close('lost', 'transport close'),
      restore({ recovered: isRecovered = false } = {}) {
        if (state === 'lost') open(isRecovered)
      },
      disconnect: () => close('ended', 'io server disconnect'),
      refuse(message) {
        refusal = message
      },
    },
  }
  return socket
}
