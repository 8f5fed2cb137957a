import { setProjectAnnotations } from '@storybook/react-vite'
import { afterEach, beforeEach, vi } from 'vitest'
import * as preview from '../../.storybook/preview.js'

setProjectAnnotations([preview])

// Time stands still: only the clock and what repeats is faked, so that React and the log's scheduler still run.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: Date.UTC(2026, 0, 2, 3, 4, 5) })
})

afterEach(() => {
  vi.useRealTimers()
  document.body.replaceChildren()
})
