import type { ToolCall } from '../../src/core/index.js'
import {
  createToolCallStore,
  type ToolCallState,
  type ToolCallStore,
  type ToolCallStoreOptions,
} from '../../src/store/index.js'

/** A store whose clock stands still until it is set, and that publishes only when it is told to. */
export interface TestStore extends ToolCallStore {
  setNow(ms: number): void
  /** The call as published now. */
  call(id?: string): ToolCall
  problems(): ToolCallState['diagnostics']['counts']
}

export function makeTestStore(options: ToolCallStoreOptions = {}): TestStore {
  let now = 10_000
  const store = createToolCallStore({ now: () => now, schedule: () => () => {}, ...options })
  return {
    ...store,
    setNow(ms) {
      now = ms
    },
    call(id = 'call-1') {
      store.flush()
      const state = store.getState()
      const call = state.calls.get(state.aliases.get(id) ?? id)
      if (call === undefined) throw new Error(`no call ${id}`)
      return call
    },
    problems() {
      store.flush()
      return store.getState().diagnostics.counts
    },
  }
}

/** A snapshot as `chat_event` carries it. */
export function snapshot(fields: Record<string, unknown> = {}) {
  return {
    eventId: 'call-1',
    conversationId: 'c-1',
    eventScene: 'tool',
    status: 'running',
    content: {
      toolCall: { toolId: 't', functionCall: { name: 'ask_colleague', arguments: '{"message":"Build it"}' } },
    },
    ...fields,
  }
}

/** A snapshot of a call that has ended with that return value. */
export const ended = (toolReturn: unknown, fields: Record<string, unknown> = {}) =>
  snapshot({ status: 'completed', toolReturn, ...fields })

/** A running frame with an envelope. */
export function block(seq: number | undefined, kind: string, payload: unknown, more: Record<string, unknown> = {}) {
  const { streamKey, status, ...frame } = more
  const envelope = {
    v: 1,
    kind,
    seq,
    status: status ?? 'running',
    payload,
    ...(streamKey === undefined ? {} : { streamKey }),
  }
  return { v: 1, callId: 'call-1', taskId: 'task-1', state: 'running', ts: 1_000 + (seq ?? 0), envelope, ...frame }
}
export const text = (seq: number, content: string, more?: Record<string, unknown>) =>
  block(seq, 'text', { text: content }, more)

/** A terminal frame. */
export function done(seq: number | undefined, value: unknown, more: Record<string, unknown> = {}) {
  const envelope = { v: 1, kind: 'text', seq, status: 'done', payload: { text: value } }
  return { v: 1, callId: 'call-1', taskId: 'task-1', state: 'done', ts: 1_000 + (seq ?? 0), envelope, ...more }
}
export function aborted(seq: number | undefined, message: string, more: Record<string, unknown> = {}) {
  const envelope = { v: 1, kind: 'error', seq, status: 'aborted', payload: { message } }
  return { v: 1, callId: 'call-1', taskId: 'task-1', state: 'aborted', ts: 1_000 + (seq ?? 0), envelope, ...more }
}
