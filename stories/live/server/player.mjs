// @ts-check
import { scriptOf } from './scenarios.mjs'

/** @typedef {import('./script.mjs').Run} Run */
/** @typedef {import('./script.mjs').Step} Step */
/** @typedef {import('./script.mjs').Request} Request */
/** @typedef {ReturnType<typeof import('./state.mjs').createState>} State */

/**
 * A run that is being played.
 * @typedef {{ run: Run, steps: Step[], requests: Request[], sent: number, timer?: NodeJS.Timeout }} Playing
 */

/** A person's answer to a request. @typedef {{ correlationID: string, approved: boolean, scope?: string, reason?: string }} Answer */

/**
 * Plays runs: sends each step at its time, takes the answers that they wait for, and keeps in the state what outlives
 * the process.
 * @param {object} options
 * @param {State} options.state
 * @param {(conversationId: string, step: Step) => void} options.send
 * @param {() => void} options.onCrash
 */
export function createPlayer({ state, send, onCrash }) {
  /** @type {Map<string, Playing>} */
  const playing = new Map()

  return {
    /** Plays a run from `fromMs` on. What was due until then is kept, and not sent. @param {Run} run */
    play(run, fromMs = -1) {
      const { steps, requests } = scriptOf(run)
      const due = steps.findIndex(({ at }) => at > fromMs)
      const sent = due < 0 ? steps.length : due
      const entry = { run, steps, requests, sent }
      playing.set(run.runId, entry)
      state.keep(run.conversationId, steps.slice(0, sent))
      next(entry)
    },

    /**
     * Takes an answer; the first to a request counts. Returns what to acknowledge it with, `null` for silence: the
     * server has died of it.
     * @param {string} conversationId @param {Answer} answer @returns {{ error?: string } | null}
     */
    answer(conversationId, answer) {
      state.noteAnswer(conversationId, answer)
      const { correlationID: id, approved, scope, reason } = answer
      const entry = [...playing.values()].find(
        ({ run, requests }) => run.conversationId === conversationId && requests.some((request) => request.id === id),
      )
      const request = entry?.requests.find((each) => each.id === id)
      const earlier = entry?.run.decisions?.[id] ?? state.answerOf(conversationId, id)
      if (earlier) return earlier.approved === approved ? {} : { error: 'somebody has answered otherwise before' }
      if (!entry || !request) return { error: 'there is no such request' }
      const { run } = entry
      const now = Date.now() - run.startedAt
      if (now < request.at || now >= request.until) return { error: 'nobody waits for an answer to this any more' }

      const trouble = run.troubled?.includes(id) ? undefined : request.trouble
      if (trouble) run.troubled = [...(run.troubled ?? []), id]
      if (trouble === 'refused' || trouble === 'crash-before') state.begin(run)
      if (trouble === 'refused') return { error: 'the policy service did not answer, please try again' }
      if (trouble === 'crash-before') return die()
      // After all that was sent, so that this stays the beginning of the steps.
      const at = Math.max(now, (entry.steps[entry.sent - 1]?.at ?? 0) + 1)
      run.decisions = { ...run.decisions, [id]: { approved, ...(scope && { scope }), ...(reason && { reason }), at } }
      state.begin(run)
      if (trouble === 'crash-after') return die()
      Object.assign(entry, scriptOf(run))
      next(entry)
      return {}
    },

    tell,

    /** Stops what runs in a conversation. @param {string} conversationId */
    stop(conversationId) {
      for (const entry of playing.values()) if (entry.run.conversationId === conversationId) drop(entry)
    },

    close() {
      for (const entry of playing.values()) drop(entry)
    },
  }

  /** Waits for the next step. A run without one is at its end, unless it waits for somebody. @param {Playing} entry */
  function next(entry) {
    const { run, steps, requests, sent } = entry
    clearTimeout(entry.timer)
    const step = steps[sent]
    if (step) entry.timer = setTimeout(() => sendDue(entry), run.startedAt + step.at - Date.now())
    else if (!requests.some(({ id, until }) => until === Infinity && !run.decisions?.[id])) {
      drop(entry)
      state.end(run)
    }
  }

  /** Sends all that is due. @param {Playing} entry */
  function sendDue(entry) {
    const { run, steps, sent } = entry
    const elapsed = Math.max(Date.now() - run.startedAt, steps[sent]?.at ?? 0)
    while ((steps[entry.sent]?.at ?? Infinity) <= elapsed) entry.sent += 1
    const due = steps.slice(sent, entry.sent)
    tell(run.conversationId, due)
    next(entry)
  }

  /** Keeps what is to be kept of these, then sends them. @param {string} conversationId @param {readonly Step[]} steps */
  function tell(conversationId, steps) {
    state.keep(conversationId, steps)
    for (const step of steps) send(conversationId, step)
  }

  function die() {
    onCrash()
    return null
  }

  /** @param {Playing} entry */
  function drop({ run, timer }) {
    clearTimeout(timer)
    playing.delete(run.runId)
  }
}
