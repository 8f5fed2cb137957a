// @ts-check

/** @typedef {Record<string, any> & { run_id: string, type: string }} RunEvent */

/**
 * What waits to be sent to one reader, and what gives way when that reader is slow (E8). Under pressure go, in this
 * order, heartbeats, older progress of the same stage, and token deltas; nothing else ever does, so that the buffer grows
 * past its limit rather than lose an outcome. Pure: time comes in as a number.
 * @param {object} [limits]
 * @param {number} [limits.bufferEvents] How many events wait before any gives way. Default: 256.
 * @param {number} [limits.degradedAfterMs] How long an event waits before the reader is told that progress is sampled.
 * Default: 8000.
 */
export function createSendQueue({ bufferEvents = 256, degradedAfterMs = 8_000 } = {}) {
  /** @type {{ event: RunEvent, at: number }[]} */
  let waiting = []
  let isDegraded = false

  return {
    get size() {
      return waiting.length
    },

    /** Whether the reader lags so far behind that it gets only a part of the progress; until it has caught up. */
    get isDegraded() {
      return isDegraded
    },

    /** @param {RunEvent} event @param {number} now */
    push(event, now) {
      waiting.push({ event, at: now })
      if (waiting.length > bufferEvents && relieve(waiting.length - bufferEvents)) isDegraded = true
    },

    /** Takes the next event, if there is one. @param {number} now @returns {RunEvent | undefined} */
    shift(now) {
      const next = waiting.shift()
      if (next && now - next.at > degradedAfterMs) isDegraded = true
      else if (!next) isDegraded = false
      return next?.event
    },
  }

  /** Drops up to so many; true if any. @param {number} excess */
  function relieve(excess) {
    const events = waiting.map(({ event }) => event)
    const gone = new Set()
    for (const candidates of [events.filter(isHeartbeat), outdatedProgress(events), events.filter(isTokenDelta)]) {
      for (const event of candidates) if (gone.size < excess) gone.add(event)
    }
    waiting = waiting.filter(({ event }) => !gone.has(event))
    return gone.size > 0
  }
}

/**
 * The events without progress that the next one of the same stage has overtaken: nothing that is shown depends on it.
 * @param {readonly RunEvent[]} events In their order. @returns {RunEvent[]}
 */
export function coalesce(events) {
  const outdated = new Set(outdatedProgress(events))
  return events.filter((event) => !outdated.has(event))
}

/** Events that may give way at all. @param {RunEvent} event */
export function mayBeDropped(event) {
  return isHeartbeat(event) || isProgress(event) || isTokenDelta(event)
}

/** @param {readonly RunEvent[]} events @returns {RunEvent[]} */
function outdatedProgress(events) {
  /** What follows for each run and tool, until something else of that run comes between. @type {Map<string, Map<string, string>>} */
  const following = new Map()
  const outdated = []
  for (const event of events.toReversed()) {
    const run = following.get(event.run_id) ?? new Map()
    following.set(event.run_id, run)
    if (isProgress(event)) {
      const [tool, stage] = [String(event.tool), stageOf(event)]
      if (run.get(tool) === stage && !carriesMore(event)) outdated.push(event)
      run.set(tool, stage)
    } else if (!mayBeDropped(event)) run.clear()
  }
  return outdated.toReversed()
}

/** @param {RunEvent} event */
const isHeartbeat = ({ type }) => type === 'heartbeat'

/** @param {RunEvent} event */
const isProgress = ({ type }) => type === 'tool_progress'

/** @param {RunEvent} event */
const isTokenDelta = ({ type }) => type === 'token_delta'

/** @param {RunEvent} event */
const stageOf = ({ payload, phase }) => String(payload?.stage ?? payload?.phase ?? phase)

/** An artifact or a citation is not outdated by progress that comes after it (E9). @param {RunEvent} event */
const carriesMore = ({ payload, artifact, citations }) =>
  [artifact, citations, payload?.artifact, payload?.citations, payload?.evidence_ids].some((value) => value != null)
