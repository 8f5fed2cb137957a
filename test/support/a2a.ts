import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The messages of a recorded stream of server-sent events. */
export function readStream(name: string): unknown[] {
  const file = fileURLToPath(new URL(`../fixtures/streams/a2a/${name}.sse`, import.meta.url))
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line.startsWith('data: ')).map((line) => JSON.parse(line.slice(6)))
}

type Fields = Record<string, unknown>

/** Time of day as version 1 writes it. */
export const at = (ms: number) => new Date(ms).toISOString()

/** A part with a progress envelope beside its text. */
export const enveloped = (text: string, envelope: unknown): Fields => ({
  text,
  metadata: { tfrs: typeof envelope === 'string' ? envelope : JSON.stringify(envelope) },
})

/** An agent's message. */
export const said = (messageId: string, ...parts: (string | Fields)[]): Fields => ({
  messageId,
  role: 'ROLE_AGENT',
  parts: parts.map((part) => (typeof part === 'string' ? { text: part } : part)),
})

/** A status update in version 1. */
export const update = (state: string, ms: number | undefined, message?: Fields): Fields => ({
  statusUpdate: { taskId: 'task-1', contextId: 'x-1', status: statusOf(state, ms, message) },
})
const statusOf = (state: string, ms: number | undefined, message?: Fields) => ({
  state: `TASK_STATE_${state}`,
  ...(message && { message }),
  ...(ms !== undefined && { timestamp: at(ms) }),
})

/** A piece of an artifact in version 1. */
export const piece = (artifactId: string, text: string, more: Fields = {}): Fields => ({
  artifactUpdate: {
    taskId: 'task-1',
    contextId: 'x-1',
    artifact: { artifactId, name: artifactId, parts: [{ text }] },
    ...more,
  },
})

/** What an A2A server knows of a task after these messages of its stream, as the official SDK keeps it. */
export function taskAfter(stream: readonly Fields[]): Fields {
  let status: Fields = statusOf('SUBMITTED', 0)
  const history: Fields[] = [{ messageId: 'u-1', role: 'ROLE_USER', parts: [{ text: 'please' }] }]
  const artifacts = new Map<string, Fields & { parts: Fields[] }>()
  for (const { statusUpdate, artifactUpdate } of stream as { statusUpdate?: Fields; artifactUpdate?: Fields }[]) {
    if (statusUpdate) {
      status = statusUpdate.status as Fields
      if (status.message) history.push(status.message as Fields)
    }
    if (artifactUpdate) {
      const artifact = artifactUpdate.artifact as Fields & { artifactId: string; parts: Fields[] }
      const known = artifactUpdate.append ? artifacts.get(artifact.artifactId) : undefined
      artifacts.set(artifact.artifactId, { ...artifact, parts: [...(known?.parts ?? []), ...artifact.parts] })
    }
  }
  return { task: { id: 'task-1', contextId: 'x-1', status, history, artifacts: [...artifacts.values()] } }
}
