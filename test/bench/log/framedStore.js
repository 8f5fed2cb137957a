import { useSyncExternalStore } from 'react'

/** Holds what a log component is given, and has it rendered again once a frame. `take` works a chunk in. */
export function framedStore(take) {
  const listeners = new Set()
  let version = 0
  let isDue = false
  return {
    append(chunk) {
      take(chunk)
      if (isDue) return
      isDue = true
      requestAnimationFrame(() => {
        isDue = false
        version += 1
        for (const listener of listeners) listener()
      })
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    version: () => version,
  }
}

/** Renders again when the store has got more. */
export const useFramed = (store) => useSyncExternalStore(store.subscribe, store.version)
