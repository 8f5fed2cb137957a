import type { Outcome } from '../core/index.js'
import type { Messages } from '../messages/messages.js'

/** A value as text to copy: a text as it is, everything else as JSON. */
export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? String(value))
}

/** The heading of an outcome. */
export function outcomeLabel(outcome: Outcome, messages: Messages): string {
  return outcome.unspecific ? messages.endedWithoutResult : messages.outcome[outcome.kind]
}
