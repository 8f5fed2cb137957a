import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent } from 'storybook/test'
import { ToolCall } from '../../src/react/index.js'
import type { ToolCallStore } from '../../src/store/index.js'
import { bus, exited, overdue, terminal, terminalKilled, terminals, wrote } from '../fixtures/bus.js'
import { callId } from '../fixtures/calls.js'
import { Matrix as MatrixOf } from '../fixtures/Matrix.js'
import type { WireMessage } from '../fixtures/wire.js'
import { withArea } from '../fixtures/withToolCalls.js'

const meta = {
  title: 'Parts/Terminal',
  component: ToolCall.ToolLine,
  parameters: { fixture: terminals },
  ...withArea,
} satisfies Meta
export default meta
type Story = StoryObj

export const Several: Story = {
  play: async ({ canvas, step }) => {
    await step('what runs opens after a moment', async () => {
      await expect(await canvas.findByRole('log', { name: /^Output of npm run build/ })).toBeVisible()
    })
    await step('what failed is open, and what ended well is one line', async () => {
      await expect(canvas.getByRole('log', { name: 'Output of npm run lint' })).toBeVisible()
      await expect(canvas.queryByRole('log', { name: /git status/ })).not.toBeInTheDocument()
    })
    await step('the reader opens it', async () => {
      await userEvent.click(canvas.getAllByRole('button', { name: 'Output', expanded: false })[0] as HTMLElement)
      await expect(canvas.getByRole('log', { name: /git status/ })).toBeVisible()
    })
  },
}

/** A command that ends at once does not flash open and shut. */
export const Instant: Story = {
  parameters: {
    fixture: { receives: [bus(0, 'ToolCall', { toolCallID: callId, name: 'shell', args: {} })], now: 100 },
  },
  play: async ({ canvas, canvasElement, loaded, step }) => {
    const store = loaded.store as ToolCallStore
    let opened = 0
    const observer = new MutationObserver(() => {
      opened += canvasElement.querySelectorAll('[role="log"]').length
    })
    observer.observe(canvasElement, { subtree: true, childList: true })
    const receive = ({ protocol, message, context }: WireMessage) => {
      store.receive(protocol, message, context)
      store.flush()
    }
    await step('it starts, writes and ends', async () => {
      receive(terminal(200, 'pwd'))
      receive(wrote(210, '/srv/shop\n'))
      receive(exited(220, 0))
      await expect(await canvas.findByText('exit code 0')).toBeVisible()
    })
    await step('its output was never open', async () => {
      await new Promise((resolve) => {
        setTimeout(resolve, 500)
      })
      await expect(opened).toBe(0)
      observer.disconnect()
    })
  },
}

export const Killed: Story = { parameters: { fixture: terminalKilled } }

export const Overdue: Story = {
  parameters: { fixture: overdue },
  play: async ({ canvas }) => {
    await expect(canvas.getByText('overdue 0:05')).toBeVisible()
  },
}

export const Matrix: Story = {
  render: () => <MatrixOf fixtures={{ Several: terminals, Killed: terminalKilled, Overdue: overdue }} />,
  play: async ({ canvas, step }) => {
    await step('what runs has opened', async () => {
      await expect(await canvas.findByRole('log', { name: /npm run build/ })).toBeVisible()
    })
  },
}
