import { screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cdp, page } from 'vitest/browser'
import { ToolCallDetail, ToolCallNode } from '../../src/react/index.js'
import {
  allowedEnded,
  argumentsDiffer,
  deniedWithReason,
  terminals,
  waitingForYou,
} from '../../stories/fixtures/bus.js'
import { argumentsSoFar, callId, ended, running } from '../../stories/fixtures/calls.js'
import { runCounting, runWaiting } from '../../stories/fixtures/runs.js'
import { showCall } from '../react/showCall.js'
import { showAll } from './showAll.js'
import '../../src/styles/index.css'
import '../../.storybook/fonts.css'

const root = document.documentElement

const emulate = (features: Readonly<Record<string, string>>) =>
  cdp().send('Emulation.setEmulatedMedia', {
    features: Object.entries(features).map(([name, value]) => ({ name, value })),
  })

beforeEach(() => page.viewport(720, 900))
afterEach(async () => {
  await emulate({})
  root.removeAttribute('data-density')
})

const slot = (name: string, inside: ParentNode = document) =>
  inside.querySelector(`[data-slot="tool-call-${name}"]`) as HTMLElement

/** The box around the words of an element, wherever they are cut off. */
function wordsOf(element: Node): DOMRect {
  const range = document.createRange()
  range.selectNodeContents(element)
  return range.getBoundingClientRect()
}

describe('a node that has little room', () => {
  const inRoomFor = (width: number) => (
    <div style={{ inlineSize: width }}>
      <ToolCallNode callId={callId} />
    </div>
  )

  test('[A1] shortens the title, and neither the name nor that it waits', async () => {
    showCall(waitingForYou, inRoomFor(261.3))
    await document.fonts.ready

    const [name, title, status] = ['name', 'title', 'status-text'].map((part) => slot(part))
    expect(wordsOf(title as Node).width).toBeGreaterThan((title as HTMLElement).getBoundingClientRect().width)
    for (const whole of [name, status] as HTMLElement[])
      expect(wordsOf(whole).width).toBeLessThanOrEqual(whole.getBoundingClientRect().width)
  })

  test('[A1] shortens the name before what says that it waits', async () => {
    showCall(waitingForYou, inRoomFor(200))
    await document.fonts.ready

    const [name, status] = ['name', 'status-text'].map((part) => slot(part)) as [HTMLElement, HTMLElement]
    expect(wordsOf(name).width).toBeGreaterThan(name.getBoundingClientRect().width)
    expect(wordsOf(status).width).toBeLessThanOrEqual(status.getBoundingClientRect().width)
  })

  test.each(['ltr', 'rtl'])('[A1] leaves out the beginning of a path, and not its end, %s', async (direction) => {
    const path = '/srv/shop/packages/deployment/overlays/production/values.yaml'
    showCall(argumentsSoFar(JSON.stringify({ path })), <div dir={direction}>{inRoomFor(261)}</div>)
    await document.fonts.ready

    const title = slot('title')
    const { left, right } = title.getBoundingClientRect()
    expect(title.textContent).toBe(path)
    expect(wordsOf(title).left).toBeLessThan(left)
    expect(wordsOf(title).right).toBeLessThanOrEqual(right + 0.1)
  })
})

test.each(['comfortable', 'compact'])('[F3] marks stand at the middle of their line: %s', async (density) => {
  root.dataset.density = density
  for (const fixture of [running, ended, terminals, allowedEnded, runWaiting]) showCall(fixture)
  await document.fonts.ready

  const off = [...document.querySelectorAll('[data-slot="tool-call-shape"]')].flatMap((shape) => {
    const beside = shape.closest(
      '[data-slot$="-toggle"], [data-slot$="-line"], [data-slot$="-step"], [data-slot$="-header"]',
    )
    const walker = document.createTreeWalker(beside ?? shape, NodeFilter.SHOW_TEXT)
    const words = walker.nextNode()
    if (words === null) return []
    const [line, mark] = [wordsOf(words), shape.getBoundingClientRect()]
    const by = line.top + line.height / 2 - (mark.top + mark.height / 2)
    return Math.abs(by) > 1 ? [`${beside?.getAttribute('data-slot')} ${words.textContent}: ${by}`] : []
  })
  expect(off).toEqual([])
})

test('[D4] what was decided takes one line and no more while it is folded', () => {
  showCall(allowedEnded)

  const line = slot('approval-toggle').getBoundingClientRect()
  expect(line.height).toBe(32)
  expect(slot('approval').getBoundingClientRect().bottom).toBe(line.bottom)
})

test('[D4] below the buttons there is no room for what is not there', () => {
  showCall(
    argumentsDiffer,
    <div style={{ inlineSize: 320 }}>
      <ToolCallDetail callId={callId} />
    </div>,
  )

  const request = slot('approval')
  const last = Math.max(
    ...[...request.querySelectorAll('button')].map((button) => button.getBoundingClientRect().bottom),
  )
  expect(request.getBoundingClientRect().bottom - last).toBe(Number.parseFloat(getComputedStyle(request).paddingBottom))
})

describe('everything that takes the focus', () => {
  const stops = () =>
    [...document.querySelectorAll<HTMLElement>('button, a[href], input, select, [tabindex="0"]')].filter(
      (stop) => stop.checkVisibility({ visibilityProperty: true }) && !(stop as HTMLButtonElement).disabled,
    )

  test('[F4] shows its ring whole', async () => {
    await showAll()

    const cut = stops().flatMap((stop) => {
      stop.focus({ focusVisible: true })
      stop.scrollIntoView({ block: 'center' })
      const { outlineOffset, outlineWidth } = getComputedStyle(stop)
      const out = Number.parseFloat(outlineOffset) + Number.parseFloat(outlineWidth)
      const ring = stop.getBoundingClientRect()
      for (let box = stop.parentElement; box !== null && box !== document.body; box = box.parentElement) {
        if (getComputedStyle(box).overflowX === 'visible') continue
        const [left, top] = [
          box.getBoundingClientRect().left + box.clientLeft,
          box.getBoundingClientRect().top + box.clientTop,
        ]
        const missing = Math.max(
          left - (ring.left - out),
          top - (ring.top - out),
          ring.right + out - (left + box.clientWidth),
          ring.bottom + out - (top + box.clientHeight),
        )
        // Parts of a px come from rounding.
        if (missing > 0.6) return [`${stop.dataset.slot} in ${box.dataset.slot}: ${missing} px`]
      }
      return []
    })
    expect([...new Set(cut)]).toEqual([])
  })

  test('[F4] is at least 24 by 24 px, but for links in a line', async () => {
    await showAll()

    const small = stops().flatMap((stop) => {
      const { width, height } = stop.getBoundingClientRect()
      const isSmall = Math.min(width, height) < 24 && !stop.matches('a, [tabindex]')
      return isSmall ? [`${stop.dataset.slot} ${stop.textContent}: ${width} x ${height}`] : []
    })
    expect([...new Set(small)]).toEqual([])
  })
})

test('[F3] under forced colours nothing is painted behind the words of the first button', async () => {
  await emulate({ 'forced-colors': 'active' })
  showCall(waitingForYou)

  const words = screen.getByText('Allow once')
  expect(getComputedStyle(words).forcedColorAdjust).toBe('none')
  expect(getComputedStyle(words).color).not.toBe(getComputedStyle(words.parentElement as Element).backgroundColor)
})

test('[F3] where the reader wants less motion, counts do not glide', async () => {
  await emulate({ 'prefers-reduced-motion': 'reduce' })
  showCall(runCounting)

  expect(getComputedStyle(slot('bar'), '::before').transitionProperty).toBe('none')
})

test('[F2] a font for code draws no two characters as one in what is to be decided', () => {
  showCall(deniedWithReason)
  showCall(waitingForYou)

  for (const part of ['name', 'approval-tool', 'key', 'value'])
    expect(getComputedStyle(slot(part)).fontVariantLigatures).toBe('none')
})
