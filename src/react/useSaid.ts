'use client'
import { useEffect } from 'react'
import { useProvider } from './providerContext.js'

/** Has a screen reader told what came of something that the reader asked for; nothing while it is `false`. */
export function useSaid(sentence: string | false): void {
  const { announcer } = useProvider('useSaid')

  useEffect(() => {
    if (sentence !== false) announcer.say(sentence)
  }, [sentence, announcer])
}
