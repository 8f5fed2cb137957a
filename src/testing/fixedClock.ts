/** A clock that stands still until it is moved: `createToolCallStore({ now: clock.now })`. */
export interface FixedClock {
  /** In ms since 1970. Can be passed on by itself. */
  readonly now: () => number
  set(ms: number): void
  advance(ms: number): void
}

/** Makes a clock that shows that time. */
export function createFixedClock(ms: number): FixedClock {
  let time = ms
  return {
    now: () => time,
    set(to) {
      time = to
    },
    advance(by) {
      time += by
    },
  }
}
