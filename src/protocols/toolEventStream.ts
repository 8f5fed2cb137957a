import { canonicalJson, hashText, type OutcomeEvent, type Problem } from '../core/index.js'
import { envelopeBlock, isNewer, seqOf } from './envelope.js'
import { type Fields, field, fieldsOf, given, idOf, textOf, timeOf } from './fields.js'
import { nothingBut, type Protocol, type Translation } from './protocol.js'

/**
 * `tool_event_stream`: one frame of a call's process (A3). A running frame is a block, a `done` or `aborted` frame ends
 * its task. A frame without `callId` shows no process anywhere; only its end may count (A4).
 */
export const toolEventStream: Protocol = (message) => {
  const frame = fieldsOf(message)
  if (frame === undefined) return nothingBut('not_an_object')
  const callId = idOf(field(frame, 'callId'))
  if (isNewer(frame)) return newerFrame(frame, callId)

  const problems: Problem[] = []
  const note = (kind: Problem['kind']) => problems.push({ kind, ...given('callId', callId) })
  const version = field(frame, 'v')
  if (version !== undefined && version !== 1) note('invalid_version')
  const taskId = idOf(field(frame, 'taskId'))
  if (taskId === undefined) note('missing_task_id')
  const ts = timeOf(field(frame, 'ts'))
  if (ts === undefined && field(frame, 'ts') !== undefined) note('invalid_ts')
  const envelope = fieldsOf(field(frame, 'envelope'))
  if (envelope !== undefined && isNewer(envelope)) note('newer_envelope')
  const state = field(frame, 'state')

  if (state === 'done' || state === 'aborted') {
    if (callId === undefined) note('missing_call_id')
    if (callId === undefined && taskId === undefined) return { events: [], problems }
    const end = terminalFrame(frame, envelope, state, problems)
    return { events: [{ ...end, ...given('callId', callId), taskId: taskId ?? '', ...given('ts', ts) }], problems }
  }
  if (state !== 'running') note('unknown_state')
  if (callId === undefined) {
    note('missing_call_id')
    return { events: [], problems }
  }
  // Without an envelope there may still be a text to show.
  const source = envelope ?? { kind: 'text', v: 2, payload: field(frame, 'payload') }
  const block = envelopeBlock(source, { callId, taskId: taskId ?? '', ts }, problems)
  if (block === undefined && envelope === undefined) note('invalid_payload')
  return { events: block === undefined ? [] : [block], problems }
}

/** The end of a task. Its envelope is not a block; it holds the value or the reason, and its `seq` is its place (A10). */
function terminalFrame(
  frame: Fields,
  envelope: Fields | undefined,
  state: 'done' | 'aborted',
  problems: Problem[],
): OutcomeEvent {
  const payload = fieldsOf(field(envelope, 'payload')) ?? fieldsOf(field(frame, 'payload'))
  const seq = envelope === undefined ? undefined : seqOf(envelope, problems, idOf(field(frame, 'callId')))
  const value = field(payload, 'text')
  const message = textOf(field(payload, 'message'))
  const base = { type: 'outcome', authority: 'final', ...given('seq', seq) } as const
  if (state === 'done')
    return { ...base, outcome: 'done', ...(value === undefined ? given('value', message) : { value }) }
  return { ...base, outcome: 'aborted', unspecific: true, ...given('reason', message ?? textOf(value)) }
}

/** A frame of a newer version is only counted, on its call where it names one. */
function newerFrame(frame: Fields, callId: string | undefined): Translation {
  const problems: Problem[] = [{ kind: 'newer_frame', ...given('callId', callId) }]
  if (callId === undefined) return { events: [], problems }
  return { events: [{ type: 'call', callId, newerMessage: hashText(canonicalJson(frame)) }], problems }
}
