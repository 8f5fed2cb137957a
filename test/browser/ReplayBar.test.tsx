import { act, render, screen } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ReplayBar, ToolCallProvider } from '../../src/react/index.js'
import { createPlayer } from '../../src/replay/index.js'
import '../../src/styles/index.css'

/** A recording of that length in ms, with a receipt at its beginning, in its middle and at its end. */
const recordingOf = (duration: number) => ({
  header: undefined,
  problems: [],
  receipts: [0, duration / 2, duration].map((receivedAt) => ({
    receivedAt,
    events: [{ type: 'call', callId: 'call-1', title: `at ${receivedAt}` } as const],
    problems: [],
  })),
})

/** Shows the bar of a player whose time the test lets pass. */
function showBar(duration: number, dir = 'ltr') {
  let now = 0
  const player = createPlayer(recordingOf(duration), { clock: () => now })
  render(
    <div dir={dir} style={{ padding: 20, width: 600 }}>
      <ToolCallProvider store={player.store}>
        <ReplayBar player={player} />
      </ToolCallProvider>
    </div>,
  )
  const slider = screen.getByRole<HTMLInputElement>('slider')
  return {
    player,
    slider,
    time: () => player.getState().time,
    pass: async (ms: number) => {
      now += ms
      await act(async () => {
        for (let i = 0; i < 3; i++) await new Promise((resolve) => requestAnimationFrame(resolve))
      })
    },
    press: async (...keys: readonly string[]) => {
      for (const key of keys) await userEvent.keyboard(`{${key}}`)
    },
  }
}

describe('ReplayBar', () => {
  beforeEach(() => page.viewport(900, 700))

  test('[F2] has the name that its host gives it, and one of its own without', () => {
    const player = createPlayer(recordingOf(1_000))
    render(
      <ToolCallProvider store={player.store}>
        <ReplayBar player={player} />
        <ReplayBar player={player} aria-label="Replay of the second run" />
      </ToolCallProvider>,
    )

    const names = screen.getAllByRole('group').map((bar) => bar.getAttribute('aria-label'))
    expect(names).toEqual(['Replay', 'Replay of the second run'])
  })

  test.each([
    ['ltr', 20_000],
    ['ltr', 20_000.7],
    ['ltr', 37.3],
    ['ltr', 3_600_000],
    ['rtl', 20_000],
  ])(
    '[G1] its slider goes by a hundredth, a tenth and to both ends with the keyboard: %s, %f ms',
    async (dir, duration) => {
      const { player, press, slider, time } = showBar(duration, dir)
      const [on, back] = dir === 'ltr' ? ['ArrowRight', 'ArrowLeft'] : ['ArrowLeft', 'ArrowRight']
      const hundredths = () => (time() / duration) * 100
      slider.focus()

      await press('End')
      expect(time()).toBe(duration)
      expect(player.getState().position).toBe(player.length)
      await press('Home')
      expect(time()).toBe(0)
      await press(on, on, 'ArrowUp')
      expect(hundredths()).toBeCloseTo(3, 6)
      await press(back)
      expect(hundredths()).toBeCloseTo(2, 6)
      await press('ArrowDown', 'PageUp', 'PageUp')
      expect(hundredths()).toBeCloseTo(21, 6)
      await press('PageDown')
      expect(hundredths()).toBeCloseTo(11, 6)
      await press('Home', back, 'PageDown')
      expect(time()).toBe(0)
      await press('End', on, 'PageUp')
      expect(time()).toBe(duration)
    },
  )

  test('[G1] from a moment that was dragged to, or played to, the keyboard goes on by just as much', async () => {
    const { player, press, slider, time } = showBar(20_000)
    slider.focus()
    act(() => player.seek(3_517))
    await press('ArrowRight')
    expect(time()).toBeCloseTo(3_717, 6)
    await press('PageUp')
    expect(time()).toBeCloseTo(5_717, 6)

    await userEvent.click(slider, { position: { x: 40, y: 5 } })
    const clicked = time()
    await press('ArrowLeft')
    expect(time()).toBeCloseTo(clicked - 200, 6)
  })

  test('[G1] what a screen reader says of the moment changes with each key, also of a short recording', async () => {
    const { press, slider } = showBar(12_000)
    slider.focus()
    const said = new Set<string | null>()
    for (let i = 0; i < 5; i++) {
      await press('ArrowRight')
      said.add(slider.getAttribute('aria-valuetext'))
    }
    expect([...said]).toEqual([0.1, 0.2, 0.3, 0.4, 0.6].map((seconds) => `${seconds} s of 12.0 s`))
  })

  test('[G1] it plays on from where the keyboard led', async () => {
    const { pass, player, press, slider, time } = showBar(20_000)
    act(() => player.play())
    await pass(1_000)
    slider.focus()

    await press('PageUp')
    expect(time()).toBeCloseTo(3_000, 6)
    expect(player.getState().playing).toBe(true)
    await pass(500)
    expect(time()).toBeCloseTo(3_500, 6)
  })

  test('[G1] it waits while the slider is held, and plays on from where it is let go', async () => {
    const { pass, player, slider, time } = showBar(20_000)
    act(() => player.play())
    await pass(1_000)
    const { left, top, width, height } = slider.getBoundingClientRect()
    const at = { bubbles: true, button: 0, clientX: left + width / 2, clientY: top + height / 2 }

    act(() => void slider.dispatchEvent(new PointerEvent('pointerdown', at)))
    act(() => player.seek(10_000))
    await pass(2_000)
    expect(time()).toBe(10_000)

    act(() => void document.dispatchEvent(new PointerEvent('pointerup', at)))
    await pass(500)
    expect(time()).toBeCloseTo(10_500, 6)
  })

  test('[G1] one that is held to the end stays there', async () => {
    const { pass, player, slider, time } = showBar(20_000)
    act(() => player.play())
    await pass(1_000)

    act(() => void slider.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, button: 0 })))
    act(() => player.seek(20_000))
    act(() => void document.dispatchEvent(new PointerEvent('pointerup')))
    await pass(500)

    expect(time()).toBe(20_000)
    expect(player.getState().playing).toBe(false)
  })
})
