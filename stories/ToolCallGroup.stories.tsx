import type { Meta, StoryObj } from '@storybook/react-vite'
import { useState } from 'react'
import { expect, userEvent } from 'storybook/test'
import { messagesFor } from '../src/messages/index.js'
import { ToolCallGroup, ToolCallProvider } from '../src/react/index.js'
import { manyRequests, sideBySide, sideBySideIds } from './fixtures/bus.js'
import { type Fixture, storeOf } from './fixtures/storeOf.js'
import { loadStore, withToolCalls } from './fixtures/withToolCalls.js'

const meta = {
  title: 'Components/ToolCallGroup',
  component: ToolCallGroup,
  args: { callIds: sideBySideIds },
  parameters: { fixture: sideBySide },
  loaders: [loadStore],
  decorators: [withToolCalls],
} satisfies Meta<typeof ToolCallGroup>
export default meta
type Story = StoryObj<typeof meta>

export const Folded: Story = {
  play: async ({ canvas, step }) => {
    const toggle = canvas.getByRole('button', { name: '5 calls 3 done 1 running 1 failed' })
    await step('the failure is in view', async () => {
      await expect(canvas.getByRole('button', { name: /^Failed read_file/ })).toBeVisible()
      await expect(canvas.getAllByRole('listitem')).toHaveLength(1)
    })
    await step('Enter opens all', async () => {
      toggle.focus()
      await userEvent.keyboard('{Enter}')
      await expect(canvas.getAllByRole('listitem')).toHaveLength(5)
    })
    await step('a line opens its area', async () => {
      await userEvent.click(canvas.getByRole('button', { name: /^Failed read_file/ }))
      await expect(canvas.getByRole('region', { name: /^read_file/ })).toBeVisible()
    })
  },
}

const asking = manyRequests(2)
const askingIds = ['call-1', 'call-2']

export const Asking: Story = { args: { callIds: askingIds }, parameters: { fixture: asking } }
export const Open: Story = { args: { defaultOpen: true } }

interface GroupProps {
  readonly fixture: Fixture
  readonly callIds: readonly string[]
  readonly locale: string
  readonly isOpen?: boolean
}

function Group({ fixture, callIds, locale, isOpen = false }: GroupProps) {
  const [store] = useState(() => storeOf(fixture))
  return (
    <ToolCallProvider store={store} locale={locale} messages={messagesFor(locale)}>
      <ToolCallGroup callIds={callIds} defaultOpen={isOpen} />
    </ToolCallProvider>
  )
}

export const Matrix: Story = {
  render: (_args, { globals }) => (
    <div style={{ display: 'grid', gap: 20 }}>
      <Group fixture={sideBySide} callIds={sideBySideIds} locale={globals.locale as string} />
      <Group fixture={sideBySide} callIds={sideBySideIds} locale={globals.locale as string} isOpen />
      <Group fixture={asking} callIds={askingIds} locale={globals.locale as string} />
    </div>
  ),
}
