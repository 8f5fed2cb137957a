// @ts-check

/** How large a chunk may become by merging, in UTF-16 code units: what receivers call normal (B5). */
const maxChunk = 8 * 1024

/**
 * A progress envelope, or what is made up in its place.
 * @typedef {{ kind: string, payload: Record<string, any>, streamKey?: string, seq?: number, status?: string, v?: number }} Envelope
 */

/**
 * Lets through at most one envelope each `everyMs`, in order (A13). Of those that wait, pieces of one tool's output that
 * follow each other are merged; beyond `maxWaiting` the oldest is dropped. The end waits for what came before it, and is
 * never dropped.
 * @param {{ emit: (envelope: Envelope) => void, everyMs?: number, maxWaiting?: number }} options
 */
export function createThrottle({ emit, everyMs = 100, maxWaiting = 10 }) {
  /** @type {Envelope[]} */
  const waiting = []
  /** @type {(() => void) | undefined} */
  let end
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  let dropped = 0

  return {
    /** How many were dropped. */
    dropped: () => dropped,

    /** @param {Envelope} envelope */
    push(envelope) {
      const last = waiting.at(-1)
      const merged = last && merge(last, envelope)
      if (merged) waiting[waiting.length - 1] = merged
      else waiting.push(envelope)
      if (waiting.length > maxWaiting) {
        waiting.shift()
        dropped += 1
      }
      if (timer === undefined) next()
    },

    /** Calls `last` when everything before it has gone. @param {() => void} last */
    end(last) {
      end = last
      if (timer === undefined) next()
    },

    /** Forgets all that waits. */
    stop() {
      waiting.length = 0
      end = undefined
      clearTimeout(timer)
    },
  }

  function next() {
    timer = undefined
    const envelope = waiting.shift()
    if (envelope === undefined) {
      end?.()
      end = undefined
      return
    }
    emit(envelope)
    timer = setTimeout(next, everyMs)
  }
}

/** @param {Envelope} a @param {Envelope} b @returns {Envelope | undefined} */
function merge(a, b) {
  const isOutput = [a, b].every(
    ({ kind, status, payload }) =>
      kind === 'tool_output_append' && status === 'running' && typeof payload.chunk === 'string',
  )
  if (!isOutput || a.streamKey !== b.streamKey || a.payload.tool_call_id !== b.payload.tool_call_id) return undefined
  const chunk = `${a.payload.chunk}${b.payload.chunk}`
  return chunk.length > maxChunk ? undefined : { ...b, payload: { ...b.payload, chunk } }
}
