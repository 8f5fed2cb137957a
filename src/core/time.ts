import type { Task, ToolCall } from './call.js'

/** Whether a date can hold that time, in ms since 1970: https://tc39.es/ecma262/#sec-time-values-and-time-range */
export const isCalendarTime = (ms: number): boolean => Math.abs(ms) <= 8.64e15

/**
 * How long a call has run, or ran, in ms; undefined where nothing honest can be said. Between two times of the sender
 * where both are known, else between receipts.
 */
export function elapsedMs(call: ToolCall, now: number): number | undefined {
  const { outcome, startedAt, clockOffsetMs, firstReceivedAt } = call
  if (outcome === undefined) {
    // Its sender's clock may be ahead of ours, but it was under way when we first heard of it.
    const began = Math.min(firstReceivedAt, startedAt === undefined ? firstReceivedAt : startedAt + clockOffsetMs)
    return Math.max(0, now - began)
  }
  if (startedAt !== undefined && outcome.ts !== undefined) return Math.max(0, outcome.ts - startedAt)
  return outcome.receivedAt > firstReceivedAt ? outcome.receivedAt - firstReceivedAt : undefined
}

/**
 * Whether the process area has to say that there are no details (A8): there is no block, and the call has ended or
 * nothing came for `silenceMs` since it was first heard of. Not while its arguments stream in, while it is only
 * announced or waits for a person: it has not begun.
 */
export function hasNoDetails(call: ToolCall, now: number, silenceMs: number): boolean {
  if (call.argsStreaming || call.story !== undefined) return false
  if (call.status === 'pending' || call.status === 'waiting') return false
  if (call.tasks.some((task) => task.blockCount > 0 || task.droppedBlocks > 0)) return false
  return call.outcome !== undefined || now - call.firstReceivedAt >= silenceMs
}

/** Whether a hole in the numbering is to be said: the task has ended, or the hole had time to fill (A13). */
export function isSkipVisible(skip: { readonly visibleAt: number }, now: number, taskEnded: boolean): boolean {
  return taskEnded || now >= skip.visibleAt
}

/**
 * Whether a task's process still goes on: it has no end, and the call has none that came after its newest block (A16).
 * Terminals that follow their call's result are over with their commands (D6), and nothing goes on of which nothing more
 * can be heard.
 */
export function isTaskOpen(call: ToolCall, task: Task): boolean {
  if (task.outcome !== undefined) return false
  const { outcome } = call
  if (outcome === undefined) return true
  if (outcome.cause !== undefined || task.unheard || task.terminalsOver) return false
  return task.lastReceivedAt > outcome.receivedAt
}

/** Whether anything of a call still goes on: the call itself, or a process that went on after it. */
export function isCallOpen(call: ToolCall): boolean {
  return call.outcome === undefined || call.tasks.some((task) => isTaskOpen(call, task))
}

/** Whether nothing has been heard of a run for `quietMs`: silence, and not a failure (E7). */
export function isQuiet(call: ToolCall, now: number, quietMs: number): boolean {
  return call.story !== undefined && call.outcome === undefined && now - call.story.heardAt >= quietMs
}
