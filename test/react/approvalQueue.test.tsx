import { act, fireEvent, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { type ReactNode, useState } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApprovalQueue, ToolCallDetail, ToolCallNode, ToolCallProvider, useApprovals } from '../../src/react/index.js'
import type { ToolCallStore } from '../../src/store/index.js'
import { conversationId, manyRequests, requestExpired, requested, responded, sent } from '../../stories/fixtures/bus.js'
import { advance, showCall } from './showCall.js'

const queue = <ApprovalQueue conversationId={conversationId} />
const nothing = { receives: [] }

const ask = (number: number, fields = {}) =>
  requested(number, 'shell', { command: `run ${number}` }, { correlationID: `request-${number}`, ...fields })

/** A host that shows the area of one call, apart from the lines of the conversation. */
function Places({ ids }: { readonly ids: readonly string[] }) {
  const [openId, setOpenId] = useState<string>()
  return (
    <>
      <ApprovalQueue />
      {ids.map((id) => (
        <ToolCallNode
          key={id}
          callId={id}
          open={id === openId}
          onOpenChange={(open) => setOpenId(open ? id : undefined)}
        />
      ))}
      {openId !== undefined && <ToolCallDetail callId={openId} />}
    </>
  )
}

/** Takes the ids of the requests that are answered, and holds the answers back. */
function carry(store: ToolCallStore): string[] {
  const ids: string[] = []
  store.carryAnswers(({ id }) => {
    ids.push(id)
    return new Promise(() => {})
  })
  return ids
}
const publish = (store: ToolCallStore) => act(() => store.flush())
const button = (name: string | RegExp) => screen.getByRole('button', { name })
/** Observers are called a little after what they observe. */
const noticed = () => act(async () => {})
const shown = () => document.querySelector('[data-slot="tool-call-command"]')?.textContent

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: false })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the queue of requests', () => {
  test('[D4] is nothing while nobody is asked', () => {
    showCall(nothing, queue)

    expect(screen.queryByRole('region')).not.toBeInTheDocument()
  })

  test('[D4] shows the oldest first, and which of how many it is', () => {
    const { receive } = showCall(nothing, queue)

    receive(ask(1), ask(2), ask(3))

    expect(shown()).toBe('run 1')
    expect(screen.getByText('1 of 3')).toBeVisible()
    fireEvent.click(button('Next request'))
    expect(shown()).toBe('run 2')
    fireEvent.click(button('Previous request'))
    fireEvent.click(button('Previous request'))
    expect(shown()).toBe('run 3')
    expect(screen.getByText('3 of 3')).toBeVisible()
  })

  test('[D4] is of one conversation; without its id of all', () => {
    const other = { ...ask(2), context: { conversationId: 'other' } }
    const { receive, rerender, store } = showCall(nothing, <Count conversationId={conversationId} />)
    receive(ask(1), other)
    expect(screen.getByTestId('ids')).toHaveTextContent(/^request-1$/)
    expect(store.getState().approvals.size).toBe(2)
    expect(rerender).toBeDefined()
  })

  test('[D4] what is answered gives way to the next one, and says that it is on its way', () => {
    const { store, receive } = showCall(nothing, queue)
    const ids = carry(store)
    receive(ask(1), ask(2))

    fireEvent.click(button('Allow once'))
    publish(store)

    expect(ids).toEqual(['request-1'])
    expect(shown()).toBe('run 2')
    expect(screen.getByRole('status')).toHaveTextContent('Allow once · sending…')
    receive(responded(10, true, { scope: 'once' }))
    expect(screen.queryByRole('status')).not.toBeInTheDocument()
  })

  test('[D4] a second press that was meant for the one before does not answer the next one', () => {
    const { store, receive } = showCall(nothing, queue)
    const ids = carry(store)
    receive(ask(1), ask(2))

    fireEvent.click(button('Allow once'))
    publish(store)
    advance(400)
    fireEvent.click(button('Allow once'))
    expect(ids).toEqual(['request-1'])

    advance(600)
    fireEvent.click(button('Allow once'))
    expect(ids).toEqual(['request-1', 'request-2'])
  })

  test('[D4] nor does one that was under way when somebody else answered the one before', () => {
    const { store, receive } = showCall(nothing, queue)
    const ids = carry(store)
    receive(ask(1), ask(2))
    advance(5_000)

    receive(responded(10, true, { scope: 'once' }))
    fireEvent.click(button('Allow once'))

    expect(shown()).toBe('run 2')
    expect(ids).toEqual([])
    expect(screen.getByRole('status')).toHaveTextContent('Allowed once · answered elsewhere')
  })

  test('[D4] what is shown stays while others come and go', () => {
    const { store, receive } = showCall(nothing, queue)
    receive(ask(1), ask(2), ask(3))
    fireEvent.click(button('Next request'))

    receive(responded(10, false))
    receive(ask(4))

    expect(shown()).toBe('run 2')
    expect(screen.getByText('1 of 3')).toBeVisible()
    expect(store.getState().approvals.size).toBe(4)
  })

  test('[D4] an answer that could not be sent comes back without taking the place of what is read', () => {
    const { store, receive } = showCall(nothing, queue)
    carry(store)
    receive(ask(1), ask(2))
    fireEvent.click(button('Allow once'))
    publish(store)
    expect(shown()).toBe('run 2')

    act(() => {
      store.ingest(sent(0, 'failed', undefined, 'no connection').event)
      store.flush()
    })

    expect(shown()).toBe('run 2')
    expect(screen.getByRole('status')).toHaveTextContent('Your answer was not sent')
    fireEvent.click(button('Show the request'))
    expect(shown()).toBe('run 1')
    expect(screen.getByRole('alert')).toHaveTextContent('Your answer was not sent: no connection')
  })

  test('[D4] a reason that was begun is still there after a look at another request', () => {
    const { receive } = showCall(nothing, queue)
    receive(ask(1), ask(2))
    fireEvent.click(button('Add a reason'))
    fireEvent.change(screen.getByRole('textbox'), { target: { value: 'because' } })

    fireEvent.click(button('Next request'))
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument()
    fireEvent.click(button('Previous request'))

    expect(screen.getByRole('textbox')).toHaveValue('because')
    expect(screen.getByRole('textbox')).not.toHaveFocus()
  })

  test('[D4] leads to the call, however far it is scrolled away', () => {
    const onShowCall = vi.fn()
    showCall(manyRequests(3), <ApprovalQueue onShowCall={onShowCall} />)

    fireEvent.click(button('Show the call'))

    expect(onShowCall).toHaveBeenCalledExactlyOnceWith('call-1')
  })

  test('[D4] leads by itself to the area of the call where that is on the page', () => {
    showCall(
      manyRequests(2),
      <>
        <ApprovalQueue />
        <ToolCallDetail callId="call-1" />
      </>,
    )
    const area = screen.getByRole('region', { name: /^write_file/ })
    const scrollIntoView = vi.fn()
    area.scrollIntoView = scrollIntoView

    fireEvent.click(screen.getAllByRole('button', { name: 'Show the call' })[0] as HTMLElement)

    expect(area).toHaveFocus()
    expect(scrollIntoView).toHaveBeenCalledOnce()
  })

  test('[D4] leads nowhere any more once the reader has gone on with something else', () => {
    const { rerender, store } = showCall(manyRequests(1), queue)
    const page = (area?: ReactNode) => (
      <ToolCallProvider store={store}>
        {queue}
        <input aria-label="Message" />
        {area}
      </ToolCallProvider>
    )
    rerender(page())
    fireEvent.click(button('Show the call'))
    const field = screen.getByLabelText('Message')
    field.focus()
    fireEvent.keyDown(field, { key: 'a' })

    rerender(page(<ToolCallDetail callId="call-1" />))

    expect(field).toHaveFocus()
  })

  test('[D4] leads through the line that stands for the call, which opens its area where the host mounts it', () => {
    showCall(manyRequests(2), <Places ids={['call-1', 'call-2']} />)
    expect(screen.queryByRole('region', { name: /^write_file/ })).not.toBeInTheDocument()

    fireEvent.click(button('Show the call'))

    expect(screen.getByRole('region', { name: /^write_file/ })).toHaveFocus()
    const lines = [...document.querySelectorAll('[data-slot="tool-call-trigger"]')]
    expect(lines.map((line) => line.getAttribute('aria-expanded'))).toEqual(['true', 'false'])
    // It opens once: who closes it again is left alone.
    fireEvent.click(lines[0] as HTMLElement)
    expect(screen.queryByRole('region', { name: /^write_file/ })).not.toBeInTheDocument()
  })

  test('[D4] of a thousand requests one is mounted', () => {
    showCall(manyRequests(1_000), <ApprovalQueue />)

    expect(screen.getByText('1 of 1,000')).toBeVisible()
    expect(document.querySelectorAll('*').length).toBeLessThan(120)
  })

  test('[D4] what had expired before the queue was there is nothing to it', () => {
    showCall(requestExpired, <ApprovalQueue />)

    expect(screen.queryByRole('region')).not.toBeInTheDocument()
  })

  test('[D4] what expires leaves, and says so', () => {
    const { store, receive } = showCall(nothing, queue)
    receive(ask(1, { expiresAt: store.now() + 10_000 }))
    expect(screen.getByText('expires in 0:10')).toBeVisible()

    const at = store.now() + 11_000
    store.now = () => at
    advance(1_000)

    expect(screen.queryByRole('button', { name: 'Deny' })).not.toBeInTheDocument()
    expect(screen.getByRole('status')).toHaveTextContent('Expired without an answer')
    fireEvent.click(button('Dismiss'))
    expect(screen.queryByRole('region')).not.toBeInTheDocument()
  })
})

describe('the focus', () => {
  const withField = (
    <>
      <input aria-label="Message" />
      <button type="button">Elsewhere</button>
      {queue}
    </>
  )

  test('[D4] comes to the question once, and to no button, so that a key press answers nothing', () => {
    const { receive } = showCall(nothing, withField)
    receive(ask(1))
    expect(screen.getByRole('group')).toHaveFocus()

    screen.getByText('Elsewhere').focus()
    receive(ask(2))
    expect(screen.getByText('Elsewhere')).toHaveFocus()
  })

  test.each(['input', 'textarea', 'select', 'contenteditable', 'textbox', 'dialog'])(
    '[D4] is never taken from a reader in a %s',
    (kind) => {
      const place = {
        input: <input aria-label="Place" data-testid="place" />,
        textarea: <textarea aria-label="Place" data-testid="place" />,
        select: <select aria-label="Place" data-testid="place" />,
        contenteditable: <div role="note" data-testid="place" contentEditable tabIndex={-1} />,
        textbox: <div aria-label="Place" data-testid="place" role="textbox" tabIndex={0} />,
        dialog: (
          <div role="dialog">
            <button type="button" data-testid="place">
              Place
            </button>
          </div>
        ),
      }[kind]
      const { receive } = showCall(
        nothing,
        <>
          {place}
          {queue}
        </>,
      )
      screen.getByTestId('place').focus()

      receive(ask(1))

      expect(screen.getByTestId('place')).toHaveFocus()
      expect(button('Allow once')).toBeVisible()
    },
  )

  test('[D4] is not taken right after a key was pressed, wherever', () => {
    const { receive } = showCall(nothing, withField)
    screen.getByText('Elsewhere').focus()
    fireEvent.keyDown(screen.getByText('Elsewhere'), { key: 'a' })
    advance(500)

    receive(ask(1))

    expect(screen.getByText('Elsewhere')).toHaveFocus()
  })

  test('[D4] is not taken from a list whose keys lead from one conversation to the next', () => {
    function Conversations() {
      const [index, setIndex] = useState(0)
      return (
        <>
          <div role="listbox" tabIndex={0} onKeyDown={() => setIndex(index + 1)} />
          <ApprovalQueue conversationId={`conversation-${index}`} />
        </>
      )
    }
    const { receive } = showCall(nothing, <Conversations />)
    receive(...[1, 2].map((number) => ({ ...ask(number), context: { conversationId: `conversation-${number}` } })))
    screen.getByRole('listbox').focus()

    for (const command of ['run 1', 'run 2']) {
      fireEvent.keyDown(screen.getByRole('listbox'), { key: 'ArrowDown' })
      expect(shown()).toBe(command)
      expect(screen.getByRole('listbox')).toHaveFocus()
    }
  })

  test('[D4] stays with the question when the next one takes its place, and goes back after the last', () => {
    const { store, receive } = showCall(nothing, withField)
    carry(store)
    screen.getByText('Elsewhere').focus()
    receive(ask(1), ask(2))
    button('Allow once').focus()

    fireEvent.click(button('Allow once'))
    publish(store)
    expect(screen.getByRole('group')).toHaveFocus()

    advance(600)
    button('Deny').focus()
    fireEvent.click(button('Deny'))
    publish(store)
    expect(screen.getByText('Elsewhere')).toHaveFocus()
  })

  test('[D4] goes back after the last to where the reader came from by themselves', () => {
    const { store, receive } = showCall(
      nothing,
      <>
        <button type="button">Elsewhere</button>
        <ApprovalQueue autoFocus={false} />
      </>,
    )
    carry(store)
    receive(ask(1), ask(2))
    receive(responded(3, true, { correlationID: 'request-1' }))
    screen.getByText('Elsewhere').focus()
    button('Allow once').focus()

    advance(600)
    fireEvent.click(button('Allow once'))
    publish(store)
    expect(screen.getByText('Elsewhere')).toHaveFocus()

    receive(ask(4), responded(5, true, { correlationID: 'request-4' }))
    button('Dismiss').focus()
    fireEvent.click(button('Dismiss'))
    expect(screen.getByText('Elsewhere')).toHaveFocus()
  })

  test('[D4] goes to the question when the button goes that was pressed beside it', () => {
    const { store, receive } = showCall(nothing, <ApprovalQueue autoFocus={false} />)
    carry(store)
    receive(ask(1), ask(2))
    fireEvent.click(button('Allow once'))
    publish(store)
    act(() => {
      store.ingest(sent(0, 'failed', undefined, 'no connection').event)
      store.flush()
    })

    for (const name of ['Show the request', 'Dismiss']) {
      button(name).focus()
      fireEvent.click(button(name))
      expect(screen.getByRole('group')).toHaveFocus()
    }
  })

  test('[D4] stays in the question when the last button that shows more of it goes', async () => {
    const args = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`key ${index}`, index]))
    showCall({ receives: [requested(1, 'query', args)] }, <ApprovalQueue autoFocus={false} />)
    button('Show 50 more').focus()

    fireEvent.click(button('Show 50 more'))
    await noticed()

    expect(screen.getByRole('group')).toHaveFocus()
  })

  test('[D4] stays in the queue when what is said of the last answer goes, and goes back with the rest', async () => {
    const { store, receive } = showCall(
      nothing,
      <>
        <button type="button">Elsewhere</button>
        <ApprovalQueue autoFocus={false} />
      </>,
    )
    carry(store)
    const confirm = async (number: number) => {
      screen.getByText('Elsewhere').focus()
      fireEvent.click(button('Allow once'))
      publish(store)
      button('Dismiss').focus()
      receive(responded(9, true, { correlationID: `request-${number}`, scope: 'once' }))
      await noticed()
      expect(screen.queryByRole('button', { name: 'Dismiss' })).not.toBeInTheDocument()
      advance(600)
    }
    receive(ask(1), ask(2))

    await confirm(1)
    expect(screen.getByRole('region')).toHaveFocus()
    await confirm(2)
    expect(screen.getByText('Elsewhere')).toHaveFocus()
  })

  test('[G1] is left alone where a recording is played, in which nothing can be answered', () => {
    const { receive } = showCall({ ...nothing, mode: 'replay' }, withField)
    screen.getByText('Elsewhere').focus()

    receive(ask(1))

    expect(screen.getByText('Elsewhere')).toHaveFocus()
    expect(shown()).toBe('run 1')
    for (const name of ['Allow once', 'Deny']) expect(button(name)).toBeDisabled()
    expect(screen.queryByRole('button', { name: 'Add a reason' })).not.toBeInTheDocument()
  })

  test('[D4] is left alone where the host says so', () => {
    const { receive } = showCall(nothing, <ApprovalQueue autoFocus={false} />)

    receive(ask(1))

    expect(document.body).toHaveFocus()
  })
})

test('[D4] a reader who is not led there hears that they are needed', async () => {
  const { receive } = showCall(nothing, queue)

  receive(ask(1))
  advance(300)

  expect(document.querySelector('[aria-live="polite"]')).toHaveTextContent('shell: needs your decision')
})

test('[D4] Tab and Enter answer the request that is shown', async () => {
  vi.useRealTimers()
  const user = userEvent.setup()
  const { store, receive } = showCall(nothing, queue)
  const ids = carry(store)
  receive(ask(1), ask(2))

  await user.keyboard('{Enter}')
  expect(ids).toEqual([])
  button('Allow once').focus()
  await user.keyboard('{Enter}')

  expect(ids).toEqual(['request-1'])
})

function Count({ conversationId: id }: { readonly conversationId?: string }) {
  return (
    <span data-testid="ids">
      {useApprovals(id)
        .map((approval) => approval.id)
        .join(' ')}
    </span>
  )
}
