import type { Meta, StoryObj } from '@storybook/react-vite'
import { useState } from 'react'
import { expect, fn, userEvent } from 'storybook/test'
import { ToolCallDetail, ToolCallNode, ToolCallProvider } from '../src/react/index.js'
import {
  abortedCall,
  callId,
  calling,
  denied,
  endedWithoutResult,
  failed,
  hostile,
  running,
  unknown,
} from './fixtures/calls.js'
import { type Fixture, storeOf } from './fixtures/storeOf.js'
import { snapshot } from './fixtures/wire.js'
import { loadStore, withToolCalls } from './fixtures/withToolCalls.js'

const meta = {
  title: 'Components/ToolCallNode',
  component: ToolCallNode,
  args: { callId, onOpenChange: fn() },
  parameters: { fixture: running },
  loaders: [loadStore],
  decorators: [withToolCalls],
} satisfies Meta<typeof ToolCallNode>
export default meta
type Story = StoryObj<typeof meta>

export const Running: Story = {
  play: async ({ args, canvas, step }) => {
    const node = canvas.getByRole('button', { name: /^Running ask_colleague Build the release/ })
    await step('Enter opens it', async () => {
      node.focus()
      await userEvent.keyboard('{Enter}')
      await expect(args.onOpenChange).toHaveBeenLastCalledWith(true)
    })
    await step('Space closes it', async () => {
      await userEvent.keyboard(' ')
      await expect(args.onOpenChange).toHaveBeenLastCalledWith(false)
      await expect(node).toHaveAttribute('aria-expanded', 'false')
    })
  },
}

export const Calling: Story = { parameters: { fixture: calling } }
export const Failed: Story = { parameters: { fixture: failed } }
export const EndedWithoutResult: Story = { parameters: { fixture: endedWithoutResult } }
export const Denied: Story = { parameters: { fixture: denied } }
export const OutcomeUnknown: Story = { parameters: { fixture: unknown } }
export const UnknownStatusWord: Story = {
  parameters: { fixture: { receives: [snapshot(callId, 0, { status: 'queued' })], now: 2_000 } },
}
export const NotThere: Story = { parameters: { fixture: { receives: [] } } }
export const HostileText: Story = { parameters: { fixture: hostile } }

/** With the area that it opens, which the host mounts where it likes. */
export const WithItsArea: Story = {
  render: function WithItsArea(args) {
    const [isOpen, setOpen] = useState(false)
    return (
      <div style={{ display: 'grid', gap: 8, justifyItems: 'start' }}>
        <ToolCallNode {...args} open={isOpen} onOpenChange={setOpen} />
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the reader has asked for it */}
        {isOpen && <ToolCallDetail callId={args.callId} autoFocus style={{ inlineSize: '100%' }} />}
      </div>
    )
  },
  play: async ({ canvas, step }) => {
    const node = canvas.getByRole('button', { name: /^Running ask_colleague/ })
    await step('it opens the area and says which one', async () => {
      await userEvent.click(node)
      const area = canvas.getByRole('region', { name: /^ask_colleague/ })
      await expect(node).toHaveAttribute('aria-controls', area.id)
      await expect(area).toHaveFocus()
    })
  },
}

function Line({ fixture, locale }: { readonly fixture: Fixture; readonly locale: string }) {
  const [store] = useState(() => storeOf(fixture))
  return (
    <ToolCallProvider store={store} locale={locale}>
      <ToolCallNode callId={callId} />
    </ToolCallProvider>
  )
}

export const Matrix: Story = {
  render: (_args, { globals }) => (
    <div style={{ display: 'flex', flexWrap: 'wrap', gap: 8 }}>
      {[calling, running, failed, abortedCall, endedWithoutResult, denied, unknown, hostile].map((fixture, index) => (
        // The list never changes.
        <Line key={index} fixture={fixture} locale={globals.locale as string} />
      ))}
    </div>
  ),
}
