/** The id of a call in a store whose messages were received with that `scope`: the sender's own id behind the scope. */
export function callKey(scope: string | undefined, id: string): string {
  return scope === undefined ? id : `${scope}/${id}`
}

/** The sender's own id in a key that was made with that scope. */
export function idOfKey(scope: string | undefined, key: string): string {
  const prefix = callKey(scope, '')
  return key.startsWith(prefix) ? key.slice(prefix.length) : key
}
