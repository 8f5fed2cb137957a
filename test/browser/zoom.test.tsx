import { screen } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ar, es, ru, zhCN } from '../../src/messages/index.js'
import { ToolCallDetail, ToolCallGroup, ToolCallNode } from '../../src/react/index.js'
import { manyRequests, sideBySide, sideBySideIds, subAgentAsks } from '../../stories/fixtures/bus.js'
import { callId, running } from '../../stories/fixtures/calls.js'
import { showCall } from '../react/showCall.js'
import { showAll } from './showAll.js'
import '../../src/styles/index.css'
import '../../.storybook/fonts.css'

const root = document.documentElement

/** What is seen in part only, and is not meant to be: it neither scrolls nor ends with an ellipsis. */
function cutOff(): readonly string[] {
  return [...document.querySelectorAll<HTMLElement>('[data-slot^="tool-call-"]')]
    .filter((element) => element.checkVisibility() && element.closest('[data-slot="tool-call-announcements"]') === null)
    .filter((element) => {
      const { overflowX, overflowY, textOverflow } = getComputedStyle(element)
      const isCutX = /hidden|clip/.test(overflowX) && element.scrollWidth > element.clientWidth + 1
      const isCutY = /hidden|clip/.test(overflowY) && element.scrollHeight > element.clientHeight + 1
      return (isCutX && textOverflow !== 'ellipsis') || isCutY
    })
    .map(({ dataset, scrollWidth, clientWidth, scrollHeight, clientHeight, textContent }) =>
      [
        dataset.slot,
        `${scrollWidth}x${scrollHeight} in ${clientWidth}x${clientHeight}`,
        textContent?.slice(0, 60),
      ].join(' '),
    )
}

/** Buttons whose words stand out of them. */
function tooSmall(): readonly string[] {
  return [...document.querySelectorAll('button')]
    .filter((button) => button.checkVisibility() && button.scrollWidth > button.clientWidth + 1)
    .map(({ dataset, textContent }) => `${dataset.slot} ${textContent}`)
}

afterEach(() => root.removeAttribute('style'))

describe('nothing is cut off, and nobody has to scroll sideways', () => {
  test.each([
    ['at 200 %', 1280, () => (root.style.zoom = '2')],
    [
      'where words alone are twice as large',
      640,
      () => {
        for (const [token, size] of Object.entries({ xs: 22, sm: 24, md: 26 }))
          root.style.setProperty(`--tcd-text-${token}`, `${size}px`)
        root.style.setProperty('--tcd-line-height', '40px')
      },
    ],
    ['at 400 % of a screen that is 1280 px wide', 320, () => {}],
  ])('[F4] %s', async (_, width, prepare) => {
    await page.viewport(width, 900)
    prepare()

    await showAll()

    expect(cutOff()).toEqual([])
    expect(tooSmall()).toEqual([])
    expect(root.scrollWidth).toBeLessThanOrEqual(root.clientWidth)
  })
})

test('[F4] counts that take two rows begin both where the first one does', async () => {
  await page.viewport(320, 900)

  showCall(
    subAgentAsks,
    <div style={{ inlineSize: 190 }}>
      <ToolCallDetail callId={callId} />
    </div>,
  )

  const [counts] = document.querySelectorAll('[data-slot="tool-call-counts"]')
  const lefts = new Map<number, number>()
  for (const count of counts?.children ?? []) {
    const { left, top } = count.getBoundingClientRect()
    lefts.set(top, Math.min(left, lefts.get(top) ?? left))
  }
  expect([...lefts.values()]).toEqual([counts?.getBoundingClientRect().left, counts?.getBoundingClientRect().left])
})

/** Also by less than a pixel, for which there is an ellipsis, too. */
function isCut(element: Element): boolean {
  const range = document.createRange()
  range.selectNodeContents(element)
  const { paddingInlineStart, paddingInlineEnd, borderInlineStartWidth, borderInlineEndWidth } =
    getComputedStyle(element)
  const around = [paddingInlineStart, paddingInlineEnd, borderInlineStartWidth, borderInlineEndWidth]
  const room = element.getBoundingClientRect().width - around.reduce((sum, each) => sum + Number.parseFloat(each), 0)
  return range.getBoundingClientRect().width > room + 0.01
}

test.each(Object.entries({ en: {}, ar, es, ru, zhCN }))(
  '[D4] in a narrow line the status of a call is whole, and the title gives way before the name: %s',
  async (locale, messages) => {
    await page.viewport(320, 900)
    const dir = locale === 'ar' ? 'rtl' : 'ltr'

    showCall(
      manyRequests(2),
      <div dir={dir} style={{ padding: 12 }}>
        <ToolCallGroup callIds={['call-1', 'call-2']} />
      </div>,
      { locale: locale.slice(0, 2), messages },
    )
    await document.fonts.ready

    const lines = screen.getAllByRole('listitem')
    expect(lines).toHaveLength(2)
    for (const line of lines) {
      const part = (slot: string) => line.querySelector(`[data-slot="tool-call-${slot}"]`) as HTMLElement
      expect(isCut(part('status-text'))).toBe(false)
      expect(isCut(part('title'))).toBe(true)
      expect(isCut(part('name')) && part('title').getBoundingClientRect().width > 0.1).toBe(false)
    }
  },
)

test('[A1] in a line that is a little too narrow only the title is cut', async () => {
  await page.viewport(320, 900)

  showCall(running, <ToolCallNode callId={callId} />)
  await document.fonts.ready

  expect(isCut(document.querySelector('[data-slot="tool-call-title"]') as Element)).toBe(true)
  expect(isCut(document.querySelector('[data-slot="tool-call-name"]') as Element)).toBe(false)
})

test.each(['ltr', 'rtl'])('[D5] counts in a row of their own begin where their heading does: %s', async (dir) => {
  await page.viewport(320, 900)

  showCall(
    sideBySide,
    <div dir={dir} style={{ inlineSize: 170 }}>
      <ToolCallGroup callIds={sideBySideIds} />
    </div>,
  )
  showCall(
    subAgentAsks,
    <div dir={dir} style={{ inlineSize: 190 }}>
      <ToolCallDetail callId={callId} />
    </div>,
  )
  await document.fonts.ready

  for (const slot of ['group', 'children']) {
    const toggle = document.querySelector(`[data-slot="tool-call-${slot}-toggle"]`) as HTMLElement
    const label = toggle.children[1]?.getBoundingClientRect() as DOMRect
    const counts = toggle.children[2]?.getBoundingClientRect() as DOMRect
    expect(counts.top).toBeGreaterThan(label.top + 5)
    expect(dir === 'ltr' ? counts.left : counts.right).toBe(dir === 'ltr' ? label.left : label.right)
  }
})
