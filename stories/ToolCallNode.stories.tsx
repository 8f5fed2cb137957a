import type { Meta, StoryObj } from '@storybook/react-vite'
import { useState } from 'react'
import { expect, fn, userEvent } from 'storybook/test'
import { ToolCallDetail, ToolCallNode, useConversationCalls } from '../src/react/index.js'
import type { ToolCallStore } from '../src/store/index.js'
import { announced, parentUnknown } from './fixtures/bus.js'
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
import { OwnStore } from './fixtures/OwnStore.js'
import type { Fixture } from './fixtures/storeOf.js'
import { snapshot, text } from './fixtures/wire.js'
import { withStore } from './fixtures/withToolCalls.js'

const meta = {
  title: 'Components/ToolCallNode',
  component: ToolCallNode,
  args: { callId, onOpenChange: fn() },
  parameters: { fixture: running },
  ...withStore,
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

/** The bus has announced the call, and has not said yet that it runs. */
export const Pending: Story = { parameters: { fixture: { receives: [announced(0, 'shell', { command: 'ls' })] } } }
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

/** A sub-agent's call names that while nobody has heard of the call that it belongs under. */
export const ParentUnknown: Story = { parameters: { fixture: parentUnknown } }

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

const fiveHundred: Fixture = {
  receives: Array.from({ length: 500 }, (_, index) => [
    snapshot(`call-${index + 1}`, index, { tool: 'read_file', args: { path: `src/file-${index + 1}.ts` } }),
    text(`call-${index + 1}`, index, 1, `Reading file ${index + 1}.`),
  ]).flat(),
  now: 2_000,
}

function Conversation() {
  const [openId, setOpenId] = useState('call-250')
  return (
    <ul style={{ display: 'grid', gap: 4, margin: 0, padding: 0, listStyle: 'none' }}>
      {useConversationCalls('conversation-1').map((id) => (
        <li key={id}>
          <ToolCallNode callId={id} open={id === openId} onOpenChange={(open) => setOpenId(open ? id : '')} />
          {id === openId && <ToolCallDetail callId={id} />}
        </li>
      ))}
    </ul>
  )
}

/** A long conversation: every call is a line, and one is open. */
export const FiveHundredCalls: Story = {
  // Each line is one that Matrix has: 500 of them would only take axe half a minute.
  parameters: { fixture: fiveHundred, a11y: { test: 'off' } },
  render: () => <Conversation />,
  play: async ({ canvas, canvasElement, loaded, step }) => {
    const nodes = canvasElement.querySelectorAll<HTMLElement>('[data-slot="tool-call-trigger"]')
    await step('each is a line, and one has its area', async () => {
      await expect(nodes).toHaveLength(500)
      await expect(canvasElement.querySelectorAll('[data-slot="tool-call-root"]')).toHaveLength(1)
    })
    await step('what comes to the open one is shown', async () => {
      const { protocol, message } = text('call-250', 3_000, 2, 'Found it.')
      const store = loaded.store as ToolCallStore
      store.receive(protocol, message)
      store.flush()
      await expect(await canvas.findByText('Found it.', undefined, { timeout: 10_000 })).toBeVisible()
    })
    await step('another one opens instead', async () => {
      nodes[499]?.click()
      await expect(await canvas.findByText('Reading file 500.', undefined, { timeout: 10_000 })).toBeVisible()
    })
  },
}

export const Matrix: Story = {
  render: (_args, { globals }) => (
    <div style={{ display: 'flex', flexWrap: 'wrap', gap: 8 }}>
      {[calling, running, failed, abortedCall, endedWithoutResult, denied, unknown, hostile].map((fixture, index) => (
        // The list never changes.
        <OwnStore key={index} fixture={fixture} locale={globals.locale as string}>
          <ToolCallNode callId={callId} />
        </OwnStore>
      ))}
    </div>
  ),
}
