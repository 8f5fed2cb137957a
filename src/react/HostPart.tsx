'use client'
import { type ReactNode, Suspense } from 'react'
import { Guard } from './Guard.js'
import { useProvider } from './providerContext.js'

/** What a host's part takes. */
export interface HostPartProps {
  /** What the host calls it: named in the report of what it throws. */
  readonly name: string
  readonly callId: string
  /** What the library shows itself: instead of what throws, on a server too, and while the host's part is loaded. */
  readonly standard: ReactNode
  /** With another one the host's part is tried again after it has thrown. */
  readonly attempt: unknown
  /** The host's part; `undefined`, for it or from it, leaves it to the library. */
  readonly render: (() => ReactNode) | undefined
}

/**
 * Something that a host shows in the place of the library. What it throws is kept from the rest and reported as
 * `host_callback_failed`. Renders what the host does.
 */
export function HostPart({ name, callId, standard, attempt, render }: HostPartProps) {
  const { store } = useProvider('HostPart')
  if (render === undefined) return standard
  const report = () => store.report({ kind: 'host_callback_failed', callId, detail: name })
  return (
    <Guard fallback={standard} attempt={attempt} onError={report}>
      {/* On a server nothing else catches what is thrown. */}
      <Suspense fallback={standard}>
        <Shown standard={standard} render={render} />
      </Suspense>
    </Guard>
  )
}

/** A component of its own, so that what the function throws is thrown inside the guard. */
function Shown({ standard, render }: { readonly standard: ReactNode; readonly render: () => ReactNode }) {
  const shown = render()
  return shown === undefined ? standard : shown
}
