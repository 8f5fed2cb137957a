import { act, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { cdp, page, userEvent } from 'vitest/browser'
import { createLog, type Log } from '../../src/core/index.js'
import { AppendLog, type AppendLogProps } from '../../src/react/index.js'
import '../../src/styles/index.css'
import '../../.storybook/fonts.css'

const lineHeight = 18
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join('')

const frames = async (count = 2) => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => requestAnimationFrame(resolve))
}

/** Until the browser does not scroll any more. */
async function untilStill(element: Element): Promise<void> {
  for (let [top, still] = [element.scrollTop, 0]; still < 12; top = element.scrollTop) {
    await frames(1)
    still = element.scrollTop === top ? still + 1 : 0
  }
}

/** Until nothing is left to be worked off, and shown. */
const settled = async (log: Log) => {
  await waitFor(() => expect(log.pendingLength).toBe(0), { timeout: 20_000 })
  await frames(4)
}

async function showLog(log: Log, props: Partial<AppendLogProps> = {}) {
  render(
    <div style={{ width: 700 }}>
      <AppendLog log={log} name="shell" {...props} />
      <button type="button">elsewhere</button>
    </div>,
  )
  await frames()
  const scroller = screen.getByRole('log')
  const rows = () => [...scroller.querySelectorAll<HTMLElement>('[data-slot="tool-call-log-line"]')]
  /** Rows that can be seen, from the top. */
  const seen = () => {
    const box = scroller.getBoundingClientRect()
    return rows()
      .map((row) => ({ row, rect: row.getBoundingClientRect(), text: row.textContent ?? '' }))
      .filter(({ rect }) => rect.bottom > box.top + 1 && rect.top < box.bottom - 1)
      .sort((a, b) => a.rect.top - b.rect.top)
  }
  return {
    scroller,
    rows,
    seen,
    texts: () => seen().map(({ text }) => text),
    topOf: (text: string) =>
      rows()
        .find((row) => row.textContent === text)
        ?.getBoundingClientRect().top,
    append: async (text: string, position?: number) => {
      act(() => log.append(text, position))
      await settled(log)
    },
    scrollTo: async (top: number) => {
      scroller.scrollTop = top
      await frames(3)
    },
  }
}

const logOf = (count: number, options = {}) => {
  const log = createLog(options)
  log.append(numbered(1, count))
  return log
}

/** Lines as they come from a process, in chunks of some hundred. */
function longLog(count: number, text = (i: number) => `line ${i}`) {
  const log = createLog()
  for (let from = 1; from <= count; from += 500) {
    let chunk = ''
    for (let i = from; i < from + 500 && i <= count; i++) chunk += `${text(i)}\n`
    log.append(chunk)
  }
  return log
}

/** Expects each row's number to stand beside its first row of text. */
function expectNumbersBeside(scroller: Element, height = lineHeight): void {
  const numbers = scroller.querySelector('[data-slot="tool-call-log-numbers"]')?.firstChild as Text
  for (const row of scroller.querySelectorAll<HTMLElement>('[data-slot="tool-call-log-line"]')) {
    const number = row.dataset.number as string
    const at = new RegExp(`(?<!\\d)${number}(?!\\d)`).exec(numbers.data)?.index as number
    const range = document.createRange()
    range.setStart(numbers, at)
    range.setEnd(numbers, at + number.length)
    const box = range.getBoundingClientRect()
    const middle = row.getBoundingClientRect().top + height / 2
    expect(Math.abs(box.top + box.height / 2 - middle)).toBeLessThan(2)
  }
}

/** What a copy puts on the clipboard. */
function copied(element: Element): string {
  const clipboardData = new DataTransfer()
  element.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }))
  return clipboardData.getData('text/plain')
}

describe('AppendLog', () => {
  beforeEach(() => page.viewport(900, 700))
  afterEach(() => document.getSelection()?.removeAllRanges())

  test('[A9] shows its end, and follows what comes', async () => {
    const { append, texts } = await showLog(logOf(1_000))
    expect(texts().at(-1)).toBe('line 1000')

    await append(numbered(1_001, 1_100))

    expect(texts().at(-1)).toBe('line 1100')
    expect(texts()).toHaveLength(18)
  })

  test('[A9] a reader who scrolled up sees the same line at the same pixel after 10,000 more lines', async () => {
    const { append, scrollTo, seen, topOf } = await showLog(logOf(1_000))
    await scrollTo(500 * lineHeight + 7)
    const before = seen()[0]
    expect(before?.text).toBe('line 501')

    await append(numbered(1_001, 11_000))

    expect(topOf('line 501')).toBe(before?.rect.top)
    await userEvent.click(screen.getByRole('button', { name: '↓ 10,000 new lines' }))
    await frames()
    expect(seen().at(-1)?.text).toBe('line 11000')
    expect(screen.getByRole('log')).toHaveFocus()
  })

  test('[H3] a reader sees the same line at the same pixel when the oldest lines are dropped', async () => {
    const { append, scrollTo, seen, topOf } = await showLog(logOf(1_000, { lines: 1_000 }))
    await scrollTo(500 * lineHeight)
    const before = seen()[0]

    await append(numbered(1_001, 1_200))

    expect(topOf('line 501')).toBe(before?.rect.top)
    await scrollTo(0)
    expect(screen.getByText('200 earlier lines were dropped')).toBeVisible()
    expect(seen()[0]?.text).toBe('line 201')
  })

  test('[A9] while the browser scrolls for the reader nothing else does, and what is read stays where it is', async () => {
    const log = logOf(2_000, { lines: 2_000 })
    const { scroller, scrollTo, seen, topOf } = await showLog(log)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await scrollTo(18_000)
    const { text } = seen()[3] as { text: string }
    const top = topOf(text)
    const scrollTop = vi.spyOn(scroller, 'scrollTop', 'set')

    // Safari and Firefox end a smooth scroll as soon as a page sets where it is.
    for (let i = 0; i < 5; i++) {
      scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: -1 }))
      act(() => log.append(numbered(1, 10)))
      await frames(3)
    }
    expect(scrollTop).not.toHaveBeenCalled()
    expect(topOf(text)).toBe(top)

    vi.runAllTimers()
    await frames(3)
    expect(scroller.scrollTop).toBeLessThan(18_000 - 45 * lineHeight)
    expect(topOf(text)).toBe(top)
    vi.useRealTimers()
  })

  test('[A9] what the reader scrolls just when the browser has ended what it scrolled before is not taken back', async () => {
    const log = logOf(2_000, { lines: 2_000 })
    const { scroller, scrollTo, seen } = await showLog(log)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await scrollTo(18_000)
    act(() => log.append(numbered(1, 10)))
    await frames(3)

    // In the very frame, so that the browser tells of it in the next one only.
    requestAnimationFrame(() => {
      scroller.scrollTop = 0
    })
    vi.runAllTimers()
    await frames(3)

    expect(scroller.scrollTop).toBe(0)
    expect(seen()[0]?.text).toBe('line 11')
    vi.useRealTimers()
  })

  test('[B4] a chunk that comes late above what is read does not move it', async () => {
    const log = createLog()
    for (let i = 0; i < 100; i++) log.append(numbered(i * 10 + 1, i * 10 + 10), i)
    const { append, scrollTo, seen, topOf } = await showLog(log)
    await scrollTo(500 * lineHeight + 3)
    const before = seen()[0]

    await append('late\n'.repeat(40), 20.5)

    expect(topOf(before?.text ?? '')).toBe(before?.rect.top)
    await append('late, but behind\n'.repeat(40), 90.5)
    expect(topOf(before?.text ?? '')).toBe(before?.rect.top)
  })

  test('[H3] 1,000,000 lines: top, middle and end are right, with few rows mounted', async () => {
    const log = longLog(1_000_000)
    const { scroller, rows, scrollTo, texts } = await showLog(log)
    expect(texts().at(-1)).toBe('line 1000000')
    await settled(log)
    expect(scroller.scrollHeight).toBeLessThanOrEqual(8_000_000)
    expect(texts().at(-1)).toBe('line 1000000')
    expect(rows().length).toBeLessThan(60)

    await scrollTo(0)
    expect(texts()[0]).toBe('line 1')
    expect(rows().length).toBeLessThan(60)
    await scrollTo((scroller.scrollHeight - scroller.clientHeight) / 2)
    expect(texts()[0]).toMatch(/^line (499|500)\d{3}$/)
    expect(rows().length).toBeLessThan(60)
    const middle = Number(texts()[0]?.slice(5))
    await scrollTo(scroller.scrollTop + 10 * lineHeight)
    expect(texts()[0]).toBe(`line ${middle + 10}`)
    await scrollTo(scroller.scrollHeight)
    expect(texts().at(-1)).toBe('line 1000000')
    for (let i = 0; i < 40; i++) await scrollTo(scroller.scrollTop - 300)
    expect(texts()).toContain(`line ${1_000_000 - Math.floor(12_000 / lineHeight)}`)
  })

  test('[A9] steps of a wheel reach both ends of a log that is higher than an element can be', async () => {
    const log = longLog(600_000)
    const { scroller, scrollTo, texts } = await showLog(log)
    await settled(log)
    await scrollTo(2_000)
    let number = Number(texts()[0]?.slice(5))
    while (number > 1 && scroller.scrollTop > 0) {
      await scrollTo(Math.max(0, scroller.scrollTop - 540))
      const next = Number(texts()[0]?.slice(5))
      expect(number - next).toBeLessThanOrEqual(31)
      number = next
    }
    expect(texts()[0]).toBe('line 1')
    expect(scroller.scrollTop).toBe(0)
  })

  test('[A9] a selection over lines that are not mounted is copied whole, as clean text', async () => {
    const log = createLog()
    for (let i = 1; i <= 1_000; i++) log.append(`\x1b[3${i % 8}mline\x1b[0m ${i} \u202Ex\n`)
    const { scroller, rows, scrollTo } = await showLog(log)
    await scrollTo(0)
    const selection = document.getSelection() as Selection
    const row = (number: number) => rows().find(({ dataset }) => dataset.number === String(number)) as HTMLElement
    const first = row(3).querySelector('span')?.firstChild as Text
    scroller.dispatchEvent(new Event('selectstart', { bubbles: true }))
    selection.setBaseAndExtent(first, 2, first, 4)
    await frames()
    await scrollTo(600 * lineHeight)
    expect(rows().length).toBeLessThan(60)
    selection.extend(row(605).querySelector('span')?.firstChild as Text, 2)
    await frames()

    const lines = copied(scroller).split('\n')

    expect(lines).toHaveLength(603)
    expect([lines[0], lines[1], lines.at(-1)]).toEqual(['ne 3 \u202Ex', 'line 4 \u202Ex', 'li'])
    await scrollTo(300 * lineHeight)
    expect(copied(scroller).split('\n')).toHaveLength(603)
  })

  test('[A9] a selection drawn with the mouse is copied whole, with the lines that it was scrolled over', async () => {
    const { rows, scroller, seen } = await showLog(logOf(1_000))
    await act(async () => scroller.scrollTo(0, 0))
    await frames(3)
    type MouseEventType = 'mousePressed' | 'mouseMoved' | 'mouseWheel' | 'mouseReleased'
    const mouse = async (type: MouseEventType, element: Element | undefined, more: object = {}) => {
      const { left, top, height } = (element as Element).getBoundingClientRect()
      const frame = window.frameElement?.getBoundingClientRect()
      const at = { x: left + 150 + (frame?.left ?? 0), y: top + height / 2 + (frame?.top ?? 0) }
      await cdp().send('Input.dispatchMouseEvent', { type, ...at, button: 'left', buttons: 1, clickCount: 1, ...more })
      await frames(2)
    }

    await mouse('mousePressed', seen()[2]?.row)
    await mouse('mouseMoved', seen()[9]?.row)
    for (let i = 0; i < 20; i++) await mouse('mouseWheel', seen()[9]?.row, { button: 'none', deltaX: 0, deltaY: 300 })
    await waitFor(() => expect(scroller.scrollTop).toBeGreaterThan(100 * lineHeight))
    await frames(4)
    const last = seen()[9]
    await mouse('mouseMoved', last?.row)
    await mouse('mouseReleased', last?.row, { buttons: 0 })

    const number = Number(last?.text.slice(5))
    expect(number).toBeGreaterThan(100)
    expect(rows().length).toBeLessThan(60)
    const lines = copied(scroller).split('\n')
    expect(lines).toHaveLength(number - 2)
    expect(lines.slice(1)).toEqual(numbered(4, number).trimEnd().split('\n'))
  })

  test('[A9] a selection drawn out of the box goes on to the end of what is in sight, as it scrolls', async () => {
    const { scroller, seen } = await showLog(logOf(1_000))
    await act(async () => scroller.scrollTo(0, 0))
    await frames(3)
    const selection = document.getSelection() as Selection
    const select = async (node: Node, offset: number) => {
      const text = seen()[2]?.row.firstChild as Text
      act(() => selection.setBaseAndExtent(selection.anchorNode ?? text, selection.anchorOffset || 2, node, offset))
      await frames(3)
    }
    // It begins with a press, as any does.
    selection.removeAllRanges()
    seen()[2]?.row.firstChild?.dispatchEvent(new Event('selectstart', { bubbles: true }))
    await select(seen()[5]?.row.firstChild as Text, 3)

    const below = screen.getByRole('button', { name: 'elsewhere' })
    await select(below, 0)
    expect(copied(scroller)).toBe(`ne 3\n${numbered(4, 18).trimEnd()}`)
    await act(async () => scroller.scrollTo(0, 400 * lineHeight))
    await frames(3)
    await select(below, 0)
    expect(copied(scroller)).toBe(`ne 3\n${numbered(4, 418).trimEnd()}`)

    const above = screen.getByRole('group', { name: 'Output of shell' })
    await select(above, 0)
    expect(copied(scroller)).toBe(`ne 3\n${numbered(4, 400)}`)
  })

  test('[A9] Ctrl+A inside selects the whole log, and nothing else', async () => {
    const { scroller } = await showLog(logOf(5_000))
    scroller.focus()

    await userEvent.keyboard('{Control>}a{/Control}')
    await frames()

    expect(copied(scroller)).toBe(numbered(1, 5_000))
    expect(document.getSelection()?.toString()).not.toContain('elsewhere')
  })

  test('[A9] wide characters take two columns, and joining ones none', async () => {
    const log = createLog()
    log.append('日本語한글👍x|\n............x|\ne\u0301e\u0301✓→x|\n....x|\n')
    const { rows } = await showLog(log)
    await document.fonts.ready
    await frames(3)
    const left = (row: HTMLElement | undefined) => {
      const walker = document.createTreeWalker(row as Node, NodeFilter.SHOW_TEXT)
      let last = walker.nextNode() as Text
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) last = node as Text
      const range = document.createRange()
      range.setStart(last, last.data.indexOf('|'))
      range.setEnd(last, last.data.indexOf('|') + 1)
      return range.getBoundingClientRect().left
    }
    const [wide, dots, marks, fourDots] = rows()
    expect(Math.abs(left(wide) - left(dots))).toBeLessThan(0.6)
    expect(Math.abs(left(marks) - left(fourDots))).toBeLessThan(0.6)
  })

  test('[H1] of a line of a megabyte only a part is mounted, and what is searched in it is found and shown', async () => {
    const log = createLog()
    log.append(`${'x'.repeat(900_000)}needle${'y'.repeat(100_000)}\nnext\n`)
    const { scroller, rows } = await showLog(log)
    await settled(log)
    expect(rows()[0]?.textContent?.length).toBeLessThan(10_100)
    expect(screen.getByText(/990,006 more characters/)).toBeInTheDocument()

    scroller.focus()
    await userEvent.keyboard('{Control>}f{/Control}')
    await userEvent.keyboard('needle')
    await frames(3)

    expect(document.querySelector('mark')).toHaveTextContent('needle')
    expect(document.querySelector('mark')).toBeVisible()
    const box = scroller.getBoundingClientRect()
    const found = document.querySelector('mark')?.getBoundingClientRect()
    expect(found?.left).toBeGreaterThan(box.left)
    expect(found?.right).toBeLessThan(box.right)
  })

  test('[A9] the keyboard goes to the start and the end, by pages and by lines', async () => {
    const { scroller, texts } = await showLog(logOf(1_000))
    scroller.focus()

    await userEvent.keyboard('{Home}')
    await frames(3)
    expect(texts()[0]).toBe('line 1')
    await userEvent.keyboard('{PageDown}')
    await waitFor(() => expect(Number(texts()[0]?.slice(5))).toBeGreaterThan(10))
    await userEvent.keyboard('{End}')
    await frames(3)
    expect(texts().at(-1)).toBe('line 1000')
    await userEvent.keyboard('{ArrowUp}')
    await waitFor(() => expect(texts().at(-1)).not.toBe('line 1000'))
  })

  test.each([
    ['PageDown', 'Home', 0],
    ['PageDown', 'Home', 9_000],
    ['ArrowDown', 'Home', 9_000],
    ['PageUp', 'End', 9_000],
    ['ArrowUp', 'End', 9_000],
  ])(
    '[A9] while the browser still scrolls smoothly for %s, %s leads all the way, from %i px',
    async (key, next, top) => {
      const { append, scroller, scrollTo, texts } = await showLog(logOf(1_000))
      await scrollTo(top)
      scroller.focus()

      await userEvent.keyboard(`{${key}}`)
      await userEvent.keyboard(`{${next}}`)
      await untilStill(scroller)

      expect(texts()).toContain(next === 'Home' ? 'line 1' : 'line 1000')
      await append('more\n')
      expect(texts().includes('more')).toBe(next === 'End')
    },
  )

  test.each(['PageDown', 'PageUp', 'ArrowDown'])(
    '[A9] while the browser still scrolls smoothly for %s, a match that the reader goes to ends in the middle',
    async (key) => {
      const { scroller, scrollTo, topOf } = await showLog(logOf(1_000))
      const middle = () => {
        const { top, height } = scroller.getBoundingClientRect()
        return top + (height - lineHeight) / 2
      }
      scroller.focus()
      await userEvent.keyboard('{Control>}f{/Control}')
      await userEvent.keyboard('line 7')
      await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('1 of 111'))
      await untilStill(scroller)

      await scrollTo(9_000)
      scroller.focus()
      await userEvent.keyboard(`{${key}}`)
      act(() => screen.getByRole('button', { name: 'Next match' }).click())
      await untilStill(scroller)

      expect(Math.abs((topOf('line 70') as number) - middle())).toBeLessThan(2)

      scroller.focus()
      await userEvent.keyboard(`{${key}}`)
      await userEvent.fill(screen.getByRole('textbox'), 'line 300')
      await untilStill(scroller)

      expect(Math.abs((topOf('line 300') as number) - middle())).toBeLessThan(2)
    },
  )

  test('[A9] of Home and End pressed in a row the last one counts', async () => {
    const { scroller, texts } = await showLog(logOf(1_000))
    scroller.focus()

    await userEvent.keyboard('{Home}{End}{Home}')
    await frames(4)
    expect(texts()[0]).toBe('line 1')

    await userEvent.keyboard('{End}{Home}{End}')
    await frames(4)
    expect(texts().at(-1)).toBe('line 1000')
  })

  test('[A9] Home leads to the beginning also while the browser still tells of an earlier scroll', async () => {
    const { scroller, texts } = await showLog(logOf(500))
    act(() => void scroller.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', bubbles: true })))
    scroller.dispatchEvent(new Event('scroll'))
    await frames(3)
    expect(texts()[0]).toBe('line 1')
    scroller.dispatchEvent(new KeyboardEvent('keydown', { key: 'End', bubbles: true }))
    scroller.dispatchEvent(new Event('scroll'))
    await frames(3)
    expect(texts().at(-1)).toBe('line 500')
  })

  test('[A9] wrapped lines stand below each other, and are followed', async () => {
    const log = createLog()
    for (let i = 0; i < 400; i++) log.append(`${i} ${'word '.repeat(i % 60)}end ${i}\n`)
    const { append, rows, scroller, scrollTo, seen } = await showLog(log, { defaultWrapped: true })
    const checked = () => {
      const all = rows()
        .map((row) => row.getBoundingClientRect())
        .sort((a, b) => a.top - b.top)
      for (const [i, rect] of all.slice(1).entries()) {
        expect(Math.abs(rect.top - (all[i]?.bottom ?? 0))).toBeLessThan(1)
      }
    }
    checked()
    expect(seen().at(-1)?.text).toContain('end 399')
    await append('more\n')
    checked()
    expect(seen().at(-1)?.text).toBe('more')
    await scrollTo(0)
    checked()
    expect(seen()[0]?.text).toContain('end 0')
    for (let i = 0; i < 10; i++) {
      await scrollTo(scroller.scrollTop + 250)
      checked()
    }
    const before = seen()[1]
    await append(numbered(1, 1_000))
    expect(before?.row.getBoundingClientRect().top).toBe(before?.rect.top)
    await scrollTo(scroller.scrollHeight)
    expect(seen().at(-1)?.text).toBe('line 1000')
    checked()
  })

  test('[A13] numbers stand beside their lines where these wrap, and below the hole before them', async () => {
    const log = createLog()
    for (let i = 0; i < 200; i++) log.append(`${i} ${'word '.repeat((i * 7) % 60)}end\n`, i)
    log.setGaps([
      { before: 60, count: 3 },
      { before: 196, count: 2 },
    ])
    const { rows, scroller, scrollTo } = await showLog(log, { defaultWrapped: true })
    await settled(log)
    const noteAbove = (number: number) => {
      const top = rows()
        .find(({ dataset }) => dataset.number === String(number))
        ?.getBoundingClientRect().top
      const notes = [...scroller.querySelectorAll('[data-slot="tool-call-log-note"]')]
      return notes.filter((note) => Math.abs(note.getBoundingClientRect().bottom - (top as number)) < 1)
    }
    expectNumbersBeside(scroller)
    expect(noteAbove(197)).toHaveLength(1)
    for (let i = 0; i < 400 && noteAbove(61).length === 0; i++) {
      await scrollTo(scroller.scrollTop - 120)
      expectNumbersBeside(scroller)
    }
    expect(noteAbove(61)[0]).toHaveTextContent('3')
  })

  test.each([
    ['the font', { '--tcd-text-sm': '15px' }],
    ['the font, to a smaller one,', { '--tcd-text-sm': '9px' }],
    ['the font’s family', { '--tcd-font-mono': 'sans-serif' }],
    ['the density', { 'data-density': 'compact' }],
    ['the height of a row', { lineHeight: 26 }],
    ['the width', { width: 450 }],
  ] as const)('[A9] where lines wrap, the reader’s place stays when %s changes', async (_, change) => {
    const log = createLog()
    for (let i = 0; i < 300; i++) log.append(`${i} ${`${i}word `.repeat((i * 37) % 400)}end ${i}\n`)
    const {
      'data-density': density,
      lineHeight: other = lineHeight,
      ...style
    } = change as Record<string, string | number> & { readonly lineHeight?: number }
    const box = (isChanged: boolean) => (
      <div style={{ width: 700, ...(isChanged && style) }} data-density={isChanged ? density : undefined}>
        <AppendLog log={log} defaultWrapped lineHeight={isChanged ? other : lineHeight} />
      </div>
    )
    const { rerender } = render(box(false))
    await settled(log)
    const scroller = screen.getByRole('log')
    /** The word at the top of what is in sight. */
    const firstWord = () => {
      const { left, top } = scroller.getBoundingClientRect()
      const at = document.caretPositionFromPoint(left + 80, top + 9) as CaretPosition
      return [(at.offsetNode as Text).data, at.offset] as const
    }
    const atEnd = () => {
      const last = scroller.querySelector('[data-number="300"]') as Element
      return Math.abs(last.getBoundingClientRect().bottom - scroller.getBoundingClientRect().bottom)
    }
    expect(atEnd()).toBeLessThan(2)

    rerender(box(true))
    await frames(6)
    expect(atEnd()).toBeLessThan(2)
    expectNumbersBeside(scroller, other)

    rerender(box(false))
    await frames(6)
    scroller.scrollTop = scroller.scrollHeight / 2
    await frames(6)
    while (firstWord()[1] < 1_500) {
      scroller.scrollTop += 5 * lineHeight
      await frames(3)
    }
    const [line, place] = firstWord()

    rerender(box(true))
    await frames(6)
    expectNumbersBeside(scroller, other)
    const [lineAfter, placeAfter] = firstWord()
    expect(lineAfter).toBe(line)
    expect(Math.abs(placeAfter - place)).toBeLessThan(120)
  })

  test('[A9] another log in the place of one that was scrolled sideways begins at its lines’ beginning', async () => {
    const wide = () => longLog(50, (i) => `${i} ${'wide '.repeat(200)}`)
    const { rerender } = render(<AppendLog log={wide()} />)
    await frames(3)
    const scroller = screen.getByRole('log')
    scroller.scrollLeft = 300
    await frames(3)

    rerender(<AppendLog log={wide()} />)
    await frames(3)

    expect(scroller.scrollLeft).toBe(0)
  })

  test('[A9] output begins on the left also where the lines around it begin on the right', async () => {
    const { rows, scroller } = await showLog(logOf(1), { style: { textAlign: 'right' }, lineNumbers: false })
    const text = document.createRange()
    text.selectNodeContents(rows()[0] as HTMLElement)

    expect(text.getBoundingClientRect().left - scroller.getBoundingClientRect().left).toBeLessThan(20)
  })

  test('[A9] the bar of a narrow log stands in one row', async () => {
    const { scroller } = await showLog(logOf(12_345), { style: { inlineSize: 232 } })
    const tops = [...(scroller.parentElement?.querySelectorAll('button') ?? [])].map(
      (button) => button.getBoundingClientRect().top,
    )
    expect(tops).toHaveLength(4)
    expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(2)
  })

  test.each([0.4, 2])(
    '[A9] what is found far to the right comes into view where all is shown at %f times its size',
    async (scale) => {
      const log = createLog()
      log.append(`${'x'.repeat(3_000)}needle${'y'.repeat(3_000)}\n`)
      render(
        <div style={{ width: 700, transform: `scale(${scale})`, transformOrigin: '0 0' }}>
          <AppendLog log={log} />
        </div>,
      )
      await userEvent.click(screen.getByRole('button', { name: 'Search' }))
      await userEvent.fill(screen.getByRole('textbox'), 'needle')

      await waitFor(() => {
        const found = document.querySelector('mark')?.getBoundingClientRect() as DOMRect
        const box = screen.getByRole('log').getBoundingClientRect()
        expect(found.left).toBeGreaterThan(box.left)
        expect(found.right).toBeLessThan(box.right)
      })
    },
  )

  test('[A9] what is searched for is counted in the whole log, gone through and shown', async () => {
    const { scroller, texts } = await showLog(logOf(10_000))
    scroller.focus()
    await userEvent.keyboard('{Control>}f{/Control}')
    await userEvent.keyboard('line 77')
    await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('of 111'))

    await userEvent.keyboard('{Enter}')
    await frames(3)
    expect(screen.getByRole('status')).toHaveTextContent('2 of 111')
    expect(texts()).toContain('line 770')
    expect(document.querySelector('mark[data-current]')?.parentElement).toHaveTextContent('line 770')

    await userEvent.click(screen.getByRole('button', { name: 'Regular expression' }))
    await userEvent.fill(screen.getByRole('textbox'), '^line 9+$')
    await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('of 4'))
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('search')).not.toBeInTheDocument()
    expect(scroller).toHaveFocus()
  })
})
