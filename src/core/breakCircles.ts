/**
 * The parents of calls without circles: where calls are said to be each other's parents, the one with the least id has
 * none, so that none of them is lost (D5). Costs what there is, whatever the depth.
 */
export function breakCircles(parents: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const result = new Map(parents)
  const done = new Set<string>()
  for (const start of parents.keys()) {
    const path = new Set<string>()
    let at: string | undefined = start
    while (at !== undefined && !done.has(at) && !path.has(at)) {
      path.add(at)
      at = parents.get(at)
    }
    if (at !== undefined && path.has(at)) {
      const walked = [...path]
      const circle = walked.slice(walked.indexOf(at)).sort()
      result.delete(circle[0] as string)
    }
    for (const id of path) done.add(id)
  }
  return result
}
