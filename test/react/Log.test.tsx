import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { Activity, StrictMode } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { createLog, type Log } from '../../src/core/index.js'
import { ru, zhCN } from '../../src/messages/index.js'
import { AppendLog, type AppendLogProps, ToolCall } from '../../src/react/index.js'
import { callId, running } from '../../stories/fixtures/calls.js'
import { showCall } from './showCall.js'

// There is no layout here, and the box is as high as its option says; what depends on one is tested in a browser.

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join('')

const logOf = (...chunks: string[]): Log => {
  const log = createLog()
  for (const chunk of chunks) log.append(chunk)
  return log
}

function showLog(log: Log, props: Partial<AppendLogProps> = {}) {
  const result = render(<AppendLog log={log} name="shell" {...props} />)
  const scroller = screen.getByRole('log')
  return {
    ...result,
    scroller,
    append: async (text: string, position?: number) => {
      act(() => log.append(text, position))
      await act(() => new Promise((resolve) => requestAnimationFrame(resolve)))
    },
    scrollTo: async (top: number) => {
      scroller.scrollTop = top
      fireEvent.scroll(scroller)
      await act(() => new Promise((resolve) => requestAnimationFrame(resolve)))
    },
    lines: () => [...scroller.querySelectorAll('[data-number]')].map((line) => line.textContent),
    line: (number: number) => scroller.querySelector(`[data-number="${number}"]`) as HTMLElement,
  }
}

describe('ToolCall.Log', () => {
  test('[A9] is a log that does not speak, with the name of its tool, in the language of its provider', () => {
    const place = (
      <ToolCall.Root callId={callId} aria-label="Area">
        <ToolCall.Log log={logOf('one\n')} name="shell" />
      </ToolCall.Root>
    )
    showCall(running, place, { locale: 'ru', messages: ru })

    const log = screen.getByRole('log', { name: 'Вывод shell' })
    expect(log).toHaveAttribute('aria-live', 'off')
    expect(log).toHaveAttribute('tabindex', '0')
    expect(log).toHaveAttribute('dir', 'ltr')
  })
})

describe('AppendLog', () => {
  test('[A9] works alone, in English or with the words it is given', async () => {
    const { rerender } = showLog(logOf('one\ntwo\n'))
    expect(screen.getByText('2 lines')).toBeVisible()

    rerender(<AppendLog log={logOf('one\n')} messages={zhCN} />)

    expect(await screen.findByText('1 行')).toBeVisible()
    expect(screen.getByRole('button', { name: '搜索' })).toBeVisible()
  })

  test('[A9] shows its end, and follows what comes', async () => {
    const { append, lines } = showLog(logOf(numbered(1, 1_000)))
    expect(lines().at(-1)).toBe('line 1000')

    await append(numbered(1_001, 1_100))

    expect(lines().at(-1)).toBe('line 1100')
    expect(screen.getByText('1,100 lines')).toBeVisible()
  })

  test('[A9] stays where the reader scrolls, counts what is new, and leads back', async () => {
    const { append, lines, scroller, scrollTo } = showLog(logOf(numbered(1, 1_000)))
    await scrollTo(500 * 18)

    await append(numbered(1_001, 1_128))

    expect(lines()).toContain('line 501')
    await userEvent.click(screen.getByRole('button', { name: '↓ 128 new lines' }))
    await waitFor(() => expect(lines().at(-1)).toBe('line 1128'))
    expect(screen.queryByRole('button', { name: /new line/ })).not.toBeInTheDocument()
    expect(scroller).toHaveFocus()
  })

  test('[A9] follows again when the reader returns to the end', async () => {
    const { append, lines, scrollTo } = showLog(logOf(numbered(1, 1_000)))
    await scrollTo(500 * 18)
    await append('more\n')

    await scrollTo(1_001 * 18 - 18 * 18)
    await append('even more\n')

    expect(screen.queryByRole('button', { name: /new line/ })).not.toBeInTheDocument()
    expect(lines().at(-1)).toBe('even more')
  })

  test.each([
    ['the wheel', (log: HTMLElement) => fireEvent.wheel(log, { deltaY: -1 })],
    ['the arrow up', (log: HTMLElement) => fireEvent.keyDown(log, { key: 'ArrowUp' })],
    ['Page Up', (log: HTMLElement) => fireEvent.keyDown(log, { key: 'PageUp' })],
    ['Home', (log: HTMLElement) => fireEvent.keyDown(log, { key: 'Home' })],
  ])('[A9] %s stops it from following, End starts it again', async (_, act1) => {
    const { append, lines, scroller } = showLog(logOf(numbered(1, 1_000)))

    act1(scroller)
    await append(numbered(1_001, 1_010))
    expect(screen.getByRole('button', { name: '↓ 10 new lines' })).toBeVisible()

    fireEvent.keyDown(scroller, { key: 'End' })
    await waitFor(() => expect(lines().at(-1)).toBe('line 1010'))
  })

  test('[H3] dropped lines are said in their place', async () => {
    const log = createLog({ lines: 100 })
    log.append(numbered(1, 912))
    const { lines, scroller } = showLog(log)
    fireEvent.keyDown(scroller, { key: 'Home' })

    await waitFor(() => expect(screen.getByText('812 earlier lines were dropped')).toBeVisible())
    expect(lines()[0]).toBe('line 813')
  })

  test('[A13] a hole that is known is one quiet line in its place, once it may be told', () => {
    const log = createLog()
    log.append('one\n', 1)
    log.append('two\n', 5)
    log.setGaps([{ before: 5, count: 3, visibleAt: 10_000 }])
    const { rerender } = showLog(log, { gapsUntil: 9_999 })
    expect(screen.queryByText('numbering skips 3')).not.toBeInTheDocument()

    rerender(<AppendLog log={log} gapsUntil={10_000} />)

    const note = screen.getByText('numbering skips 3')
    const rooms = [...document.querySelectorAll<HTMLElement>('[data-number]')].map(({ style }) => style.marginTop)
    expect([note.style.top, ...rooms]).toEqual(['18px', '', '18px'])
  })

  test('[A13] what is said of a hole goes with its log, and is said once in what React mounts twice', async () => {
    const log = createLog()
    log.append('one\n', 1)
    log.append('two\n', 5)
    log.setGaps([{ before: 5, count: 3 }])
    const { rerender } = render(<AppendLog log={log} />, { wrapper: StrictMode })
    expect(await screen.findByText('numbering skips 3')).toBeVisible()

    rerender(<AppendLog log={logOf('other\n')} />)

    expect(await screen.findByText('other')).toBeVisible()
    expect(screen.queryByText('numbering skips 3')).not.toBeInTheDocument()
  })

  test('[A9] what a full-screen program drew, and what came too late, is said', () => {
    const log = createLog({ lines: 1 })
    log.append('\x1b[?1049h12345\x1b[?1049l')
    log.append(numbered(1, 30_000), 1)
    log.append(numbered(1, 30_000), 2)
    log.finish()
    log.append('late', 0)
    showLog(log)

    expect(screen.getByText(/drew 5 characters, which are not shown/)).toBeVisible()
    expect(screen.getByText(/1 piece of output came too late/)).toBeVisible()
  })

  test('[A9] text has the colours and styles that were asked for, of the theme or its own', () => {
    const { line } = showLog(
      logOf('\x1b[31mred\x1b[0m \x1b[1;92mbold\x1b[0m \x1b[38;5;208mpalette\x1b[0m \x1b[48;2;1;2;3;7mswapped'),
    )
    const styleOf = (text: string) =>
      [...line(1).querySelectorAll('span')].find((span) => span.textContent === text)?.getAttribute('style')

    expect(styleOf('red')).toBe('color: var(--tcd-log-red);')
    expect(styleOf('bold')).toBe('color: var(--tcd-log-bright-green); font-weight: 700;')
    expect(styleOf('palette')).toMatch(/^color: rgb\(255,? 135,? 0\);$/)
    expect(styleOf('swapped')).toMatch(
      /^color: (#010203|rgb\(1, 2, 3\)); background-color: var\(--tcd-color-log-ink\);$/,
    )
  })

  test('[H2] a link is one if its target may be, which is shown; whatever else is text', () => {
    const link = (target: string, text: string) => `\x1b]8;;${target}\x07${text}\x1b]8;;\x07\n`
    showLog(
      logOf(
        link('https://example.org/a', 'good'),
        link('javascript:alert(1)', 'bad'),
        link('https://user@example.org', 'worse'),
        '<img src=x onerror=alert(1)>\n',
      ),
    )

    const good = screen.getByRole('link', { name: 'good' })
    expect(good).toHaveAttribute('href', 'https://example.org/a')
    expect(good).toHaveAttribute('rel', 'noopener noreferrer nofollow')
    expect(good).toHaveAttribute('title', 'https://example.org/a')
    expect(screen.getAllByRole('link')).toHaveLength(1)
    expect(document.querySelector('img')).toBeNull()
    act(() => good.focus())
    expect(screen.getByText('https://example.org/a')).toBeVisible()
    act(() => good.blur())
    expect(screen.queryByText('https://example.org/a')).not.toBeInTheDocument()
  })

  test('[H2] characters that can not be seen are marked, and copied as they are', async () => {
    const user = userEvent.setup()
    const { line } = showLog(logOf(`\u001b[31mred\u001b[0m \u202Etxt\n${numbered(2, 300)}`))
    fireEvent.keyDown(screen.getByRole('log'), { key: 'Home' })
    await waitFor(() => expect(line(1)).toHaveTextContent('red U+202Etxt'))

    await user.click(screen.getByRole('button', { name: /^Copy:/ }))

    expect(await navigator.clipboard.readText()).toBe(`red \u202Etxt\n${numbered(2, 300)}`)
  })

  test('[A9] "Save" gives the whole text as a file', async () => {
    const blobs: Blob[] = []
    const names: string[] = []
    vi.stubGlobal(
      'URL',
      Object.assign(URL, { createObjectURL: (blob: Blob) => (blobs.push(blob), 'blob:x'), revokeObjectURL: () => {} }),
    )
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download)
    })
    showLog(logOf('one\n\x1b[31mtwo\x1b[0m\n'), { name: '../sh ell' })

    await userEvent.click(screen.getByRole('button', { name: 'Save' }))

    expect(await blobs[0]?.text()).toBe('one\ntwo\n')
    expect(names).toEqual(['..-sh-ell.txt'])
    vi.unstubAllGlobals()
  })

  test('[A9] the search is opened by Ctrl+F or its button, says what is no expression, and closes with Escape', async () => {
    const user = userEvent.setup()
    const { scroller } = showLog(logOf(numbered(1, 30)))
    scroller.focus()
    await user.keyboard('{Control>}f{/Control}')
    const field = screen.getByRole('textbox', { name: 'Search the output' })
    expect(field).toHaveFocus()

    await user.keyboard('LINE 2')
    await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('2 of 11'))
    await user.click(screen.getByRole('button', { name: 'Match case' }))
    await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('No matches'))
    await user.click(screen.getByRole('button', { name: 'Regular expression' }))
    await user.type(field, '(')
    expect(screen.getByRole('status')).toHaveTextContent('Not a regular expression')

    await user.keyboard('{Escape}')
    expect(screen.queryByRole('search')).not.toBeInTheDocument()
    expect(scroller).toHaveFocus()
    await user.click(screen.getByRole('button', { name: 'Search' }))
    expect(screen.getByRole('search')).toBeVisible()
  })

  test('[A9] lines wrap on demand, have numbers, and times where the host knows them', async () => {
    const { container, line } = showLog(logOf('one\n'), {
      heading: '$ npm run build',
      timeOf: (number) => `12:00:0${number}`,
    })
    expect(line(1)).toHaveAttribute('data-time', '12:00:01')
    expect(screen.getByText('$ npm run build')).toBeVisible()
    expect(container.firstChild).not.toHaveAttribute('data-wrapped')

    await userEvent.click(screen.getByRole('button', { name: 'Wrap' }))

    expect(container.firstChild).toHaveAttribute('data-wrapped')
    expect(screen.getByRole('button', { name: 'Wrap' })).toHaveAttribute('aria-pressed', 'true')
  })

  test('[F2] a host’s function for the times that throws costs the times, and nothing else', () => {
    const timeOf = () => {
      throw new Error('mine')
    }
    const { line } = showLog(logOf('one\n'), { timeOf })

    expect(line(1)).toHaveTextContent('one')
    expect(line(1)).not.toHaveAttribute('data-time')
  })

  test('[A9] numbers and the count of lines come when the host asks for them later, where the reader is', async () => {
    const log = logOf(numbered(1, 1_000))
    const { rerender, scrollTo, line } = showLog(log, { lineNumbers: false, heading: '$ npm run build' })
    await scrollTo(500 * 18)

    rerender(<AppendLog log={log} />)

    expect(screen.getByText('1,000 lines')).toBeVisible()
    expect(document.querySelector('[data-slot="tool-call-log-numbers"]')).toHaveTextContent(/501 502 503/)
    expect(line(501)).toBeVisible()
    expect(screen.getByRole('log').scrollTop).toBe(500 * 18)
  })

  test('[A9] stays where the reader is while it is hidden, and counts what comes', async () => {
    const log = logOf(numbered(1, 1_000))
    let mode: 'visible' | 'hidden' = 'visible'
    const place = () => (
      <Activity mode={mode}>
        <AppendLog log={log} />
      </Activity>
    )
    const { rerender } = render(place())
    const scroller = screen.getByRole('log')
    scroller.scrollTop = 500 * 18
    fireEvent.scroll(scroller)

    mode = 'hidden'
    rerender(place())
    log.append(numbered(1_001, 1_010))
    mode = 'visible'
    rerender(place())

    expect(await screen.findByRole('button', { name: '↓ 10 new lines' })).toBeVisible()
    expect(scroller.querySelector('[data-number="501"]')).toBeVisible()
  })

  test('[A9] the keys that end a composition neither step on in a search nor close it', () => {
    showLog(logOf('one\none\n'))
    fireEvent.click(screen.getByRole('button', { name: 'Search' }))
    const field = screen.getByRole('textbox')
    fireEvent.change(field, { target: { value: 'one' } })
    expect(screen.getByRole('status')).toHaveTextContent('1 of 2')

    fireEvent.keyDown(field, { key: 'Enter', isComposing: true })
    fireEvent.keyDown(field, { key: 'Escape', isComposing: true })

    expect(screen.getByRole('status')).toHaveTextContent('1 of 2')
  })

  test('[A9] a search is over when there is another log', async () => {
    const { rerender, scroller } = showLog(logOf('one\n'))
    await userEvent.click(screen.getByRole('button', { name: 'Search' }))
    await userEvent.keyboard('one')

    rerender(<AppendLog log={logOf('one\none\n')} />)

    expect(screen.queryByRole('search')).not.toBeInTheDocument()
    expect(scroller).toHaveFocus()
  })

  test('[B4] the part of a long line that a match has brought into view stays with its line when late output comes above', async () => {
    const log = createLog()
    const long = `${'x'.repeat(20_000)}needle${'y'.repeat(20_000)}\n`
    log.append('first\n', 1)
    log.append(long, 2)
    log.append(long.replace('needle', 'thimble'), 3)
    const { append, line } = showLog(log)
    await userEvent.click(screen.getByRole('button', { name: 'Search' }))
    await userEvent.keyboard('needle')
    await waitFor(() => expect(line(2).querySelector('mark[data-current]')).toHaveTextContent('needle'))

    await append('late\n', 1.5)

    expect(line(2)).toHaveTextContent('late')
    await waitFor(() => expect(line(3).querySelector('mark[data-current]')).toHaveTextContent('needle'))
    expect(line(3)).toHaveTextContent(/^19,000 more characters … x{1000}needley+ … /)
    expect(line(4)).toHaveTextContent(/^x{10000} … /)
  })

  test('[B4] a long line that is drawn again and short then is shown from its beginning', async () => {
    const { append, line } = showLog(logOf('first\n', `${'x'.repeat(20_000)}needle`))
    await userEvent.click(screen.getByRole('button', { name: 'Search' }))
    await userEvent.keyboard('needle')
    await waitFor(() => expect(line(2).querySelector('mark[data-current]')).toHaveTextContent('needle'))

    await append('\r\u001B[Kshort')

    await waitFor(() => expect(line(2)).toHaveTextContent(/^short$/))
  })

  test.each([3_000, 9_000, 15_000])(
    '[A9] the match that the reader is at is marked, however many are before it in its line: %i',
    async (count) => {
      const { line } = showLog(logOf(`${'ab'.repeat(count)}ab\nlast\n`))
      await userEvent.click(screen.getByRole('button', { name: 'Search' }))
      await userEvent.keyboard('ab')
      await userEvent.keyboard('{Shift>}{Enter}{/Shift}')

      await waitFor(() => expect(line(1).querySelectorAll('mark[data-current]')).toHaveLength(1))
      const marks = [...line(1).querySelectorAll('mark')]
      expect(marks.at(-1)).toHaveAttribute('data-current')
      expect(marks.every(({ textContent }) => textContent === 'ab')).toBe(true)
    },
  )

  test('[A9] a screen reader hears what the reader looked for, and not each match that comes', async () => {
    const { append } = showLog(logOf('one\none\n'))
    await userEvent.click(screen.getByRole('button', { name: 'Search' }))
    await userEvent.keyboard('one')
    const status = screen.getByRole('status')
    expect(status).toHaveTextContent('1 of 2')
    let heard: string[] = []
    const observer = new MutationObserver(() => heard.push(status.textContent))
    observer.observe(status, { childList: true, characterData: true, subtree: true })

    for (let round = 0; round < 3; round++) await append('one\n')
    await waitFor(() => expect(screen.getByText('1 of 5')).toBeVisible())
    expect(heard.filter((text) => text !== '')).toEqual([])

    heard = []
    await userEvent.keyboard('{Enter}')
    expect(heard).toEqual(['2 of 5'])
    observer.disconnect()
  })

  test.each([100, 100_000, 1_000_000])('[H3] mounts no more of %i lines than can be seen', async (count) => {
    const { lines } = showLog(logOf(numbered(1, count)))

    expect(lines().length).toBeLessThan(60)
    await waitFor(() => expect(lines().at(-1)).toBe(`line ${count}`), { timeout: 10_000 })
    expect(lines().length).toBeLessThan(60)
  })

  test('[A9] a log that is gone lets go of everything', async () => {
    const log = logOf('one\n')
    const { unmount } = showLog(log)

    unmount()

    expect(() => log.append('two\n')).not.toThrow()
    await act(() => new Promise((resolve) => requestAnimationFrame(resolve)))
  })
})
