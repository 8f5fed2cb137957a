/** How far out of sight something counts as near, in px. */
const nearMargin = 300

type Callback = (entry: { readonly isNear?: boolean }) => void

const callbacks = new WeakMap<Element, Callback>()
let intersections: IntersectionObserver | undefined
let sizes: ResizeObserver | undefined

/**
 * Tells whether an element is in sight or near it, and of every change of its size: one observer of each kind for all
 * elements. Where there are none, in tests without layout, it is always near. Returns what ends it.
 */
export function observeElement(element: Element, callback: Callback): () => void {
  const endSize = observeSize(element, callback)
  if (typeof IntersectionObserver === 'function') {
    intersections ??= new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) callbacks.get(target)?.({ isNear: isIntersecting })
      },
      { rootMargin: `${nearMargin}px` },
    )
    intersections.observe(element)
  } else callback({ isNear: true })
  return () => {
    endSize()
    intersections?.unobserve(element)
  }
}

/** Tells of the size of an element, once and whenever it has changed. Returns what ends it. */
export function observeSize(element: Element, callback: Callback): () => void {
  callbacks.set(element, callback)
  if (typeof ResizeObserver === 'function') {
    sizes ??= new ResizeObserver((entries) => {
      for (const { target } of entries) callbacks.get(target)?.({})
    })
    sizes.observe(element)
  }
  return () => {
    callbacks.delete(element)
    sizes?.unobserve(element)
  }
}
