'use client'
import { useEffect, useLayoutEffect, useState } from 'react'
import { useProvider } from './providerContext.js'

/** `useLayoutEffect`, which React 18 complains about on the server, where neither runs. */
export const useBrowserLayoutEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect

/**
 * The store's time in ms, anew about once a second; all users share the store's one timer. `undefined` while `active`
 * is false, on the server, and while a server's page is taken over, so that both render the same.
 */
export function useNow(active = true): number | undefined {
  const { store } = useProvider('useNow')
  const [now, setNow] = useState<number>()

  useBrowserLayoutEffect(() => {
    if (!active) return undefined
    const tick = () => setNow(store.now())
    tick()
    return store.subscribeClock(tick)
  }, [store, active])

  return active ? now : undefined
}
