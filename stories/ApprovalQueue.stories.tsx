import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn, userEvent, waitFor } from 'storybook/test'
import { ApprovalQueue } from '../src/react/index.js'
import type { ToolCallStore } from '../src/store/index.js'
import {
  answeredElsewhere,
  bus,
  conversationId,
  manyRequests,
  requestExpiring,
  requested,
  waitingCommand,
  waitingForYou,
} from './fixtures/bus.js'
import { OwnStore } from './fixtures/OwnStore.js'
import { withStore } from './fixtures/withToolCalls.js'

const meta = {
  title: 'Components/ApprovalQueue',
  component: ApprovalQueue,
  args: { conversationId, onShowCall: fn() },
  parameters: { fixture: manyRequests(3) },
  ...withStore,
} satisfies Meta<typeof ApprovalQueue>
export default meta
type Story = StoryObj<typeof meta>

export const Three: Story = {
  play: async ({ args, canvas, loaded, step }) => {
    const store = loaded.store as ToolCallStore
    store.carryAnswers(async () => {})
    await step('the oldest is shown, and has the focus', async () => {
      await expect(canvas.getByText('1 of 3')).toBeVisible()
      // Storybook itself has the focus for a moment.
      await waitFor(() => expect(canvas.getByRole('group')).toHaveFocus())
      await expect(canvas.getByText('"src/file-1.ts"')).toBeVisible()
    })
    await step('it leads to its call', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Show the call' }))
      await expect(args.onShowCall).toHaveBeenCalledWith('call-1')
    })
    await step('a double click answers one request', async () => {
      await userEvent.dblClick(canvas.getByRole('button', { name: 'Allow once' }))
      store.flush()
      await waitFor(() => expect(canvas.getByText('1 of 2')).toBeVisible())
      await expect(store.getState().approvals.get('request-2')?.state).toBe('open')
    })
  },
}

export const One: Story = { parameters: { fixture: waitingForYou } }
export const Command: Story = { parameters: { fixture: waitingCommand } }
export const Expiring: Story = { parameters: { fixture: requestExpiring } }

/** Somebody else has answered what was shown. */
export const AnsweredElsewhere: Story = {
  parameters: { fixture: waitingForYou },
  play: async ({ canvas, loaded }) => {
    const store = loaded.store as ToolCallStore
    for (const { protocol, message, context } of answeredElsewhere.receives as ReturnType<typeof bus>[])
      store.receive(protocol, message, context)
    store.flush()
    await expect(await canvas.findByText('Always allowed · answered elsewhere')).toBeVisible()
  },
}

/** It takes the focus from nobody who types. */
export const WhileTyping: Story = {
  parameters: { fixture: { receives: [] } },
  render: (args) => (
    <>
      <input aria-label="Message" />
      <ApprovalQueue {...args} />
    </>
  ),
  play: async ({ canvas, loaded, step }) => {
    const store = loaded.store as ToolCallStore
    await step('a request comes in while somebody types', async () => {
      await userEvent.type(canvas.getByRole('textbox'), 'go on')
      const { protocol, message, context } = requested(0, 'shell', { command: 'ls' })
      store.receive(protocol, message, context)
      store.flush()
      await expect(await canvas.findByRole('group')).toBeVisible()
    })
    await step('the focus stays', async () => {
      await expect(canvas.getByRole('textbox')).toHaveFocus()
    })
  },
}

/** One at a time is mounted, however many wait. */
export const AThousand: Story = {
  parameters: { fixture: manyRequests(1_000) },
  play: async ({ canvas, canvasElement, step }) => {
    await step('one is mounted', async () => {
      await expect(canvas.getByText('1 of 1,000')).toBeVisible()
      await expect(canvasElement.querySelectorAll('*').length).toBeLessThan(150)
    })
    await step('the next ones are a step away', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Next request' }))
      await expect(canvas.getByText('2 of 1,000')).toBeVisible()
    })
  },
}

export const Matrix: Story = {
  render: (_args, { globals }) => (
    <div style={{ display: 'grid', gap: 20 }}>
      {Object.entries({
        Three: manyRequests(3),
        One: waitingForYou,
        Command: waitingCommand,
        Expiring: requestExpiring,
      }).map(([caption, fixture]) => (
        <OwnStore key={caption} fixture={fixture} locale={globals.locale as string}>
          <ApprovalQueue autoFocus={false} aria-label={caption} />
        </OwnStore>
      ))}
    </div>
  ),
}
