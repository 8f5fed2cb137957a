/**
 * Which ids name the same call (A17). A call claims other ids; a claim holds while nobody else claims the same id,
 * whatever the order in which claims come, so that ids used again in another turn never merge two calls.
 */
export class Aliases {
  #claimants = new Map<string, Set<string>>()
  #claimed = new Map<string, Set<string>>()

  /** What goes on from here (G1). */
  fork(): Aliases {
    const fork = new Aliases()
    for (const [alias, ids] of this.#claimants) fork.#claimants.set(alias, new Set(ids))
    for (const [id, aliases] of this.#claimed) fork.#claimed.set(id, new Set(aliases))
    return fork
  }

  /** Takes the claim of `id` to `alias`. Returns the ids whose call may have changed, and whether others claim it too. */
  claim(id: string, alias: string): { readonly touched: readonly string[]; readonly ambiguous: boolean } {
    const claimants = this.#claimants.get(alias) ?? new Set()
    if (alias === id || claimants.has(id)) return { touched: [], ambiguous: false }
    const touched = [...this.members(this.rootOf(alias)), ...this.members(this.rootOf(id)), alias, id]
    claimants.add(id)
    this.#claimants.set(alias, claimants)
    this.#claimed.set(id, (this.#claimed.get(id) ?? new Set()).add(alias))
    return { touched, ambiguous: claimants.size > 1 }
  }

  /** Whether nobody claims that id, and it claims no other. */
  isAlone(id: string): boolean {
    return !this.#claimants.has(id) && !this.#claimed.has(id)
  }

  /** The id that the call of `id` is known by: the one that claims the others; in a circle the least. */
  rootOf(id: string): string {
    const path = new Set<string>()
    let at = id
    while (!path.has(at)) {
      path.add(at)
      const claimants = this.#claimants.get(at)
      if (claimants?.size !== 1) return at
      for (const claimant of claimants) at = claimant
    }
    const circle = [...path]
    return circle.slice(circle.indexOf(at)).sort()[0] as string
  }

  /** All ids of the call that is known by `root`, itself first. */
  members(root: string): readonly string[] {
    const members = new Set([root])
    for (const id of members) {
      for (const alias of this.#claimed.get(id) ?? []) if (this.#claimants.get(alias)?.size === 1) members.add(alias)
    }
    return [...members]
  }

  /** Takes back all claims of `id`. */
  forget(id: string): void {
    for (const alias of this.#claimed.get(id) ?? []) {
      const claimants = this.#claimants.get(alias)
      claimants?.delete(id)
      if (claimants?.size === 0) this.#claimants.delete(alias)
    }
    this.#claimed.delete(id)
  }
}
