import { compareNumbers, compareText } from './block.js'
import type { Outcome } from './call.js'
import { canonicalJson } from './canonicalJson.js'
import type { OutcomeEvent, OutcomeKind } from './events.js'

/** An outcome as it counts, with the time at which the first of its kind was received. */
export interface StoredOutcome {
  readonly event: OutcomeEvent
  readonly receivedAt: number
}

/** Which of two ends of one task counts: the least by `ts`, `seq`, done before aborted, canonical JSON (A7). */
export function compareEnds(a: OutcomeEvent, b: OutcomeEvent): number {
  return (
    compareNumbers(a.ts, b.ts) ||
    compareNumbers(a.seq, b.seq) ||
    (a.outcome === b.outcome ? 0 : a.outcome === 'done' ? -1 : b.outcome === 'done' ? 1 : 0) ||
    compareText(canonicalOutcome(a), canonicalOutcome(b))
  )
}

const authorities = ['final', 'return', 'status']
const kinds: readonly OutcomeKind[] = ['error', 'aborted', 'denied', 'done', 'unknown']

/**
 * Which of two outcomes of a call counts; negative when it is `a`. What is known beats `unknown`, then the greater
 * authority counts, then the later `ts`, then error before aborted before denied before done, then canonical JSON (A17).
 */
export function compareOutcomes(a: OutcomeEvent, b: OutcomeEvent): number {
  return (
    Number(a.outcome === 'unknown') - Number(b.outcome === 'unknown') ||
    authorities.indexOf(a.authority) - authorities.indexOf(b.authority) ||
    (b.ts ?? Number.NEGATIVE_INFINITY) - (a.ts ?? Number.NEGATIVE_INFINITY) ||
    kinds.indexOf(a.outcome) - kinds.indexOf(b.outcome) ||
    compareText(canonicalOutcome(a), canonicalOutcome(b))
  )
}

/** Whether two outcomes say the same, whenever they were said. */
export function sameOutcome(a: OutcomeEvent, b: OutcomeEvent): boolean {
  return a.outcome === b.outcome && canonicalOutcome(a) === canonicalOutcome(b)
}

/** No value at all and null are not the same. */
const canonicalOutcome = ({ outcome, value, reason, summary, receipt }: OutcomeEvent) =>
  canonicalJson([outcome, value, reason, summary, value === undefined, receipt])

/** The better of two outcomes by `compare`; of equal ones the first received. */
export function betterOutcome(
  a: StoredOutcome | undefined,
  b: StoredOutcome | undefined,
  compare: (a: OutcomeEvent, b: OutcomeEvent) => number,
): StoredOutcome | undefined {
  if (a === undefined || b === undefined) return a ?? b
  const order = compare(a.event, b.event)
  return order < 0 || (order === 0 && a.receivedAt <= b.receivedAt) ? a : b
}

/** An outcome as components see it. */
export function toOutcome({ event, receivedAt }: StoredOutcome): Outcome {
  const { outcome: kind, value, reason, summary, unspecific = false, receipt, ts } = event
  return { kind, value, reason, summary, unspecific, ...(receipt !== undefined && { receipt }), ts, receivedAt }
}

/**
 * What a call's outcome is when a task's terminal frame and the caller's own record are both there (A10, A11): the
 * frame counts; the record gives the value where the frame has none, and the better word where the frame has one word
 * for failed and canceled.
 */
export function settleOutcome(
  frame: StoredOutcome,
  record: StoredOutcome | undefined,
): { readonly outcome: Outcome; readonly recorded: Outcome | undefined } {
  if (record === undefined || record.event.outcome === 'unknown') {
    return { outcome: toOutcome(frame), recorded: undefined }
  }
  const recorded = toOutcome(record)
  const said = toOutcome(frame)
  const named = said.unspecific && recorded.kind !== 'done' ? { ...said, kind: recorded.kind, unspecific: false } : said
  const { value = recorded.value, summary = recorded.summary } = named
  const outcome = named.kind === recorded.kind ? { ...named, value, summary } : named
  return { outcome, recorded: sayTheSame(outcome, recorded) ? undefined : recorded }
}

/** Where a caller that records more than the text itself has the text. */
const textFields = ['text', 'content', 'result', 'output', 'message']

function sayTheSame(outcome: Outcome, recorded: Outcome): boolean {
  if (outcome.kind !== recorded.kind) return false
  if (recorded.value === undefined) return true
  const said = outcome.value === undefined ? outcome.reason : outcome.value
  if (said === undefined || canonicalJson(said) === canonicalJson(recorded.value)) return true
  const { value } = recorded
  if (typeof value !== 'object' || value === null) return false
  return textFields.some((name) => (value as Readonly<Record<string, unknown>>)[name] === said)
}
