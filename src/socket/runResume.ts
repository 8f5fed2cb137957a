import { runPlaceOf } from '../protocols/index.js'
import { parseResumeAnswer, type ResumeAnswer } from './resumeAnswer.js'
import { RunProgress } from './runProgress.js'

/** What is asked for: what comes after the last event up to which nothing is missing (E6). */
export interface ResumeRequest {
  readonly runId: string
  /** The last number up to which nothing is missing; null where none is known. */
  readonly lastSeq: number | null
  /** The last event of a run whose events have no numbers, else null. */
  readonly lastEventId: string | null
}

/** When, and how patiently, a run is resumed (E6, E8). */
export interface ResumeLimits {
  /** How long what is missing may still come by itself, in ms, before it is asked for. Default: 300. */
  readonly gapMs: number
  /** The same while the gateway says that it only samples progress, and so leaves numbers out. Default: 8,000. */
  readonly degradedGapMs: number
  /** How long an answer is waited for, in ms. Default: 10,000. */
  readonly deadlineMs: number
  /** How long to wait before asking again when there was no answer, in ms; doubled each time. Default: 1,000. */
  readonly retryMs: number
  /** How long to wait at most, in ms. Default: 30,000. */
  readonly longestRetryMs: number
  /** How often a run is asked for in a row without success before that counts as a refusal. Default: 5. */
  readonly attempts: number
  /** How many events the gateway answers with at most: an answer of so many is followed by another request. Default: 1,000. */
  readonly maxEvents: number
}

/** What a `RunResume` works on. */
export interface RunResumeOptions {
  readonly limits?: Partial<ResumeLimits>
  /** The run of messages that do not name theirs. */
  readonly runId?: string
  /** Asks the gateway. */
  readonly ask: (request: ResumeRequest) => Promise<unknown>
  /** Takes an event of an answer. */
  readonly receive: (message: unknown, runId: string) => void
  /** Whether it is known how the run ended. */
  readonly isOver: (runId: string) => boolean
  /** What was missed has been sent, or will not be. */
  readonly onEnd: (runId: string, end: 'resumed' | 'refused') => void
  /** A request had no answer, or one that says nothing. */
  readonly onFailure: (error: unknown) => void
  /** Calls back after so many ms. Returns what takes it back. Default: `setTimeout`. */
  readonly schedule?: (callback: () => void, ms: number) => () => void
}

interface WatchedRun {
  readonly progress: RunProgress
  /** The connection was lost, or the host wants it: ask even where no number is missing. */
  isWanted: boolean
  /** The request that is on its way; its answer counts only as long as it is this one. */
  asking: object | undefined
  failures: number
  cancel: (() => void) | undefined
}

const defaultLimits: ResumeLimits = {
  gapMs: 300,
  degradedGapMs: 8_000,
  deadlineMs: 10_000,
  retryMs: 1_000,
  longestRetryMs: 30_000,
  attempts: 5,
  maxEvents: 1_000,
}

/** How many runs are watched; the one known for the longest time is forgotten first. */
const maxRuns = 2_000

/**
 * Sees to it that nothing of a run stays missing (E6): takes note of the number of each event, and asks for what comes
 * after the last one without a gap when a gap stays open for a while, when the connection is back, and when it is told
 * to. One request a run at a time; no answer within the deadline is tried again after a while that doubles. Asking shows
 * what happened; it starts nothing.
 */
export class RunResume {
  readonly #options: RunResumeOptions
  readonly #limits: ResumeLimits
  readonly #schedule: (callback: () => void, ms: number) => () => void
  readonly #runs = new Map<string, WatchedRun>()
  #isConnected = false

  constructor(options: RunResumeOptions) {
    this.#options = options
    this.#limits = { ...defaultLimits, ...options.limits }
    this.#schedule = options.schedule ?? later
  }

  /** Takes note of an event as it came, before anything decides whether it is shown. */
  heard(message: unknown): void {
    if (Array.isArray(message)) {
      for (const each of message) if (!Array.isArray(each)) this.heard(each)
      return
    }
    const place = runPlaceOf(message, this.#options.runId)
    if (place === undefined) return
    const run = this.#watch(place.runId)
    run.progress.add(place)
    if (run.progress.hasGap) this.#askLater(place.runId, run, this.#gapMs(run))
  }

  /** Has the run brought up to date, at once or when there is a connection. */
  resume(runId: string): void {
    const run = this.#watch(runId)
    run.isWanted = true
    run.failures = 0
    if (!run.asking) this.#ask(runId, run)
  }

  /** The connection is there. `isRecovered`: nothing was missed since the last one. */
  connected(isRecovered: boolean): void {
    this.#isConnected = true
    for (const [runId, run] of this.#runs) {
      run.isWanted ||= !isRecovered && !this.#options.isOver(runId)
      run.failures = 0
      if (run.isWanted || run.progress.hasGap) this.#ask(runId, run)
    }
  }

  /** The connection is lost, or closed: nothing is asked, and answers that are still on their way come to nothing. */
  disconnected(): void {
    this.#isConnected = false
    for (const run of this.#runs.values()) stop(run)
  }

  #watch(runId: string): WatchedRun {
    const known = this.#runs.get(runId)
    if (known) return known
    const run = {
      progress: new RunProgress(),
      isWanted: false,
      asking: undefined,
      failures: 0,
      cancel: undefined,
    }
    this.#runs.set(runId, run)
    if (this.#runs.size > maxRuns) {
      const [oldestId, oldest] = this.#runs.entries().next().value as [string, WatchedRun]
      stop(oldest)
      this.#runs.delete(oldestId)
    }
    return run
  }

  #askLater(runId: string, run: WatchedRun, ms: number): void {
    if (run.asking || run.cancel || !this.#isConnected) return
    run.cancel = this.#schedule(() => {
      run.cancel = undefined
      if (run.isWanted || run.progress.hasGap) this.#ask(runId, run)
    }, ms)
  }

  #ask(runId: string, run: WatchedRun): void {
    if (!this.#isConnected) return
    stop(run)
    const asking = {}
    run.asking = asking
    const settle = (take: () => void) => {
      if (run.asking !== asking) return
      stop(run)
      take()
    }
    const { lastSeq = null, lastEventId = null } = run.progress
    run.cancel = this.#schedule(
      () => settle(() => this.#fail(runId, run, new Error('no answer in time'))),
      this.#limits.deadlineMs,
    )
    // Begun in a promise, so that a host's function that throws is one that rejects.
    Promise.resolve()
      .then(() => this.#options.ask({ runId, lastSeq, lastEventId }))
      .then(
        (answer) => settle(() => this.#take(runId, run, answer)),
        (error) => settle(() => this.#fail(runId, run, error)),
      )
  }

  #take(runId: string, run: WatchedRun, message: unknown): void {
    const { progress } = run
    const { lastSeq, lastEventId } = progress
    const answer = this.#read(runId, run, message)
    const isFurther = progress.lastSeq !== lastSeq || progress.lastEventId !== lastEventId
    if (answer === undefined) this.#fail(runId, run, new Error('an answer that is none'))
    else if (answer.isRefused && !answer.isSnapshot) this.#end(runId, run, 'refused')
    else if (progress.hasGap && !isFurther) {
      if (answer.isSnapshot) this.#end(runId, run, 'resumed')
      else this.#fail(runId, run, new Error('an answer without what is missing'))
    } else if (isFurther && (answer.hasMore || answer.events.length >= this.#limits.maxEvents)) {
      this.#ask(runId, run)
    } else {
      run.isWanted = false
      run.failures = 0
      this.#options.onEnd(runId, 'resumed')
      if (progress.hasGap) this.#askLater(runId, run, this.#gapMs(run))
    }
  }

  /** An answer of the host's own function can be any object, getters that throw included (H1). */
  #read(runId: string, run: WatchedRun, message: unknown): ResumeAnswer | undefined {
    try {
      const answer = parseResumeAnswer(message)
      if (answer) this.#receive(runId, run, answer)
      return answer
    } catch {
      return undefined
    }
  }

  #receive(runId: string, run: WatchedRun, { events, visibility, nextSeq }: ResumeAnswer): void {
    let last = nextSeq
    for (const event of events) {
      const place = runPlaceOf(event, runId)
      // An answer speaks of one run; an event of another one in it is still an event.
      if (place?.runId === runId) {
        run.progress.add(place)
        if (nextSeq === undefined && place.seq !== undefined) last = Math.max(last ?? place.seq, place.seq)
      }
      // In what it came in, as far as that says whom it is meant for.
      const message = visibility.reduce<unknown>((inner, each) => ({ visibility: each, events: [inner] }), event)
      this.#options.receive(message, runId)
    }
    if (last !== undefined) run.progress.settle(last)
  }

  #fail(runId: string, run: WatchedRun, error: unknown): void {
    const { attempts, retryMs, longestRetryMs } = this.#limits
    this.#options.onFailure(error)
    run.failures += 1
    if (run.failures >= attempts) this.#end(runId, run, 'refused')
    else this.#askLater(runId, run, Math.min(retryMs * 2 ** (run.failures - 1), longestRetryMs))
  }

  /** What is still missing is not asked for again, until the connection is lost and back. */
  #end(runId: string, run: WatchedRun, end: 'resumed' | 'refused'): void {
    run.progress.settleAll()
    run.isWanted = false
    run.failures = 0
    this.#options.onEnd(runId, end)
  }

  #gapMs({ progress }: WatchedRun): number {
    return progress.isDegraded ? this.#limits.degradedGapMs : this.#limits.gapMs
  }
}

function stop(run: WatchedRun): void {
  run.cancel?.()
  run.cancel = undefined
  run.asking = undefined
}

function later(callback: () => void, ms: number) {
  const timer = setTimeout(callback, ms)
  return () => clearTimeout(timer)
}
