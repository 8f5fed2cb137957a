import { isCalendarTime } from '../core/index.js'

/** Reads fields of messages of which nothing is known: what is not of the expected type counts as absent. */
export type Fields = Readonly<Record<string, unknown>>

/** The value as an object whose fields can be read; undefined for lists and everything else. */
export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

/** An own field; never one that comes from a prototype. */
export function field(fields: Fields | undefined, name: string): unknown {
  return fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined
}

/** A text that is not empty; numbers count as their digits, since some senders have numbers for ids. */
export function idOf(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A text, the empty one included. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Milliseconds since 1970 from a number or a date text. */
export function timeOf(value: unknown): number | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : value
  return typeof ms === 'number' && isCalendarTime(ms) ? ms : undefined
}

/** The field under its name if it is given, else nothing: to be spread into an event. */
export function given<Name extends string, Value>(name: Name, value: Value): { [N in Name]?: NonNullable<Value> } {
  return (value === undefined || value === null ? {} : { [name]: value }) as { [N in Name]?: NonNullable<Value> }
}
