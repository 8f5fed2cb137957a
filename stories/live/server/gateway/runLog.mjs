// @ts-check
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { coalesce } from './backpressure.mjs'

/** @typedef {import('../script.mjs').Run} Run */
/** @typedef {import('./backpressure.mjs').RunEvent} RunEvent */
/** A run with all that was ever said of it; `step` is the scenario's step that said it. @typedef {{ run: Run, entries: { step: number, event: RunEvent & { seq: number } }[], snapshot?: object }} LoggedRun */

/**
 * The events of all runs, one append-only file of JSON Lines a run: its first line is the run, each other line one event
 * with the step that it comes from. Every event is in the file before it is told to anyone, so that a server that was
 * killed knows how far each run has come. A last line that was only half written is cut off.
 * @param {string} folder
 * @param {object} [options]
 * @param {number} [options.retentionMs] How long after its end a run's events are kept; its snapshot stays for a day.
 * Default: 30 minutes.
 */
export function createRunLog(folder, { retentionMs = 30 * 60_000 } = {}, now = Date.now()) {
  mkdirSync(folder, { recursive: true })
  /** @type {Map<string, LoggedRun>} */
  const runs = new Map()
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name)
    const logged = name.endsWith('.jsonl') ? read(file) : undefined
    if (logged) runs.set(logged.run.runId, logged)
  }
  expire(now)

  return {
    expire,

    /** Every run, ended ones included. */
    runs: () => [...runs.values()].map(({ run }) => run),

    /** @param {string} runId */
    run: (runId) => runs.get(runId)?.run,

    /** @param {Run} run */
    begin(run) {
      runs.set(run.runId, { run, entries: [] })
      writeFileSync(fileOf(run.runId), `${JSON.stringify({ run })}\n`)
    },

    /**
     * Gives an event its place, and writes it down.
     * @param {string} runId @param {number} step @param {{ type: string } & Record<string, any>} event
     * @returns {RunEvent & { seq: number }}
     */
    append(runId, step, event, at = Date.now()) {
      const { entries } = /** @type {LoggedRun} */ (runs.get(runId))
      const seq = entries.length + 1
      const place = { event_id: `${runId}-${seq}`, run_id: runId, seq, created_at: new Date(at).toISOString() }
      const entry = { step, event: { ...place, ...event } }
      appendFileSync(fileOf(runId), `${JSON.stringify(entry)}\n`)
      entries.push(entry)
      return entry.event
    },

    /** @param {string} runId */
    entries: (runId) => runs.get(runId)?.entries ?? [],

    /** @param {string} runId */
    hasEnded: (runId) => endOf(runs.get(runId)) !== undefined,

    /**
     * What the source document has a resume answer: the events after a number, at most so many; of a run that is over
     * and has nothing after it, or whose events are not kept any more, its snapshot. Reading only: nothing is run again.
     * @param {string} runId @param {number | null} lastSeq @param {number} maxEvents
     */
    resume(runId, lastSeq, maxEvents) {
      const logged = runs.get(runId)
      if (!logged) return { error: 'expired' }
      if (logged.snapshot) return { snapshot: logged.snapshot }
      const missed = logged.entries.filter(({ event }) => event.seq > (lastSeq ?? 0)).slice(0, maxEvents)
      if (missed.length === 0 && endOf(logged)) return { snapshot: snapshotOf(logged) }
      const nextSeq = missed.at(-1)?.event.seq ?? lastSeq
      return {
        events: coalesce(visible(missed)),
        next_seq: nextSeq,
        has_more: nextSeq !== null && nextSeq < logged.entries.length,
      }
    },

    /** @param {string} runId */
    forget(runId) {
      runs.delete(runId)
      rmSync(fileOf(runId), { force: true })
    },
  }

  /** Keeps of runs that ended long ago only their snapshots. @param {number} at */
  function expire(at) {
    for (const [runId, logged] of runs) {
      const endedAt = endOf(logged)
      if (logged.snapshot || endedAt === undefined || at - endedAt < retentionMs) continue
      logged.snapshot = snapshotOf(logged)
      logged.entries = []
      writeFileSync(fileOf(runId), `${JSON.stringify({ run: logged.run, snapshot: logged.snapshot })}\n`)
    }
  }

  /** @param {string} runId */
  function fileOf(runId) {
    return path.join(folder, `${runId}.jsonl`)
  }
}

/** What is left to tell of a run: where it stands, without the way there. @param {LoggedRun} logged */
function snapshotOf({ entries }) {
  return { events: coalesce(visible(entries)), next_seq: entries.length }
}

/** Nothing that is not meant for the user leaves this server in an answer. @param {LoggedRun['entries']} entries */
const visible = (entries) => entries.map(({ event }) => event).filter(({ visibility }) => visibility === 'user')

const endTypes = ['committed', 'failed', 'unknown']

/** When the run ended, in ms since 1970. @param {LoggedRun | undefined} logged */
function endOf(logged) {
  if (logged?.snapshot) return 0
  const end = logged?.entries.findLast(({ event }) => endTypes.includes(event.type))
  return end && Date.parse(end.event.created_at)
}

/** @param {string} file @returns {LoggedRun | undefined} Undefined when not even its first line is whole. */
function read(file) {
  const text = readFileSync(file, 'utf8')
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (whole !== text) writeFileSync(file, whole)
  try {
    const [head, ...entries] = whole
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
    return { ...head, entries }
  } catch {
    return undefined
  }
}
