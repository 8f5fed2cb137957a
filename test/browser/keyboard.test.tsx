import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { createLog } from '../../src/core/index.js'
import { AppendLog, ApprovalQueue, ToolCallDetail, ToolCallGroup, ToolCallNode } from '../../src/react/index.js'
import {
  ended as endedOnBus,
  manyRequests,
  responded,
  sideBySide,
  sideBySideIds,
  status,
  subAgentAsks,
  subAgents,
  waitingForYou,
} from '../../stories/fixtures/bus.js'
import { callId, calling, ended, lengthy, longOutput, returned, running } from '../../stories/fixtures/calls.js'
import { done, text } from '../../stories/fixtures/wire.js'
import { showCall } from '../react/showCall.js'
import '../../src/styles/index.css'

beforeEach(() => page.viewport(900, 900))

const press = (keys: string) => userEvent.keyboard(keys)
const area = () => screen.getByRole('region')
const button = (name: string | RegExp) => screen.getByRole('button', { name })
const focused = () => document.activeElement as HTMLElement

/** Where the focus is when Tab is pressed again and again, until it leaves what is shown. */
async function tabStops(limit = 40): Promise<readonly Element[]> {
  const stops: Element[] = []
  while (stops.length < limit) {
    await press('{Tab}')
    if (focused() === document.body || stops.includes(focused())) break
    stops.push(focused())
  }
  return stops
}

/** Until a smooth scroll has come to its end. */
async function untilStill(element: Element): Promise<void> {
  let [top, frames] = [element.scrollTop, 0]
  while (frames < 10) {
    await new Promise((resolve) => requestAnimationFrame(resolve))
    frames = element.scrollTop === top ? frames + 1 : 0
    top = element.scrollTop
  }
}

describe('the keyboard map', () => {
  test('[F4] Tab and Shift+Tab go through all that can be pressed, in reading order', async () => {
    showCall(ended)
    const all = [...document.querySelectorAll<HTMLElement>('button, a[href], input, [tabindex="0"]')]
    const visible = all.filter((element) => element.checkVisibility() && element.closest('[hidden]') === null)

    const stops = await tabStops()

    expect(stops).toEqual(visible)
    expect(stops.length).toBeGreaterThan(2)
    await press('{Shift>}{Tab}{/Shift}')
    await press('{Shift>}{Tab}{/Shift}')
    expect(stops).toContain(focused())
  })

  test.each([
    ['a node', () => showCall(running, <ToolCallNode callId={callId} />), /ask_colleague/],
    ['a fold', () => showCall(running), /^Process/],
    ['a group', () => showCall(sideBySide, <ToolCallGroup callIds={sideBySideIds} />), /^5 calls/],
    ['a tree', () => showCall(returned({ files: [1, 2] })), /files/],
  ])('[F4] Enter and Space press %s', async (_, show, name) => {
    show()
    const element = button(name)
    const before = element.getAttribute('aria-expanded')
    element.focus()

    await press('{Enter}')
    expect(element.getAttribute('aria-expanded')).not.toBe(before)
    await press(' ')
    expect(element.getAttribute('aria-expanded')).toBe(before)
    expect(element).toHaveFocus()
  })

  test('[A9] in a log the arrow and page keys scroll, Home leads to its beginning, and End to its end, which it follows', async () => {
    const { receive } = showCall(longOutput(1_000))
    const log = screen.getByRole('log')
    await waitFor(() => expect(screen.getByText('line 1000 of the output')).toBeVisible(), { timeout: 10_000 })
    await waitFor(() => expect(screen.getByText('1,000 lines')).toBeVisible(), { timeout: 10_000 })
    log.focus()
    const moves = async (keys: string, direction: 1 | -1) => {
      await untilStill(log)
      const before = log.scrollTop
      await press(keys)
      await waitFor(() => expect(Math.sign(log.scrollTop - before)).toBe(direction), { timeout: 10_000 })
    }
    await moves('{PageUp}', -1)
    await moves('{PageUp}', -1)
    await moves('{PageDown}', 1)
    await moves('{ArrowUp}', -1)
    await moves('{ArrowDown}', 1)

    await press('{Home}')
    await untilStill(log)
    expect(log.scrollTop).toBe(0)
    await press('{End}')
    const logBox = log.closest('[data-slot="tool-call-log"]')
    await waitFor(() => expect(logBox).toHaveAttribute('data-following'), { timeout: 10_000 })
    receive(
      ...longOutput(1_200)
        .receives.slice(-1)
        .flatMap((each) => ('protocol' in each ? each : [])),
    )
    await waitFor(() => expect(log.scrollTop).toBeGreaterThan(log.scrollHeight - log.clientHeight - 2), {
      timeout: 10_000,
    })
  })

  test.each(['Control', 'Meta'])('[A9] %s+F in a log searches all of it; Enter goes on, Escape closes', async (key) => {
    showCall(longOutput(1_000))
    screen.getByRole('log').focus()

    await press(`{${key}>}f{/${key}}`)
    const field = screen.getByRole('textbox', { name: 'Search the output' })
    expect(field).toHaveFocus()
    await press('line 77')
    const matches = within(screen.getByRole('search')).getByRole('status')
    await waitFor(() => expect(matches).toHaveTextContent('1 of 11'), { timeout: 10_000 })
    await press('{Enter}')
    await waitFor(() => expect(matches).toHaveTextContent('2 of 11'), { timeout: 10_000 })
    await press('{Shift>}{Enter}{/Shift}')
    await waitFor(() => expect(matches).toHaveTextContent('1 of 11'), { timeout: 10_000 })
    await press('{Escape}')

    expect(screen.queryByRole('search')).toBeNull()
    expect(screen.getByRole('log')).toHaveFocus()
  })

  test('[D4] Tab leads to the buttons of a request, and a key that is held down answers one', async () => {
    const { store } = showCall(manyRequests(3), <ApprovalQueue />)
    store.carryAnswers(async () => {})
    expect(screen.getByRole('group')).toHaveFocus()
    while (focused().textContent !== 'Allow once') await press('{Tab}')

    await press('{Enter>5/}')
    act(() => store.flush())

    const states = [...store.getState().approvals.values()].map(({ state }) => state)
    expect(states.filter((state) => state === 'open')).toHaveLength(2)
  })

  test('[D4] Space on a button answers', async () => {
    const { store } = showCall(waitingForYou)
    store.carryAnswers(async () => {})
    button('Deny').focus()

    await press(' ')
    act(() => store.flush())

    expect(store.getState().approvals.get('request-1')?.answer).toEqual({ approved: false })
  })

  test('[F4] Escape closes the field for a reason, and the focus goes back to what opened it', async () => {
    showCall(waitingForYou)
    button('Add a reason').focus()
    await press('{Enter}')
    expect(screen.getByRole('textbox')).toHaveFocus()

    await press('{Escape}')

    expect(button('Add a reason')).toHaveFocus()
  })
})

describe('the focus', () => {
  test('[F4] stays where it is when the outcome arrives', () => {
    const { receive } = showCall(running)
    button(/^Process/).focus()

    receive(done(callId, 72_000, 20, 'All is built.'))

    expect(screen.getByText('All is built.')).toBeVisible()
    expect(button(/^Process ended/)).toHaveFocus()
  })

  test('[D4] goes with a request that somebody else answers', async () => {
    const { receive } = showCall(waitingForYou)
    button('Allow once').focus()

    receive(responded(4_500, true, { scope: 'always' }))

    const decision = screen.getByRole('group', { name: /wants to run write_file/ })
    expect(decision).toHaveAttribute('data-status', 'allowed')
    expect(decision).toHaveFocus()
    await press('{Tab}')
    expect(button(/^Always allowed/)).toHaveFocus()
  })

  test('[D4] stays with a request that is answered here, while it is sent and when it is confirmed', async () => {
    const { receive, store } = showCall(waitingForYou)
    store.carryAnswers(async () => {})
    button('Allow once').focus()

    await press('{Enter}')
    act(() => store.flush())
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Allow once' })).toBeNull())
    await waitFor(() => expect(screen.getByRole('group', { name: /wants to run/ })).toHaveFocus())
    receive(responded(4_500, true, { scope: 'once' }))

    expect(screen.getByRole('group', { name: /wants to run/ })).toHaveAttribute('data-status', 'allowed')
    expect(screen.getByRole('group', { name: /wants to run/ })).toHaveFocus()
  })

  test('[F4] stays in the process when its last "show earlier" goes', async () => {
    showCall(lengthy(300))
    button('Show 100 earlier').focus()

    await press('{Enter}')

    expect(screen.getByText('Step 1')).toBeInTheDocument()
    await waitFor(() => expect(screen.getByRole('group', { name: 'Process' })).toHaveFocus())
  })

  test('[F4] stays in the process when what has it gives way to what comes', async () => {
    const { receive } = showCall(running)
    button(/^Thought/).focus()

    receive(...Array.from({ length: 250 }, (_, index) => text(callId, 50_000, 100 + index, `Step ${index}`)))

    expect(screen.queryByRole('button', { name: /^Thought/ })).toBeNull()
    await waitFor(() => expect(screen.getByRole('group', { name: 'Process' })).toHaveFocus())
  })

  test('[F4] goes to the log when its search closes', async () => {
    showCall(longOutput(20))
    button('Search').focus()
    await press('{Enter}')
    button('Close search').focus()

    await press('{Enter}')

    expect(screen.getByRole('log')).toHaveFocus()
  })

  test('[D5] stays with the calls of a sub-agent when they fold', async () => {
    const { container } = showCall(subAgents)
    const toggle = container.querySelector<HTMLElement>('[data-slot="tool-call-children-toggle"]')
    toggle?.focus()
    await press('{Enter}')
    await press('{Enter}')
    expect(toggle).toHaveFocus()
  })

  test('[D5] stays with the calls when the one that has it needs nobody any more', async () => {
    const { receive, container } = showCall(subAgentAsks)
    const waiting = container.querySelector<HTMLElement>(
      '[data-slot="tool-call-children"] [data-slot="tool-call-trigger"][data-status="waiting"], [data-slot="tool-call-children"] [data-slot="tool-call-trigger"][data-status="running"]',
    )
    waiting?.focus()
    expect(waiting).toHaveFocus()

    receive(responded(7_000, true, { sessionID: 'session-2' }))
    receive(status(7_100, 'running', { toolCallID: 'grandchild-2', sessionID: 'test-mender' }))

    expect(waiting?.isConnected).toBe(false)
    await waitFor(() => expect(screen.getByRole('group', { name: 'Sub-agent calls' })).toHaveFocus())
  })

  test('[F4] is not fetched back from a reader who has left', async () => {
    const { receive } = showCall(waitingForYou)
    button('Allow once').focus()
    button('Allow once').blur()
    await Promise.resolve()

    receive(responded(4_500, true), status(4_600, 'running'), endedOnBus(4_700, 'Done.'))

    await new Promise((resolve) => requestAnimationFrame(resolve))
    expect(document.body).toHaveFocus()
  })

  test('[F4] is in the area that was opened for it', () => {
    // oxlint-disable-next-line jsx-a11y/no-autofocus -- the reader has asked for it
    showCall(calling, <ToolCallDetail callId={callId} autoFocus />)
    expect(area()).toHaveFocus()
  })
})

describe('what is folded', () => {
  test('[F4] can be found by the browser, and opens when it is', async () => {
    const { container } = showCall(ended)
    const contents = () => [...container.querySelectorAll('[hidden]')]
    expect(contents().length).toBeGreaterThan(1)
    for (const content of contents()) expect(content).toHaveAttribute('hidden', 'until-found')
    const process = container.querySelector('[data-slot="tool-call-process-content"]')
    const thinking = container.querySelector('[data-slot="tool-call-thinking-content"]')
    expect(process?.textContent).toContain('The release script needs a clean tree')

    act(() => {
      // As the browser does it: from the innermost fold to the outermost.
      thinking?.dispatchEvent(new Event('beforematch', { bubbles: true }))
    })

    expect(button(/^Process ended/)).toHaveAttribute('aria-expanded', 'true')
    expect(button(/^Thought/)).toHaveAttribute('aria-expanded', 'true')
    expect(thinking?.closest('[hidden]')).toBeNull()
  })
})

test('[F4] a log that stands alone has its keys, too', async () => {
  const log = createLog()
  log.append('one\ntwo\n')
  showCall(calling, <AppendLog log={log} name="shell" />)
  screen.getByRole('log').focus()
  await press('{Control>}f{/Control}')
  await press('{Escape}')
  expect(screen.getByRole('log')).toHaveFocus()
})
