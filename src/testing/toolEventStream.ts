import { startedAt, type WireMessage } from './wireMessage.js'

/** What a snapshot says beside its call's id. */
export interface SnapshotFields {
  /** Default: `ask_colleague`. */
  readonly tool?: string
  readonly args?: unknown
  /** Default: `running`. */
  readonly status?: string
  readonly toolReturn?: unknown
  /** Default: `conversation-1`. */
  readonly conversationId?: string
}

/** A `chat_event`: the caller's snapshot of a call (A17). */
export function snapshot(eventId: string, at: number, fields: SnapshotFields = {}): WireMessage<'chat_event'> {
  const { tool = 'ask_colleague', args, status = 'running', toolReturn, conversationId = 'conversation-1' } = fields
  const message = {
    eventId,
    conversationId,
    eventScene: 'tool',
    status,
    content: {
      toolCall: { toolId: tool, functionCall: { name: tool, ...(args !== undefined && { arguments: args }) } },
      ...(toolReturn !== undefined && { toolReturn }),
    },
    ts: startedAt + at,
  }
  return { protocol: 'chat_event', at, message }
}

/** What a frame carries beside its place. */
export interface FrameFields {
  /** Default: `text`. */
  readonly kind?: string
  readonly payload?: unknown
  readonly streamKey?: string
  /** The state of the tool that the envelope is about. Default: `running`. */
  readonly status?: 'running' | 'done' | 'aborted'
  /** The state of the task. Default: `running`. */
  readonly state?: 'running' | 'done' | 'aborted'
  /** Default: `task-1`. */
  readonly taskId?: string
  /** The frame's version. Default: 1. */
  readonly v?: number
}

/** A `tool_event_stream` frame (A3). */
export function frame(
  callId: string,
  at: number,
  seq: number,
  fields: FrameFields = {},
): WireMessage<'tool_event_stream'> {
  const {
    kind = 'text',
    payload = {},
    streamKey,
    status = 'running',
    state = 'running',
    taskId = 'task-1',
    v = 1,
  } = fields
  const envelope = { v: 1, kind, ...(streamKey !== undefined && { streamKey }), seq, status, payload }
  const message = { v, callId, taskId, state, ts: startedAt + at, envelope }
  return { protocol: 'tool_event_stream', at, message, isLossy: state === 'running' }
}

/** A block of thinking. */
export const thinking = (callId: string, at: number, seq: number, text: string) =>
  frame(callId, at, seq, { kind: 'thinking', payload: { text } })

/** A line of progress. */
export const text = (callId: string, at: number, seq: number, line: string) =>
  frame(callId, at, seq, { kind: 'text', payload: { text: line } })

/** A tool of the remote agent starts; with `status` done or aborted it ends. */
export const tool = (callId: string, at: number, seq: number, name: string, status?: FrameFields['status']) =>
  frame(callId, at, seq, { kind: 'tool_call', streamKey: name, payload: { tool: name }, ...(status && { status }) })

/** A piece of a tool's output. */
export const output = (callId: string, at: number, seq: number, name: string, chunk: string) =>
  frame(callId, at, seq, { kind: 'tool_output_append', streamKey: name, payload: { tool: name, chunk } })

/** The task ends with a value. */
export const done = (callId: string, at: number, seq: number, value: unknown, taskId = 'task-1') =>
  frame(callId, at, seq, { state: 'done', status: 'done', payload: { text: value }, taskId })

/** The task ends without one. */
export const aborted = (callId: string, at: number, seq: number, message: string, taskId = 'task-1') =>
  frame(callId, at, seq, { state: 'aborted', status: 'aborted', payload: { message }, taskId })
