import { screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { ToolCallDetail } from '../../src/react/index.js'
import { callId, hostile } from '../../stories/fixtures/calls.js'
import { output, snapshot, text, thinking, tool } from '../../stories/fixtures/wire.js'
import { showCall } from './showCall.js'

describe('hostile text', () => {
  test('[H2] is text wherever it stands', () => {
    const markup = '<img src=x onerror="alert(1)"><script>alert(1)</script><a href="javascript:alert(1)">x</a>'
    showCall({
      receives: [
        snapshot(callId, 0, { tool: markup, args: { [markup]: markup } }),
        thinking(callId, 1, 1, markup),
        text(callId, 2, 2, markup),
        tool(callId, 3, 3, markup),
        output(callId, 4, 4, markup, markup),
        snapshot(callId, 5, { tool: markup, status: 'error', toolReturn: { [markup]: markup } }),
      ],
    })

    expect(document.querySelector('img, script, a')).toBeNull()
    expect(document.body.textContent.split(markup).length).toBeGreaterThan(7)
  })

  test('[H2] shows what can not be seen as marks with their names', () => {
    showCall(hostile)

    const marks = within(screen.getByRole('group', { name: 'Final value' })).getAllByTitle(
      'U+202E RIGHT-TO-LEFT OVERRIDE',
    )
    expect(marks.map((mark) => mark.textContent)).toEqual(['U+202E'])
  })

  test('[H2] keeps each line’s direction to itself', () => {
    showCall({ ...hostile, receives: hostile.receives.slice(0, -1) }, <ToolCallDetail callId={callId} />)

    expect(screen.getByText(/سلام/)).toHaveAttribute('dir', 'auto')
    expect(screen.getByText(/^shell$/, { selector: 'bdi' })).toBeVisible()
    expect(screen.getByRole('log')).toHaveAttribute('dir', 'ltr')
  })

  test('[H2] names of areas and logs hold no hidden characters', () => {
    showCall({ receives: [snapshot(callId, 0), tool(callId, 1, 1, 'a\u202Eb'), output(callId, 2, 2, 'a\u202Eb', 'x')] })

    expect(screen.getByRole('log')).toHaveAccessibleName('Output of aU+202Eb')
  })
})
