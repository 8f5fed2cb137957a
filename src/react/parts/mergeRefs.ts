'use client'
import { type Ref, type RefCallback, useMemo } from 'react'

/** One ref that fills both, and stays the same while they do. */
export function useMergedRefs<Instance>(first: Ref<Instance>, second: Ref<Instance>): RefCallback<Instance> {
  return useMemo(() => mergeRefs(first, second), [first, second])
}

/** One ref that fills several. A new one is emptied and filled again at each render. */
export function mergeRefs<Instance>(...refs: readonly (Ref<Instance> | undefined)[]): RefCallback<Instance> {
  return (instance) => {
    for (const ref of refs) {
      if (typeof ref === 'function') ref(instance)
      else if (ref) (ref as { current: Instance | null }).current = instance
    }
  }
}
