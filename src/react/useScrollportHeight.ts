'use client'
import { type RefObject, useEffect } from 'react'

/**
 * Tells an element's style the height of what it scrolls in, as `--tcd-area-height` in px, so that it can keep from
 * filling it. That is its nearest ancestor with a scroll bar of its own, or else the window.
 */
export function useScrollportHeight(ref: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = ref.current
    if (element === null || typeof ResizeObserver === 'undefined') return undefined
    const scrollport = scrollportOf(element)
    const { defaultView: page } = element.ownerDocument
    const measure = () => {
      const height = scrollport?.clientHeight ?? page?.innerHeight
      element.style.setProperty('--tcd-area-height', `${height}px`)
    }
    measure()
    if (scrollport === undefined) {
      page?.addEventListener('resize', measure)
      return () => page?.removeEventListener('resize', measure)
    }
    const observer = new ResizeObserver(measure)
    observer.observe(scrollport)
    return () => observer.disconnect()
  }, [ref])
}

function scrollportOf(element: HTMLElement): Element | undefined {
  const { body } = element.ownerDocument
  for (let parent = parentOf(element); parent !== undefined; parent = parentOf(parent)) {
    if (parent !== body && /auto|scroll/.test(getComputedStyle(parent).overflowY)) return parent
  }
  return undefined
}

/** Out of a shadow root, too. */
const parentOf = (element: Element): Element | undefined =>
  element.parentElement ?? (element.getRootNode() as Partial<ShadowRoot>).host
