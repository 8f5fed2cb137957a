import type { OutcomeKind } from '../core/index.js'
import { field } from './fields.js'
import type { ProtocolContext } from './protocol.js'

const statusWords: ReadonlyMap<string, OutcomeKind> = new Map([
  ...(['done', 'completed', 'complete', 'success', 'succeeded', 'finished', 'ok'] as const).map(
    (word) => [word, 'done'] as const,
  ),
  ...(['error', 'failed', 'failure', 'timeout'] as const).map((word) => [word, 'error'] as const),
  ...(['aborted', 'canceled', 'cancelled', 'interrupted'] as const).map((word) => [word, 'aborted'] as const),
  ...(['denied', 'rejected'] as const).map((word) => [word, 'denied'] as const),
])

/** What a sender's status word means, in any case (A17); undefined where it is none that is known. */
export function statusOf(
  word: string | undefined,
  { statusMap }: ProtocolContext,
): OutcomeKind | 'running' | undefined {
  if (word === undefined) return undefined
  const lower = word.toLowerCase()
  const mapped = statusMap === undefined ? undefined : field(statusMap, lower)
  return (mapped as OutcomeKind | 'running' | undefined) ?? statusWords.get(lower)
}
