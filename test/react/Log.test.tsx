import { act, fireEvent, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { describe, expect, test } from 'vitest'
import { createLog, type Log } from '../../src/core/index.js'
import { ToolCall, ToolCallProvider } from '../../src/react/index.js'
import { callId, running } from '../../stories/fixtures/calls.js'
import { showCall } from './showCall.js'

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join('')

const place = (log: Log) => (
  <ToolCall.Root callId={callId} aria-label="Area">
    <ToolCall.Log log={log} version={log.version} name="shell" />
  </ToolCall.Root>
)

/** Shows a log in a page without layout, which the test scrolls by hand. */
function showLog(log: Log) {
  const { rerender, store } = showCall(running, place(log))
  const scroller = screen.getByRole('log')
  Object.defineProperty(scroller, 'scrollHeight', { get: () => Math.min(log.lineCount * 18, 8_000_000) })
  Object.defineProperty(scroller, 'clientHeight', { value: 18 * 18 })
  fireEvent.scroll(scroller, { target: { scrollTop: scroller.scrollHeight - 18 * 18 } })
  const wrap = (ui: ReactNode) => <ToolCallProvider store={store}>{ui}</ToolCallProvider>
  return {
    scroller,
    append: (text: string) => {
      act(() => log.append(text))
      rerender(wrap(place(log)))
    },
    scrollTo: (top: number) => {
      scroller.scrollTop = top
      fireEvent.scroll(scroller)
    },
    lines: () => [...scroller.querySelectorAll('[data-number]')].map((line) => line.textContent),
  }
}

describe('ToolCall.Log', () => {
  test('[A9] is a log that does not speak, with the name of its tool', () => {
    showLog(logOf(3))

    const log = screen.getByRole('log', { name: 'Output of shell' })
    expect(log).toHaveAttribute('aria-live', 'off')
    expect(log).toHaveAttribute('tabindex', '0')
    expect(log).toHaveAttribute('dir', 'ltr')
  })

  test('[A9] shows its end, and follows what comes', () => {
    const { append, lines, scroller } = showLog(logOf(1_000))
    expect(lines().at(-1)).toBe('line 1000')

    append(numbered(1_001, 1_100))

    expect(lines().at(-1)).toBe('line 1100')
    expect(scroller.scrollTop).toBe(1_100 * 18)
  })

  test('[A9] stays where the reader scrolls, and counts what is new', () => {
    const { append, lines, scroller, scrollTo } = showLog(logOf(1_000))
    scrollTo(500 * 18)

    append(numbered(1_001, 1_128))

    expect(scroller.scrollTop).toBe(500 * 18)
    expect(lines()).toContain('line 501')
    expect(screen.getByRole('button', { name: '↓ 128 new lines' })).toBeVisible()
  })

  test('[A9] follows again when the reader returns to the end', () => {
    const { append, lines, scrollTo } = showLog(logOf(1_000))
    scrollTo(500 * 18)
    append('more\n')

    scrollTo(1_001 * 18 - 18 * 18)
    append('even more\n')

    expect(screen.queryByRole('button', { name: /new line/ })).not.toBeInTheDocument()
    expect(lines().at(-1)).toBe('even more')
  })

  test('[A9] the count of new lines leads back, and keeps the focus in the log', async () => {
    const { append, lines, scroller, scrollTo } = showLog(logOf(1_000))
    scrollTo(500 * 18)
    append('more\n')

    await userEvent.click(screen.getByRole('button', { name: '↓ 1 new line' }))

    expect(lines().at(-1)).toBe('more')
    expect(scroller).toHaveFocus()
  })

  test.each([100, 100_000, 1_000_000])('[H3] mounts no more of %i lines than can be seen', (count) => {
    const { lines } = showLog(logOf(count))

    expect(lines().length).toBeLessThan(50)
    expect(lines().at(-1)).toBe(`line ${count}`)
  })

  test('[H3] a log higher than a browser can make it is reached from its first line to its last', () => {
    const { lines, scrollTo, scroller } = showLog(logOf(1_000_000))
    const height = Number.parseFloat((scroller.firstElementChild as HTMLElement).style.blockSize)
    expect(height).toBe(8_000_000)

    scrollTo(4_000_000)
    expect(lines()).toContain('line 500010')
    scrollTo(0)
    expect(lines()[0]).toBe('line 1')
  })

  test('[H3] what is read does not move when lines go from above it', () => {
    const log = createLog({ lines: 1_000 })
    log.append(numbered(1, 1_000))
    const { append, lines, scroller, scrollTo } = showLog(log)
    scrollTo(500 * 18)

    append(numbered(1_001, 1_200))

    expect(scroller.scrollTop).toBe(300 * 18)
    fireEvent.scroll(scroller)
    expect(lines()).toContain('line 501')
    expect(screen.getByText('200 earlier lines are no longer kept')).toBeVisible()
  })

  test('[H1] of a line of megabytes only the beginning is mounted', () => {
    const log = createLog()
    log.append('x'.repeat(3_000_000))
    const { lines } = showLog(log)

    expect(lines()[0]?.length).toBeLessThan(10_100)
    expect(screen.getByText(/2,990,000 more characters/)).toBeInTheDocument()
  })

  test('[A9] "Copy" copies the whole text, without escapes and without the marks for what can not be seen', async () => {
    const user = userEvent.setup()
    const log = createLog()
    log.append(`\u001b[31mred\u001b[0m \u202Etxt\n${numbered(2, 300)}`)
    showLog(log)

    await user.click(screen.getByRole('button', { name: 'Copy' }))

    expect(await navigator.clipboard.readText()).toBe(`red \u202Etxt\n${numbered(2, 300)}`)
  })
})

function logOf(lines: number): Log {
  const log = createLog()
  log.append(numbered(1, lines))
  return log
}
