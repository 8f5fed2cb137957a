// @ts-check

/** @typedef {import('./script.mjs').Step} Step */

/**
 * What a bad way does to a run's frames: some blocks are lost, others overtake each other or come twice, some only after
 * the end. Snapshots and terminal frames stay as they are, as senders see to (A13). Pure: the same seed does the same.
 * @param {readonly Step[]} steps @param {number} seed @param {{ longestDelayMs?: number }} [options]
 * @returns {Step[]}
 */
export function disturb(steps, seed, { longestDelayMs = 2_500 } = {}) {
  const random = createRandom(seed)
  return steps
    .flatMap((step) => {
      if (step.event !== 'tool_event_stream' || step.message.state !== 'running') return [step]
      const [fate, delay, echo] = [random(), random(), random()]
      if (fate < 0.08) return []
      const late = { ...step, at: step.at + Math.round(delay * longestDelayMs) }
      return fate < 0.3 ? [late, { ...late, at: late.at + Math.round(echo * longestDelayMs) }] : [late]
    })
    .toSorted((a, b) => a.at - b.at)
}

/**
 * Numbers from 0 up to 1 that look random. Mulberry32 by Tommy Ettinger, in the public domain.
 * @param {number} seed
 */
function createRandom(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
