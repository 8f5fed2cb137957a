import { act, fireEvent } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { ApprovalQueue, en, type Messages, ToolCallDetail, ToolCallGroup, ToolCallNode } from '../../src/react/index.js'
import * as bus from '../../stories/fixtures/bus.js'
import * as calls from '../../stories/fixtures/calls.js'
import * as runs from '../../stories/fixtures/runs.js'
import { type Fixture, storeOf } from '../../stories/fixtures/storeOf.js'
import { showCall } from './showCall.js'

/** The same words, each between brackets. */
function bracketed<Words extends object>(words: Words): Words {
  const entries = Object.entries(words).map(([key, word]) => {
    if (typeof word === 'string') return [key, `⟦${word}⟧`]
    if (typeof word === 'object') return [key, bracketed(word)]
    return [key, (...args: readonly unknown[]) => `⟦${word(...args)}⟧`]
  })
  return Object.fromEntries(entries)
}

const words: Messages = bracketed(en)

/** All that a fixture says: its keys, its texts and its numbers, and its lists of texts as one. */
function saidBy(value: unknown): readonly string[] {
  if (typeof value === 'string') {
    const unescaped = value.replaceAll(String.raw`\n`, '\n').replaceAll(String.raw`\"`, '"')
    return [value, unescaped]
  }
  if (typeof value !== 'object' || value === null) return [String(value)]
  const pieces = Array.isArray(value) && value.every((each) => typeof each === 'string') ? [value.join('')] : []
  return [...pieces, ...Object.entries(value).flatMap(([key, each]) => [key, ...saidBy(each)])]
}

/** What is seen or read out, in the page's order. */
function shownTexts(): readonly string[] {
  const texts: string[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node instanceof Element) {
      for (const name of ['aria-label', 'aria-valuetext', 'title', 'placeholder', 'alt']) {
        // A hidden character's own name is English in Unicode.
        if (name !== 'title' || !node.matches('[data-slot="tool-call-mark-character"]')) {
          texts.push(node.getAttribute(name) ?? '')
        }
      }
    } else texts.push(node.textContent ?? '')
  }
  return texts
}

/** What stands outside of all brackets. Inside of a sentence names are elements of their own. */
function outside(texts: readonly string[]): readonly string[] {
  let depth = 0
  return texts
    .join('\n')
    .split(/([⟦⟧])/)
    .flatMap((piece) => {
      if (piece === '⟦') depth += 1
      else if (piece === '⟧') depth -= 1
      else if (depth === 0) return piece.split('\n').map((line) => line.trim())
      return []
    })
}

/** The library's own names of states: what a fixture says with them is shown in words. */
const codes = new Set(
  [en.status, en.outcome, en.unknownCause, en.run.state, en.run.stages, en.run.receipt].flatMap((each) =>
    Object.keys(each),
  ),
)

/** Shown in every language alike: a size, a hidden character's number, and the sign of the button to match the case. */
const neutral = /^([\d.,]+ ?(B|kB|MB|GB)|U\+[\dA-F]{4,6}|Aa)$/

/** Texts that stand outside of the words and that the fixture does not say either. */
function strayTexts(fixture: Fixture): readonly string[] {
  // Thinking comes in pieces, which the store puts together.
  const together = [...storeOf(fixture).getState().calls.values()].map(({ tasks, story }) => [
    tasks.map(({ items }) => items),
    story?.lines,
  ])
  const said = saidBy([fixture.receives, together])
  return outside(shownTexts()).filter(
    (text) =>
      /\p{Letter}/u.test(text) && !neutral.test(text) && (codes.has(text) || !said.some((each) => each.includes(text))),
  )
}

/** Opens all that is folded, and asks for what appears only then. */
function openAll(): void {
  const seen = new Set<Element>()
  for (;;) {
    const next = [...document.querySelectorAll('button')].find(
      (each) =>
        !seen.has(each) &&
        (each.getAttribute('aria-expanded') === 'false' ||
          /Search|Add a reason|Check again|Copy/.test(each.textContent)),
    )
    if (next === undefined) return
    seen.add(next)
    fireEvent.click(next)
  }
}

const fixtures = Object.entries({ ...calls, ...bus, ...runs }).flatMap(([name, value]) =>
  typeof value === 'object' && 'receives' in value ? [[name, value] as const] : [],
)

describe('every word that a component shows is one of the messages', () => {
  test.each(fixtures)('[F2] %s', async (_, fixture) => {
    const ids = [...storeOf(fixture).getState().calls.keys()]
    const ui = (
      <>
        <ToolCallNode callId={calls.callId} />
        <ToolCallGroup callIds={ids} />
        <ApprovalQueue autoFocus={false} />
        {ids.map((id) => (
          <ToolCallDetail key={id} callId={id} />
        ))}
      </>
    )
    showCall(fixture, ui, { messages: words, onCheckAgain: () => {} })
    openAll()
    await act(async () => {})

    expect(document.body).toHaveTextContent(/⟦/)
    expect(strayTexts(fixture)).toEqual([])
  })
})
