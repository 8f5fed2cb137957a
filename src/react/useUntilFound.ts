'use client'
import { type RefObject, useEffect } from 'react'
import { useBrowserLayoutEffect } from './useNow.js'

/**
 * Lets a browser's own search reach into a folded element, which must be `hidden` while it is: where the browser can, it
 * is hidden until found, and a find in it calls `onFound`. React writes every `hidden` as the plain one, so the attribute
 * is changed behind its back. See https://html.spec.whatwg.org/multipage/interaction.html#the-hidden-attribute
 */
export function useUntilFound(ref: RefObject<HTMLElement | null>, isHidden: boolean, onFound: () => void): void {
  useBrowserLayoutEffect(() => {
    const element = ref.current
    if (element !== null && isHidden && 'onbeforematch' in element) element.setAttribute('hidden', 'until-found')
  }, [ref, isHidden])

  useEffect(() => {
    const element = ref.current
    element?.addEventListener('beforematch', onFound)
    return () => element?.removeEventListener('beforematch', onFound)
  }, [ref, onFound])
}
