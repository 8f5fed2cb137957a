'use client'
import { useEffect, useRef, useState } from 'react'
import { visibleString } from '../core/index.js'
import { useProvider } from './providerContext.js'

/** Speaks through a screen reader when calls on the page start and end. Renders a `<div>` that can not be seen. */
export function Announcements() {
  const { announcer, store, messages } = useProvider('Announcements')
  const [spoken, setSpoken] = useState<{ round: number; sentences: readonly string[] }>({ round: 0, sentences: [] })

  // A host may make its words anew each time it renders: what is to be told must not be lost with the old ones.
  const words = useRef(messages)
  useEffect(() => {
    words.current = messages
  }, [messages])

  useEffect(() => {
    const speak = (sentences: readonly string[]) => setSpoken(({ round }) => ({ round: round + 1, sentences }))
    return announcer.start(store, () => words.current, speak)
  }, [announcer, store])

  return (
    <div data-slot="tool-call-announcements" aria-live="polite">
      {spoken.sentences.map((text, index) => (
        // The round makes each sentence a new element: the same words twice are told twice.
        <p key={`${spoken.round}/${index}`}>{visibleString(text)}</p>
      ))}
    </div>
  )
}
