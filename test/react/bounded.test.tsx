import { fc, test as property } from '@fast-check/vitest'
import { cleanup, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import type { ApprovalEvent } from '../../src/core/index.js'
import { cutText, foldText } from '../../src/react/foldText.js'
import { callId, returned } from '../../stories/fixtures/calls.js'
import type { Fixture } from '../../stories/fixtures/storeOf.js'
import { frame, output, snapshot, text, tool } from '../../stories/fixtures/wire.js'
import { showCall } from './showCall.js'

/** So many requests about the call. */
const requests = (count: number, more: Partial<ApprovalEvent> = {}) =>
  Array.from({ length: count }, (_, at) => ({
    at,
    event: { type: 'approval', approvalId: `request-${at}`, request: { callId, toolName: 'shell' }, ...more } as const,
  }))

const elements = () => document.querySelectorAll('*').length

describe('what is mounted', () => {
  test('[H3] is the last twenty of a thousand processes, and twenty more at a time', async () => {
    const frames = Array.from({ length: 300 }, (_, index) =>
      frame(callId, index, 1, { payload: { text: `Task ${index}` }, taskId: `task-${index}` }),
    )
    showCall({ receives: [snapshot(callId, 0), ...frames] })
    expect(screen.getAllByRole('button', { name: /^Process/ })).toHaveLength(20)

    await userEvent.click(screen.getByRole('button', { name: 'Show 20 earlier' }))

    expect(screen.getAllByRole('button', { name: /^Process/ })).toHaveLength(40)
  })

  test('[D4] is the last twenty of all decisions about a call, and says how many are before them', async () => {
    showCall({ receives: [snapshot(callId, 0), ...requests(33, { answer: { approved: true } })] })
    expect(screen.getAllByRole('button', { name: /^Allowed/ })).toHaveLength(20)

    await userEvent.click(screen.getByRole('button', { name: 'Show 13 earlier' }))

    expect(screen.getAllByRole('button', { name: /^Allowed/ })).toHaveLength(33)
    expect(screen.queryByRole('button', { name: /earlier/ })).not.toBeInTheDocument()
  })

  test('[D4] is the first five of all that waits for a person, and says how many come after them', async () => {
    showCall({ receives: [snapshot(callId, 0), ...requests(8)] })
    expect(screen.getAllByRole('button', { name: 'Deny' })).toHaveLength(5)

    await userEvent.click(screen.getByRole('button', { name: 'Show 3 more' }))

    expect(screen.getAllByRole('button', { name: 'Deny' })).toHaveLength(8)
  })

  test('[A14] is the last ten of all losses of the connection, and says how many are before them', async () => {
    const losses = Array.from({ length: 12 }, (_, index) => [
      { at: 2 * index + 1, event: { type: 'contact', contact: 'lost' } as const },
      { at: 2 * index + 2, event: { type: 'contact', contact: 'back' } as const },
    ])
    showCall({ receives: [text(callId, 0, 1, 'x'), ...losses.flat()] })
    expect(screen.getAllByText(/^connection lost/)).toHaveLength(10)

    await userEvent.click(screen.getByRole('button', { name: 'Show 2 earlier' }))

    expect(screen.getAllByText(/^connection lost/)).toHaveLength(12)
  })

  test.each<readonly [string, Fixture]>([
    ['a value of megabytes', returned('x'.repeat(3_000_000))],
    ['a value with hundreds of thousands of lines', returned('x\n'.repeat(300_000))],
    ['a value of hidden characters', returned('\u202E'.repeat(100_000))],
    [
      'an object with tens of thousands of keys',
      returned(Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [i, i]))),
    ],
    [
      'arguments with tens of thousands of keys',
      {
        receives: [
          snapshot(callId, 0, { args: Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, i])) }),
        ],
      },
    ],
    ['a name of megabytes', { receives: [snapshot(callId, 0, { tool: '\u202E'.repeat(1_000_000) })] }],
    [
      'lines of hidden characters',
      { receives: [tool(callId, 0, 1, 'sh'), output(callId, 1, 2, 'sh', `${'\u200B'.repeat(300)}\n`.repeat(60))] },
    ],
    ['thousands of entries', { receives: Array.from({ length: 5_000 }, (_, i) => text(callId, i, i, 'x')) }],
  ])('[H1] of %s is little', (_, fixture) => {
    const before = elements()

    showCall(fixture)

    expect(elements() - before).toBeLessThan(20_000)
    expect(document.body.textContent.length).toBeLessThan(1_000_000)
  })

  property.prop([fc.array(fc.record({ event: fc.boolean(), message: wireMessage() }), { maxLength: 12 })], {
    numRuns: 60,
  })('[H1] never throws, whatever comes in', (messages) => {
    const receives = messages.map(({ event, message }, at) => ({
      protocol: event ? ('chat_event' as const) : ('tool_event_stream' as const),
      at,
      message,
    }))

    showCall({ receives, now: 60_000 })

    expect(screen.getByRole('region')).toBeInTheDocument()
    cleanup()
  })
})

describe('foldText', () => {
  test('[A11] ends behind the last line that may be shown', () => {
    expect(foldText('a\nb\nc', 2, 100)).toEqual({ head: 'a\nb', isFolded: true, lineCount: 3 })
    expect(foldText('a\nb\n', 2, 100)).toEqual({ head: 'a\nb\n', isFolded: false, lineCount: 2 })
    expect(foldText('', 2, 100)).toEqual({ head: '', isFolded: false, lineCount: 1 })
  })

  test('[H2] never cuts a character in half', () => {
    expect(cutText('a😀b', 2)).toBe('a')
    expect(cutText('a😀b', 3)).toBe('a😀')
  })

  property.prop([fc.array(fc.string()), fc.nat({ max: 5 }), fc.nat({ max: 50 })])(
    '[A11] shows a beginning of the text, and says whether it is all',
    (lines, maxLines, maxCharacters) => {
      const whole = lines.join('\n')

      const { head, isFolded } = foldText(whole, maxLines + 1, maxCharacters)

      expect(whole.startsWith(head)).toBe(true)
      expect(isFolded).toBe(head !== whole)
      expect(head.length).toBeLessThanOrEqual(maxCharacters)
    },
  )
})

/** A message about the call with anything in the places where something is expected. */
function wireMessage(): fc.Arbitrary<unknown> {
  const anything = fc.oneof(
    fc.jsonValue(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom(undefined, Number.NaN, 1.5, -1),
  )
  const kind = fc.constantFrom('thinking', 'tool_call', 'tool_output_append', 'text', 'error', 'other')
  const state = fc.constantFrom('running', 'done', 'aborted')
  const payload = fc.record(
    { text: anything, message: anything, tool: anything, chunk: fc.string({ unit: 'binary' }) },
    { requiredKeys: [] },
  )
  const envelope = fc.record({
    kind,
    seq: fc.oneof(fc.nat({ max: 9 }), anything),
    status: state,
    payload,
    streamKey: anything,
  })
  return fc.oneof(
    anything,
    fc.record({ callId: fc.constant(callId), taskId: fc.constantFrom('a', 'b'), state, ts: fc.nat(), envelope }),
    fc.record({
      eventId: fc.constant(callId),
      eventScene: fc.constant('tool'),
      status: fc.oneof(state, anything),
      content: fc.record({
        toolCall: fc.record({ functionCall: fc.record({ name: anything, arguments: anything }) }),
        toolReturn: anything,
      }),
    }),
  )
}
