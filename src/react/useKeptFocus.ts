'use client'
import { type RefObject, useEffect } from 'react'
import { focusedFrom } from './focusedFrom.js'

/** What can be named for a screen reader, so that it is worth the focus. */
const namedPlace = '[role], [tabindex], section'
/** What changes when something with the focus can not keep it. */
const whatTakesFocus = { subtree: true, childList: true, attributes: true, attributeFilter: ['hidden', 'disabled'] }

/**
 * Keeps the focus inside of an element: when what has it is taken away, folded or disabled, the nearest part around it
 * that is left gets it, and Tab goes on from there. A reader who leaves is not followed.
 */
export function useKeptFocus(area: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = area.current
    if (element === null) return undefined
    /** What has the focus, then what is around it, up to the element. */
    let path: readonly Element[] = []
    const leave = () => {
      path = []
      observer.disconnect()
    }
    const check = () => {
      const [held] = path
      if (held === undefined) return
      if (!isGone(held)) {
        if (focusedFrom(element) !== held) leave()
        return
      }
      const { activeElement, body } = element.ownerDocument
      const isLost = focusedFrom(element) === held || activeElement === body || activeElement === null
      const heir = path.find((each) => !isGone(each) && each.matches(namedPlace))
      leave()
      if (isLost && heir !== undefined) takeFocus(heir as HTMLElement)
    }
    const observer = new MutationObserver(check)
    const onFocusIn = ({ target }: FocusEvent) => {
      // Where nothing is laid out, what is hidden can have the focus: it is left there.
      path = isGone(target as Element) ? [] : pathOf(target as Element, element)
      observer.observe(element, whatTakesFocus)
    }
    // Browsers differ in whether what is taken away loses the focus with this event, and it has not gone yet.
    const onFocusOut = () => queueMicrotask(check)
    element.addEventListener('focusin', onFocusIn)
    element.addEventListener('focusout', onFocusOut)
    return () => {
      leave()
      element.removeEventListener('focusin', onFocusIn)
      element.removeEventListener('focusout', onFocusOut)
    }
  }, [area])
}

/** Gives the focus to any element: one that can not be reached by Tab can have it until it leaves. */
export function takeFocus(element: HTMLElement): void {
  if (element.tabIndex < 0 && !element.hasAttribute('tabindex')) {
    element.tabIndex = -1
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true })
  }
  element.focus({ preventScroll: true })
}

const isGone = (element: Element) =>
  !element.isConnected || element.closest('[hidden]') !== null || element.matches(':disabled')

function pathOf(from: Element, to: Element): readonly Element[] {
  const path = [from]
  for (let at = from; at !== to && at.parentElement !== null; at = at.parentElement) path.push(at.parentElement)
  return path
}
