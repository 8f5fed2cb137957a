import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ended } from '../../stories/fixtures/calls.js'
import { showCall } from '../react/showCall.js'
import '../../src/styles/index.css'

test('[A11] letters that reach below their line give the final value nothing to scroll', async () => {
  await page.viewport(900, 900)
  // As it is with the letters of some fonts in lines that are high enough for those of others.
  document.documentElement.style.setProperty('--tcd-line-height', '8px')
  showCall(ended)
  for (let i = 0; i < 2; i++) await new Promise((resolve) => requestAnimationFrame(resolve))

  const body = screen.getByRole('group', { name: 'Final value' }).querySelector('[data-slot$="outcome-body"]')
  const content = body?.firstElementChild as HTMLElement
  expect(content.scrollHeight).toBeGreaterThan(content.clientHeight)
  expect(body?.scrollHeight).toBe(body?.clientHeight)
  expect(body).not.toHaveAttribute('tabindex')
  document.documentElement.style.removeProperty('--tcd-line-height')
})
