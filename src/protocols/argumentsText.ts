import { type Problem, plainValue } from '../core/index.js'

/** The text of a call's arguments, which come as text or as a value; undefined where there are none. */
export function argumentsText(value: unknown, callId: string, problems: Problem[]): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value
  if (typeof value === 'object') {
    const plain = plainValue(value, Number.POSITIVE_INFINITY)
    if (plain.cut) problems.push({ kind: 'value_cut', callId })
    return JSON.stringify(plain.value)
  }
  problems.push({ kind: 'invalid_arguments', callId })
  return undefined
}
