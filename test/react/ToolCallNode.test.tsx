import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { ToolCallDetail, ToolCallNode, ToolCallProvider, useConversationCalls } from '../../src/react/index.js'
import { callId, calling, failed, hostile, running } from '../../stories/fixtures/calls.js'
import { storeOf, title } from '../../stories/fixtures/storeOf.js'
import { done, snapshot, text } from '../../stories/fixtures/wire.js'
import { showCall } from './showCall.js'

const node = () => screen.getByRole('button')

describe('ToolCallNode', () => {
  test('[A1] is one line for a call, in which no block appears', () => {
    const { receive } = showCall(running, <Conversation />)

    receive(text(callId, 50_000, 15, 'A block.'), snapshot('call-2', 51_000, { tool: 'read_file' }))

    const names = screen.getAllByRole('button').map((button) => button.textContent)
    expect(names).toEqual([
      expect.stringMatching(/^ ask_colleague Build the release and report what fails {3}\d+ s$/),
      ' read_file Calling…   0 s',
    ])
    expect(document.body).not.toHaveTextContent('A block.')
  })

  test('[A1] says status, name and title to those who do not see it', () => {
    showCall(failed, <ToolCallNode callId={callId} />)

    expect(node()).toHaveAccessibleName(/^Failed ask_colleague Build the release and report what fails 13.0 s$/)
  })

  test('[A7] says "Calling…" while it runs without a title, then the title', () => {
    const { receive, store } = showCall(calling, <ToolCallNode callId={callId} />)
    expect(node()).toHaveTextContent('ask_colleague Calling… 3 s')

    store.ingest(title(callId, 'Find out who knows').event)
    receive()

    expect(node()).toHaveTextContent('ask_colleague Find out who knows 3 s')
  })

  test('[A7] changes its mark when the call ends', () => {
    const { receive } = showCall(running, <ToolCallNode callId={callId} />)

    receive(done(callId, 72_000, 20, 'x'))

    expect(node()).toHaveAttribute('data-status', 'done')
    expect(node()).toHaveAccessibleName(/^Done ask_colleague/)
  })

  test('[A1] opens and closes by click, Enter and Space, and tells the host', async () => {
    const user = userEvent.setup()
    const onOpenChange = vi.fn()
    showCall(running, <ToolCallNode callId={callId} onOpenChange={onOpenChange} />)
    expect(node()).toHaveAttribute('aria-expanded', 'false')

    await user.click(node())
    expect(node()).toHaveAttribute('aria-expanded', 'true')
    await user.keyboard('{Enter}')
    expect(node()).toHaveAttribute('aria-expanded', 'false')
    await user.keyboard(' ')
    expect(node()).toHaveAttribute('aria-expanded', 'true')

    expect(onOpenChange.mock.calls).toEqual([[true], [false], [true]])
  })

  test('[F2] leaves it to the host where the host says whether it is open', async () => {
    const onOpenChange = vi.fn()
    showCall(running, <ToolCallNode callId={callId} open={false} onOpenChange={onOpenChange} />)

    await userEvent.click(node())

    expect(onOpenChange).toHaveBeenCalledWith(true)
    expect(node()).toHaveAttribute('aria-expanded', 'false')
  })

  test('[F4] names the area that it opens, which can take the focus', async () => {
    showCall({ receives: [snapshot('call 1/ü', 0)] }, <Place />)

    await userEvent.click(node())

    const area = screen.getByRole('region')
    expect(screen.getByRole('button', { expanded: true })).toHaveAttribute('aria-controls', area.id)
    expect(area.id).not.toMatch(/\s/)
    expect(area).toHaveFocus()
  })

  test('[F2] two stores on one page do not meet', () => {
    const tools = ['first_tool', 'second_tool']
    render(
      tools.map((tool) => (
        <ToolCallProvider key={tool} store={storeOf({ receives: [snapshot(callId, 0, { tool })] })}>
          <ToolCallNode callId={callId} defaultOpen />
          <ToolCallDetail callId={callId} />
        </ToolCallProvider>
      )),
    )

    const areas = screen.getAllByRole('region')
    expect(areas.map((area) => area.textContent)).toEqual([
      expect.stringContaining('first_tool'),
      expect.stringContaining('second_tool'),
    ])
    expect(new Set(areas.map((area) => area.id)).size).toBe(2)
  })

  test('[H2] shows a name and a title as text, with what can not be seen made visible', () => {
    showCall(hostile, <ToolCallNode callId={callId} />)

    expect(node()).toHaveTextContent('renameU+202E')
    expect(node()).toHaveTextContent('<img src=x onerror=alert(1)>')
    expect(node().querySelector('img, script')).toBeNull()
  })
})

function Conversation() {
  return useConversationCalls('conversation-1').map((id) => <ToolCallNode key={id} callId={id} />)
}

function Place() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <ToolCallNode callId="call 1/ü" open={isOpen} onOpenChange={setOpen} />
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the reader has asked for it */}
      {isOpen && <ToolCallDetail callId="call 1/ü" autoFocus />}
    </>
  )
}
