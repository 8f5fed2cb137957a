import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { describe, expect, test, vi } from 'vitest'
import {
  ToolCallProvider,
  useConnection,
  useConversationCalls,
  useDiagnostics,
  useMessages,
  useMode,
  useNow,
  useToolCall,
} from '../../src/react/index.js'
import { callId } from '../../stories/fixtures/calls.js'
import { storeOf } from '../../stories/fixtures/storeOf.js'
import { snapshot, startedAt, text } from '../../stories/fixtures/wire.js'

const within = (store: ReturnType<typeof storeOf>) => ({
  wrapper: ({ children }: { readonly children: ReactNode }) => (
    <ToolCallProvider store={store}>{children}</ToolCallProvider>
  ),
})

describe('hooks', () => {
  test('[A17] useToolCall finds a call by either of its ids', () => {
    const store = storeOf({
      receives: [snapshot(callId, 0, { toolReturn: { text: 'x', meta: { callId: 'other-id' } } })],
    })

    const { result } = renderHook(() => [useToolCall(callId), useToolCall('other-id')], within(store))

    expect(result.current[0]?.id).toBe(callId)
    expect(result.current[1]).toBe(result.current[0])
  })

  test('[A15] useConversationCalls lists calls in their order, and is the same list while nothing changes', () => {
    const store = storeOf({ receives: [snapshot('b', 0), snapshot('a', 1)] })
    const { result, rerender } = renderHook(() => useConversationCalls('conversation-1'), within(store))
    const before = result.current

    rerender()

    expect(before).toEqual(['b', 'a'])
    expect(result.current).toBe(before)
  })

  test('[H1] useDiagnostics counts what was wrong', () => {
    const store = storeOf({ receives: [{ protocol: 'tool_event_stream', at: 0, message: 17 }] })

    const { result } = renderHook(() => useDiagnostics(), within(store))

    expect(result.current.counts).toEqual({ not_an_object: 1 })
  })

  test('[A14] useConnection tells when the connection is lost', () => {
    const store = storeOf({ receives: [] })
    const { result } = renderHook(() => useConnection(), within(store))
    expect(result.current.connected).toBeUndefined()

    act(() => {
      store.ingest({ type: 'contact', contact: 'lost' })
      store.flush()
    })

    expect(result.current).toEqual({ connected: false, lostAt: startedAt })
  })

  test('[F2] useNow is the store’s time, and nothing while it is not asked for', () => {
    const store = storeOf({ receives: [text(callId, 500, 1, 'x')] })

    const { result, rerender } = renderHook(({ active }) => useNow(active), {
      ...within(store),
      initialProps: { active: true },
    })
    expect(result.current).toBe(startedAt + 500)

    rerender({ active: false })
    expect(result.current).toBeUndefined()
  })

  test.each([
    ['useToolCall', () => useToolCall(callId)],
    ['useConversationCalls', () => useConversationCalls('conversation-1')],
    ['useDiagnostics', () => useDiagnostics()],
    ['useConnection', () => useConnection()],
    ['useMode', () => useMode()],
    ['useMessages', () => useMessages()],
    ['useNow', () => useNow()],
  ] as const satisfies readonly (readonly [string, () => unknown])[])(
    '[F2] %s throws outside of a provider, and says what to do',
    (name, useHook) => {
      vi.spyOn(console, 'error').mockImplementation(() => {})

      expect(() => renderHook<unknown, unknown>(useHook)).toThrow(
        `tool-call-detail: ${name} has no store here. Put a <ToolCallProvider store={…}> around it.`,
      )
    },
  )
})
