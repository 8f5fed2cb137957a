import { createRewindableStore, type Moment, type ToolCallStore, type ToolCallStoreOptions } from '../store/index.js'
import { parseRecording } from './parseRecording.js'
import type { Recording, RecordingHeader, RecordingProblem } from './recording.js'

/** How fast a recording is played: so many times as fast as it was, or without waiting between what came in. */
export type PlayerSpeed = 0.5 | 1 | 2 | 4 | 8 | 16 | 'immediate'

/** The speeds that there are, slowest first. */
export const playerSpeeds: readonly PlayerSpeed[] = [0.5, 1, 2, 4, 8, 16, 'immediate']

/** How a recording is played. */
export interface PlayerOptions
  extends Pick<ToolCallStoreOptions, 'limits' | 'silenceMs' | 'quietMs' | 'maskArguments' | 'parentOf' | 'effectOf'> {
  /** Default: 1. */
  readonly speed?: PlayerSpeed
  /** The time that passes while it plays, in ms from anywhere. Default: `performance.now`. */
  readonly clock?: () => number
  /**
   * Calls `callback` once, soon, for the next step of playing or of preparing; returns what takes it back. Default: with
   * the next animation frame, or after 16 ms where there are none.
   */
  readonly schedule?: (callback: () => void) => () => void
}

/** Where a player stands. A new object whenever something of it changes. */
export interface PlayerState {
  /** In ms since the first receipt of the recording; never beyond its duration. */
  readonly time: number
  /** How much of what the recording holds has been received. */
  readonly position: number
  readonly playing: boolean
  readonly speed: PlayerSpeed
}

/**
 * Plays a recording into a store of mode `replay` (G1). At the same moment of the same recording the store shows the
 * same, however it was reached: played at whatever speed, stepped or dragged to.
 */
export interface Player {
  /** Always the same one, for a `ToolCallProvider`. Its clock is that of the recording. It sends no answers. */
  readonly store: ToolCallStore
  readonly header: RecordingHeader | undefined
  /** What of the recording could not be read, and is not played. */
  readonly problems: readonly RecordingProblem[]
  /** From the first receipt to the last, in ms. */
  readonly duration: number
  /** How many receipts the recording holds: a step is one of them. */
  readonly length: number
  readonly getState: () => PlayerState
  /** Calls `listener` after each change of the state. Returns the function that ends it. */
  readonly subscribe: (listener: () => void) => () => void
  /** Plays on, from the beginning if it stands at the end. */
  readonly play: () => void
  readonly pause: () => void
  readonly setSpeed: (speed: PlayerSpeed) => void
  /** Pauses, and receives the next receipt (1, the default) or takes the last one back (-1). */
  readonly step: (by?: 1 | -1) => void
  /** Goes to that time, in ms since the first receipt: all is received that was received up to it. */
  readonly seek: (time: number) => void
  /** Stops playing and preparing for good. */
  readonly close: () => void
}

/** Two kept moments are at least so many events apart, and one for so many calls: what a moment costs goes with them. */
const minSpacing = 2_000
const callsForOne = 4
/** How long one slice of preparing lasts, in ms, and after how many events the time is looked at. */
const sliceMs = 6
const sliceEvents = 200
/** Without waiting, so many receipts are taken between two frames, so that it can still be watched. */
const immediateCount = 100

/**
 * Makes a player for a recording, or for the text of one, standing at its beginning: nothing is received yet.
 *
 * On the way through the recording it keeps moments, so that going anywhere costs what lies between the nearest of them
 * and there. It looks for them in small slices in the background; going beyond what is prepared prepares it at once.
 */
export function createPlayer(source: Recording | string, options: PlayerOptions = {}): Player {
  const { header, receipts, problems } = typeof source === 'string' ? parseRecording(source) : source
  const { clock = () => performance.now(), schedule = soon, limits, silenceMs, quietMs } = options
  const { maskArguments, parentOf, effectOf } = options
  const startedAt = receipts[0]?.receivedAt ?? header?.createdAt ?? 0
  const duration = (receipts.at(-1)?.receivedAt ?? startedAt) - startedAt
  const never = () => () => {}
  const storeOptions = {
    mode: 'replay' as const,
    ...(limits && { limits }),
    ...(silenceMs !== undefined && { silenceMs }),
    ...(quietMs !== undefined && { quietMs }),
    ...(effectOf && { effectOf }),
    ...(maskArguments && { maskArguments }),
    ...(parentOf && { parentOf }),
  }

  let time = 0
  const shown = createRewindableStore({ ...storeOptions, now: () => startedAt + time, schedule: never })
  let receivedAt = startedAt
  const kept = createRewindableStore({ ...storeOptions, now: () => receivedAt, schedule: never })
  /** The moments that are kept, and how many receipts each is behind. */
  const moments: { readonly moment: Moment; readonly position: number }[] = [{ moment: kept.keep(), position: 0 }]
  let prepared = 0
  let eventsSince = 0

  let state: PlayerState = { time: 0, position: 0, playing: false, speed: options.speed ?? 1 }
  let cancelFrame: (() => void) | undefined
  let cancelSlice: (() => void) | undefined
  let lastTick = 0
  const listeners = new Set<() => void>()
  const clockListeners = new Set<() => void>()

  const give = (store: ToolCallStore, position: number) => {
    const { events, problems: found } = receipts[position] as Recording['receipts'][number]
    for (const problem of found) store.report(problem)
    store.ingest(events)
    return events.length
  }

  /** Goes through the recording until `isEnough`, and keeps moments on the way. */
  const prepare = (isEnough: () => boolean) => {
    while (prepared < receipts.length && !isEnough()) {
      receivedAt = (receipts[prepared] as Recording['receipts'][number]).receivedAt
      eventsSince += give(kept.store, prepared)
      prepared += 1
      if (eventsSince < Math.max(minSpacing, kept.store.getState().calls.size / callsForOne)) continue
      eventsSince = 0
      moments.push({ moment: kept.keep(), position: prepared })
    }
  }
  const prepareSlice = () => {
    const until = clock() + sliceMs
    let left = sliceEvents
    prepare(() => {
      left -= 1
      if (left > 0) return false
      left = sliceEvents
      return clock() >= until
    })
    cancelSlice = prepared < receipts.length ? schedule(prepareSlice) : undefined
  }

  /** Receives all up to before `position`, at their times. */
  const receiveTo = (from: number, position: number) => {
    for (let next = from; next < position; next++) {
      time = (receipts[next] as Recording['receipts'][number]).receivedAt - startedAt
      give(shown.store, next)
    }
  }
  const moveTo = (position: number, to: number) => {
    if (position !== state.position) {
      const isNear = position > state.position && position - state.position <= minSpacing
      if (!isNear) {
        prepare(() => prepared >= position)
        const nearest = moments.findLast((each) => each.position <= position) as (typeof moments)[number]
        if (position < state.position || nearest.position > state.position) {
          shown.goTo(nearest.moment)
          receiveTo(nearest.position, position)
        } else receiveTo(state.position, position)
      } else receiveTo(state.position, position)
    }
    time = to
    shown.store.flush()
    set({ time: to, position })
    for (const listener of clockListeners) listener()
  }
  const set = (changes: Partial<PlayerState>) => {
    state = { ...state, ...changes }
    for (const listener of listeners) listener()
  }

  /** How many receipts there are up to that time. */
  const positionAt = (to: number) => {
    let low = 0
    let high = receipts.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((receipts[middle] as Recording['receipts'][number]).receivedAt - startedAt <= to) low = middle + 1
      else high = middle
    }
    return low
  }
  const timeOf = (position: number) => (receipts[position - 1]?.receivedAt ?? startedAt) - startedAt

  const tick = () => {
    cancelFrame = undefined
    const now = clock()
    const passed = now - lastTick
    lastTick = now
    if (state.speed === 'immediate') {
      const position = Math.min(receipts.length, state.position + immediateCount)
      moveTo(position, timeOf(position))
    } else {
      const to = Math.min(duration, state.time + passed * state.speed)
      // Receipts that were stepped back over at this very time are received again.
      moveTo(Math.max(state.position, positionAt(to)), to)
    }
    if (state.position === receipts.length && state.time >= duration) pause()
    else if (state.playing) cancelFrame = schedule(tick)
  }
  const play = () => {
    if (state.playing) return
    if (state.position === receipts.length && state.time >= duration) moveTo(0, 0)
    lastTick = clock()
    set({ playing: true })
    cancelFrame = schedule(tick)
  }
  const pause = () => {
    cancelFrame?.()
    cancelFrame = undefined
    if (state.playing) set({ playing: false })
  }

  shown.goTo((moments[0] as (typeof moments)[number]).moment)
  shown.store.flush()
  if (receipts.length > 0) cancelSlice = schedule(prepareSlice)
  return {
    store: {
      ...shown.store,
      // Nobody waits for the answer any more.
      answer: (id) => shown.store.report({ kind: 'answer_ignored', detail: `a recording is played: ${id}` }),
      subscribeClock(listener) {
        const heard = () => listener()
        clockListeners.add(heard)
        return () => void clockListeners.delete(heard)
      },
    },
    header,
    problems,
    duration,
    length: receipts.length,
    getState: () => state,
    subscribe(listener) {
      const heard = () => listener()
      listeners.add(heard)
      return () => void listeners.delete(heard)
    },
    play,
    pause,
    setSpeed: (speed) => set({ speed }),
    step(by = 1) {
      pause()
      const position = Math.min(receipts.length, Math.max(0, state.position + by))
      moveTo(position, timeOf(position))
    },
    seek(to) {
      const bounded = Math.min(duration, Math.max(0, Number.isFinite(to) ? to : 0))
      moveTo(positionAt(bounded), bounded)
    },
    close() {
      pause()
      cancelSlice?.()
      cancelSlice = undefined
    },
  }
}

/** With the next animation frame; a hidden page has none, and plays on all the same. */
function soon(callback: () => void): () => void {
  if (typeof requestAnimationFrame === 'function' && !document.hidden) {
    const frame = requestAnimationFrame(callback)
    return () => cancelAnimationFrame(frame)
  }
  const timer = setTimeout(callback, 16)
  return () => clearTimeout(timer)
}
