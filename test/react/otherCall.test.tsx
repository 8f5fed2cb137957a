import { act, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactElement, ReactNode } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { createLog } from '../../src/core/index.js'
import {
  AppendLog,
  ApprovalQueue,
  ToolCall,
  ToolCallDetail,
  ToolCallNode,
  ToolCallProvider,
} from '../../src/react/index.js'
import { conversationId, manyRequests, responded } from '../../stories/fixtures/bus.js'
import { callId, running, severalTasks } from '../../stories/fixtures/calls.js'
import { type Fixture, storeOf } from '../../stories/fixtures/storeOf.js'

/** Shows something with a store, and then something else in its place: React keeps what is the same in both. */
function showInPlace(fixture: Fixture, ui: ReactElement) {
  const store = storeOf(fixture)
  const page = (children: ReactNode) => <ToolCallProvider store={store}>{children}</ToolCallProvider>
  const { rerender } = render(page(ui))
  return { store, show: (next: ReactElement) => rerender(page(next)) }
}

const otherIds = ['call-1', 'call-2'] as const
const button = () => screen.getByRole('button')

describe('what belongs to a call goes with it', () => {
  test('[A1] a node that shows another call is as that one begins, and reports only what the reader does', async () => {
    const onOpenChange = vi.fn()
    const { show } = showInPlace(manyRequests(2), <ToolCallNode callId={otherIds[0]} onOpenChange={onOpenChange} />)
    await userEvent.click(button())
    expect(button()).toHaveAttribute('aria-expanded', 'true')

    show(<ToolCallNode callId={otherIds[1]} onOpenChange={onOpenChange} />)
    expect(button()).toHaveAttribute('aria-expanded', 'false')
    show(<ToolCallNode callId="call-3" defaultOpen onOpenChange={onOpenChange} />)
    expect(button()).toHaveAttribute('aria-expanded', 'true')
    expect(onOpenChange.mock.calls).toEqual([[true]])
  })

  test('[A9] a process in the place of another is folded as its own task was left', async () => {
    const { store, show } = showInPlace(severalTasks, <p />)
    const [first, second] = store.getState().calls.get(callId)?.tasks ?? []
    const area = (task: typeof first) => (
      <ToolCall.Root callId={callId} aria-label="Area">
        {task && <ToolCall.Process task={task} />}
      </ToolCall.Root>
    )
    const toggle = () => screen.getByRole('button', { name: /^Process/ })
    show(area(second))
    expect(toggle()).toHaveAttribute('aria-expanded', 'true')
    await userEvent.click(toggle())

    show(area(first))
    await userEvent.click(toggle())
    expect(toggle()).toHaveAttribute('aria-expanded', 'true')
    show(area(second))
    expect(toggle()).toHaveAttribute('aria-expanded', 'false')
  })

  test('[D4] a reason that was begun for one request is not there in another', async () => {
    const { store, show } = showInPlace(manyRequests(2), <p />)
    const area = (id: string) => {
      const approval = store.getState().approvals.get(id)
      return (
        <ToolCall.Root callId="call-1" aria-label="Area">
          {approval && <ToolCall.Approval approval={approval} />}
        </ToolCall.Root>
      )
    }
    show(area('request-1'))
    await userEvent.click(screen.getByRole('button', { name: 'Add a reason' }))
    await userEvent.keyboard('not on Fridays')

    show(area('request-2'))
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument()
    show(area('request-1'))
    expect(screen.getByRole('textbox')).toHaveValue('not on Fridays')
  })

  test('[D4] a queue does not say of one conversation what became of a request in another', () => {
    const { store, show } = showInPlace(manyRequests(1), <ApprovalQueue conversationId={conversationId} />)
    expect(screen.getByRole('group', { name: /wants to run/ })).toBeVisible()

    show(<ApprovalQueue conversationId="other" />)
    act(() => {
      const { protocol, message, context } = responded(9, true, { scope: 'once' })
      store.receive(protocol, message, context)
      store.flush()
    })

    expect(document.querySelector('[data-slot="tool-call-approval-left"]')).toBeNull()
  })

  test('[A1] an area that shows another call remembers nothing of the one before', async () => {
    const { show } = showInPlace(running, <ToolCallDetail callId={callId} />)
    await userEvent.click(screen.getByRole('button', { name: /^Process/ }))
    expect(screen.getByRole('button', { name: /^Process/ })).toHaveAttribute('aria-expanded', 'false')

    show(<ToolCallDetail callId="nobody" />)
    show(<ToolCallDetail callId={callId} />)
    expect(screen.getByRole('button', { name: /^Process/ })).toHaveAttribute('aria-expanded', 'true')
  })

  test('[A9] another log is followed, whatever the reader did in the one before', async () => {
    const logOf = (name: string) => {
      const log = createLog()
      for (let i = 1; i <= 1_000; i++) log.append(`${name} ${i}\n`)
      return log
    }
    const { rerender } = render(<AppendLog log={logOf('first')} />)
    const scroller = screen.getByRole('log')
    scroller.focus()
    await userEvent.keyboard('{Home}')
    expect(await screen.findByText('first 1')).toBeVisible()

    rerender(<AppendLog log={logOf('second')} />)

    expect(await screen.findByText('second 1000')).toBeVisible()
    expect(scroller.parentElement).toHaveAttribute('data-following')
  })
})
