import type { Problem, ToolEvent } from '../core/index.js'
import type { Received } from '../store/index.js'
import {
  type Recording,
  type RecordingHeader,
  type RecordingProblem,
  type RecordingProblemKind,
  recordingFormat,
  recordingVersion,
} from './recording.js'

/**
 * Reads a recording. Never throws: what can not be read is named by its line, and the rest can be played. Times that go
 * back, as when the clock was set, count as the latest before them.
 */
export function parseRecording(text: string): Recording {
  const problems: RecordingProblem[] = []
  const receipts: Received[] = []
  let header: RecordingHeader | undefined
  let receivedAt = Number.NEGATIVE_INFINITY
  let number = 0
  for (let from = 0; from < text.length; ) {
    const feed = text.indexOf('\n', from)
    const line = text.slice(from, feed < 0 ? text.length : feed)
    from = feed < 0 ? text.length : feed + 1
    number += 1
    if (line.trim() === '') continue
    const note = (kind: RecordingProblemKind) => problems.push({ kind, line: number })
    const fields = fieldsOf(parsed(line))
    if (number === 1 && fields?.['format'] === recordingFormat) {
      header = fields as unknown as RecordingHeader
      if (!(typeof header.version === 'number' && header.version <= recordingVersion)) note('newer_version')
      continue
    }
    if (number === 1) note('missing_header')
    if (fields === undefined || !isTime(fields['receivedAt']) || !Array.isArray(fields['events'])) {
      note(feed < 0 && fields === undefined ? 'cut_off' : 'unreadable_line')
      continue
    }
    receivedAt = Math.max(receivedAt, fields['receivedAt'])
    const events = fields['events'].filter(isEvent)
    if (events.length < fields['events'].length) note('invalid_event')
    receipts.push({ receivedAt, events, problems: problemsOf(fields['problems']) })
  }
  return { header, receipts, problems }
}

type Fields = Readonly<Record<string, unknown>>

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined

const isTime = (value: unknown): value is number => typeof value === 'number' && Math.abs(value) <= 8.64e15

const problemsOf = (value: unknown): readonly Problem[] =>
  (Array.isArray(value) ? value : []).filter((each): each is Problem => typeof fieldsOf(each)?.['kind'] === 'string')

/** What an event must have beside its type. */
const required: Readonly<Record<string, readonly string[]>> = {
  call: ['callId'],
  block: ['callId', 'taskId', 'kind'],
  step: ['callId', 'kind'],
  outcome: ['outcome', 'authority'],
  approval: ['approvalId'],
  contact: ['contact'],
}

/** The kinds of blocks and steps that must have something else, and what that is. */
const ofKind: Readonly<Record<string, readonly string[]>> = {
  thinking: ['text'],
  text: ['text'],
  error: ['text'],
  output: ['text'],
  omitted: ['bytes'],
  updated: ['name', 'state'],
  planned: ['steps'],
  ended: ['outcome', 'authority', 'committed'],
}

/** What the entries of a list must have. */
const ofList: Readonly<Record<string, readonly string[]>> = {
  artifacts: ['id'],
  citations: ['source'],
  steps: ['name'],
}

const numbers = 'seq ts bytes startedAt timeoutSec expiresAt exitCode done total size by behind'
const booleans = `byArrival pending running unspecific withdrawn recovered isError approved mayHaveArrived append last final
  degraded isEstimate failed committed`
const objects = 'terminal request answer sent inHistory receipt'

/** What the fields of events have to be that are neither texts nor lists. */
const types = new Map([
  ...numbers.split(/\s+/).map((name) => [name, 'number'] as const),
  ...booleans.split(/\s+/).map((name) => [name, 'boolean'] as const),
  ...objects.split(/\s+/).map((name) => [name, 'object'] as const),
])

const outcomes = ['done', 'error', 'aborted', 'denied', 'unknown']

/** Whether it is an event that a store can take. */
function isEvent(value: unknown): value is ToolEvent {
  const fields = fieldsOf(value)
  const type = fields?.['type']
  if (fields === undefined || typeof type !== 'string' || !Object.hasOwn(required, type)) return false
  const kind = String(fields['kind'])
  const isPiece = type === 'block' && kind === 'artifact'
  const more = isPiece ? ['artifactId', 'text'] : Object.hasOwn(ofKind, kind) ? ofKind[kind] : []
  return hasAll(fields, [...(required[type] ?? []), ...(more ?? [])]) && areOfTheirTypes(fields)
}

const hasAll = (fields: Fields, names: readonly string[]) => names.every((name) => Object.hasOwn(fields, name))

function areOfTheirTypes(fields: Fields): boolean {
  return Object.entries(fields).every(([name, value]) => {
    // Only the value of a call may be anything; a receipt may be known not to exist.
    if (name === 'value' || (name === 'receipt' && value === null)) return true
    if (name === 'outcome' && !outcomes.includes(value as string)) return false
    if (Object.hasOwn(ofList, name)) return Array.isArray(value) && value.every((each) => isEntry(each, name))
    const type = types.get(name) ?? 'string'
    if (type === 'object') return fieldsOf(value) !== undefined && areOfTheirTypes(value as Fields)
    if (type === 'number') return isMeant(value) && (name !== 'seq' || Number.isSafeInteger(value))
    return typeof value === type
  })
}

const isMeant = (value: unknown) => typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER

function isEntry(value: unknown, list: string): boolean {
  const fields = fieldsOf(value)
  return fields !== undefined && hasAll(fields, ofList[list] ?? []) && areOfTheirTypes(fields)
}
