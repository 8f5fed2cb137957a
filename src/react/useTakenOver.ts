'use client'
import { useSyncExternalStore } from 'react'

/**
 * False on a server, and while a server's page is taken over; true from then on. As an element's key it has the element made
 * anew then: with `suppressHydrationWarning` React leaves in it what the server has written, a time in the server's time
 * zone for instance.
 */
export const useTakenOver = (): boolean => useSyncExternalStore(subscribeToNothing, isHere, isNotHere)

const subscribeToNothing = () => () => {}
const isHere = () => true
const isNotHere = () => false
