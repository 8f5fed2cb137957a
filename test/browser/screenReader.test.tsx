import { act, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import {
  ApprovalQueue,
  ToolCallDetail,
  ToolCallGroup,
  ToolCallNode,
  useConversationCalls,
} from '../../src/react/index.js'
import {
  announced,
  deniedWithReason,
  ended as endedOnBus,
  exited,
  manyRequests,
  requested,
  responded,
  sideBySide,
  sideBySideIds,
  status,
  subAgents,
  terminal,
  terminals,
  waitingForYou,
  wrote,
} from '../../stories/fixtures/bus.js'
import { callId, ended, failed, returned, running, severalTasks } from '../../stories/fixtures/calls.js'
import { runCommitted } from '../../stories/fixtures/runs.js'
import { done, output, snapshot, text } from '../../stories/fixtures/wire.js'
import { showCall } from '../react/showCall.js'
import { accessibilityTree } from './accessibilityTree.js'
import '../../src/styles/index.css'

const conversationId = 'conversation-1'

/** A conversation as a host shows it: a line for each call, the area of the first one, and the requests. */
function Conversation() {
  const ids = useConversationCalls(conversationId)
  return (
    <>
      {ids.map((id) => (
        <ToolCallNode key={id} callId={id} />
      ))}
      <ToolCallDetail callId={callId} />
      <ApprovalQueue conversationId={conversationId} autoFocus={false} />
    </>
  )
}

/** All that the live region is given from now on, in its order. */
function listen(): readonly string[] {
  const heard: string[] = []
  const region = document.querySelector('[data-slot="tool-call-announcements"]') as HTMLElement
  const observer = new MutationObserver((changes) => {
    for (const { addedNodes, target, type } of changes) {
      if (type === 'characterData') heard.push(`changed: ${target.textContent}`)
      for (const node of addedNodes) heard.push(node.textContent ?? '')
    }
  })
  observer.observe(region, { childList: true, characterData: true, subtree: true })
  return heard
}

const patience = { timeout: 20_000 }

describe('the script of a screen reader', () => {
  test('[F4] a call starts, writes, needs you, is answered and ends: each is said once, and no output is', async () => {
    const { receive } = showCall({ receives: [] }, <Conversation />)
    const heard = listen()
    const args = { command: 'npm publish' }

    receive(announced(0, 'shell', args), status(10, 'running'))
    await waitFor(() => expect(heard).toEqual(['shell: started']), patience)
    receive(terminal(100, 'npm publish'), wrote(200, 'packing\n'), wrote(300, 'packed 12 files\n'))
    receive(wrote(400, 'more\n'.repeat(200)))
    receive(requested(500, 'shell', args))
    await waitFor(() => expect(heard).toEqual(['shell: started', 'shell: needs your decision']), patience)
    receive(responded(900, true, { scope: 'once' }), status(950, 'running'))
    receive(wrote(1_000, 'published\n'), exited(1_100, 0))
    receive(endedOnBus(1_200, 'Published.'))

    await waitFor(
      () => expect(heard).toEqual(['shell: started', 'shell: needs your decision', 'shell: Done']),
      patience,
    )
  })

  test('[F4] a call fails: that is said, and not the errors on the way', async () => {
    const { receive } = showCall({ receives: [snapshot(callId, 0)] }, <Conversation />)
    const heard = listen()

    receive(...failed.receives.flatMap((each) => ('protocol' in each ? each : [])))

    await waitFor(() => expect(heard).toEqual(['ask_colleague: Failed']), patience)
  })

  test('[F4] two calls that end at once are said one after the other', async () => {
    const { receive } = showCall(
      { receives: [snapshot(callId, 0), snapshot('call-2', 1, { tool: 'read_file' })] },
      <Conversation />,
    )
    const heard = listen()

    receive(
      text(callId, 2, 1, 'A block.'),
      snapshot('call-2', 3, { tool: 'read_file', status: 'error', toolReturn: 'no such file' }),
      done(callId, 4, 2, 'All is built.'),
    )

    await waitFor(() => expect(heard).toEqual(['ask_colleague: Done', 'read_file: Failed']), patience)
  })

  test('[F4] time that passes and output that comes say nothing', async () => {
    const { receive, store } = showCall(running, <Conversation />)
    const heard = listen()

    for (let second = 0; second < 20; second++) receive(output(callId, 43_000, 100 + second, 'shell', 'line\n'))
    act(() => store.flush())
    receive(snapshot('call-2', 44_000, { tool: 'read_file' }))

    await waitFor(() => expect(heard).toEqual(['read_file: started']), patience)
  })

  test('[F4] what became of a copy is said', async () => {
    const { getByRole } = showCall(ended)
    const heard = listen()

    await userEvent.click(getByRole('button', { name: 'Copy: Final value' }))

    // A browser without a window may have no clipboard.
    await waitFor(() => expect(heard).toEqual([expect.stringMatching(/^(Copied|Not copied)$/)]), { timeout: 20_000 })
  })
})

describe('the accessibility tree', () => {
  const named = async (role: string) =>
    (await accessibilityTree()).filter((node) => node.role === role).map(({ name }) => name)

  test('[F4] the area is a region with the name of its tool and its title', async () => {
    showCall(running)

    expect(await named('region')).toEqual(['ask_colleague Build the release and report what fails'])
  })

  test('[F4] every group has a name, and so have the log and the mark of each entry', async () => {
    showCall(severalTasks)
    expect(await named('group')).toEqual(['Process 1 ended', 'Process 2'])
    showCall(terminals)
    expect(await named('log')).toEqual(['Output of npm run lint'])
    for (const fixture of [ended, failed, subAgents, runCommitted, waitingForYou, deniedWithReason]) showCall(fixture)

    const tree = await accessibilityTree()

    const nameless = tree.filter(
      ({ role, name }) => /^(group|region|log|img|image|button|textbox)$/.test(role) && !name,
    )
    expect(nameless).toEqual([])
    expect(tree.filter(({ role }) => role === 'group').map(({ name }) => name)).toContain('Final value')
  })

  test('[F4] what folds is a button that says whether it is open', async () => {
    showCall(ended)
    const folds = async () =>
      (await accessibilityTree())
        .filter(({ role, expanded }) => role === 'button' && expanded !== undefined)
        .map(({ name, expanded }) => [name, expanded])
    expect(await folds()).toEqual([
      [expect.stringMatching(/^Arguments/), false],
      [expect.stringMatching(/^Process ended/), false],
    ])

    await userEvent.click(document.querySelector('[data-slot="tool-call-process-toggle"]') as Element)

    expect(await folds()).toContainEqual([expect.stringMatching(/^Process ended/), true])
    expect(await folds()).toContainEqual([expect.stringMatching(/^Thought/), false])
  })

  test('[D4] each button of a request says what it answers', async () => {
    showCall(manyRequests(3), <Conversation />)
    const answers = (await accessibilityTree()).filter(
      ({ role, name }) => role === 'button' && /^(Allow|Always|Deny|Add a reason|Show the call)/.test(name),
    )

    expect(answers.length).toBeGreaterThan(8)
    for (const { description } of answers) expect(description).toBe('The agent wants to run write_file.')
  })

  test('[F4] no two copy buttons of an area have one name', async () => {
    const { receive } = showCall(running)
    receive(done(callId, 72_000, 20, 'All is built.'))
    await userEvent.click(document.querySelector('[data-slot="tool-call-arguments-toggle"]') as Element)

    const copies = (await named('button')).filter((name) => name.startsWith('Copy'))

    expect(copies).toEqual(['Copy: Final value', 'Copy: Arguments', 'Copy: Output of shell'])
  })

  test('[F4] what controls something points to what is there', async () => {
    showCall(running)
    showCall(subAgents)
    showCall(returned({ files: [{ path: 'a' }] }))
    showCall(sideBySide, <ToolCallGroup callIds={sideBySideIds} />)
    const expectThere = () => {
      const controls = [...document.querySelectorAll('[aria-controls]')].map((each) =>
        each.getAttribute('aria-controls'),
      )
      expect(controls.length).toBeGreaterThan(5)
      expect(controls.filter((id) => document.getElementById(id ?? '') === null)).toEqual([])
    }
    expectThere()

    for (const toggle of document.querySelectorAll<HTMLElement>('[aria-expanded="false"]'))
      await userEvent.click(toggle)

    expectThere()
  })

  test('[A17] a line and an area that know a call by different ids belong together', () => {
    const meta = { meta: { callId: 'inner-1' }, value: 'x' }
    const { getByRole } = showCall(
      { receives: [snapshot(callId, 0, { status: 'done', toolReturn: meta })] },
      <>
        <ToolCallNode callId={callId} open />
        <ToolCallDetail callId="inner-1" />
      </>,
    )

    expect(getByRole('button', { name: /ask_colleague/ })).toHaveAttribute('aria-controls', getByRole('region').id)
  })
})
