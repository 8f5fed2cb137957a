import { type Fields, field, fieldsOf, idOf, textOf } from './fields.js'

/** Where an event of a run stands: what has to be kept of it to ask for what comes after (E6). */
export interface RunPlace {
  readonly runId: string
  /** A safe integer; absent in the UI form, where the events are known by `eventId` alone. */
  readonly seq: number | undefined
  readonly eventId: string | undefined
  /** The first event of a run: nothing comes before it. */
  readonly isFirst: boolean
  /** Whether progress is only sampled from here on (E7); absent where nothing is said about it. */
  readonly isDegraded: boolean | undefined
}

const firstTypes: readonly unknown[] = ['run_started', 'task.started']

/** Events of the connection, not of the run: nobody has them to send them again. */
const passingTypes: readonly unknown[] = ['heartbeat', 'stream.paused']

/**
 * The place of an event of `run_gateway`, whoever it is meant for: of one that must not be seen nothing else is read
 * (E3). `runId` is the run of messages that do not name theirs. Undefined: it is no event of a run.
 */
export function runPlaceOf(message: unknown, runId?: string): RunPlace | undefined {
  const fields = fieldsOf(message)
  const id = idOf(field(fields, 'run_id')) ?? idOf(field(fields, 'task_id')) ?? runId
  if (fields === undefined || id === undefined) return undefined
  const seq = field(fields, 'seq')
  const type = field(fields, 'type')
  return {
    runId: id,
    seq: Number.isSafeInteger(seq) ? (seq as number) : undefined,
    eventId: passingTypes.includes(type) ? undefined : textOf(field(fields, 'event_id')),
    isFirst: firstTypes.includes(type),
    isDegraded: isDegraded(fields) ?? isDegraded(fieldsOf(field(fields, 'payload'))),
  }
}

function isDegraded(fields: Fields | undefined) {
  const degraded = field(fields, 'degraded')
  return typeof degraded === 'boolean' ? degraded : undefined
}
