import type { Interruption } from './call.js'
import type { ContactEvent } from './events.js'

/** How many losses of the connection are remembered. */
const maxLosses = 100

/** A time without connection, for one conversation or for all. */
export interface Loss extends Interruption {
  readonly conversationId: string | undefined
  readonly recovered: boolean
}

/** Whether anything is heard, and when it was not (A14). */
export class Contact {
  #losses: Loss[] = []
  #connected: boolean | undefined
  #lostAt: number | undefined

  /** Takes news of the connection. False: it changes nothing. */
  add({ contact, conversationId, recovered = false }: ContactEvent, receivedAt: number): boolean {
    const isOpen = (loss: Loss) => loss.conversationId === conversationId && loss.backAt === undefined
    const open = this.#losses.findIndex(isOpen)
    if (contact === 'lost') {
      if (open >= 0) return false
      this.#losses.push({ conversationId, lostAt: receivedAt, backAt: undefined, recovered: false })
      if (this.#losses.length > maxLosses) this.#losses.shift()
      this.#connected = false
      this.#lostAt = receivedAt
      return true
    }
    const changed = open >= 0 || this.#connected !== true
    if (open >= 0) this.#losses[open] = { ...(this.#losses[open] as Loss), backAt: receivedAt, recovered }
    this.#connected = true
    this.#lostAt = undefined
    return changed
  }

  /** The newest news, of whichever conversation; undefined while nobody has said anything. */
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
