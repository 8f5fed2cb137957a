/** A snapshot of a call, as a server sends it. */
export function snapshot(fields: Record<string, unknown> = {}) {
  return {
    eventId: 'evt-1',
    conversationId: 'c-1',
    eventScene: 'tool',
    status: 'running',
    ts: 1_000,
    updatedAt: 1_000,
    content: {
      toolCall: { toolId: 't-1', functionCall: { name: 'ask_colleague', arguments: '{"peer":"release-bot"}' } },
    },
    ...fields,
  }
}

/** A frame with a line of text, as a server sends it. */
export function textFrame(seq: number, text: string, fields: Record<string, unknown> = {}) {
  const envelope = { v: 1, kind: 'text', seq, status: 'running', payload: { text } }
  return { v: 1, callId: 'evt-1', taskId: 'task-1', state: 'running', ts: 1_000 + seq, envelope, ...fields }
}

/** The frame that ends the task well. */
export function doneFrame(seq: number, text: string) {
  return textFrame(seq, text, { state: 'done' })
}
