import { act } from '@testing-library/react'
import { type ReactElement, StrictMode } from 'react'
import { createPortal } from 'react-dom'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { cdp, page } from 'vitest/browser'
import { createLog } from '../../src/core/index.js'
import { AppendLog, ApprovalQueue, ReplayBar, ToolCallDetail, ToolCallProvider } from '../../src/react/index.js'
import { createPlayer } from '../../src/replay/index.js'
import css from '../../src/styles/index.css?inline'
import { manyRequests, waitingForYou } from '../../stories/fixtures/bus.js'
import { callId, returned } from '../../stories/fixtures/calls.js'
import { runCommitted } from '../../stories/fixtures/runs.js'
import type { Fixture } from '../../stories/fixtures/storeOf.js'
import { showCall } from '../react/showCall.js'

const places: HTMLElement[] = []

/** Where a host may show things that is not the page itself, and as high as that. */
function placeIn(kind: 'frame' | 'shadow root', height = 600) {
  const host = document.createElement(kind === 'frame' ? 'iframe' : 'div')
  host.style.cssText = `border: 0; display: block; height: ${height}px; overflow: auto; width: 800px`
  document.body.append(host)
  places.push(host)
  const root = document.createElement('div')
  const style = document.createElement('style')
  style.textContent = css
  const inside = host instanceof HTMLIFrameElement ? (host.contentDocument as Document).body : null
  ;(inside ?? host.attachShadow({ mode: 'open' })).append(style, root)
  return {
    host,
    show: (ui: ReactElement, fixture: Fixture = { receives: [] }, provider = {}) =>
      showCall(fixture, <StrictMode>{createPortal(ui, root)}</StrictMode>, provider),
    find: (selector: string) => root.querySelector(selector) as HTMLElement,
    button: (name: string) =>
      [...root.querySelectorAll('button')].find(({ textContent }) => textContent === name) as HTMLButtonElement,
    focused: () => (root.getRootNode() as Document | ShadowRoot).activeElement,
    /** An event of the place's own window. */
    send: (element: Element, type: string, name: 'PointerEvent' | 'KeyboardEvent' | 'ClipboardEvent', init = {}) => {
      const own = root.ownerDocument.defaultView as Window & typeof globalThis
      return act(async () => {
        element.dispatchEvent(new own[name](type, { bubbles: true, composed: true, cancelable: true, ...init }))
      })
    },
  }
}

const frames = () =>
  act(async () => {
    for (let i = 0; i < 6; i++) await new Promise((resolve) => requestAnimationFrame(resolve))
  })
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join('')

beforeEach(() => page.viewport(900, 620))
afterEach(() => {
  for (const place of places.splice(0)) place.remove()
})

describe.each(['frame', 'shadow root'] as const)('in a %s', (kind) => {
  test('[A9] a log is followed on after a click into it, and copied whole', async () => {
    const { show, find, send } = placeIn(kind)
    const log = createLog()
    log.append(numbered(1, 500))
    show(<AppendLog log={log} />)
    await frames()

    const lines = find('[data-slot="tool-call-log-lines"]')
    await send(lines, 'pointerdown', 'PointerEvent')
    await send(lines, 'pointerup', 'PointerEvent')
    log.append(numbered(501, 600))
    await frames()
    expect(lines.lastElementChild?.textContent).toBe('line 600')

    const clipboardData = new DataTransfer()
    await send(find('[role="log"]'), 'keydown', 'KeyboardEvent', { key: 'a', ctrlKey: true })
    await frames()
    await send(find('[role="log"]'), 'copy', 'ClipboardEvent', { clipboardData })
    expect(clipboardData.getData('text/plain')).toBe(log.text())
  })

  test('[A9] what is selected with the mouse stays, and is copied, while output comes', async () => {
    const { show, find, host, send } = placeIn(kind)
    const log = createLog()
    log.append(numbered(1, 500))
    show(<AppendLog log={log} />)
    await frames()
    const mouse = async (type: 'mousePressed' | 'mouseMoved' | 'mouseReleased', line: number) => {
      const { left, top, height } = find(`[data-number="${line}"]`).getBoundingClientRect()
      const outer = [window.frameElement, kind === 'frame' ? host : null].map((each) => each?.getBoundingClientRect())
      const x = outer.reduce((sum, box) => sum + (box?.left ?? 0), left + 200)
      const y = outer.reduce((sum, box) => sum + (box?.top ?? 0), top + height / 2)
      await cdp().send('Input.dispatchMouseEvent', { type, x, y, button: 'left', buttons: 1, clickCount: 1 })
      await frames()
    }

    await mouse('mousePressed', 490)
    await mouse('mouseMoved', 493)
    await mouse('mouseReleased', 493)
    log.append(numbered(501, 1_000))
    await frames()

    expect(find('[data-number="493"]')?.textContent).toBe('line 493')
    const clipboardData = new DataTransfer()
    await send(find('[data-slot="tool-call-log-lines"]'), 'copy', 'ClipboardEvent', { clipboardData })
    expect(clipboardData.getData('text/plain')).toBe('\nline 491\nline 492\nline 493')
  })

  test('[E9] [H2] what is copied and downloaded is asked of the window that was clicked in', async () => {
    const { show, button, host } = placeIn(kind)
    const own = ((host as HTMLIFrameElement).contentWindow ?? window) as Window & typeof globalThis
    const writeText = vi.spyOn(own.navigator.clipboard, 'writeText').mockResolvedValue()
    const click = vi.spyOn(own.HTMLAnchorElement.prototype, 'click').mockReturnValue()
    show(<ToolCallDetail callId={callId} />, runCommitted, { resolveArtifact: () => 'https://files.example/1' })

    await act(async () => button('Copy').click())
    await act(async () => button('Download').click())

    expect(writeText).toHaveBeenCalledOnce()
    expect(click).toHaveBeenCalledOnce()
  })

  test('[D4] a reason goes with Enter, and the focus to what was decided', async () => {
    const { show, find, button, focused, send } = placeIn(kind)
    const { store } = show(<ToolCallDetail callId={callId} />, waitingForYou)
    const answers: unknown[] = []
    store.carryAnswers(async (_, answer) => void answers.push(answer))
    act(() => button('Add a reason').click())
    const field = find('input') as HTMLInputElement
    expect(focused()).toBe(field)
    act(() => void field.ownerDocument.execCommand('insertText', false, 'not now'))

    await send(field, 'keydown', 'KeyboardEvent', { key: 'Enter' })
    act(() => store.flush())
    await frames()

    expect(answers).toEqual([{ approved: false, reason: 'not now' }])
    expect(focused()).toBe(find('[data-slot="tool-call-approval"]'))
  })

  test('[D4] the focus stays with the question of a queue, and goes back after the last', async () => {
    const { show, find, button, focused } = placeIn(kind)
    const ui = (
      <>
        <button type="button">Elsewhere</button>
        <ApprovalQueue autoFocus={false} />
      </>
    )
    const { store } = show(ui, manyRequests(1))
    store.carryAnswers(() => new Promise(() => {}))
    button('Elsewhere').focus()
    button('Deny').focus()

    act(() => button('Deny').click())
    act(() => store.flush())
    await frames()

    expect(find('[role="group"]')).toBeNull()
    expect(focused()).toBe(button('Elsewhere'))
  })

  test('[A11] a long final value takes no more than half of what it scrolls in', async () => {
    const { show, find, button } = placeIn(kind, 300)
    show(<ToolCallDetail callId={callId} />, returned(numbered(1, 60)))
    act(() => button('Show all (60 lines)').click())
    await frames()

    expect(find('[data-slot="tool-call-outcome"]').offsetHeight).toBeLessThanOrEqual(150)
  })

  test('[G1] a recording plays on when its slider is let go', async () => {
    const { show, find, send } = placeIn(kind)
    const receipts = [0, 1_000].map((receivedAt) => ({ receivedAt, events: [], problems: [] }))
    const player = createPlayer({ header: undefined, problems: [], receipts }, { clock: () => 0 })
    show(
      <ToolCallProvider store={player.store}>
        <ReplayBar player={player} />
      </ToolCallProvider>,
    )
    act(() => player.play())

    await send(find('input'), 'pointerdown', 'PointerEvent')
    expect(player.getState().playing).toBe(false)
    await send(find('input'), 'pointerup', 'PointerEvent')
    expect(player.getState().playing).toBe(true)
    player.close()
  })
})
