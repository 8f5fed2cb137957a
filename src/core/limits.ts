/** What a store keeps at most (H3). Past a limit the newest by position stay, and what went is counted and said. */
export interface Limits {
  /** Lines that one log keeps. Default 1,000,000. */
  readonly logLines: number
  /** UTF-16 code units, two bytes each at the most, that one log keeps. Default 128 Mi. */
  readonly logLength: number
  /** Blocks that one task keeps, output aside, and events that one run keeps. Default 20,000. */
  readonly taskBlocks: number
  /** Tasks that one call keeps. Default 1,000. */
  readonly callTasks: number
  /** Calls that have ended. Default 2,000. */
  readonly endedCalls: number
  /** Calls that have not ended. Default 10,000. */
  readonly openCalls: number
  /** Requests for a person's decision; past that the oldest settled ones go first. Default 10,000. */
  readonly approvals: number
  /** UTF-16 code units of one text, argument text or string in a value. Default 4 Mi. */
  readonly textLength: number
}

export const defaultLimits: Limits = {
  logLines: 1_000_000,
  logLength: 128 * 1024 * 1024,
  taskBlocks: 20_000,
  callTasks: 1_000,
  endedCalls: 2_000,
  openCalls: 10_000,
  approvals: 10_000,
  textLength: 4 * 1024 * 1024,
}

/** What evidence has to know of how it is kept. */
export interface Keeping extends Limits {
  /** It will be forked, so that all it holds must be able to go on from one moment in several ways (G1). */
  readonly forkable?: boolean
}
