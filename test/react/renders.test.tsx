import { act, render } from '@testing-library/react'
import { Profiler } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ToolCallDetail, ToolCallNode, ToolCallProvider } from '../../src/react/index.js'
import { createToolCallStore } from '../../src/store/index.js'
import { output, snapshot, startedAt, text, tool, type WireMessage } from '../../stories/fixtures/wire.js'

const renderedTexts = vi.hoisted(() => [] as string[])

vi.mock(import('../../src/react/VisibleText.js'), async (original) => {
  const { VisibleText } = await original()
  return {
    VisibleText: (props) => {
      renderedTexts.push(props.text)
      return VisibleText(props)
    },
  }
})

const ids = Array.from({ length: 200 }, (_, index) => `call-${index}`)

beforeEach(() => {
  vi.useFakeTimers()
  vi.setSystemTime(startedAt)
})
afterEach(() => {
  vi.useRealTimers()
})

function showAll() {
  const store = createToolCallStore({ schedule: () => () => {} })
  const receive = (...messages: readonly WireMessage[]) =>
    act(() => {
      for (const { protocol, message } of messages) store.receive(protocol, message)
      store.flush()
    })
  receive(...ids.map((id) => snapshot(id, 0)))
  const renders = new Map<string, number>()
  const count = (id: string) => renders.set(id, (renders.get(id) ?? 0) + 1)
  const shown = render(
    <ToolCallProvider store={store}>
      {ids.map((id) => (
        <Profiler key={id} id={id} onRender={count}>
          <ToolCallNode callId={id} />
          <ToolCallDetail callId={id} />
        </Profiler>
      ))}
    </ToolCallProvider>,
  )
  return { ...shown, receive, renders }
}

describe('a page of 200 calls', () => {
  test('[F2] renders only the call that streams', () => {
    const { receive, renders } = showAll()
    renders.clear()

    receive(text('call-7', 100, 1, 'one'))
    receive(tool('call-7', 200, 2, 'shell'))
    for (let seq = 3; seq < 30; seq++) receive(output('call-7', seq * 100, seq, 'shell', `line ${seq}\n`))

    expect([...renders.keys()]).toEqual(['call-7'])
  })

  test('[F2] has one timer for all that run, and none when they are gone', () => {
    const { unmount } = showAll()

    expect(vi.getTimerCount()).toBe(1)

    unmount()
    expect(vi.getTimerCount()).toBe(0)
  })

  test('[F2] a new block renders itself, not the entries before it', () => {
    const { receive } = showAll()
    receive(...Array.from({ length: 20 }, (_, index) => text('call-7', index, index * 2 + 1, `Step ${index}`)))
    expect(renderedTexts).toContain('Step 3')
    renderedTexts.length = 0

    receive(text('call-7', 500, 100, 'Step 20'))

    expect(renderedTexts.filter((each) => each.startsWith('Step'))).toEqual(['Step 20'])
  })
})
