import type { CallStatus, ToolCall } from './call.js'

/** The ids of the calls below some calls, to any depth (D5); each once, whatever the links between them. */
export function descendantsOf(
  children: ReadonlyMap<string, readonly string[]>,
  callIds: readonly string[],
): readonly string[] {
  const found = new Set<string>()
  const left = [...callIds]
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    for (const child of children.get(id) ?? []) {
      if (found.has(child)) continue
      found.add(child)
      left.push(child)
    }
  }
  return [...found]
}

/** The call's own id, then those of the calls that it is under, from the inside to the outside. */
export function pathOf(calls: ReadonlyMap<string, ToolCall>, callId: string): readonly string[] {
  const path = new Set<string>()
  for (let id: string | undefined = callId; id !== undefined && !path.has(id); id = calls.get(id)?.parentId)
    path.add(id)
  return [...path]
}

/** Whether somebody has to see a call: it waits for a person, or did not end well. Denied was a person's decision. */
export function needsAttention(status: CallStatus): boolean {
  return status === 'waiting' || status === 'error' || status === 'aborted' || status === 'unknown'
}
