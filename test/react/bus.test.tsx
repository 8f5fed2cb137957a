import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ToolCallDetail, ToolCallGroup, ToolCallNode } from '../../src/react/index.js'
import {
  announced,
  bus,
  ended,
  exited,
  overdue,
  requested,
  sideBySide,
  sideBySideIds,
  status,
  subAgentAsks,
  subAgents,
  terminal,
  terminalKilled,
  terminals,
  wrote,
} from '../../stories/fixtures/bus.js'
import { callId } from '../../stories/fixtures/calls.js'
import type { Fixture } from '../../stories/fixtures/storeOf.js'
import { advance, showCall, spoken } from './showCall.js'

const button = (name: string | RegExp) => screen.getByRole('button', { name })
const started: Fixture = { receives: [announced(0, 'shell', { command: 'make' }), status(0, 'running')] }

describe('a terminal', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('[D6] is its command, its description, its output and how it exited', () => {
    showCall(terminals)
    advance(300)

    expect(screen.getByText('npm run lint')).toBeVisible()
    expect(screen.getByText('Look for mistakes')).toBeVisible()
    expect(screen.getByText('exit code 1')).toHaveAttribute('data-failed')
    expect(screen.getByText('exit code 0')).not.toHaveAttribute('data-failed')
    expect(screen.getByRole('log', { name: /^Output of npm run build/ })).toBeVisible()
  })

  test('[D6] names the signal that ended it, and does not look well', () => {
    showCall(terminalKilled)

    expect(screen.getByText('ended by SIGKILL')).toHaveAttribute('data-failed')
    const line = document.querySelector('[data-slot="tool-call-tool-line"]') as HTMLElement
    expect(within(line).getByRole('img', { name: 'Failed' })).toBeVisible()
    expect(screen.queryByText('no end reported')).not.toBeInTheDocument()
  })

  test('[D6] does not flash open when its command ends at once', () => {
    const { receive } = showCall(started)

    receive(terminal(10, 'pwd'), wrote(20, '/srv\n'))
    expect(screen.queryByRole('log')).not.toBeInTheDocument()
    advance(250)
    receive(exited(260, 0))
    advance(1_000)

    expect(screen.queryByRole('log')).not.toBeInTheDocument()
    expect(button('Output')).toHaveAttribute('aria-expanded', 'false')
  })

  test('[D6] opens once its command has run for a moment, and stays open when that ends', () => {
    const { receive } = showCall(started)
    receive(terminal(10, 'make'), wrote(20, 'cc a.c\n'))

    advance(300)
    expect(screen.getByRole('log')).toBeVisible()

    receive(exited(900, 0))
    expect(screen.getByRole('log')).toBeVisible()
  })

  test('[D6] that failed at once is open', () => {
    const { receive } = showCall(started)

    receive(terminal(10, 'make'), wrote(20, 'no rule\n'), exited(30, 2))

    expect(screen.getByRole('log')).toBeVisible()
  })
})

describe('the time that a call may take', () => {
  test('[D2] is counted down, and then up, and is no failure', () => {
    vi.useFakeTimers()
    const { store } = showCall({ ...overdue, now: 12_000 })
    expect(screen.getByText('time left 0:18')).toBeVisible()

    const at = store.now() + 23_000
    store.now = () => at
    advance(1_000)

    expect(screen.getByText('overdue 0:05')).toHaveAttribute('data-overdue')
    expect(screen.getByRole('region')).toHaveAttribute('data-status', 'running')
    vi.useRealTimers()
  })

  test('[D2] is not told of a call that has ended', () => {
    const { receive } = showCall(overdue)

    receive(ended(36_000, 'Here it is.'))

    expect(screen.queryByText(/overdue/)).not.toBeInTheDocument()
  })

  test('[D2] a call that is only announced is pending, and there is nothing to wait for', () => {
    showCall({ receives: [announced(0, 'shell', {})], now: 60_000 })

    expect(screen.getByText('Pending')).toBeVisible()
    expect(screen.queryByText('Calling…')).not.toBeInTheDocument()
    expect(screen.queryByText('No process details')).not.toBeInTheDocument()
  })
})

test.each([
  [bus(9_000, 'SessionEnded', {}), 'The session ended before an outcome came.'],
  [undefined, 'The connection was closed before an outcome came.'],
])('[D2] an outcome that nobody told says why it is not known: %#', (message, words) => {
  const closed = { at: 9_000, event: { type: 'contact', contact: 'closed' } } as const
  showCall({ receives: [...started.receives, message ?? closed] })

  expect(within(screen.getByRole('group', { name: 'Outcome unknown' })).getByText(words)).toBeVisible()
})

describe('the calls of sub-agents', () => {
  test('[D5] are folded to a line that counts them by outcome, to any depth', () => {
    showCall(subAgents)

    expect(button('Sub-agent calls 3 done 1 running 1 failed')).toHaveAttribute('aria-expanded', 'false')
    expect(screen.queryByText('No process details')).not.toBeInTheDocument()
  })

  test('[D5] a failure is in view while they are folded, and the rest when they are opened', async () => {
    showCall(subAgents)
    expect(screen.getAllByRole('listitem')).toHaveLength(1)
    expect(button(/^Failed shell/)).toBeVisible()

    await userEvent.click(button(/^Sub-agent calls/))

    expect(screen.getAllByRole('listitem')).toHaveLength(4)
  })

  test('[D5] each opens its own area, and that of a sub-agent has its calls again', async () => {
    showCall(subAgents)
    await userEvent.click(button(/^Sub-agent calls/))

    await userEvent.click(button(/^Running ask_agent Mend the tests/))

    const area = within(screen.getByRole('region', { name: 'ask_agent Mend the tests' }))
    expect(area.getByRole('button', { name: 'Sub-agent calls 1 done' })).toBeVisible()
  })

  test('[D5] a question below is at the top, with who asks, and in view in the list', () => {
    showCall(subAgentAsks)

    expect(screen.getByRole('group', { name: 'The sub-agent test-mender wants to run shell.' })).toBeVisible()
    expect(button(/^Running ask_agent Mend the tests/).closest('li')).toHaveTextContent('1 waiting for you')
  })

  test('[D5] the question leads to its call, through all that is folded', async () => {
    showCall(subAgentAsks)

    await userEvent.click(button('Show the call'))

    const area = screen.getByRole('region', { name: 'shell npm test' })
    expect(area).toHaveFocus()
    expect(area.id).toContain('grandchild-2')
  })

  test('[D5] is shown under the call whose sub-agent asks where its own call is not known', () => {
    const relayed = requested(900, 'fetch', { url: 'x' }, { sessionID: 'session-1', subagentSessionID: 'session-2' })
    showCall({ ...subAgents, receives: [...subAgents.receives, relayed] })

    expect(screen.getByRole('group', { name: 'The sub-agent session-2 wants to run fetch.' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Show the call' })).not.toBeInTheDocument()
  })
})

describe('a group of calls', () => {
  const group = <ToolCallGroup callIds={sideBySideIds} />

  test('[A1] counts its calls by outcome, and keeps what failed in view', () => {
    showCall(sideBySide, group)

    expect(button('5 calls 3 done 1 running 1 failed')).toHaveAttribute('aria-expanded', 'false')
    expect(screen.getAllByRole('listitem')).toHaveLength(1)
    expect(button(/^Failed read_file/)).toBeVisible()
  })

  test('[D4] keeps what asks in view, from when it asks', () => {
    const { receive } = showCall(sideBySide, group)

    receive(requested(900, 'read_file', { path: 'src/e.ts' }))

    expect(button('5 calls 3 done 1 failed 1 waiting for you')).toBeVisible()
    expect(button(/^Waiting for you read_file/)).toBeVisible()
  })

  test('[A1] opens to all of its calls, and each to its area', async () => {
    showCall(sideBySide, group)
    await userEvent.click(button(/^5 calls/))
    expect(screen.getAllByRole('listitem')).toHaveLength(5)

    await userEvent.click(button(/^Done read_file.*a\.ts/))

    expect(screen.getByRole('region', { name: /^read_file/ })).toBeVisible()
  })

  test('[A1] is nothing without calls', () => {
    const { container } = showCall(sideBySide, <ToolCallGroup callIds={[]} />)

    expect(container.querySelector('[data-slot="tool-call-group"]')).toBeNull()
  })
})

describe('what a screen reader hears', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('[D4] is that a call waits for a person, and nothing while it is only announced', () => {
    const { receive } = showCall({ receives: [] }, <ToolCallNode callId={callId} />)

    receive(announced(0, 'shell', { command: 'make' }))
    expect(spoken()).toEqual([])
    receive(requested(10, 'shell', { command: 'make' }))
    expect(spoken()).toEqual(['shell: needs your decision'])
    receive(bus(20, 'ToolApprovalResponse', { correlationID: 'request-1', approved: true }), status(30, 'running'))
    expect(spoken()).not.toContain('shell: started')
    receive(ended(40, 'x'))
    expect(spoken()).toEqual(['shell: Done'])
  })

  test('[D2] is that a call starts when it was pending', () => {
    const { receive } = showCall(
      { receives: [announced(0, 'shell', { command: 'make' })] },
      <ToolCallDetail callId={callId} />,
    )

    receive(status(30, 'running'))

    expect(spoken()).toEqual(['shell: started'])
  })
})
