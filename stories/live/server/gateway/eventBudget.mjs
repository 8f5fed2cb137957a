// @ts-check
import { mayBeDropped } from './backpressure.mjs'

/**
 * How many events of a run are let through at all (E8): progress and token deltas have a limit, and end before the
 * places that are kept for the last events. What tells how a run goes and ends is always let through. Pure.
 * @param {object} [limits]
 * @param {number} [limits.total] Events of a run. Default: 400.
 * @param {number} [limits.progressPerTool] Default: 20.
 * @param {number} [limits.tokenDeltasPerSecond] Default: 8.
 * @param {number} [limits.terminalReserve] Places that are kept for the run's last events. Default: 4.
 */
export function createEventBudget({
  total = 400,
  progressPerTool = 20,
  tokenDeltasPerSecond = 8,
  terminalReserve = 4,
} = {}) {
  let count = 0
  /** @type {Map<string, number>} */
  const progress = new Map()
  /** @type {number[]} */
  let deltas = []

  return {
    /** Whether the event is let through; if so it is counted. @param {import('./backpressure.mjs').RunEvent} event @param {number} now */
    admits(event, now) {
      if (mayBeDropped(event) && !hasPlace(event, now)) return false
      count += 1
      if (event.type === 'tool_progress') progress.set(toolOf(event), (progress.get(toolOf(event)) ?? 0) + 1)
      if (event.type === 'token_delta') deltas.push(now)
      return true
    },
  }

  /** @param {import('./backpressure.mjs').RunEvent} event @param {number} now */
  function hasPlace(event, now) {
    deltas = deltas.filter((at) => at > now - 1_000)
    if (count >= total - terminalReserve) return false
    if (event.type === 'tool_progress') return (progress.get(toolOf(event)) ?? 0) < progressPerTool
    return event.type !== 'token_delta' || deltas.length < tokenDeltasPerSecond
  }

  /** @param {import('./backpressure.mjs').RunEvent} event */
  function toolOf({ tool }) {
    return String(tool)
  }
}
