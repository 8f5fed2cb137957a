/** What is known of a request or a call by which they are put in order. */
interface Received {
  readonly id: string
  /** The arrival number of the first word of it. */
  readonly arrival: number
}

/** A call that requests may be about. */
export interface LinkableCall extends Received {
  /** The arrival number of the first word of its end; infinite while there is none. */
  readonly endArrival: number
}

/**
 * Which call each request is about, of those of one session that have the same tool and arguments (D4): the k-th request
 * belongs to the k-th call, both in the order in which they were first heard of. A call that had ended when the request
 * came is passed over as long as there are others: it ran without being asked about. Nothing is guessed: a request for
 * which there is no such call is about none.
 */
export function linkApprovals(
  requests: readonly Received[],
  calls: readonly LinkableCall[],
): ReadonlyMap<string, string> {
  const links = new Map<string, string>()
  const inOrder = [...requests].sort((a, b) => a.arrival - b.arrival)
  const free = new Set([...calls].sort((a, b) => a.arrival - b.arrival))
  for (const { id, arrival } of inOrder) {
    for (const call of free) {
      if (call.endArrival <= arrival) continue
      links.set(id, call.id)
      free.delete(call)
      break
    }
  }
  for (const { id } of inOrder) {
    const [call] = links.has(id) ? [] : free
    if (call === undefined) continue
    links.set(id, call.id)
    free.delete(call)
  }
  return links
}
