import { screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { describe, expect, test, vi } from 'vitest'
import type { ToolCall as Call, ProcessItem } from '../../src/core/index.js'
import { ToolCall, ToolCallDetail, ToolCallProvider, useToolCall } from '../../src/react/index.js'
import { callId, ended, running } from '../../stories/fixtures/calls.js'
import { done, output, text } from '../../stories/fixtures/wire.js'
import { showCall } from './showCall.js'

const ui = <ToolCallDetail callId={callId} />
const reports = ({ store }: ReturnType<typeof showCall>) => {
  store.flush()
  return store.getState().diagnostics.counts.host_callback_failed
}
const logElement = () => document.querySelector('[data-slot="tool-call-log"]')

/** React writes what a boundary has caught to the console. */
const silence = () => vi.spyOn(console, 'error').mockImplementation(() => {})

describe('what a host shows instead, after it has thrown', () => {
  test('[F2] a renderer that throws is tried again for a newer call, and for nothing else', () => {
    silence()
    const Renderer = vi.fn(({ call }: { call: Call }) => {
      if (call.outcome === undefined) throw new Error('no outcome')
      return <p>mine</p>
    })
    const renderers = { ask_colleague: Renderer }
    const shown = showCall(running, ui, { renderers })
    const { receive, rerender, store } = shown
    expect(screen.getByRole('button', { name: /^Process/ })).toBeVisible()
    const tries = Renderer.mock.calls.length

    for (let round = 0; round < 5; round++) {
      rerender(
        <ToolCallProvider store={store} renderers={renderers} locale={round % 2 === 0 ? 'de' : 'en'}>
          {ui}
        </ToolCallProvider>,
      )
    }
    expect(Renderer.mock.calls).toHaveLength(tries)

    receive(done(callId, 72_000, 12, 'Built.'))
    expect(screen.getByText('mine')).toBeVisible()
    expect(screen.queryByRole('button', { name: /^Process/ })).not.toBeInTheDocument()
  })

  test('[F2] what stands in for a renderer that goes on throwing stays as it is, and one failure is counted once', () => {
    silence()
    let reason = 'one'
    const renderers = {
      ask_colleague: () => {
        throw new Error(reason)
      },
    }
    const shown = showCall(running, ui, { renderers })
    const log = logElement()
    expect(log).toBeVisible()
    expect(reports(shown)).toBe(1)

    shown.receive(output(callId, 41_000, 9, 'shell', 'more\n'))
    shown.receive(output(callId, 42_000, 10, 'shell', 'more\n'))
    expect(logElement()).toBe(log)
    expect(reports(shown)).toBe(1)

    reason = 'two'
    shown.receive(output(callId, 43_000, 11, 'shell', 'more\n'))
    expect(logElement()).toBe(log)
    expect(reports(shown)).toBe(2)
  })

  test('[A11] another renderValue is tried where the one before has thrown', () => {
    silence()
    const fail = () => {
      throw new Error('mine')
    }
    const { rerender, store } = showCall(ended, ui, { renderValue: fail })

    rerender(
      <ToolCallProvider store={store} renderValue={() => <p>mine</p>}>
        {ui}
      </ToolCallProvider>,
    )

    expect(screen.getByText('mine')).toBeVisible()
  })

  test('[F2] another renderItem is tried where the one before has thrown, and what it shows goes when it throws', () => {
    silence()
    const Process = ({ renderItem }: { readonly renderItem: (item: ProcessItem) => ReactNode }) => {
      const tasks = useToolCall(callId)?.tasks ?? []
      return tasks.map((task) => <ToolCall.Process key={task.taskId} task={task} renderItem={renderItem} />)
    }
    const fail = () => {
      throw new Error('mine')
    }
    const page = (renderItem: (item: ProcessItem) => ReactNode) => (
      <ToolCall.Root callId={callId} aria-label="Area">
        <Process renderItem={renderItem} />
      </ToolCall.Root>
    )
    const { receive, rerender, store } = showCall(running, page(fail))
    const again = (renderItem: (item: ProcessItem) => ReactNode) =>
      rerender(<ToolCallProvider store={store}>{page(renderItem)}</ToolCallProvider>)
    expect(screen.getByText('git_status')).toBeVisible()

    again((item) => (item.kind === 'text' ? <p>mine</p> : undefined))
    expect(screen.getByText('mine')).toBeVisible()
    expect(screen.getAllByText('git_status')).toHaveLength(1)

    again(fail)
    expect(screen.queryByText('mine')).not.toBeInTheDocument()
    expect(screen.getAllByText('git_status')).toHaveLength(1)
    receive(text(callId, 43_000, 11, 'Nearly there.'))
    expect(screen.getByText('Nearly there.')).toBeVisible()
  })
})
