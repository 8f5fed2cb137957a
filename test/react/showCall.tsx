import { act, type RenderResult, render } from '@testing-library/react'
import type { ReactElement } from 'react'
import { vi } from 'vitest'
import { ToolCallDetail, ToolCallProvider, type ToolCallProviderProps } from '../../src/react/index.js'
import type { ToolCallStore } from '../../src/store/index.js'
import { callId } from '../../stories/fixtures/calls.js'
import { type Fixture, storeOf } from '../../stories/fixtures/storeOf.js'
import type { WireMessage } from '../../stories/fixtures/wire.js'

/** A call on a page, and what may happen to it. */
export interface Shown extends RenderResult {
  readonly store: ToolCallStore
  /** Takes messages in and publishes them. */
  readonly receive: (...messages: readonly WireMessage[]) => void
}

/** Shows the fixture's call, in its detail area if nothing else is given. */
export function showCall(
  fixture: Fixture,
  ui: ReactElement = <ToolCallDetail callId={callId} />,
  provider: Omit<ToolCallProviderProps, 'store' | 'children'> = {},
): Shown {
  const store = storeOf(fixture)
  const shown = render(
    <ToolCallProvider store={store} {...provider}>
      {ui}
    </ToolCallProvider>,
  )
  const receive = (...messages: readonly WireMessage[]) =>
    act(() => {
      for (const { protocol, message, context } of messages) store.receive(protocol, message, context)
      store.flush()
    })
  return { ...shown, store, receive }
}

/** Lets fake time pass. */
export function advance(ms: number): void {
  act(() => {
    vi.advanceTimersByTime(ms)
  })
}

/** What a screen reader is told by now, of what has happened since fake time began. */
export function spoken(): readonly (string | null)[] {
  advance(300)
  const region = document.querySelector('[aria-live="polite"]') as HTMLElement
  return [...region.children].map((sentence) => sentence.textContent)
}
