import { type ToolCall, toPlainText } from '../core/index.js'
import type { ToolCallStore } from '../store/index.js'

/** What is compared. */
export interface SameOutcomeOptions {
  /** Also what went on inside the calls, word by word. Default: only which calls there are, and how they ended. */
  readonly process?: boolean
}

/**
 * Compares what two stores show: the same calls, each with the same status, final value and reason, and the same state of
 * each request for a decision (E10). Publishes both first. Needs no test framework.
 *
 * @throws an error that names each difference, with what `actual` and `expected` show.
 */
export function expectSameOutcome(
  actual: ToolCallStore,
  expected: ToolCallStore,
  options: SameOutcomeOptions = {},
): void {
  const [a, b] = [shownBy(actual, options), shownBy(expected, options)]
  const names = [...new Set([...a.keys(), ...b.keys()])].sort()
  const differences = names
    .filter((name) => a.get(name) !== b.get(name))
    .map((name) => `${name}\n  actual:   ${a.get(name) ?? 'not there'}\n  expected: ${b.get(name) ?? 'not there'}`)
  if (differences.length === 0) return
  throw new Error(`tool-call-detail/testing: the outcome is not the same.\n${differences.join('\n')}`)
}

function shownBy(store: ToolCallStore, { process = false }: SameOutcomeOptions): ReadonlyMap<string, string> {
  store.flush()
  const { calls, approvals } = store.getState()
  return new Map([
    ...[...calls.values()].map((call) => [`call ${call.id}`, process ? toPlainText(call) : outcomeOf(call)] as const),
    ...[...approvals.values()].map(({ id, state }) => [`request ${id}`, state] as const),
  ])
}

const outcomeOf = ({ status, outcome }: ToolCall) =>
  JSON.stringify({ status, value: outcome?.value, reason: outcome?.reason })
