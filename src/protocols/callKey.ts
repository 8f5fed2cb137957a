/** The id of a call in a store whose messages were received with that `scope`: the sender's own id behind the scope. */
export function callKey(scope: string | undefined, id: string): string {
  return scope === undefined ? id : `${scope}/${id}`
}
