/** A part's state: yes/no facts, one status, numbers. */
export type PartState = object

/**
 * A part's state as data attributes: `true` is an attribute without a value, a text or number is its value, and
 * `false`, `null` and `undefined` are no attribute. `isOpen`-like prefixes are not used: `{ open: true }` is `data-open`.
 */
export function stateAttributes(state: PartState): Record<`data-${string}`, string> {
  const attributes: Record<`data-${string}`, string> = {}
  for (const [key, value] of Object.entries(state)) {
    if (value === undefined || value === null || value === false) continue
    const name = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    attributes[`data-${name}`] = value === true ? '' : String(value)
  }
  return attributes
}
