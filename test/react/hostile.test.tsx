import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { ApprovalQueue, ToolCallDetail, ToolCallNode, ToolCallProvider } from '../../src/react/index.js'
import { callId, hostile } from '../../stories/fixtures/calls.js'
import { output, snapshot, tool } from '../../stories/fixtures/wire.js'
import { type Family, fullMessages, type Received } from '../support/fullMessages.js'
import { withHostileStrings, withOneText, withTextBefore } from '../support/hostileFields.js'
import { hostileStrings, ranFlag } from '../support/hostileStrings.js'
import { makeTestStore, type TestStore } from '../support/wire.js'
import { showCall } from './showCall.js'

const families = Object.keys(fullMessages) as readonly Family[]

function storeWith(messages: readonly Received[]): TestStore {
  const store = makeTestStore()
  for (const { protocol, message, context } of messages) store.receive(protocol, message, context)
  store.flush()
  return store
}

/** Shows all that there is of the messages, everything opened. */
function show(messages: readonly Received[]): void {
  const store = storeWith(messages)
  render(
    <ToolCallProvider store={store}>
      {[...store.getState().calls.keys()].map((id) => (
        <div key={id}>
          <ToolCallNode callId={id} />
          <ToolCallDetail callId={id} />
        </div>
      ))}
      <ApprovalQueue autoFocus={false} />
    </ToolCallProvider>,
  )
  const closed = 'button[aria-expanded="false"]:not([data-slot="tool-call-preview-toggle"])'
  for (let round = 0; round < 3; round++) {
    for (const button of document.querySelectorAll(closed)) fireEvent.click(button)
  }
}

/** The elements that the library makes; none of them can load or run anything by what is in it. */
const ownTags = new Set(
  'div span bdi p section header button svg path circle a mark ul ol li dl dt dd input label pre code textarea kbd'.split(
    ' ',
  ),
)
const hidden =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u200B\u202A-\u202E\u2060\u2066-\u2069]|[\u{E0000}-\u{E007F}]/u

/** What is on the page that is not ours, or runs anything, or is text that can not be seen. */
function foreignOnPage(): readonly string[] {
  return [...document.body.querySelectorAll('*')].flatMap((element) => {
    const isOriginal = element.matches('bdi[data-slot="tool-call-original-character"][aria-hidden="true"]')
    const texts = [...element.childNodes].flatMap((node) => (node.nodeType === Node.TEXT_NODE ? [node.nodeValue] : []))
    return [
      ...(ownTags.has(element.localName) ? [] : [`<${element.localName}>`]),
      ...[...element.attributes].filter(isForeign).map(({ name, value }) => `${element.localName} ${name}="${value}"`),
      ...(isOriginal ? [] : texts).flatMap((text) => (hidden.test(text ?? '') ? [`hidden: ${text}`] : [])),
    ]
  })
}

function isForeign({ name, value }: Attr): boolean {
  if (/^on|^(src|srcdoc|action|formaction|data|background|ping)$/.test(name) || hidden.test(value)) return true
  if (name === 'href') return !/^(https?:\/\/(h|evil|ok)\.test\/|mailto:)/.test(value)
  return name === 'style' && /url|expression|javascript|position:\s*fixed/.test(value)
}

/** All strings that are short, in one. */
const allStrings = hostileStrings.flatMap(({ text }) => (text.length < 200 ? [text] : [])).join(' ')

// PROPERTY_MS=600000 tries each for that long.
test.each(families)('[H2] hostile text stays text in whatever fields of %s, and nothing of it is hidden', (family) => {
  const messages = fc.oneof(
    fc.nat(hostileStrings.length - 1).map((shift) => withHostileStrings(fullMessages[family], shift)),
    fc.nat(200).map((chosen) => withOneText(fullMessages[family], chosen, allStrings)),
  )
  fc.assert(
    fc.property(messages, (received) => {
      try {
        show(received)
        expect(foreignOnPage()).toEqual([])
        expect(globalThis).not.toHaveProperty(ranFlag)
      } finally {
        cleanup()
      }
    }),
    {
      numRuns: process.env.PROPERTY_MS === undefined ? 3 : 10_000,
      examples: [[withTextBefore(fullMessages[family], allStrings)]],
    },
  )
})

test('[H2] what copy buttons copy holds the characters themselves, not their marks', async () => {
  const written: string[] = []
  vi.stubGlobal('navigator', {
    userAgent: navigator.userAgent,
    clipboard: { writeText: async (text: string) => void written.push(text) },
  })
  show(withTextBefore(fullMessages.chat_event, 'a\u202Eb\u200B\u{E0041}'))

  for (const button of document.querySelectorAll('[data-slot="tool-call-copy"]')) fireEvent.click(button)
  await waitFor(() =>
    expect(document.querySelector('[data-slot="tool-call-copy"][data-answer="copied"]')).toBeVisible(),
  )

  expect(written.length).toBeGreaterThan(1)
  for (const text of written) {
    expect(text).toContain('a\u202Eb\u200B\u{E0041}')
    expect(text).not.toContain('U+202E')
  }
})

describe('hostile text', () => {
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
