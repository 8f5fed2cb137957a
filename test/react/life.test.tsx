import { act, render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ToolCallDetail, ToolCallProvider, useConversationCalls } from '../../src/react/index.js'
import { createToolCallStore } from '../../src/store/index.js'
import {
  callId,
  calling,
  ended,
  incomplete,
  overLimits,
  returned,
  running,
  severalTasks,
} from '../../stories/fixtures/calls.js'
import { aborted, done, frame, snapshot, startedAt, text, thinking, tool } from '../../stories/fixtures/wire.js'
import { advance, showCall } from './showCall.js'

const processToggle = (name = /^Process/) => screen.getByRole('button', { name })

describe('the life of a call', () => {
  test('[A7] a snapshot puts the area in place, frames make the process grow', () => {
    const { receive } = showCall(calling)
    expect(screen.getByRole('region', { name: /^ask_colleague/ })).toHaveAttribute('data-status', 'running')
    expect(screen.getByText('Calling…')).toBeVisible()

    receive(text(callId, 4_000, 1, 'First line.'))
    receive(text(callId, 5_000, 2, 'Second line.'))

    expect(screen.getAllByRole('listitem').map((line) => line.textContent)).toEqual(['First line.', 'Second line.'])
  })

  test('[A7] the terminal frame pins the final value before the process, which says that it has ended', () => {
    const { receive } = showCall(running)

    receive(done(callId, 72_000, 20, 'All is built.'))

    const outcome = screen.getByRole('group', { name: 'Final value' })
    expect(within(outcome).getByText('All is built.')).toBeVisible()
    const toggle = processToggle(/^Process ended/)
    expect(outcome.compareDocumentPosition(toggle) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
  })

  test('[A7] a block that is later than the end by every measure is not appended', () => {
    const { receive } = showCall(ended)

    receive(text(callId, 90_000, 30, 'too late'))

    expect(screen.queryByText('too late')).not.toBeInTheDocument()
  })

  test('[A15] frames that come before their snapshot show, and the snapshot takes its place among them', () => {
    const { receive } = showCall(
      { receives: [thinking(callId, 0, 1, 'Who asked me?')] },
      <>
        <Conversation />
        <ToolCallDetail callId={callId} />
      </>,
    )
    expect(screen.getByText('Who asked me?', { selector: 'bdi' })).toBeVisible()
    expect(screen.getByRole('status')).toHaveTextContent('')

    receive(snapshot(callId, 100))

    expect(screen.getByText('ask_colleague')).toBeVisible()
    expect(screen.getByRole('status')).toHaveTextContent(callId)
  })

  test('[A16] an asynchronous call ends at once with its handle and no process, unless frames do come', () => {
    const { receive } = showCall(returned('job-17', 'start_job'))
    expect(screen.getByText('job-17')).toBeVisible()
    expect(screen.getByText('No process details')).toBeVisible()

    receive(text(callId, 2_000, 1, 'The job has begun.'))

    expect(screen.getByText('The job has begun.')).toBeVisible()
    expect(screen.queryByText('No process details')).not.toBeInTheDocument()
  })

  test('[A17] a call that is known under two ids is one, and keeps what the reader opened when they meet', async () => {
    const other = 'other-id'
    const { receive } = showCall(
      { receives: [thinking(other, 0, 1, 'Hm.')], now: 100 },
      <ToolCallDetail callId={other} />,
    )
    await userEvent.click(screen.getByRole('button', { name: /^Thinking/ }))

    receive(snapshot(callId, 200, { toolReturn: { text: 'x', meta: { callId: other } } }))

    expect(screen.getByText('ask_colleague')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Thought' })).toHaveAttribute('aria-expanded', 'true')
  })
})

describe('silence', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    vi.setSystemTime(startedAt)
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('[A8] after the silence it says that there are no details, and a late first block replaces that', () => {
    const store = showLive()
    advance(9_000)
    expect(screen.getByText('Waiting for the first block…')).toBeVisible()

    advance(1_000)
    expect(screen.getByText('No process details')).toBeVisible()
    expect(screen.getByRole('region')).toHaveAttribute('data-status', 'running')

    act(() => {
      const { protocol, message } = text(callId, 13_000, 1, 'Here I am.')
      store.receive(protocol, message)
      store.flush()
    })
    expect(screen.getByText('Here I am.')).toBeVisible()
    expect(screen.queryByText('No process details')).not.toBeInTheDocument()
  })

  test('[A8] says so at once when the call ends without any block', () => {
    const store = showLive()

    act(() => {
      const { protocol, message } = aborted(callId, 500, 1, 'quota exceeded')
      store.receive(protocol, message)
      store.flush()
    })

    expect(screen.getByText('No process details')).toBeVisible()
    expect(screen.queryByRole('button', { name: /^Process/ })).not.toBeInTheDocument()
  })

  test('[A13] a hole in the numbering is said five seconds after the next block, not before', () => {
    const store = showLive()
    act(() => {
      for (const { protocol, message } of [text(callId, 0, 1, 'one'), text(callId, 0, 5, 'five')]) {
        store.receive(protocol, message)
      }
      store.flush()
    })

    advance(4_000)
    expect(screen.queryByText('numbering skips 3')).not.toBeInTheDocument()

    advance(1_000)
    expect(screen.getByText('numbering skips 3')).toBeVisible()
  })

  test('[A7] the elapsed time grows by whole seconds, and stands with tenths when the call has ended', () => {
    const store = showLive()
    advance(42_000)
    expect(screen.getByText('42 s')).toBeVisible()

    act(() => {
      const { protocol, message } = done(callId, 42_800, 1, 'x')
      store.receive(protocol, message)
      store.flush()
    })

    expect(screen.getByText('42.8 s')).toBeVisible()
    advance(1_000)
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('what is folded', () => {
  test('[A7] a process that had ended before the area was mounted begins folded', () => {
    showCall(ended)

    expect(processToggle(/^Process ended/)).toHaveAttribute('aria-expanded', 'false')
    expect(screen.getByText('shell')).not.toBeVisible()
  })

  test('[A7] a process that ends while someone looks at it stays open', () => {
    const { receive } = showCall(running)

    receive(done(callId, 72_000, 20, 'All is built.'))

    expect(processToggle(/^Process ended/)).toHaveAttribute('aria-expanded', 'true')
    expect(screen.getByText('shell')).toBeVisible()
  })

  test.each(['error', 'aborted', 'unknown'] as const)(
    '[A9] a process of a call that ended as %s is not folded',
    (kind) => {
      const outcome = { type: 'outcome', callId, outcome: kind, authority: 'final' } as const
      showCall({ receives: [...running.receives, { at: 50_000, event: outcome }] })

      expect(processToggle()).toHaveAttribute('aria-expanded', 'true')
    },
  )

  test('[A9] a process with an error in it is not folded, though the call ended well', () => {
    const error = frame(callId, 50_000, 15, { kind: 'error', payload: { message: 'npm exited with code 1' } })
    showCall({ receives: [...running.receives, error, done(callId, 60_000, 16, 'Done anyway.')] })

    expect(processToggle()).toHaveAttribute('aria-expanded', 'true')
    expect(screen.getByText('npm exited with code 1')).toBeVisible()
    expect(screen.getByRole('region')).toHaveAttribute('data-status', 'done')
  })

  test('[A9] what the reader chose wins over what comes', async () => {
    const { receive } = showCall(running)
    await userEvent.click(processToggle())

    receive(text(callId, 50_000, 15, 'More.'), aborted(callId, 60_000, 16, 'Out of time.'))

    expect(processToggle()).toHaveAttribute('aria-expanded', 'false')
  })

  test('[A9] thinking is one line, and open or closed it stays as the reader left it', async () => {
    const user = userEvent.setup()
    const { receive } = showCall({ receives: [snapshot(callId, 0), thinking(callId, 1_000, 1, 'One. ')], now: 2_000 })
    const toggle = screen.getByRole('button', { name: /^Thinking…/ })
    expect(toggle).toHaveAttribute('aria-expanded', 'false')

    await user.click(toggle)
    receive(thinking(callId, 4_000, 2, 'Two.'))
    expect(toggle).toHaveAttribute('aria-expanded', 'true')
    expect(screen.getByText('One. Two.')).toBeVisible()

    await user.click(toggle)
    receive(thinking(callId, 5_000, 3, ' Three.'))
    expect(toggle).toHaveAttribute('aria-expanded', 'false')
  })

  test('[A9] thinking says how long it took once something follows', () => {
    const { receive } = showCall({
      receives: [snapshot(callId, 0), thinking(callId, 1_000, 1, 'One. '), thinking(callId, 7_900, 2, 'Two.')],
      now: 8_000,
    })
    expect(screen.getByRole('button', { name: /^Thinking…/ })).toBeVisible()

    receive(text(callId, 9_000, 3, 'Going on.'))

    expect(screen.getByRole('button', { name: /^Thought for 6 s/ })).toBeVisible()
  })

  test('[A9] folded text can be found by the browser, which opens it', () => {
    showCall(running)
    const toggle = screen.getByRole('button', { name: /^Thought/ })
    const content = document.getElementById(toggle.getAttribute('aria-controls') as string) as HTMLElement
    expect(content).toHaveAttribute('hidden', 'until-found')
    expect(content).toHaveTextContent('Then the bundle, and the type tests after it.')

    act(() => {
      content.dispatchEvent(new Event('beforematch', { bubbles: true }))
    })

    expect(toggle).toHaveAttribute('aria-expanded', 'true')
    expect(content).not.toHaveAttribute('hidden')
  })

  test('[A9] every fold is a button that Tab reaches and Enter and Space turn', async () => {
    const user = userEvent.setup()
    showCall(running)
    const toggle = screen.getByRole('button', { name: /^Thought/ })

    for (let i = 0; i < 10 && document.activeElement !== toggle; i++) await user.tab()
    await user.keyboard('{Enter}')
    expect(toggle).toHaveAttribute('aria-expanded', 'true')
    await user.keyboard(' ')
    expect(toggle).toHaveAttribute('aria-expanded', 'false')
  })
})

describe('the process', () => {
  test('[A5] several tasks are several processes, each with its number and its own end', () => {
    showCall(severalTasks)

    expect(processToggle(/^Process 1 ended/)).toHaveAttribute('aria-expanded', 'false')
    expect(processToggle(/^Process 2/)).toHaveAttribute('aria-expanded', 'true')
    expect(screen.getByRole('region')).toHaveAttribute('data-status', 'running')
  })

  test('[A5] an earlier process tells how it ended, while the end of the last is pinned', async () => {
    showCall({
      receives: [
        snapshot(callId, 0),
        text(callId, 1_000, 1, 'First try.'),
        aborted(callId, 2_000, 2, 'Quota exceeded.'),
        frame(callId, 3_000, 1, { payload: { text: 'Second try.' }, taskId: 'task-2' }),
        done(callId, 4_000, 2, 'It worked.', 'task-2'),
      ],
    })

    await userEvent.click(processToggle(/^Process 2 ended/))

    expect(screen.getByText('Ended without a result')).toBeVisible()
    expect(screen.getByText('Quota exceeded.')).toBeVisible()
    expect(screen.getAllByText('It worked.')).toHaveLength(1)
  })

  test('[A13] very many holes are said as their sum', async () => {
    const odd = Array.from({ length: 600 }, (_, i) => text(callId, i, 2 * i + 1, `${i}`))
    showCall({ receives: [snapshot(callId, 0), ...odd, done(callId, 9_000, 1_200, 'Done.')] })

    await userEvent.click(processToggle(/^Process ended/))

    expect(screen.getByText('numbering skips 599')).toBeVisible()
  })

  test('[A16] a process that goes on after its call has ended is live', () => {
    const { receives } = returned('handle')
    const { store } = showCall({ receives: [...receives, text(callId, 90_000, 1, 'Still at it.')] })
    expect(store.getState().calls.get(callId)?.status).toBe('done')

    expect(screen.getByText('Live')).toBeVisible()
    expect(screen.queryByText(/no end reported/)).not.toBeInTheDocument()
  })

  test('[A9] a tool has its mark, its name and its duration in one line', () => {
    showCall(running)

    const [, status, shell] = screen.getAllByRole('listitem') as [HTMLElement, HTMLElement, HTMLElement]
    expect(within(status).getByRole('img', { name: 'Done' })).toBeInTheDocument()
    expect(status).toHaveTextContent('git_status0.3 s')
    expect(within(shell).getByRole('img', { name: 'Running' })).toBeInTheDocument()
    expect(within(shell).getByRole('log', { name: 'Output of shell' })).toBeInTheDocument()
  })

  test('[A9] a tool whose end was not told says so once its process has ended', () => {
    const { receive } = showCall({ receives: [snapshot(callId, 0), tool(callId, 100, 1, 'shell')], now: 200 })
    expect(screen.queryByText('no end reported')).not.toBeInTheDocument()

    receive(done(callId, 900, 2, 'x'))

    const line = within(screen.getByRole('listitem'))
    expect(line.getByText('no end reported')).toBeVisible()
    expect(line.queryByRole('img', { name: 'Running' })).not.toBeInTheDocument()
  })

  test('[A7] a process without an end in a call that has ended says so', () => {
    const { receive } = showCall({ receives: [snapshot(callId, 0), text(callId, 100, 1, 'Working.')], now: 200 })

    receive(snapshot(callId, 900, { status: 'done', toolReturn: 'x' }))

    expect(processToggle(/^Process.*no end reported/)).toBeVisible()
    expect(screen.queryByText('Process ended')).not.toBeInTheDocument()
  })

  test('[B6] an error in the process is said there and changes no outcome', () => {
    const { receive } = showCall({ receives: [snapshot(callId, 0)], now: 100 })

    receive(frame(callId, 200, 1, { kind: 'error', payload: { message: 'boom' } }))

    expect(within(screen.getByRole('listitem')).getByRole('img', { name: 'Error' })).toBeInTheDocument()
    expect(screen.getByRole('region')).toHaveAttribute('data-status', 'running')
  })

  test('[A13] [A14] [B5] says in its place what is not there', () => {
    showCall(incomplete)

    const lines = screen.getAllByRole('listitem').map((line) => line.textContent)
    expect(lines).toEqual([
      'Reading the change.',
      'numbering skips 3',
      'Reading the tests.',
      'test',
      'a block of 69 KB was left out',
    ])
    expect(screen.getByText(/^connection lost \d\d:03:01–\d\d:03:06, blocks may be missing$/)).toBeVisible()
  })

  test('[A14] a connection that is still lost says since when', () => {
    showCall({
      ...running,
      receives: [...running.receives, { at: 41_000, event: { type: 'contact', contact: 'lost' } }],
    })

    expect(screen.getByText(/^connection lost since \d\d:03:41, blocks may be missing$/)).toBeVisible()
    expect(screen.getByRole('region')).toHaveAttribute('data-status', 'running')
  })

  test('[H3] says how much of the beginning is no longer kept', () => {
    showCall(overLimits)

    expect(screen.getByText(/^\d+ earlier blocks? w(as|ere) dropped$/)).toBeVisible()
    expect(screen.getByText('7 earlier lines were dropped')).toBeVisible()
  })

  test('[A3] says how many messages are of a newer version', () => {
    const newer = { protocol: 'tool_event_stream', at: 1, message: { v: 2, callId, taskId: 'task-1' } } as const
    showCall({ receives: [snapshot(callId, 0), newer] })

    expect(screen.getByText('1 message is of a newer version')).toBeVisible()
  })

  test('[H3] mounts the newest 200 entries, and 200 more at a time', async () => {
    const lines = Array.from({ length: 450 }, (_, index) => text(callId, index, index + 1, `Step ${index + 1}`))
    showCall({ receives: [snapshot(callId, 0), ...lines], now: 1_000 })
    expect(screen.getAllByRole('listitem')).toHaveLength(200)
    expect(screen.getByText('Step 450')).toBeInTheDocument()

    await userEvent.click(screen.getByRole('button', { name: 'Show 200 earlier' }))
    await userEvent.click(screen.getByRole('button', { name: 'Show 50 earlier' }))

    expect(screen.getAllByRole('listitem')).toHaveLength(450)
    expect(screen.queryByRole('button', { name: /earlier/ })).not.toBeInTheDocument()
  })
})

describe('what is not there', () => {
  test('[A15] says that nothing is known about a call, until something is', () => {
    const { receive } = showCall({ receives: [] })
    expect(screen.getByText('Nothing is known about this call yet')).toBeVisible()

    receive(snapshot(callId, 0))

    expect(screen.queryByText(/Nothing is known/)).not.toBeInTheDocument()
    expect(screen.getByText('ask_colleague')).toBeVisible()
  })

  test('[H3] says that a call is no longer kept', () => {
    showCall({
      limits: { endedCalls: 1 },
      receives: [callId, 'call-2', 'call-3'].map((id, at) => snapshot(id, at, { status: 'done', toolReturn: id })),
    })

    expect(screen.getByText('This call is no longer kept')).toBeVisible()
  })

  test('[A17] a status word that is not known is shown as it came', () => {
    showCall({ receives: [snapshot(callId, 0, { status: 'queued' })], now: 1_000 })

    expect(screen.getByText('queued')).toBeVisible()
    expect(screen.getByRole('img', { name: 'Running' })).toBeInTheDocument()
  })
})

describe('the mode', () => {
  test('[A12] is "Live" while the call runs, and gone when it has ended', () => {
    const { receive } = showCall(running)
    expect(screen.getByText('Live')).toBeVisible()

    receive(done(callId, 72_000, 20, 'x'))

    expect(screen.queryByText('Live')).not.toBeInTheDocument()
  })

  test('[A12] is always "Replay" in a replay', () => {
    showCall({ ...ended, mode: 'replay' })

    expect(screen.getByText('Replay')).toBeVisible()
  })

  test('[A12] gives its place to what the host puts there', () => {
    showCall(running, <ToolCallDetail callId={callId} mode={<button type="button">Pause</button>} />)

    expect(screen.getByRole('button', { name: 'Pause' })).toBeVisible()
    expect(screen.queryByText('Live')).not.toBeInTheDocument()
  })
})

function Conversation() {
  return <output>{useConversationCalls('conversation-1').join()}</output>
}

/** A running call on a page whose clock is the fake one. */
function showLive() {
  const store = createToolCallStore({ silenceMs: 10_000 })
  const { protocol, message } = snapshot(callId, 0)
  store.receive(protocol, message)
  store.flush()
  render(
    <ToolCallProvider store={store}>
      <ToolCallDetail callId={callId} />
    </ToolCallProvider>,
  )
  return store
}
