import { dateAt, type WireMessage } from './wireMessage.js'

/** What an event of a run says beside its place. */
export interface RunFields {
  readonly tool?: string
  /** Who may see it (E3). Default: `user`. */
  readonly visibility?: string
  /** `stage`, `completed`, `total` and whatever else its type has. */
  readonly payload?: Readonly<Record<string, unknown>>
  readonly [name: string]: unknown
}

/** Types that are dropped first when a stream can not keep up, in the gateway's order (E8). */
const lossy = ['heartbeat', 'tool_progress', 'token_delta']

/** An event of a run of the gateway (E1); `event_id` is made of the run and the number. */
export function runEvent(
  runId: string,
  at: number,
  seq: number,
  type: string,
  fields: RunFields = {},
): WireMessage<'run_gateway'> {
  const message = {
    event_id: `${runId}/${seq}`,
    run_id: runId,
    seq,
    type,
    visibility: 'user',
    created_at: dateAt(at),
    ...fields,
  }
  return { protocol: 'run_gateway', at, message, isLossy: lossy.includes(type) }
}

/** A count of what is done of one stage (E4). */
export const runProgress = (runId: string, at: number, seq: number, stage: string, completed: number, total: number) =>
  runEvent(runId, at, seq, 'tool_progress', { payload: { stage, completed, total } })

/** The run has done what it was to do, which its receipt confirms (E5). */
export const runCommitted = (runId: string, at: number, seq: number, receiptId: string) =>
  runEvent(runId, at, seq, 'committed', { payload: { receipt_id: receiptId } })
