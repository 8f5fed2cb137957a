/** How much of a value is read: deeper or larger parts are left out. */
const maxDepth = 128
const maxNodes = 100_000

/**
 * JSON text that is the same for equal values: object keys in the order of their UTF-16 code units, no white space.
 * Every tie between two messages ends in the comparison of these texts. Cycles, and what lies deeper than 128 levels or
 * behind the 100,000th node, count as null; what JSON can not hold is treated as `JSON.stringify` treats it.
 */
export function canonicalJson(value: unknown): string {
  let nodes = 0
  const path: object[] = []

  const write = (node: unknown): string | undefined => {
    nodes += 1
    if (typeof node === 'string') return JSON.stringify(node)
    if (typeof node === 'number') return Number.isFinite(node) ? String(node + 0) : 'null'
    if (typeof node === 'boolean') return node ? 'true' : 'false'
    if (node === null || typeof node === 'bigint') return node === null ? 'null' : `"${node}"`
    if (typeof node !== 'object') return undefined
    if (path.length >= maxDepth || nodes > maxNodes || path.includes(node)) return 'null'

    path.push(node)
    const text = Array.isArray(node) ? writeArray(node) : writeObject(node as Record<string, unknown>)
    path.pop()
    return text
  }
  const writeArray = (array: readonly unknown[]) => {
    const parts: string[] = []
    for (const entry of array) {
      if (nodes > maxNodes) break
      parts.push(write(entry) ?? 'null')
    }
    return `[${parts.join(',')}]`
  }
  const writeObject = (object: Record<string, unknown>) => {
    const parts: string[] = []
    for (const key of Object.keys(object).sort()) {
      if (nodes > maxNodes) break
      const text = write(object[key])
      if (text !== undefined) parts.push(`${JSON.stringify(key)}:${text}`)
    }
    return `{${parts.join(',')}}`
  }
  return write(value) ?? 'null'
}
