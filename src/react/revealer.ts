/** Leads to a call: what is folded around it opens, and its area takes the focus when it is there. */
export interface Revealer {
  /** The call that is wanted; `undefined` when there is none, it was reached, or the reader went on with something else. */
  readonly wanted: () => string | undefined
  readonly reveal: (callId: string) => void
  /** The call's area has been reached. */
  reached(callId: string): void
  /** Calls `listener` when another call is wanted. Returns the function that ends it. */
  readonly subscribe: (listener: () => void) => () => void
}

/** What a reader does who does not wait to be led any more. */
const acts = ['keydown', 'pointerdown'] as const

/** Makes a revealer. */
export function createRevealer(): Revealer {
  const listeners = new Set<() => void>()
  let wanted: string | undefined
  const set = (callId: string | undefined) => {
    wanted = callId
    for (const act of acts) {
      if (callId === undefined) document.removeEventListener(act, forget, true)
      else document.addEventListener(act, forget, true)
    }
    for (const listener of listeners) listener()
  }
  // An area that comes much later must not take the focus from where the reader is then.
  const forget = () => set(undefined)
  return {
    wanted: () => wanted,
    reveal: set,
    reached(callId) {
      if (callId === wanted) set(undefined)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
