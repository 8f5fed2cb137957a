import { act, screen } from '@testing-library/react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ToolCallDetail, ToolCallNode, ToolCallProvider } from '../../src/react/index.js'
import { createToolCallStore, type ToolCallStore } from '../../src/store/index.js'
import { deniedWithReason } from '../../stories/fixtures/bus.js'
import * as calls from '../../stories/fixtures/calls.js'
import { runLost } from '../../stories/fixtures/runs.js'
import { type Fixture, storeOf } from '../../stories/fixtures/storeOf.js'

const page = (store: ToolCallStore) => (
  <ToolCallProvider store={store}>
    <ToolCallNode callId={calls.callId} />
    <ToolCallDetail callId={calls.callId} />
  </ToolCallProvider>
)

const fixtures: Readonly<Record<string, Fixture>> = {
  nothing: { receives: [] },
  calling: calls.calling,
  running: calls.running,
  ended: calls.ended,
  failed: calls.failed,
  denied: calls.denied,
  incomplete: calls.incomplete,
  overLimits: calls.overLimits,
  hostile: calls.hostile,
  severalTasks: calls.severalTasks,
  tree: calls.returned({ files: [{ path: 'a' }], n: 0, none: null }),
}

afterEach(() => {
  document.body.replaceChildren()
})

describe('on a server', () => {
  test('[F2] renders what the store holds', () => {
    const html = renderToString(page(storeOf(calls.ended)))

    expect(html).toContain('The release builds.')
    expect(html).toContain('1 min 12 s')
  })

  test('[F2] renders an empty store, and starts no timer and no subscription', () => {
    vi.useFakeTimers()
    const store = createToolCallStore()
    const subscribe = vi.spyOn(store, 'subscribe')

    expect(renderToString(page(store))).toContain('Nothing is known about this call yet')

    expect(subscribe).not.toHaveBeenCalled()
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })

  const fail = () => {
    throw new Error('mine')
  }

  test.each([
    ['renderers', calls.running, { renderers: { ask_colleague: fail } }, 'Process', 'process-toggle'],
    ['renderValue', calls.ended, { renderValue: fail }, 'The release builds.', 'outcome'],
  ])('[F2] what %s throws costs neither the page of a server nor the one in the browser', async (...given) => {
    const [, fixture, provider, text, slot] = given
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const ui = (store: ToolCallStore) => (
      <ToolCallProvider store={store} {...provider}>
        <ToolCallDetail callId={calls.callId} />
      </ToolCallProvider>
    )
    const place = document.createElement('div')
    place.innerHTML = renderToString(ui(storeOf(fixture)))
    document.body.append(place)
    expect(place).toHaveTextContent(text)

    const store = storeOf(fixture)
    const root = await act(async () => hydrateRoot(place, ui(store), { onRecoverableError: () => {} }))

    expect(place.querySelector(`[data-slot="tool-call-${slot}"]`)).toHaveTextContent(text)
    store.flush()
    expect(store.getState().diagnostics.counts.host_callback_failed).toBe(1)
    act(() => root.unmount())
  })

  test('[F2] leaves the time of a running call out, for it would be another one in the browser', () => {
    expect(renderToString(page(storeOf(calls.running)))).not.toContain('tool-call-elapsed')
  })

  test.each(Object.entries({ deniedWithReason, incomplete: calls.incomplete, runLost }))(
    '[F2] the times of "%s" are those of the reader, where the server is in another time zone',
    async (_, fixture) => {
      const time = /\d\d:\d\d:\d\d/g
      const html = renderToString(page(storeOf(fixture)))
      const place = document.createElement('div')
      place.innerHTML = html.replace(time, '04:05:06')
      document.body.append(place)

      const root = await act(async () => hydrateRoot(place, page(storeOf(fixture))))

      expect(place.textContent?.match(time)).toEqual(html.match(time))
      act(() => root.unmount())
    },
  )

  test.each(Object.entries(fixtures))('[F2] the page of "%s" is taken over without a warning', async (_, fixture) => {
    const errors = vi.spyOn(console, 'error')
    const onRecoverableError = vi.fn()
    const place = document.createElement('div')
    place.innerHTML = renderToString(page(storeOf(fixture)))
    document.body.append(place)

    const root = await act(async () => hydrateRoot(place, page(storeOf(fixture)), { onRecoverableError }))

    expect(onRecoverableError).not.toHaveBeenCalled()
    expect(errors).not.toHaveBeenCalled()
    expect(screen.getByRole('region')).toBeVisible()
    act(() => root.unmount())
  })
})
