import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, test, vi } from 'vitest'
import type { ProcessItem } from '../../src/core/index.js'
import { ToolCall, ToolCallDetail } from '../../src/react/index.js'
import {
  abortedCall,
  callId,
  denied,
  ended,
  endedWithoutResult,
  failed,
  recordedOtherwise,
  returned,
  running,
  unknown,
} from '../../stories/fixtures/calls.js'
import { runCounting } from '../../stories/fixtures/runs.js'
import { storeOf } from '../../stories/fixtures/storeOf.js'
import { snapshot } from '../../stories/fixtures/wire.js'
import { showCall } from './showCall.js'

const outcome = (name = 'Final value') => within(screen.getByRole('group', { name }))

describe('the outcome', () => {
  test.each([
    ['Failed', failed, 'error', '"The build failed."'],
    ['Aborted', abortedCall, 'aborted', 'You stopped it.'],
    ['Denied', denied, 'denied', 'Not on this branch.'],
    ['Outcome unknown', unknown, 'unknown', /^The connection broke/],
    ['Ended without a result', endedWithoutResult, 'aborted', /quota exceeded/],
  ] as const)('[A10] "%s" is pinned with what is known of it', (label, fixture, status, words) => {
    showCall(fixture)

    expect(screen.getByRole('group', { name: label })).toHaveAttribute('data-status', status)
    expect(outcome(label).getByText(words)).toBeVisible()
  })

  test('[A10] the better word of a snapshot replaces the unspecific one', () => {
    const { receive } = showCall(endedWithoutResult)
    expect(screen.getByRole('region')).toHaveAttribute('data-unspecific')

    receive(snapshot(callId, 9_000, { status: 'canceled' }))

    expect(screen.getByRole('group', { name: 'Aborted' })).toBeVisible()
    expect(screen.getByRole('region')).not.toHaveAttribute('data-unspecific')
  })

  test.each([
    [0, '0'],
    [false, 'false'],
    ['', '(empty text)'],
    [null, 'null'],
    [[], '[]'],
    [{ a: {} }, 'a'],
  ])('[A11] %j is a value', (value, shown) => {
    showCall(returned(value))

    expect(outcome().getByText(shown)).toBeVisible()
    expect(screen.queryByText('No value was given')).not.toBeInTheDocument()
  })

  test('[A11] a text keeps its lines and spaces and is no markup', () => {
    showCall(returned('first\n  <b>second</b>'))

    expect(outcome().getByText(/first/).textContent).toBe('first\n  <b>second</b>')
  })

  test('[A11] a text of more than twelve lines is folded, and says how many there are', async () => {
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`)
    showCall(returned(lines.join('\n')))
    expect(outcome().getByText(/line 12$/)).toBeVisible()
    expect(outcome().queryByText(/line 13/)).not.toBeInTheDocument()

    await userEvent.click(outcome().getByRole('button', { name: 'Show all (40 lines)' }))
    expect(outcome().getByText(/line 40$/)).toBeVisible()

    await userEvent.click(outcome().getByRole('button', { name: 'Show less' }))
    expect(outcome().queryByText(/line 13/)).not.toBeInTheDocument()
  })

  test('[A11] twelve lines are not folded', () => {
    showCall(returned('x\n'.repeat(12)))

    expect(outcome().queryByRole('button', { name: /Show/ })).not.toBeInTheDocument()
  })

  test('[A11] one endless line is folded, too', async () => {
    showCall(returned('y'.repeat(5_000)))

    await userEvent.click(outcome().getByRole('button', { name: 'Show all (5,000 characters)' }))

    expect(outcome().getByText('y'.repeat(5_000))).toBeVisible()
  })

  test('[A11] an object is a tree that opens level by level, by keyboard', async () => {
    const user = userEvent.setup()
    showCall(returned({ files: [{ path: 'src/index.ts' }], ok: true }))
    expect(outcome().getByText('true')).toBeVisible()
    expect(outcome().queryByText('"src/index.ts"')).not.toBeInTheDocument()

    outcome()
      .getByRole('button', { name: /^files.*1 entry$/ })
      .focus()
    await user.keyboard('{Enter}')
    await user.tab()
    await user.keyboard(' ')

    expect(outcome().getByText('"src/index.ts"')).toBeVisible()
  })

  test('[A11] [H1] a tree of thousands mounts twelve entries, then a hundred at a time', async () => {
    showCall(returned(Array.from({ length: 250 }, (_, index) => index)))
    expect(outcome().getAllByRole('listitem')).toHaveLength(12)

    await userEvent.click(outcome().getByRole('button', { name: 'Show 88 more' }))
    expect(outcome().getAllByRole('listitem')).toHaveLength(100)

    await userEvent.click(outcome().getByRole('button', { name: 'Show 100 more' }))
    await userEvent.click(outcome().getByRole('button', { name: 'Show all (250 lines)' }))
    expect(outcome().getAllByRole('listitem')).toHaveLength(250)
  })

  test('[H1] keys that mean something to JavaScript are keys', () => {
    showCall(returned(JSON.parse('{"__proto__": 1, "constructor": 2, "hasOwnProperty": 3}')))

    const entries = outcome().getAllByRole('listitem')
    expect(entries.map((entry) => entry.textContent)).toEqual(['__proto__ 1', 'constructor 2', 'hasOwnProperty 3'])
  })

  test('[A11] one quiet line says what the caller recorded, where that differs', () => {
    showCall(recordedOtherwise)

    expect(outcome().getByText(/^The release builds/)).toBeVisible()
    expect(outcome().getByText(/^The caller recorded:/)).toHaveTextContent(
      'The caller recorded: Failed · timeout after 60 s',
    )
  })

  test('[H2] "Copy" copies the value as it was sent', async () => {
    const user = userEvent.setup()
    showCall(returned('a\u202Eb'))
    expect(outcome().getByText('U+202E')).toBeVisible()

    await user.click(outcome().getByRole('button', { name: /^Copy:/ }))

    expect(await navigator.clipboard.readText()).toBe('a\u202Eb')
    expect(outcome().getByRole('button', { name: 'Copied' })).toBeVisible()
  })

  test('[A11] "Copy" copies other values as JSON', async () => {
    const user = userEvent.setup()
    showCall(returned({ a: [1, null] }))

    await user.click(outcome().getByRole('button', { name: /^Copy:/ }))

    expect(JSON.parse(await navigator.clipboard.readText())).toEqual({ a: [1, null] })
  })

  test('[A11] "Copy" says when the browser does not let it', async () => {
    const user = userEvent.setup()
    showCall(returned('x'))
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'))

    await user.click(outcome().getByRole('button', { name: /^Copy:/ }))

    expect(outcome().getByRole('button', { name: 'Not copied' })).toBeVisible()
  })
})

describe('the arguments', () => {
  test('[A17] are folded, and rows by their keys when they are an object', async () => {
    withArguments({ path: 'game.html', retries: 0, nested: { deep: true } })
    expect(screen.getByRole('button', { name: /^Arguments/ })).toHaveAttribute('aria-expanded', 'false')

    await openArguments()

    expect(screen.getAllByRole('term').map((term) => term.textContent)).toEqual(['path', 'retries', 'nested'])
    expect(screen.getAllByRole('definition').map((row) => row.textContent)).toEqual(['"game.html"', '0', '{…} 1 entry'])
  })

  test.each(['{"half": writ', 'ls -la'])('[A17] are their text when they are %j', async (args) => {
    withArguments(args)

    await openArguments()

    expect(screen.getByText(args, { selector: 'div' })).toBeVisible()
  })

  test.each([undefined, {}, '', ' { } '])('[A17] are not mentioned when there are none: %j', (args) => {
    withArguments(args)

    expect(screen.queryByRole('button', { name: /^Arguments/ })).not.toBeInTheDocument()
  })
})

describe('what a host replaces', () => {
  const ui = <ToolCallDetail callId={callId} />

  test('[F2] a renderer shows everything below the header for its tool', () => {
    showCall(running, ui, { renderers: { ask_colleague: ({ call }) => <p>mine: {call.tasks.length} task</p> } })

    expect(screen.getByText('mine: 1 task')).toBeVisible()
    expect(screen.getByText('ask_colleague')).toBeVisible()
    expect(screen.queryByRole('button', { name: /^Process/ })).not.toBeInTheDocument()
  })

  test('[F2] a renderer of another tool, or a name that every object has, changes nothing', () => {
    showCall({ receives: [snapshot(callId, 0, { tool: 'constructor' })] }, ui, {
      renderers: { other: () => <p>mine</p> },
    })

    expect(screen.queryByText('mine')).not.toBeInTheDocument()
    expect(screen.getByText('Waiting for the first block…')).toBeVisible()
  })

  test('[F2] a renderer that throws gives way to the standard view, and is counted', () => {
    silence()
    const { store } = showCall(running, ui, {
      renderers: {
        ask_colleague: () => {
          throw new Error('mine')
        },
      },
    })

    expect(screen.getByRole('button', { name: /^Process/ })).toBeVisible()
    store.flush()
    expect(store.getState().diagnostics.counts.host_callback_failed).toBe(1)
  })

  test('[A11] renderValue shows the final value in its own way', () => {
    showCall(ended, ui, { renderValue: (value, call) => <em>{`${call.toolName}: ${String(value).length}`}</em> })

    expect(outcome().getByText(/^ask_colleague: \d+$/)).toBeVisible()
    expect(outcome().queryByText(/^The release builds/)).not.toBeInTheDocument()
  })

  test('[A11] renderValue leaves a value to the library with undefined', () => {
    showCall(ended, ui, { renderValue: () => undefined })

    expect(outcome().getByText(/^The release builds/)).toBeVisible()
  })

  test('[A11] a renderValue that throws gives way to the standard view, and is counted', () => {
    silence()
    const { store } = showCall(ended, ui, {
      renderValue: () => {
        throw new Error('mine')
      },
    })

    expect(outcome().getByText(/^The release builds/)).toBeVisible()
    store.flush()
    expect(store.getState().diagnostics.counts.host_callback_failed).toBe(1)
  })

  test('[F2] a single line that the host’s function throws at is the library’s, and is counted', () => {
    silence()
    const renderItem = (item: ProcessItem) => {
      if (item.kind === 'tool') throw new Error('mine')
      return item.kind === 'text' ? <strong>mine</strong> : undefined
    }
    const tasks = storeOf(running).getState().calls.get(callId)?.tasks ?? []
    const process = tasks.map((task) => <ToolCall.Process key={task.taskId} task={task} renderItem={renderItem} />)
    const { store } = showCall(running, <ToolCall.Root callId={callId}>{process}</ToolCall.Root>)

    expect(screen.getByText('git_status')).toBeVisible()
    expect(screen.getByText('mine')).toBeVisible()
    store.flush()
    expect(store.getState().diagnostics.counts.host_callback_failed).toBeGreaterThan(0)
  })

  test('[F2] so is a line of a run', () => {
    silence()
    const renderLine = () => {
      throw new Error('mine')
    }
    const story = <ToolCall.Story renderLine={renderLine} />
    const { store } = showCall(runCounting, <ToolCall.Root callId={callId}>{story}</ToolCall.Root>)

    expect(screen.getByText('search_policy')).toBeVisible()
    store.flush()
    expect(store.getState().diagnostics.counts.host_callback_failed).toBeGreaterThan(0)
  })
})

const withArguments = (args: unknown) => showCall({ receives: [snapshot(callId, 0, { args })], now: 1_000 })

const openArguments = () => userEvent.click(screen.getByRole('button', { name: /^Arguments/ }))

/** React tells of what a boundary has caught. */
const silence = () => vi.spyOn(console, 'error').mockImplementation(() => {})
