import { composeStories } from '@storybook/react-vite'
import { cleanup, render } from '@testing-library/react'
import type { ComponentType } from 'react'
import { beforeAll, describe, expect, test } from 'vitest'
import preview from '../../.storybook/preview.js'
import type { ApprovalState } from '../../src/core/index.js'
import * as messages from '../../src/messages/index.js'
import * as library from '../../src/react/index.js'

type Stories = Parameters<typeof composeStories>[0]
type Composed = ComponentType & { readonly load: () => Promise<void> }

const files = Object.values(import.meta.glob<Stories>('../../stories/**/*.stories.tsx', { eager: true }))
// What gives the others their store shows nothing itself.
const { ToolCall, ToolCallProvider: _, ...others } = library

describe('the stories', () => {
  const slots = new Set<string>()
  const statuses = new Map<string, Set<string>>()

  beforeAll(async () => {
    for (const Story of files.flatMap((file) => Object.values<Composed>({ ...composeStories(file, preview) }))) {
      await Story.load()
      const { container } = render(<Story />)
      for (const { dataset } of container.querySelectorAll<HTMLElement>('[data-slot]')) {
        const { slot = '', status } = dataset
        slots.add(slot)
        if (status) statuses.set(slot, (statuses.get(slot) ?? new Set()).add(status))
      }
      cleanup()
    }
  })

  test.each(Object.keys(others).filter((name) => /^[A-Z]/.test(name)))('[F3] show the component %s', (name) => {
    expect(files.map(({ default: meta }) => meta.title)).toContain(`Components/${name}`)
  })

  test.each(files.map(({ default: meta }) => meta.title))(
    '[F3] stand in a part of the sidebar that has its place: %s',
    (title) => {
      const order: unknown = preview.parameters?.options.storySort.order
      expect(order).toContain(title?.split('/')[0])
    },
  )

  test.each(Object.keys(ToolCall))('[F3] show the part ToolCall.%s', (name) => {
    expect(slots).toContain(`tool-call${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`)
  })

  test.each(['root', 'trigger'])('[F3] show every status of a call: %s', (slot) => {
    expect([...(statuses.get(`tool-call-${slot}`) ?? [])].toSorted()).toEqual(
      Object.keys(library.defaultMessages.status).toSorted(),
    )
  })

  test('[F3] show a request in every state, and one that has expired', () => {
    const states: Readonly<Record<ApprovalState | 'expired', true>> = {
      allowed: true,
      conflict: true,
      denied: true,
      expired: true,
      open: true,
      sending: true,
      sent: true,
      withdrawn: true,
    }

    expect([...(statuses.get('tool-call-approval') ?? [])].toSorted()).toEqual(Object.keys(states))
  })
})

test('[F3] the toolbar has every language, direction, density, theme and contrast', () => {
  const { globalTypes = {}, initialGlobals } = preview
  const values = (name: string) =>
    (globalTypes[name]?.toolbar?.items ?? []).map((item) => (typeof item === 'object' ? item.value : item) ?? '')

  const languages = Object.values(messages).filter((each) => 'calling' in each)
  expect(new Set(values('locale').map(messages.messagesFor))).toEqual(new Set([library.en, ...languages]))
  expect(values('direction')).toEqual(['ltr', 'rtl'])
  expect(values('density')).toEqual(['comfortable', 'compact'])
  expect(values('theme')).toEqual(['light', 'dark'])
  expect(values('contrast')).toEqual(['standard', 'more'])
  expect(initialGlobals).toEqual({
    theme: 'light',
    contrast: 'standard',
    density: 'comfortable',
    direction: 'ltr',
    locale: 'en',
  })
})
