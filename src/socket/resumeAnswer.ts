/** What was answered to a request to resume a run (E6). */
export interface ResumeAnswer {
  /** The events after the one that was named, in any order; those of the snapshot where one was sent instead. */
  readonly events: readonly unknown[]
  /** Whom the answer and its snapshot say that they are meant for: it holds for the events in them, too (E3). */
  readonly visibility: readonly unknown[]
  /** The last number that the answer speaks for: those up to it that it does not contain will not come any more. */
  readonly nextSeq: number | undefined
  /** More events follow: ask again from `nextSeq`. */
  readonly hasMore: boolean
  readonly isSnapshot: boolean
  /** What was missed will not be sent: the run is over for too long, or not ours to see. */
  readonly isRefused: boolean
}

const refusals: readonly unknown[] = ['refused', 'expired', 'error', 'not_found', 'forbidden']

/** How a run has ended, in a snapshot that is the answer itself: an acknowledgement may have a status, too. */
const ends: readonly unknown[] = ['succeeded', 'committed', 'failed', 'unknown']

/**
 * Reads an answer: `{ events, next_seq, has_more? }`; `{ snapshot }`, where the snapshot is one event, a list of events,
 * `{ events, next_seq? }`, or `{ status, ... }`, which tells how the run has ended without an event; one of the first or
 * the last as it is, which is a snapshot; `{ error }` or `{ status: 'refused' | 'expired' }`, with or without a snapshot;
 * in camelCase, too. Undefined: it is none of these.
 */
export function parseResumeAnswer(answer: unknown): ResumeAnswer | undefined {
  if (!isObject(answer)) return undefined
  const { events, snapshot, error, status, type } = answer
  const isBare = events === undefined && snapshot === undefined
  const isEvent = isBare && (typeof type === 'string' || (error === undefined && ends.includes(status)))
  const shot = isEvent ? answer : (snapshot ?? undefined)
  const isRefused = !isEvent && ((error !== undefined && error !== null) || refusals.includes(status))
  const visibility = [...new Set([answer, shot].flatMap(visibilityOf))]
  if (shot !== undefined) {
    const list = eventsOf(shot)
    const nextSeq = seqOf(shot) ?? seqOf(answer)
    return list && { events: list, visibility, nextSeq, hasMore: false, isSnapshot: true, isRefused }
  }
  if (!isRefused && !Array.isArray(events)) return undefined
  return {
    events: Array.isArray(events) ? events : [],
    visibility,
    nextSeq: seqOf(answer),
    hasMore: answer.has_more === true || answer.hasMore === true,
    isSnapshot: false,
    isRefused,
  }
}

function eventsOf(snapshot: unknown): readonly unknown[] | undefined {
  if (Array.isArray(snapshot)) return snapshot
  if (!isObject(snapshot)) return undefined
  if (Array.isArray(snapshot.events)) return snapshot.events
  return [snapshot.type, snapshot.status].some((each) => typeof each === 'string') ? [snapshot] : undefined
}

function visibilityOf(value: unknown): readonly unknown[] {
  if (!isObject(value)) return []
  const said = [value.visibility, isObject(value.payload) ? value.payload.visibility : undefined]
  return said.filter((each) => each !== undefined && each !== null)
}

function seqOf(value: unknown): number | undefined {
  if (!isObject(value)) return undefined
  const seq = value.next_seq ?? value.nextSeq
  return Number.isSafeInteger(seq) ? (seq as number) : undefined
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
