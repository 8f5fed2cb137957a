import { dateAt, type WireMessage } from './wireMessage.js'

/** The state of a task in A2A. */
export type A2aState =
  | 'submitted'
  | 'working'
  | 'input-required'
  | 'auth-required'
  | 'completed'
  | 'failed'
  | 'canceled'
  | 'rejected'

/** A part of a message or an artifact that is text; with `envelope` it carries a progress envelope beside it (B2). */
export const a2aText = (text: string, envelope?: unknown) => ({
  kind: 'text' as const,
  text,
  ...(envelope !== undefined && { metadata: { tfrs: JSON.stringify(envelope) } }),
})

type Part = ReturnType<typeof a2aText>

/** A task's new state, in the JSON of A2A 0.3; `parts` are what the agent says to it, known by `messageId` (B7). */
export function a2aStatus(
  taskId: string,
  at: number,
  state: A2aState,
  parts: readonly Part[] = [],
  messageId = `${taskId}/${at}`,
): WireMessage<'a2a'> {
  const message = { kind: 'message', role: 'agent', messageId, taskId, parts }
  return {
    protocol: 'a2a',
    at,
    message: {
      kind: 'status-update',
      taskId,
      contextId: 'context-1',
      status: { state, timestamp: dateAt(at), ...(parts.length > 0 && { message }) },
      final: ['completed', 'failed', 'canceled', 'rejected'].includes(state),
    },
    isLossy: state === 'working',
  }
}

/** A piece of what the task makes, in the JSON of A2A 0.3; with `append` it goes on from the pieces before (B7). */
export const a2aArtifact = (
  taskId: string,
  at: number,
  artifactId: string,
  parts: readonly Part[],
  { append = false, lastChunk = false }: { readonly append?: boolean; readonly lastChunk?: boolean } = {},
): WireMessage<'a2a'> => ({
  protocol: 'a2a',
  at,
  message: {
    kind: 'artifact-update',
    taskId,
    contextId: 'context-1',
    artifact: { artifactId, parts },
    append,
    lastChunk,
  },
})
