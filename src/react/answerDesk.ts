/** Where answers are given: each press of a key or a button reaches exactly the request that it was meant for. */
export interface AnswerDesk {
  /**
   * Whether an answer to that request is taken now. Not within half a second after another one was, or after a request
   * has slid into the place of another: such a press was meant for that other one.
   */
  take(approvalId: string): boolean
  /** A request has slid into the place of another. */
  hold(): void
  /** Reasons that were begun, by the request's id; those that were sent, too, since that may fail. */
  readonly reasons: Map<string, string>
}

/** As long as two presses of one double click lie apart, in ms. */
const holdMs = 500

/** Makes a desk. */
export function createAnswerDesk(): AnswerDesk {
  let heldUntil = Number.NEGATIVE_INFINITY
  let answeredId: string | undefined
  return {
    take(approvalId) {
      const now = performance.now()
      if (now < heldUntil && approvalId !== answeredId) return false
      heldUntil = now + holdMs
      answeredId = approvalId
      return true
    },
    hold() {
      heldUntil = performance.now() + holdMs
      answeredId = undefined
    },
    reasons: new Map(),
  }
}
