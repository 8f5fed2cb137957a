import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent, waitFor } from 'storybook/test'
import { ToolCall } from '../../src/react/index.js'
import { subAgentAsks, subAgents } from '../fixtures/bus.js'
import { Matrix as MatrixOf } from '../fixtures/Matrix.js'
import { withArea } from '../fixtures/withToolCalls.js'

const meta = {
  title: 'Parts/Children',
  component: ToolCall.Children,
  parameters: { fixture: subAgents },
  ...withArea,
} satisfies Meta
export default meta
type Story = StoryObj

export const Folded: Story = {
  play: async ({ canvas, step }) => {
    await step('they are counted by outcome', async () => {
      await expect(canvas.getByRole('button', { name: 'Sub-agent calls 3 done 1 running 1 failed' })).toBeVisible()
    })
    await step('the failure is in view, and the others are not', async () => {
      await expect(canvas.getByRole('button', { name: /^Failed shell/ })).toBeVisible()
      await expect(canvas.queryByRole('button', { name: /^Done read_file/ })).not.toBeInTheDocument()
    })
    await step('the reader opens the rest', async () => {
      await userEvent.click(canvas.getByRole('button', { name: /^Sub-agent calls/ }))
      await expect(canvas.getAllByRole('button', { name: /^Done read_file/ })).toHaveLength(2)
    })
  },
}

/** What a sub-agent of a sub-agent asks is at the top, and leads to its call. */
export const Asks: Story = {
  parameters: { fixture: subAgentAsks },
  play: async ({ canvas, step }) => {
    await step('the question is at the top', async () => {
      await expect(canvas.getByRole('group', { name: 'The sub-agent test-mender wants to run shell.' })).toBeVisible()
    })
    await step('it leads to the call, whatever is folded', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Show the call' }))
      await waitFor(() => expect(document.activeElement).toHaveAttribute('id', expect.stringMatching(/grandchild-2/)))
    })
  },
}

export const Matrix: Story = {
  render: () => <MatrixOf fixtures={{ 'With a failure': subAgents, 'With a question': subAgentAsks }} />,
}
