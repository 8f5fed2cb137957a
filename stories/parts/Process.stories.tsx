import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent, waitFor } from 'storybook/test'
import { ToolCall } from '../../src/react/index.js'
import type { ToolCallStore } from '../../src/store/index.js'
import {
  callId,
  ended,
  failed,
  hostile,
  incomplete,
  interleaved,
  overLimits,
  running,
  severalTasks,
} from '../fixtures/calls.js'
import { FirstProcess } from '../fixtures/FirstProcess.js'
import { Matrix as MatrixOf } from '../fixtures/Matrix.js'
import type { Fixture } from '../fixtures/storeOf.js'
import { snapshot, text, thinking, tool } from '../fixtures/wire.js'
import { withStore } from '../fixtures/withToolCalls.js'

const meta = {
  title: 'Parts/Process',
  component: ToolCall.Process,
  parameters: { fixture: running },
  ...withStore,
  render: () => <FirstProcess callId={callId} />,
} satisfies Meta
export default meta
type Story = StoryObj

export const AllKinds: Story = {}
export const Interleaved: Story = { parameters: { fixture: interleaved } }
export const Incomplete: Story = { parameters: { fixture: incomplete } }
export const WithError: Story = { parameters: { fixture: failed } }
export const OverLimits: Story = { parameters: { fixture: overLimits } }

const thought: Fixture = {
  receives: [snapshot(callId, 0), thinking(callId, 1_000, 1, 'Which of both trees is meant?')],
  now: 2_000,
}

export const Thinking: Story = {
  parameters: { fixture: thought },
  play: async ({ canvas, loaded, step }) => {
    const store = loaded.store as ToolCallStore
    const receive = ({ protocol, message }: ReturnType<typeof text>) => {
      store.receive(protocol, message)
      store.flush()
    }
    await step('while it is the last thing it is under way', async () => {
      await expect(canvas.getByRole('button', { name: /^Thinking…/ })).toBeVisible()
    })
    await step('the reader opens it, and what comes does not close it', async () => {
      await userEvent.click(canvas.getByRole('button', { name: /^Thinking…/ }))
      receive(thinking(callId, 4_000, 2, ' The clean one.'))
      await waitFor(() => expect(canvas.getByText('Which of both trees is meant? The clean one.')).toBeVisible())
    })
    await step('it is done when something else follows, and still open', async () => {
      receive(text(callId, 5_000, 3, 'Going on.'))
      await waitFor(() => expect(canvas.getByRole('button', { name: 'Thought for 3 s' })).toBeVisible())
      await expect(canvas.getByRole('button', { name: 'Thought for 3 s' })).toHaveAttribute('aria-expanded', 'true')
    })
    await step('the reader closes it, and more thoughts do not open it', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Thought for 3 s' }))
      receive(thinking(callId, 6_000, 4, 'Another thought.'))
      await canvas.findByRole('button', { name: /Another thought/ })
      await expect(canvas.getAllByRole('button', { name: /^Thought/ })[0]).toHaveAttribute('aria-expanded', 'false')
    })
  },
}

/** The browser's own search opens what it finds in a fold. */
export const FoundByTheBrowser: Story = {
  parameters: { fixture: running },
  play: async ({ canvas, canvasElement, step }) => {
    const content = canvasElement.querySelector('[data-slot="tool-call-thinking-content"]') as HTMLElement
    await step('it is hidden until found', async () => {
      await expect(content).toHaveAttribute('hidden', 'until-found')
    })
    await step('a find opens it', async () => {
      content.dispatchEvent(new Event('beforematch', { bubbles: true }))
      await waitFor(() =>
        expect(canvas.getByRole('button', { name: /^Thought/ })).toHaveAttribute('aria-expanded', 'true'),
      )
      await expect(content).not.toHaveAttribute('hidden')
    })
  },
}

export const ToolMarks: Story = {
  parameters: {
    fixture: {
      receives: [
        snapshot(callId, 0),
        tool(callId, 1_000, 1, 'done_tool'),
        tool(callId, 1_400, 2, 'done_tool', 'done'),
        tool(callId, 2_000, 3, 'aborted_tool'),
        tool(callId, 3_500, 4, 'aborted_tool', 'aborted'),
        tool(callId, 4_000, 5, 'running_tool'),
      ],
      now: 5_000,
    } satisfies Fixture,
  },
}

export const HostileText: Story = {
  parameters: { fixture: { receives: hostile.receives.slice(0, -1), now: 2_000 } },
}

export const Matrix: Story = {
  render: () => (
    <MatrixOf
      fixtures={{
        'All kinds': running,
        Ended: ended,
        'Several processes': severalTasks,
        'Side by side': interleaved,
        Incomplete: incomplete,
        'With an error': failed,
        'Over the limits': overLimits,
      }}
      show={(caption) => <FirstProcess callId={callId} label={caption} />}
    />
  ),
}
