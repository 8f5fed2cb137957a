import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test, vi } from 'vitest'
import { ru, zhCN } from '../../src/messages/index.js'
import { ToolCallDetail, ToolCallNode } from '../../src/react/index.js'
import { ValueView } from '../../src/react/ValueView.js'
import {
  argumentsLoading,
  argumentsSoFar,
  argumentsStreaming,
  callId,
  longFileStreaming,
  resulted,
} from '../../stories/fixtures/calls.js'
import { argsDelta, result, snapshot } from '../../stories/fixtures/wire.js'
import { showCall } from './showCall.js'

vi.mock('../../src/react/ValueView.js', { spy: true })

const toggle = () => screen.getByRole('button', { name: /^Arguments/ })
const rows = () => screen.getAllByRole('definition').map((row) => row.textContent)
const caret = () => document.querySelector('[data-slot="tool-call-caret"]')
const title = () => document.querySelector('[data-slot="tool-call-title"]')?.textContent

describe('arguments that stream in', () => {
  test('[C4] while nothing can be shown, the header and the node say that arguments are loading', () => {
    showCall(
      argumentsLoading,
      <>
        <ToolCallNode callId={callId} />
        <ToolCallDetail callId={callId} />
      </>,
    )

    expect(screen.getByRole('button', { name: /write_file loading arguments…/ })).toBeVisible()
    expect(screen.getByRole('region', { name: 'write_file loading arguments…' })).toBeVisible()
    const loading = document.querySelector('[data-slot="tool-call-title"][data-loading]')
    expect(loading?.querySelector('[data-shape="running"]')).not.toBeNull()
  })

  test('[C5] the area is open while they arrive, with a row for each key and a caret behind what is open', () => {
    showCall(argumentsStreaming)

    expect(toggle()).toHaveAttribute('aria-expanded', 'true')
    expect(screen.getAllByRole('term').map((term) => term.textContent)).toEqual(['path', 'content'])
    expect(rows()).toEqual(['"game.html"', '<!DOCTYPE html>\n<html lang="en">\n<canvas id="board"'])
    expect(caret()).not.toBeNull()
  })

  test('[A8] a process is not waited for while they arrive', () => {
    const { receive } = showCall({ ...argumentsStreaming, now: 60_000 })
    expect(screen.queryByText(/Waiting for the first block|No process details/)).toBeNull()

    receive(result(callId, 0, { result: 'ok', status: 'success' }))

    expect(screen.getByText('No process details')).toBeVisible()
  })

  test('[C3] they grow in place, and the caret goes when they are complete', () => {
    const { receive } = showCall(argumentsSoFar('{"path":"game.ht'))
    const [row] = screen.getAllByRole('definition')
    expect(rows()).toEqual(['"game.ht'])

    receive(argsDelta(callId, 0, '{"path":"game.html","retries":1'))
    expect(rows()).toEqual(['"game.html"', '1'])
    expect(screen.getAllByRole('definition')[0]).toBe(row)
    receive(argsDelta(callId, 0, '{"path":"game.html","retries":12}'))

    expect(rows()).toEqual(['"game.html"', '12'])
    expect(caret()).toBeNull()
  })

  test('[C8] a row that is complete is not rendered again while others grow', () => {
    const { receive } = showCall(argumentsSoFar('{"done":{"a":1},"content":"x'))
    vi.mocked(ValueView).mockClear()

    receive(argsDelta(callId, 0, '{"done":{"a":1},"content":"x and more'))

    expect(vi.mocked(ValueView).mock.calls.map(([{ value }]) => String(value))).toEqual(['x and more'])
  })

  test('[C3] a long text follows its own end until the reader asks for all of it', async () => {
    const { receive } = showCall(longFileStreaming(400))
    const text = () => rows()[1]
    expect(text()).toMatch(/const line400 = 400Show all \(400 lines\)$/)
    expect(text()).not.toContain('const line1 = 1\n')
    expect(text()).toContain('const line389 = 389\n')

    await userEvent.click(screen.getByRole('button', { name: 'Show all (400 lines)' }))
    expect(text()).toContain('const line1 = 1\n')
    receive(longFileStreaming(401).receives[1] as ReturnType<typeof argsDelta>)

    expect(text()).toContain('const line401 = 401')
    expect(screen.getByRole('button', { name: 'Show less' })).toBeVisible()
  })

  test('[A11] not even the last character of a text is left out without being said', async () => {
    showCall(argumentsSoFar(`{"content":"${'x'.repeat(200_000)}!`))
    const more = () => screen.getByRole('button', { name: 'Show all (200,001 characters)' })

    await userEvent.click(more())
    await userEvent.click(more())

    expect(rows()[0]).toMatch(/x!Show less$/)
  })

  test('[C5] what the reader closed stays closed, and what they saw arrive stays open when the call ends', async () => {
    const open = showCall(argumentsStreaming)
    open.receive(result(callId, 0, { result: 'ok', status: 'success' }))
    expect(toggle()).toHaveAttribute('aria-expanded', 'true')
    open.unmount()

    const closed = showCall(argumentsStreaming)
    await userEvent.click(toggle())
    closed.receive(
      argsDelta(
        callId,
        0,
        '{"path":"game.html","content":"<!DOCTYPE html>\\n<html lang=\\"en\\">\\n<canvas id=\\"board\\">',
      ),
    )
    expect(toggle()).toHaveAttribute('aria-expanded', 'false')
  })

  test('[C5] they are folded where they were complete before the area was opened', () => {
    showCall(resulted({ result: 'ok', status: 'success' }))

    expect(toggle()).toHaveAttribute('aria-expanded', 'false')
  })

  test('[C3] nested values are a tree that grows while it is open', async () => {
    const { receive } = showCall(argumentsSoFar('{"edits":[{"from":"a"},{"from":"unfin'))
    await userEvent.click(screen.getByRole('button', { name: '[…] 2 entries' }))
    await userEvent.click(screen.getByRole('button', { name: /^1\s*\{…\} 1 entry$/ }))
    expect(screen.getByText(/"unfin/)).toBeVisible()

    receive(argsDelta(callId, 0, '{"edits":[{"from":"a"},{"from":"unfinished"},{'))

    expect(screen.getByText('"unfinished"')).toBeVisible()
    expect(screen.getByRole('button', { name: '[…] 3 entries' })).toHaveAttribute('aria-expanded', 'true')
  })

  test('[C3] broken JSON is shown as it came, with where it stops being JSON', async () => {
    showCall(resulted({ result: 'x', status: 'error' }, '{"path": "a", content: 1}'))
    await userEvent.click(toggle())

    expect(screen.getByText('{"path": "a", content: 1}', { selector: 'div' })).toBeVisible()
    expect(screen.getByText(/^Not JSON from character 15 on/)).toBeVisible()
  })

  test('[C3] text that is not JSON by design is shown without remark', async () => {
    showCall(resulted({ result: 'x', status: 'success' }, 'ls -la'))
    await userEvent.click(toggle())

    expect(screen.getByText('ls -la', { selector: 'div' })).toBeVisible()
    expect(screen.queryByText(/JSON/)).toBeNull()
  })

  test('[C6] arguments that never came to their end say so once the call has ended', async () => {
    showCall(resulted({ result: 'x', status: 'error' }, '{"path":"a.txt","content":"half'))
    await userEvent.click(toggle())

    expect(rows()).toEqual(['"a.txt"', '"half'])
    expect(screen.getByText('The arguments break off here')).toBeVisible()
    expect(caret()).toBeNull()
  })

  test('[C3] numbers that JavaScript can not hold stand as they were written', async () => {
    showCall(resulted({ result: 'x', status: 'success' }, '{"id":12345678901234567890}'))
    await userEvent.click(toggle())

    expect(rows()).toEqual(['12345678901234567890'])
  })

  test('[C3] the copy is the text of the arguments, without what is masked', async () => {
    const user = userEvent.setup()
    const args = '{"url":"https://example.org","token":"s3cret"}'
    showCall({ receives: [snapshot(callId, 0, { args })], maskArguments: ['token'] })
    await user.click(toggle())

    expect(rows()).toEqual(['"https://example.org"', '•••'])
    expect(screen.getByRole('img', { name: 'masked' })).toBeVisible()
    const part = toggle().parentElement as HTMLElement
    await user.click(within(part).getByRole('button', { name: /^Copy:/ }))

    expect(await navigator.clipboard.readText()).toBe('{"url":"https://example.org","token":"•••"}')
    expect(document.body.innerHTML).not.toContain('s3cret')
  })
})

describe('the line that says what a call does', () => {
  const shown = (fixture: Parameters<typeof showCall>[0], provider?: Parameters<typeof showCall>[2]) => {
    const { unmount } = showCall(fixture, undefined, provider)
    const line = title()
    unmount()
    return line
  }

  test('[C3] comes from the first argument that tells something, as it arrives', () => {
    expect(shown(argumentsSoFar('{"timeout":5,"command":"npm te'))).toBe('npm te')
    expect(shown(argumentsStreaming)).toBe('game.html')
    expect(shown(argumentsSoFar('{"goal":"Build it\\nand more"'))).toBe('Build it…')
    expect(shown(argumentsSoFar('ls -la\ngrep'))).toBe('ls -la…')
    expect(shown(argumentsSoFar('{broken'))).toBe('loading arguments…')
  })

  test('[C3] says with its tense whether the call runs or has run, in each language', () => {
    const running = argumentsSoFar('{"command":"npm test"}')
    const ran = resulted({ result: 'ok', status: 'success' })
    expect([shown(running), shown(ran)]).toEqual(['Running npm test', 'Ran npm test'])
    expect([shown(running, { messages: zhCN }), shown(ran, { messages: zhCN })]).toEqual([
      '正在运行 npm test',
      '已运行 npm test',
    ])
    expect([shown(running, { messages: ru }), shown(ran, { messages: ru })]).toEqual([
      'Выполняется: npm test',
      'Выполнено: npm test',
    ])
  })

  test('[C3] claims nothing of a call that may never have run', () => {
    const denied = {
      receives: [
        ...argumentsSoFar('{"command":"rm -rf /"}').receives,
        { at: 2_000, event: { type: 'outcome', callId, outcome: 'denied', authority: 'final' } as const },
      ],
    }

    expect(shown(denied)).toBe('rm -rf /')
  })

  test('[C6] is the summary of the result, when there is one', () => {
    expect(shown(resulted({ result: 'ok', status: 'success', summary: '212 tests pass' }))).toBe('212 tests pass')
  })

  test("[C3] is the call's own title, or what the host makes of it, before any argument", () => {
    const fixture = argumentsSoFar('{"command":"npm test"}')
    const titled = {
      ...fixture,
      receives: [...fixture.receives, { at: 0, event: { type: 'call', callId, title: 'Test' } as const }],
    }
    const describeCall = ({ args }: { readonly args: string | undefined }) => `${args?.length} characters`

    expect(shown(titled, { describe: describeCall })).toBe('Test')
    expect(shown(fixture, { describe: describeCall })).toBe('22 characters')
    expect(shown(fixture, { describe: () => undefined })).toBe('Running npm test')
  })

  test('[H1] a describe that throws is counted, and the library says what it knows', () => {
    const { store } = showCall(argumentsSoFar('{"command":"npm test"}'), undefined, {
      describe: () => {
        throw new Error('no')
      },
    })
    store.flush()

    expect(title()).toBe('Running npm test')
    expect(store.getState().diagnostics.counts.host_callback_failed).toBe(1)
  })

  test('[C3] never tells a masked value', () => {
    const fixture = { ...argumentsSoFar('{"command":"echo s3cret"}'), maskArguments: ['command'] }

    expect(shown(fixture)).toBe('Calling…')
  })
})
