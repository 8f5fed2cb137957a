import '@testing-library/jest-dom/vitest'
import { cleanup } from '@testing-library/react'
import { afterEach, beforeEach } from 'vitest'

// jsdom lays nothing out, and does not know how to scroll. A browser does.
if (navigator.userAgent.includes('jsdom')) Element.prototype.scrollIntoView = () => {}

const consoleError = console.error
let errors: unknown[][] = []

// React tells of wrong markup, missing keys and updates outside `act` on the console only: here they fail the test.
// A test that expects an error takes it with `vi.spyOn(console, 'error').mockImplementation(() => {})`.
beforeEach(() => {
  errors = []
  console.error = (...args: unknown[]) => {
    errors.push(args)
    consoleError(...args)
  }
})

afterEach(() => {
  cleanup()
  console.error = consoleError
  if (errors.length > 0) throw new Error(`unexpected console.error: ${errors.map((args) => args.join(' ')).join('\n')}`)
})
