import type { Problem } from '../core/index.js'

/**
 * A count, a size or a length of time that can be meant: not below zero, and not above the safe integers. Anything else
 * is counted and read as absent (H1).
 */
export function amountOf(value: unknown, callId: string, problems: Problem[]): number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER) return value
  problems.push({ kind: 'invalid_number', callId })
  return undefined
}
