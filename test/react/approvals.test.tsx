import { act, fireEvent, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, test, vi } from 'vitest'
import type { ApprovalAnswer } from '../../src/core/index.js'
import { ru, zhCN } from '../../src/messages/index.js'
import { ToolCallDetail, ToolCallGroup, ToolCallNode } from '../../src/react/index.js'
import { type ToolCallStore, UnconfirmedAnswer } from '../../src/store/index.js'
import {
  allowedEnded,
  announced,
  answeredElsewhere,
  answerFailed,
  answersInConflict,
  argumentsDiffer,
  argumentsPending,
  deniedWithReason,
  ended,
  parentUnknown,
  requestExpired,
  requestExpiring,
  requested,
  requestWithdrawn,
  responded,
  status as said,
  subAgentAsks,
  waitingCommand,
  waitingForYou,
} from '../../stories/fixtures/bus.js'
import { callId } from '../../stories/fixtures/calls.js'
import { runCounting, runEvent } from '../../stories/fixtures/runs.js'
import type { Fixture } from '../../stories/fixtures/storeOf.js'
import { startedAt } from '../../stories/fixtures/wire.js'
import { showCall } from './showCall.js'

/** Takes the answers that are sent, and holds them back. */
function carry(store: ToolCallStore): ApprovalAnswer[] {
  const answers: ApprovalAnswer[] = []
  store.carryAnswers((_approval, answer) => {
    answers.push(answer)
    return new Promise(() => {})
  })
  return answers
}

const publish = (store: ToolCallStore) => act(() => store.flush())
const button = (name: string | RegExp) => screen.getByRole('button', { name })

describe('a request in its call', () => {
  test('[D4] says who wants to run what, through which server, with these arguments', () => {
    showCall(waitingForYou)

    const question = screen.getByRole('group', {
      name: 'The sub-agent release-bot wants to run write_file through fs-server.',
    })
    expect(within(question).getByText('"deploy/values.yaml"')).toBeVisible()
    expect(within(question).getByText(/replicas: 3/)).toBeVisible()
    expect(screen.getAllByText('Waiting for you')[0]).toBeVisible()
  })

  test('[D4] shows the command that a shell will run, the other arguments, and that it changes data', () => {
    showCall(waitingCommand)

    const question = screen.getByRole('group', { name: /^The agent wants to run shell\./ })
    expect(within(question).getByText('npm publish --access public')).toBeVisible()
    expect(within(question).getByText('changes data')).toBeVisible()
    expect(within(question).getByText('Publish the package for everybody')).toBeVisible()
  })

  test.each([
    ['Allow once', { approved: true, scope: 'once' }],
    ['Allow for this session', { approved: true, scope: 'session' }],
    ['Always allow', { approved: true, scope: 'always' }],
    ['Deny', { approved: false }],
  ])('[D4] "%s" answers so, once, however often it is clicked', async (name, answer) => {
    const { store } = showCall(waitingForYou)
    const answers = carry(store)

    await userEvent.tripleClick(button(name))

    expect(answers).toEqual([answer])
    publish(store)
    expect(screen.queryByRole('button', { name: 'Deny' })).not.toBeInTheDocument()
    expect(screen.getByText(/ · sending…$/)).toBeVisible()
  })

  test('[D4] the host says which scopes there are, known or not', async () => {
    const { store } = showCall(waitingForYou, <ToolCallDetail callId={callId} />, {
      approvalScopes: ['always', 'this \u202Edirectory', 'always'],
    })
    const answers = carry(store)
    const names = within(screen.getByRole('group', { name: /wants to run/ }))
      .getAllByRole('button')
      .map((each) => each.textContent)
    expect(names).toEqual(['Always allow', 'Allow: this U+202Edirectory', 'Deny', 'Add a reason'])

    await userEvent.click(button(/^Allow: this/))

    expect(answers).toEqual([{ approved: true, scope: 'this \u202Edirectory' }])
  })

  test('[D4] without scopes there is one button, which names none', async () => {
    const { store } = showCall(waitingForYou, <ToolCallDetail callId={callId} />, { approvalScopes: [] })
    const answers = carry(store)

    await userEvent.click(button('Allow'))

    expect(answers).toEqual([{ approved: true }])
  })

  test('[D4] a reason goes with the denial, by Enter or by the button, and Escape takes it back', async () => {
    const user = userEvent.setup()
    const { store } = showCall(waitingForYou)
    const answers = carry(store)

    await user.click(button('Add a reason'))
    expect(screen.getByRole('textbox', { name: 'Reason for denying' })).toHaveFocus()
    await user.keyboard('never mind{Escape}')
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument()
    expect(button('Add a reason')).toHaveFocus()

    await user.click(button('Add a reason'))
    await user.keyboard(' Not on a Friday. {Enter}')
    expect(answers).toEqual([{ approved: false, reason: 'Not on a Friday.' }])
  })

  test('[D4] the key that ends a composition in the reason sends nothing', async () => {
    const { store } = showCall(waitingForYou)
    const answers = carry(store)
    await userEvent.click(button('Add a reason'))

    fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Enter', isComposing: true })

    expect(answers).toEqual([])
  })

  test('[D4] a key that is held down answers nothing', () => {
    const { store } = showCall(waitingForYou)
    carry(store)

    const isAllowed = fireEvent.keyDown(button('Allow once'), { key: 'Enter', repeat: true })

    expect(isAllowed).toBe(false)
  })

  test('[D4] it is "sent" until the bus confirms it, and then one line', async () => {
    const { store, receive } = showCall(waitingForYou)
    store.carryAnswers(async () => {})
    await userEvent.click(button('Allow once'))
    await act(async () => {})
    publish(store)
    expect(screen.getByText('Allow once · sent, waiting for confirmation')).toBeVisible()

    receive(responded(5_000, true, { scope: 'once' }))

    expect(button(/^Allowed once \d\d:\d\d:\d\d$/)).toBeVisible()
    expect(screen.queryByText(/waiting for confirmation/)).not.toBeInTheDocument()
  })

  test('[D4] when sending fails, the buttons come back with the reason', async () => {
    const { store } = showCall(waitingForYou)
    store.carryAnswers(async () => {
      throw new Error('no connection')
    })
    await userEvent.click(button('Deny'))
    await act(async () => {})
    publish(store)

    expect(screen.getByRole('alert')).toHaveTextContent('Your answer was not sent: no connection')
    const answers = carry(store)
    await userEvent.click(button('Deny'))
    expect(answers).toEqual([{ approved: false }])
  })

  test('[D4] a reason that could not be sent is still there, and goes with the next try', async () => {
    const { store } = showCall(waitingForYou)
    store.carryAnswers(() => Promise.reject(new Error('no connection')))
    await userEvent.click(button('Add a reason'))
    await userEvent.keyboard('Not on a Friday.{Enter}')
    publish(store)
    expect(screen.getByRole('alert')).toBeVisible()

    expect(screen.getByRole('textbox')).toHaveValue('Not on a Friday.')
    const answers = carry(store)
    await userEvent.click(button('Deny'))
    expect(answers).toEqual([{ approved: false, reason: 'Not on a Friday.' }])
  })

  test('[D4] when an answer may have arrived, only the button of the same one comes back', async () => {
    const { store } = showCall(waitingForYou)
    store.carryAnswers(async () => {
      throw new UnconfirmedAnswer('no word of it')
    })
    await userEvent.click(button('Allow once'))
    await act(async () => {})
    publish(store)

    expect(screen.getByRole('alert')).toHaveTextContent('It is not known whether your answer arrived: no word of it')
    expect(button('Deny')).toBeDisabled()
    expect(button('Always allow')).toBeDisabled()
    const answers = carry(store)
    await userEvent.click(button('Allow once'))
    expect(answers).toEqual([{ approved: true, scope: 'once' }])
  })

  test.each<readonly [string, Fixture, string | RegExp]>([
    ['expired', requestExpired, 'Expired without an answer'],
    ['withdrawn', requestWithdrawn, 'Withdrawn, no answer is needed any more'],
    ['allowed', answeredElsewhere, /^Always allowed · answered elsewhere/],
    ['conflict', answersInConflict, /^Two different answers were given/],
  ])('[D4] a request that is %s says so, and has no buttons', (status, fixture, words) => {
    showCall(fixture)

    expect(button(words).closest('[data-slot="tool-call-approval"]')).toHaveAttribute('data-status', status)
    expect(screen.queryByRole('button', { name: 'Deny' })).not.toBeInTheDocument()
    expect(screen.queryByText('Waiting for you')).not.toBeInTheDocument()
  })

  test('[D4] the time until it expires is told, and it expires before the reader', () => {
    vi.useFakeTimers()
    let now = 0
    const { store } = showCall(requestExpiring)
    expect(screen.getByText('expires in 0:42')).toBeVisible()

    now = store.now() + 42_000
    store.now = () => now
    act(() => void vi.advanceTimersByTime(1_000))

    expect(screen.queryByRole('button', { name: 'Allow once' })).not.toBeInTheDocument()
    expect(button('Expired without an answer')).toBeVisible()
    vi.useRealTimers()
  })

  test('[D4] a call whose request has expired waits for nobody, to those who hear and those who count, too', () => {
    const { container } = showCall(requestExpired, <ToolCallGroup callIds={[callId]} defaultOpen />)

    expect(button(/write_file/)).toHaveAccessibleName(/^Pending write_file/)
    expect(button(/^1 call/)).toHaveTextContent('1 pending')
    expect(container.querySelector('[data-status="waiting"]')).toBeNull()
  })

  test('[D4] one that was said to run before it was asked about runs on then', () => {
    const runs = said(200, 'running', { sessionID: 'release-bot' })
    showCall(
      { ...requestExpired, receives: [...requestExpired.receives, runs] },
      <ToolCallGroup callIds={[callId]} defaultOpen />,
    )

    expect(button(/write_file/)).toHaveAccessibleName(/^Running write_file/)
  })

  test('[D4] nor does a run, nor its step', () => {
    const asked = runEvent(2_500, 6, 'approval_required', { expires_at: startedAt + 5_000 }, { tool: 'submit_claim' })
    const run = { receives: [...runCounting.receives, asked] }
    const { unmount } = showCall({ ...run, now: 4_000 })
    expect(screen.getAllByRole('img', { name: 'Waiting for you' })).toHaveLength(2)
    unmount()

    const { container } = showCall({ ...run, now: 60_000 })

    expect(container).not.toHaveTextContent('Waiting for you')
    expect(screen.queryByRole('img', { name: 'Waiting for you' })).not.toBeInTheDocument()
    expect(screen.getAllByText('no end reported')[0]).toBeVisible()
  })

  test('[D5] the line of a call says that one below it, to any depth, waits for a person; until that is answered', () => {
    const { receive } = showCall(subAgentAsks, <ToolCallNode callId={callId} />)
    expect(button(/ask_agent/)).toHaveAccessibleName(/^Running ask_agent Prepare the release Waiting for you/)

    receive(responded(7_000, true))

    expect(button(/ask_agent/)).not.toHaveAccessibleName(/Waiting for you/)
  })

  test('[D5] a call whose parent nobody has heard of names its sub-agent, until that is', () => {
    const { receive } = showCall(parentUnknown, <ToolCallNode callId={callId} />)
    expect(button(/shell/)).toHaveAccessibleName(/^Running shell .*npm test sub-agent release-bot/)

    receive(announced(100, 'ask_agent', {}, { toolCallID: 'not-heard-of' }))
    expect(button(/shell/)).not.toHaveAccessibleName(/sub-agent/)
  })

  test('[D4] the decision stays readable: what, which scope, when', async () => {
    showCall(allowedEnded)

    await userEvent.click(button(/^Allowed once \d\d:03:04$/))

    const asked = screen.getByRole('group', { name: /^The sub-agent release-bot wants to run write_file/ })
    expect(within(asked).getByText('"deploy/values.yaml"')).toBeVisible()
  })

  test('[D4] a denied call is told apart from one that failed', () => {
    showCall(deniedWithReason)

    expect(screen.getByRole('region')).toHaveAttribute('data-status', 'denied')
    expect(screen.getByText('Not on a Friday.')).toBeVisible()
    expect(button(/^Denied \d\d/)).toBeVisible()
    expect(screen.getByRole('img', { name: 'Denied' }).querySelector('[data-shape="denied"]')).not.toBeNull()
  })

  test('[C9] what is still arriving can be denied, and not allowed', async () => {
    const { store } = showCall(argumentsPending)
    const answers = carry(store)
    expect(screen.getByText('The arguments are still arriving')).toBeVisible()

    await userEvent.click(button('Allow once'))
    expect(answers).toEqual([])
    await userEvent.click(button('Deny'))
    expect(answers).toEqual([{ approved: false }])
  })

  test('[C9] the request’s own arguments are shown, and that they differ from the call’s', () => {
    showCall(argumentsDiffer)

    const question = within(screen.getByRole('group', { name: /wants to run/ }))
    expect(question.getByText('"/etc/hosts"')).toBeVisible()
    expect(question.getByText('These are not the arguments that the call showed')).toBeVisible()
  })

  test('[D4] it is in view also where the host shows the tool itself', () => {
    showCall(waitingForYou, <ToolCallDetail callId={callId} />, { renderers: { write_file: () => <p>Ours</p> } })

    expect(screen.getByText('Ours')).toBeVisible()
    expect(button('Allow once')).toBeVisible()
  })

  test('[D4] two requests of the same tool do not mix', async () => {
    const { store, receive } = showCall(waitingForYou)
    const sentIds: string[] = []
    store.carryAnswers(({ id }) => {
      sentIds.push(id)
      return new Promise(() => {})
    })
    receive(
      requested(500, 'write_file', { path: 'b' }, { correlationID: 'request-2', sessionID: 'release-bot' }),
      ended(600, 'x', { toolCallID: 'other' }),
    )

    await userEvent.click(button('Deny'))

    expect(sentIds).toEqual(['request-1'])
  })

  test('[H2] names and reasons of the wire are text, and what can not be seen is marked', () => {
    showCall({
      receives: [
        requested(
          0,
          '<b>rm\u202E</b>',
          { command: 'echo \u202E<img src=x>' },
          { subagentSessionID: 'bot\u200B', serverName: '\u2066s' },
        ),
        ...answerFailed.receives.slice(-1),
        {
          at: 0,
          event: { type: 'approval', approvalId: 'request-1', request: { callId, toolName: '<b>rm\u202E</b>' } },
        },
        { at: 0, event: { type: 'call', callId, toolName: 'x' } },
      ],
    })

    expect(document.querySelector('img, b')).toBeNull()
    expect(document.body.textContent).not.toMatch(/rm\u202E<|[^>]\u2066s/)
  })

  test('[D4] the words of every language have the names in their places', () => {
    const names: string[] = []
    for (const messages of [zhCN, ru]) {
      const { unmount } = showCall(waitingForYou, <ToolCallDetail callId={callId} />, { messages })
      names.push(document.querySelector('[data-slot="tool-call-approval-question"]')?.textContent ?? '')
      unmount()
    }
    expect(names).toEqual([
      '子智能体 release-bot 请求通过 fs-server 运行 write_file。',
      'Субагент release-bot просит разрешения запустить write_file через fs-server.',
    ])
  })
})
