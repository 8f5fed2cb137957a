import { type BlockEvent, type BlockStatus, canonicalJson, type Problem } from '../core/index.js'
import { type Fields, field, fieldsOf, idOf, textOf } from './fields.js'

/** The largest chunk that is taken, in UTF-8 bytes (B5). The limit is the envelope's, not the log's. */
const maxChunkBytes = 64 * 1024

/** Where a block belongs: what the message around the envelope says. */
export interface EnvelopePlace {
  readonly callId: string
  readonly taskId: string
  /** Milliseconds since 1970 on the sender's clock. */
  readonly ts: number | undefined
}

/**
 * The block that a progress envelope stands for (B1); undefined where there is nothing to show. What is wrong with the
 * envelope is added to `problems`. An envelope of a newer version is shown by its text alone (A3).
 */
export function envelopeBlock(envelope: Fields, place: EnvelopePlace, problems: Problem[]): BlockEvent | undefined {
  const { callId } = place
  const kind = textOf(field(envelope, 'kind'))
  const payload = fieldsOf(field(envelope, 'payload'))
  const text = textOf(field(payload, 'text'))
  const block = blankBlock(envelope, place, problems)

  if (isNewer(envelope)) return asText(block, text ?? textOf(field(payload, 'message')), envelope)
  switch (kind) {
    case 'thinking':
    case 'text':
      block.kind = kind
      block.text = text
      block.canonical = canonicalOf(envelope, payload, textFields)
      break
    case 'error':
      block.kind = kind
      block.text = textOf(field(payload, 'message')) ?? text
      block.canonical = canonicalOf(envelope, payload, errorFields)
      break
    case 'tool_call':
      if (payload === undefined) problems.push({ kind: 'invalid_payload', callId })
      block.kind = 'tool'
      block.tool = idOf(field(payload, 'tool'))
      block.toolCallId = idOf(field(payload, 'tool_call_id'))
      block.canonical = canonicalOf(envelope, payload, toolFields)
      return block as BlockEvent
    case 'tool_output_append':
      block.kind = 'output'
      block.text = textOf(field(payload, 'chunk'))
      block.tool = idOf(field(payload, 'tool'))
      block.toolCallId = idOf(field(payload, 'tool_call_id'))
      block.canonical = canonicalOf(envelope, payload, outputFields)
      if (block.text === undefined) break
      leaveOutIfTooLarge(block, problems)
      return block as BlockEvent
    default:
      problems.push({ kind: 'unknown_kind', callId })
      return asText(block, text, envelope)
  }
  if (block.text !== undefined) return block as BlockEvent
  problems.push({ kind: 'invalid_payload', callId })
  return undefined
}

const textFields = ['text']
const errorFields = ['message']
const toolFields = ['tool', 'tool_call_id']
const outputFields = ['tool', 'tool_call_id', 'chunk']

/** A block in the making. All have the same fields, which keeps what handles many thousands of them fast. */
interface BlankBlock {
  readonly type: 'block'
  readonly callId: string
  readonly taskId: string
  readonly streamKey: string | undefined
  readonly seq: number | undefined
  readonly ts: number | undefined
  readonly status: BlockStatus | undefined
  kind: BlockEvent['kind'] | undefined
  text: string | undefined
  tool: string | undefined
  toolCallId: string | undefined
  bytes: number | undefined
  canonical: string | undefined
}

function blankBlock(envelope: Fields, { callId, taskId, ts }: EnvelopePlace, problems: Problem[]): BlankBlock {
  return {
    type: 'block',
    callId,
    taskId,
    streamKey: idOf(field(envelope, 'streamKey')),
    seq: seqOf(envelope, problems, callId),
    ts,
    status: statusOf(envelope, problems, callId),
    kind: undefined,
    text: undefined,
    tool: undefined,
    toolCallId: undefined,
    bytes: undefined,
    canonical: undefined,
  }
}

/** A line of text that stands for an envelope of which nothing else can be shown. */
function asText(block: BlankBlock, text: string | undefined, envelope: Fields): BlockEvent | undefined {
  if (text === undefined) return undefined
  block.kind = 'text'
  block.text = text
  block.canonical = canonicalOf(envelope, undefined, [])
  return block as BlockEvent
}

function leaveOutIfTooLarge(block: BlankBlock, problems: Problem[]): void {
  const bytes = utf8Bytes(block.text ?? '')
  if (bytes <= maxChunkBytes) return
  problems.push({ kind: 'chunk_too_large', callId: block.callId })
  block.kind = 'omitted'
  block.bytes = bytes
  block.text = undefined
  block.canonical = undefined
}

/** Canonical JSON of what was sent, where the fields that are read do not hold all of it. */
function canonicalOf(envelope: Fields, payload: Fields | undefined, read: readonly string[]): string | undefined {
  if (payload !== undefined) {
    let isAll = true
    for (const name in payload) if (!read.includes(name)) isAll = false
    if (isAll) return undefined
  }
  return canonicalJson({ kind: field(envelope, 'kind'), payload: field(envelope, 'payload') })
}

/** Whether an envelope or a frame is of a version that is newer than we read. A missing version is 1 (A3). */
export function isNewer(fields: Fields): boolean {
  const version = field(fields, 'v')
  return typeof version === 'number' && version > 1
}

/** The position that an envelope names: any safe integer; anything else is counted and read as absent (H1). */
export function seqOf(envelope: Fields, problems: Problem[], callId: string | undefined): number | undefined {
  const seq = field(envelope, 'seq')
  if (Number.isSafeInteger(seq)) return (seq as number) + 0
  if (seq !== undefined && seq !== null)
    problems.push({ kind: 'invalid_seq', ...(callId === undefined ? {} : { callId }) })
  return undefined
}

function statusOf(envelope: Fields, problems: Problem[], callId: string): BlockStatus | undefined {
  const status = field(envelope, 'status')
  if (status === undefined || status === null || status === 'running') return undefined
  if (status === 'done' || status === 'aborted') return status
  problems.push({ kind: 'unknown_status', callId })
  return undefined
}

/** The length of a text in UTF-8, counted only as far as the limit needs it. */
function utf8Bytes(text: string): number {
  if (text.length * 3 <= maxChunkBytes) return text.length
  return new TextEncoder().encode(text).length
}
