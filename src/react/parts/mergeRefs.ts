'use client'
import { type Ref, type RefCallback, useMemo } from 'react'

/** One ref that fills both, and stays the same while they do. */
export function useMergedRefs<Instance>(first: Ref<Instance>, second: Ref<Instance>): RefCallback<Instance> {
  return useMemo(() => mergeRefs(first, second), [first, second])
}

/**
 * One ref that fills several. A new one is emptied and filled again at each render. From React 19 on a function may return
 * what empties it, and is not called with `null` then.
 */
export function mergeRefs<Instance>(...refs: readonly (Ref<Instance> | undefined)[]): RefCallback<Instance> {
  return (instance) => {
    const ends = refs.map((ref) => fill(ref, instance))
    // React 18 warns of a function that it gets without need.
    if (!ends.some((end) => typeof end === 'function')) return undefined
    return () => {
      refs.forEach((ref, index) => {
        const end = ends[index]
        if (typeof end === 'function') end()
        else fill(ref, null)
      })
    }
  }
}

function fill<Instance>(ref: Ref<Instance> | undefined, instance: Instance | null) {
  if (typeof ref === 'function') return ref(instance)
  if (ref) (ref as { current: Instance | null }).current = instance
  return undefined
}
