import type { Interruption, UnknownCause } from './call.js'
import type { ContactEvent } from './events.js'

/** How many losses of the connection are remembered. */
const maxLosses = 100

/** Of how many sessions it is remembered that they ended, and how many ends (of turns) of each. */
const maxSessions = 10_000
const maxEnds = 100

/** A time without connection, for one conversation or for all. */
export interface Loss extends Interruption {
  readonly conversationId: string | undefined
  readonly recovered: boolean
}

/** Since when nothing more can be heard of what was known before, and why. */
export interface ContactEnd {
  readonly cause: UnknownCause
  readonly arrival: number
  readonly receivedAt: number
}

/** Whether anything is heard, and when it was not (A14); and what was left open when nothing more could come. */
export class Contact {
  #losses: Loss[] = []
  /** Whether each conversation is heard; undefined stands for all that are not named. */
  #heard = new Map<string | undefined, boolean>()
  #connected: boolean | undefined
  #lostAt: number | undefined

  /** What was closed for good and is not back, by conversation; undefined stands for all of them. */
  #closed = new Map<string | undefined, ContactEnd>()
  /** The ends of turns and sessions in order, by conversation and session. */
  #ends = new Map<string, ContactEnd[]>()

  /** What goes on from here (G1). */
  fork(): Contact {
    const fork = new Contact()
    fork.#losses = [...this.#losses]
    fork.#heard = new Map(this.#heard)
    fork.#connected = this.#connected
    fork.#lostAt = this.#lostAt
    fork.#closed = new Map(this.#closed)
    for (const [key, ends] of this.#ends) fork.#ends.set(key, [...ends])
    return fork
  }

  /** Since when that conversation is not heard, or all are not, where they are named together; undefined while it is. */
  lostSince(conversationId: string | undefined): number | undefined {
    return this.#losses.find((loss) => loss.conversationId === conversationId && loss.backAt === undefined)?.lostAt
  }

  /** Takes news of the connection. Returns what it may change: the open tasks only, all that is open, or nothing. */
  add(event: ContactEvent, receivedAt: number, arrival: number): 'tasks' | 'calls' | undefined {
    const { contact, conversationId } = event
    if (contact === 'ended') {
      this.#addEnd(event, { cause: 'session_ended', arrival, receivedAt })
      return 'calls'
    }
    if (contact === 'closed') {
      this.#closed.set(conversationId, { cause: 'connection_closed', arrival, receivedAt })
      // One that is closed while others are there is no loss of any.
      if (this.#heard.size > 1 && this.#heard.delete(conversationId)) this.#noteConnected(receivedAt)
      return 'calls'
    }
    const changed = this.#addLoss(event, receivedAt)
    if (contact === 'lost' || !this.#reopen(conversationId)) return changed ? 'tasks' : undefined
    return 'calls'
  }

  /**
   * Why nothing more can be heard of what was first known by that arrival number; undefined while it can. What names no
   * conversation is heard through any, and what names no session ends with none but its whole conversation.
   */
  endOf(arrival: number, conversationId: string | undefined, session: string | undefined): ContactEnd | undefined {
    for (const [heard, end] of this.#closed) {
      const isHeard = heard === undefined || conversationId === undefined || heard === conversationId
      if (isHeard && end.arrival > arrival) return end
    }
    for (const sessionOfEnd of session === undefined ? [undefined] : [session, undefined]) {
      for (const heard of conversationId === undefined ? [undefined] : [conversationId, undefined]) {
        const end = this.#ends.get(endKey(heard, sessionOfEnd))?.find((each) => each.arrival > arrival)
        if (end !== undefined) return end
      }
    }
    return undefined
  }

  /** False: nothing of it was closed. */
  #reopen(conversationId: string | undefined): boolean {
    const closed = this.#closed.size
    if (conversationId === undefined) this.#closed.clear()
    this.#closed.delete(conversationId)
    this.#closed.delete(undefined)
    return this.#closed.size < closed
  }

  #addEnd({ conversationId, sessionId }: ContactEvent, end: ContactEnd): void {
    const key = endKey(conversationId, sessionId)
    const ends = this.#ends.get(key) ?? []
    ends.push(end)
    // What the oldest one ended is ended by the next one, too.
    if (ends.length > maxEnds) ends.shift()
    this.#ends.set(key, ends)
    if (this.#ends.size <= maxSessions) return
    for (const oldest of this.#ends.keys()) {
      this.#ends.delete(oldest)
      return
    }
  }

  #addLoss({ contact, conversationId, recovered = false }: ContactEvent, receivedAt: number): boolean {
    const isOpen = (loss: Loss) => loss.conversationId === conversationId && loss.backAt === undefined
    const open = this.#losses.findIndex(isOpen)
    // What is said of all conversations counts for each.
    if (conversationId === undefined) this.#heard.clear()
    this.#heard.set(conversationId, contact !== 'lost')
    const wasConnected = this.#connected
    this.#noteConnected(receivedAt)
    if (contact === 'lost') {
      if (open >= 0) return false
      this.#losses.push({ conversationId, lostAt: receivedAt, backAt: undefined, recovered: false })
      if (this.#losses.length > maxLosses) this.#losses.shift()
      return true
    }
    if (open >= 0) this.#losses[open] = { ...(this.#losses[open] as Loss), backAt: receivedAt, recovered }
    return open >= 0 || wasConnected !== true
  }

  #noteConnected(receivedAt: number): void {
    this.#connected = [...this.#heard.values()].includes(true)
    if (this.#connected) this.#lostAt = undefined
    else this.#lostAt ??= receivedAt
  }

  /** Whether any conversation is heard; undefined while nobody has said anything. */
  get connected(): boolean | undefined {
    return this.#connected
  }

  /** Since when the connection is lost; undefined while it holds. */
  get lostAt(): number | undefined {
    return this.#lostAt
  }

  /** The losses that a conversation lived through, except those after which everything was sent again. */
  interruptions(conversationId: string | undefined): readonly Interruption[] {
    return this.#losses
      .filter((loss) => !loss.recovered)
      .filter((loss) => [undefined, conversationId].includes(loss.conversationId) || conversationId === undefined)
      .map(({ lostAt, backAt }) => ({ lostAt, backAt }))
  }
}

const endKey = (conversationId: string | undefined, sessionId: string | undefined) =>
  JSON.stringify([conversationId, sessionId].map((each) => each ?? null))
