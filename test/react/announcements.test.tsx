import { screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  ApprovalQueue,
  ToolCallDetail,
  ToolCallNode,
  ToolCallProvider,
  useConversationCalls,
} from '../../src/react/index.js'
import { announced, requested, responded } from '../../stories/fixtures/bus.js'
import { callId, calling, ended, running } from '../../stories/fixtures/calls.js'
import { aborted, done, output, snapshot, text, type WireMessage } from '../../stories/fixtures/wire.js'
import { advance, showCall, spoken } from './showCall.js'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function Conversation() {
  return useConversationCalls('conversation-1').map((id) => <ToolCallNode key={id} callId={id} />)
}

describe('what a screen reader hears', () => {
  test('[F4] is one polite region for all calls', () => {
    showCall(running)

    expect(document.querySelectorAll('[aria-live]:not([aria-live="off"])')).toHaveLength(1)
    expect(screen.getByRole('log')).toHaveAttribute('aria-live', 'off')
  })

  test('[F4] is the start of a call that comes while the page is open', () => {
    const { receive } = showCall(calling, <Conversation />)
    expect(spoken()).toEqual([])

    receive(snapshot('call-2', 4_000, { tool: 'read_file' }))

    expect(spoken()).toEqual(['read_file: started'])
  })

  test.each([
    [done(callId, 5_000, 1, 'x'), 'ask_colleague: Done'],
    [aborted(callId, 5_000, 1, 'x'), 'ask_colleague: Ended without a result'],
    [snapshot(callId, 5_000, { status: 'failed' }), 'ask_colleague: Failed'],
  ] satisfies readonly (readonly [WireMessage, string])[])('[F4] is how a call ends: %#', (message, sentence) => {
    const { receive } = showCall(calling)

    receive(message)

    expect(spoken()).toEqual([sentence])
  })

  test('[F4] is no block and no line of output', () => {
    const { receive } = showCall(running)

    receive(text(callId, 50_000, 15, 'A block.'), output(callId, 50_100, 16, 'shell', 'a line\n'))

    expect(spoken()).toEqual([])
  })

  test('[F4] is nothing about what had ended before, nor about calls that are not on the page', () => {
    const { receive } = showCall(ended, <ToolCallDetail callId={callId} />)

    receive(snapshot('call-2', 80_000), snapshot('call-3', 80_000, { status: 'done', toolReturn: 'x' }))

    expect(spoken()).toEqual([])
  })

  test('[D4] is no request that was answered before it could be told', () => {
    const { receive } = showCall({ receives: [announced(0, 'shell', {})] })

    receive(requested(100, 'shell', {}))
    receive(responded(150, true))

    expect(spoken()).toEqual([])
  })

  test('[D4] is each request that belongs to no call, once', () => {
    const ask = (number: number) => requested(number, `tool_${number}`, {}, { correlationID: `request-${number}` })
    const { receive } = showCall({ receives: [] }, <ApprovalQueue autoFocus={false} />)

    receive(ask(1), ask(2))
    expect(spoken()).toEqual(['tool_1: needs your decision', 'tool_2: needs your decision'])

    receive(ask(3))
    expect(spoken()).toEqual(['tool_3: needs your decision'])
    receive(responded(4, true, { correlationID: 'request-3' }))
    expect(spoken()).toEqual(['tool_3: needs your decision'])
  })

  test('[A7] is said in the words of the moment, however often the host renders with words of its own', () => {
    const { store, rerender, receive } = showCall(running)
    const page = (word: string) => (
      <ToolCallProvider store={store} messages={{ ended: (name) => `${name}: ${word}` }}>
        <ToolCallDetail callId={callId} />
      </ToolCallProvider>
    )
    receive(done(callId, 72_000, 20, 'x'))

    for (const word of ['over', 'ended', 'finished']) {
      rerender(page(word))
      advance(100)
    }

    expect(spoken()).toEqual(['ask_colleague: finished'])
  })

  test('[D4] is each request that belongs to no call once, however many queues it is in', () => {
    const queues = (
      <>
        <ApprovalQueue autoFocus={false} />
        <ApprovalQueue conversationId="conversation-1" autoFocus={false} />
      </>
    )
    const { receive } = showCall({ receives: [] }, queues)

    receive(
      requested(1, 'shell', { command: 'a' }, { correlationID: 'request-1' }),
      requested(2, 'shell', { command: 'b' }, { correlationID: 'request-2' }),
    )

    expect(spoken()).toEqual(['shell: needs your decision', 'shell: needs your decision'])
  })

  test('[F4] is said anew when the same happens again', () => {
    const { receive } = showCall(calling, <Conversation />)
    const run = (id: string) => {
      receive(snapshot(id, 1_000, { tool: 'shell' }))
      return spoken()
    }
    expect(run('call-2')).toEqual(['shell: started'])
    const first = document.querySelector('[aria-live="polite"]')?.firstElementChild

    expect(run('call-3')).toEqual(['shell: started'])

    expect(document.querySelector('[aria-live="polite"]')?.firstElementChild).not.toBe(first)
  })
})
