import { screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { cdp, page } from 'vitest/browser'
import { returned, running } from '../../stories/fixtures/calls.js'
import { showCall } from '../react/showCall.js'
import '../../src/styles/index.css'

/** Shows the page as it is on paper, or as it is on the screen again. */
const emulate = (media: 'print' | '') => cdp().send('Emulation.setEmulatedMedia', { media })

afterEach(async () => {
  delete document.documentElement.dataset.theme
  await emulate('')
})

test('[A11] on paper a long final value stands above what follows, and not over it', async () => {
  await page.viewport(800, 500)
  showCall(returned(Array.from({ length: 60 }, (_, line) => `line ${line}`).join('\n')))
  screen.getByRole('button', { name: 'Show all (60 lines)' }).click()
  await screen.findByText(/line 59/)

  await emulate('print')

  const bottomOf = (slot: string) => document.querySelector(`[data-slot="${slot}"]`)?.getBoundingClientRect().bottom
  expect(bottomOf('tool-call-outcome')).toBeGreaterThanOrEqual(bottomOf('tool-call-outcome-content') ?? Infinity)
})

test('[F3] on paper the dark theme is the light one', async () => {
  const coloursOf = (theme: string) => {
    document.documentElement.dataset.theme = theme
    return [...document.querySelectorAll('[data-slot^="tool-call-"]')].map((element) => {
      const { color, backgroundColor } = getComputedStyle(element)
      return `${color} ${backgroundColor}`
    })
  }
  showCall(running)
  const onScreen = coloursOf('dark')

  await emulate('print')

  expect(coloursOf('dark')).toEqual(coloursOf('light'))
  expect(coloursOf('dark')).not.toEqual(onScreen)
})
