'use client'
import { type ReactNode, Suspense, useRef, useState } from 'react'
import { Guard } from './Guard.js'
import { useProvider } from './providerContext.js'
import { useBrowserLayoutEffect } from './useNow.js'

/** What a host's part takes. */
export interface HostPartProps {
  /** What the host calls it: named in the report of what it throws. */
  readonly name: string
  readonly callId: string
  /** What the library shows itself: instead of what throws, on a server too, and while the host's part is loaded. */
  readonly standard: ReactNode
  /** What the host's part is made of: after it has thrown it is tried again when any of it is another. */
  readonly inputs: readonly unknown[]
  /** The host's part; `undefined`, for it or from it, leaves it to the library. */
  readonly render: (() => ReactNode) | undefined
}

/**
 * Something that a host shows in the place of the library. What it throws is kept from the rest and reported as
 * `host_callback_failed`, a failure like the last one only once. Renders what the host does.
 */
export function HostPart({ name, callId, standard, inputs, render }: HostPartProps) {
  const { store } = useProvider('HostPart')
  const [hasFailed, setFailed] = useState(false)
  const reported = useRef<string>(undefined)
  if (render === undefined) return standard
  const fail = (error: unknown) => {
    setFailed(true)
    const failure = error instanceof Error ? `${error.name}: ${error.message}` : typeof error
    if (failure === reported.current) return
    reported.current = failure
    store.report({ kind: 'host_callback_failed', callId, detail: name })
  }
  return (
    <>
      {/* Outside of the guard: what the reader does in it must not go whenever the host's part is tried again. */}
      {hasFailed && standard}
      <Guard inputs={inputs} onError={fail}>
        {/* On a server nothing else catches what is thrown. */}
        <Suspense fallback={!hasFailed && standard}>
          <Shown standard={standard} render={render} onShown={() => setFailed(false)} />
        </Suspense>
      </Guard>
    </>
  )
}

interface ShownProps {
  readonly standard: ReactNode
  readonly render: () => ReactNode
  readonly onShown: () => void
}

/** A component of its own, so that what the function throws is thrown inside the guard. */
function Shown({ standard, render, onShown }: ShownProps) {
  const shown = render()

  // Before anything is painted.
  // oxlint-disable-next-line react/exhaustive-deps -- once, when it has not thrown
  useBrowserLayoutEffect(() => onShown(), [])

  return shown === undefined ? standard : shown
}
