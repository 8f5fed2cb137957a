/**
 * A map that can go on from where another one stopped without copying it (G1): below its own entries it has those of the
 * maps that it was forked from, which are frozen. Below each layer is one at least twice as large, so that there are few.
 */
export class LayeredMap<Key, Value> {
  #own = new Map<Key, Value>()
  /** The newest first. */
  #below: readonly ReadonlyMap<Key, Value>[] = []
  /** Own entries that stand for one below. */
  #replaced = 0

  /** Whether some of it belongs to another map, too. */
  get isShared(): boolean {
    return this.#below.length > 0
  }

  get(key: Key): Value | undefined {
    const own = this.#own.get(key)
    if (own !== undefined || this.#below.length === 0) return own
    for (const layer of this.#below) {
      const value = layer.get(key)
      if (value !== undefined) return value
    }
    return undefined
  }

  set(key: Key, value: Value): void {
    if (this.#below.length > 0 && !this.#own.has(key) && this.get(key) !== undefined) this.#replaced += 1
    this.#own.set(key, value)
  }

  /** Takes an entry away. Only while nothing is shared. */
  delete(key: Key): void {
    this.#own.delete(key)
  }

  *values(): Iterable<Value> {
    for (let i = this.#below.length - 1; i >= 0; i--) {
      const layer = this.#below[i] as ReadonlyMap<Key, Value>
      if (this.#replaced === 0) yield* layer.values()
      else for (const [key, value] of layer) if (!this.#own.has(key)) yield value
    }
    yield* this.#own.values()
  }

  /** A map that goes on from here. This one must not be changed any more. */
  fork(): LayeredMap<Key, Value> {
    if (this.#own.size > 0) {
      let top = this.#own
      let below = this.#below
      for (let next = below[0]; next !== undefined; next = below[0]) {
        if (this.#replaced === 0 && next.size >= top.size * 2) break
        const merged = new Map(next)
        for (const [key, value] of top) merged.set(key, value)
        top = merged
        below = below.slice(1)
      }
      this.#below = [top, ...below]
      this.#own = new Map()
      this.#replaced = 0
    }
    const fork = new LayeredMap<Key, Value>()
    fork.#below = this.#below
    return fork
  }
}
