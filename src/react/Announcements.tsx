'use client'
import { useEffect, useState } from 'react'
import { visibleString } from '../core/index.js'
import { useProvider } from './providerContext.js'

/** Speaks through a screen reader when calls on the page start and end. Renders a `<div>` that can not be seen. */
export function Announcements() {
  const { announcer, store, messages } = useProvider('Announcements')
  const [spoken, setSpoken] = useState<{ round: number; sentences: readonly string[] }>({ round: 0, sentences: [] })

  useEffect(
    () => announcer.start(store, messages, (sentences) => setSpoken(({ round }) => ({ round: round + 1, sentences }))),
    [announcer, store, messages],
  )

  return (
    <div data-slot="tool-call-announcements" aria-live="polite">
      {spoken.sentences.map((text, index) => (
        // The round makes each sentence a new element: the same words twice are told twice.
        <p key={`${spoken.round}/${index}`}>{visibleString(text)}</p>
      ))}
    </div>
  )
}
