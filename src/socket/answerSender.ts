import type { Approval, ApprovalAnswer } from '../core/index.js'
import { UnconfirmedAnswer } from '../store/index.js'

/** What carrying answers needs of the connection. */
interface AnswerSenderOptions {
  /** Sends one message; `acknowledge` is called with what the other side says to it. */
  readonly emit: (approval: Approval, answer: ApprovalAnswer, acknowledge: (reply: unknown) => void) => void
  /** How long an acknowledgement is waited for, in ms. */
  readonly timeoutMs: number
}

/** An answer that nobody has acknowledged. */
interface Pending {
  readonly approval: Approval
  readonly answer: ApprovalAnswer
  /** Undefined while there is no connection. */
  timer: ReturnType<typeof setTimeout> | undefined
  isEmitted: boolean
  readonly settle: (failure?: Error) => void
}

/**
 * Sends answers over a connection that may break (D4): each is emitted once a connection, always as the same answer,
 * until it is acknowledged. While there is no connection it waits, and so does its time limit.
 */
export class AnswerSender {
  #pending = new Map<string, Pending>()
  #connected = false
  readonly #options: AnswerSenderOptions

  constructor(options: AnswerSenderOptions) {
    this.#options = options
  }

  /** Resolves once the answer is acknowledged; rejects with the other side's reason, or that nobody acknowledged it. */
  send(approval: Approval, answer: ApprovalAnswer): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (failure?: Error) => {
        clearTimeout(pending.timer)
        if (this.#pending.get(approval.id) === pending) this.#pending.delete(approval.id)
        if (failure === undefined) resolve()
        else reject(failure)
      }
      const pending: Pending = { approval, answer, timer: undefined, isEmitted: false, settle }
      this.#pending.set(approval.id, pending)
      if (this.#connected) this.#emit(pending)
    })
  }

  /** There is a connection: what waits is sent. `isWanted` tells for which of it somebody still waits. */
  connect(isWanted: (approvalId: string) => boolean): void {
    this.#connected = true
    for (const pending of this.#pending.values()) {
      if (isWanted(pending.approval.id)) this.#emit(pending)
      else pending.settle()
    }
  }

  /** The connection is lost. */
  disconnect(): void {
    this.#connected = false
    for (const pending of this.#pending.values()) clearTimeout(pending.timer)
  }

  /** There will be no connection any more: what waits has failed. */
  close(): void {
    this.disconnect()
    for (const { isEmitted, settle } of this.#pending.values()) {
      const reason = 'the connection was closed'
      settle(isEmitted ? new UnconfirmedAnswer(reason) : new Error(reason))
    }
  }

  #emit(pending: Pending): void {
    const { approval, answer, settle, isEmitted: isAgain } = pending
    clearTimeout(pending.timer)
    pending.timer = setTimeout(() => settle(new UnconfirmedAnswer('no acknowledgement came')), this.#options.timeoutMs)
    pending.isEmitted = true
    this.#options.emit(approval, answer, (reply) => {
      const failure = failureOf(reply)
      // What is said to it when it is sent again says nothing of the first time.
      settle(failure === undefined ? undefined : isAgain ? new UnconfirmedAnswer(failure) : new Error(failure))
    })
  }
}

/** The reason in an acknowledgement `{ error }`, of whatever type; undefined for every other one. */
export function failureOf(reply: unknown): string | undefined {
  if (typeof reply !== 'object' || reply === null || !Object.hasOwn(reply, 'error')) return undefined
  const { error } = reply as { readonly error: unknown }
  if (error === undefined || error === null || error === false) return undefined
  return typeof error === 'string' && error !== '' ? error : 'the other side refused the answer'
}
