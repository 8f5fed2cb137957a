/** A number from 0 up to before 1. */
export type Random = () => number

/** Random numbers that are the same for the same seed: mulberry32 (https://gist.github.com/tommyettinger/46a874533244883189143505d203312c). */
export function createRandom(seed: number): Random {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
