import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { noteChange, requestDraw } from '../../src/react/log/logScheduler.js'

/** Frames come every 16 ms. */
beforeEach(() => void vi.useFakeTimers({ toFake: ['requestAnimationFrame', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const viewOf = () => ({
  isNear: true,
  pendingLength: 0,
  work: () => false,
  draw: vi.fn(() => false),
  scroll: vi.fn(),
  readSize: vi.fn(),
})

/** Output comes before each of so many frames. Returns how many of them drew it. */
function stream(view: ReturnType<typeof viewOf>, frames: number): number {
  view.draw.mockClear()
  for (let i = 0; i < frames; i++) {
    noteChange(view)
    vi.advanceTimersToNextFrame()
  }
  return view.draw.mock.calls.length
}

describe('a log that output comes for', () => {
  test('[H3] is drawn with every frame at first, and with every second one when it comes without a pause', () => {
    const view = viewOf()
    expect(stream(view, 10)).toBe(10)
    expect(stream(view, 40)).toBe(20)
  })

  test('[H3] is drawn with every frame again after a pause', () => {
    const view = viewOf()
    stream(view, 40)
    vi.advanceTimersByTime(100)
    expect(stream(view, 10)).toBe(10)
  })

  test('[H3] is drawn once more after the last of it', () => {
    const view = viewOf()
    stream(view, 41)
    const before = view.draw.mock.calls.length
    noteChange(view)
    vi.advanceTimersByTime(64)
    expect(view.draw.mock.calls.length).toBe(before + 1)
  })

  test('[H3] is drawn with the next frame for its reader', () => {
    const view = viewOf()
    stream(view, 40)
    view.draw.mockClear()
    for (let i = 0; i < 10; i++) {
      requestDraw(view)
      vi.advanceTimersToNextFrame()
    }
    expect(view.draw).toHaveBeenCalledTimes(10)
  })
})
