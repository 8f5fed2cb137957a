/** How much of a value is kept: a tree deeper or larger than this helps no reader. */
const maxDepth = 100
const maxNodes = 50_000

/**
 * A copy of any value as plain data (objects, arrays, strings, numbers, booleans, null), so that nothing that the sender
 * or the host does later changes what is shown. Prototype keys become ordinary ones; a key whose value is undefined is left
 * out, as in JSON. What is cut is replaced by "…": cycles, what lies deeper than 100 levels or behind the 50,000th node, and
 * the end of strings over `textLength`.
 */
export function plainValue(value: unknown, textLength: number): { readonly value: unknown; readonly cut: boolean } {
  let nodes = 0
  let cut = false
  const path: object[] = []
  const leaveOut = () => {
    cut = true
    return '…'
  }

  const copy = (node: unknown): unknown => {
    nodes += 1
    if (nodes > maxNodes) return leaveOut()
    if (typeof node === 'string') return node.length > textLength ? node.slice(0, textLength) + leaveOut() : node
    if (typeof node === 'number') return Number.isFinite(node) ? node + 0 : null
    if (typeof node === 'bigint' || typeof node === 'symbol') return String(node)
    if (typeof node !== 'object') return typeof node === 'boolean' ? node : null
    if (node === null) return null
    if (path.length >= maxDepth || path.includes(node)) return leaveOut()

    path.push(node)
    const result = Array.isArray(node) ? copyArray(node) : copyObject(node as Record<string, unknown>)
    path.pop()
    return result
  }
  const copyArray = (array: readonly unknown[]) => {
    const result: unknown[] = []
    for (const entry of array) {
      result.push(copy(entry))
      if (nodes > maxNodes) break
    }
    return result
  }
  const copyObject = (object: Record<string, unknown>) => {
    const result: Record<string, unknown> = {}
    for (const key of Object.keys(object)) {
      if (object[key] === undefined) continue
      const entry = copy(object[key])
      Object.defineProperty(result, key, { value: entry, enumerable: true, configurable: true, writable: true })
      if (nodes > maxNodes) break
    }
    return result
  }
  const result = copy(value)
  return { value: result, cut }
}
