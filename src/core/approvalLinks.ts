import type { ApprovalEvidence } from './approvalEvidence.js'

/** What a call has to say for a request to be found to be about it. */
export interface LinkableCall {
  readonly id: string
  readonly arrival: number
  readonly toolName: string | undefined
  /** Its arguments in canonical JSON. */
  readonly canonicalArgs: string
  /** The arrival number of the first word of its end; infinite while there is none. */
  readonly endArrival: number
}

/**
 * Which call each request of a session is about (D4): of those with the same tool and arguments the k-th request belongs
 * to the k-th call, both in the order in which they were first heard of. A call that had ended when the request came is
 * passed over as long as there are others: it ran without being asked about. Nothing is guessed: a request for which
 * there is no such call is about none.
 */
export function linkApprovals(
  requests: readonly ApprovalEvidence[],
  calls: readonly LinkableCall[],
): ReadonlyMap<string, string> {
  const links = new Map<string, string>()
  const callsOf = groupBy(calls, ({ toolName, canonicalArgs }) => JSON.stringify([toolName, canonicalArgs]))
  const requestsOf = groupBy(requests, ({ request, canonicalArgs }) =>
    JSON.stringify([request?.toolName, canonicalArgs]),
  )
  for (const [key, group] of requestsOf) {
    const free = new Set(callsOf.get(key))
    const take = (id: string, isFit: (call: LinkableCall) => boolean) => {
      for (const call of free) {
        if (!isFit(call)) continue
        links.set(id, call.id)
        free.delete(call)
        return
      }
    }
    for (const { id, arrival } of group) take(id, ({ endArrival }) => endArrival > arrival)
    for (const { id } of group) if (!links.has(id)) take(id, () => true)
  }
  return links
}

/** By key, each group in the order of first receipt. */
function groupBy<Entry extends { readonly arrival: number }>(
  entries: readonly Entry[],
  keyOf: (entry: Entry) => string,
) {
  const groups = new Map<string, Entry[]>()
  for (const entry of [...entries].sort((a, b) => a.arrival - b.arrival)) {
    const key = keyOf(entry)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [entry])
    else group.push(entry)
  }
  return groups
}
