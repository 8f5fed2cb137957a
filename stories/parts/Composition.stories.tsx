import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { ToolCall, useToolCall } from '../../src/react/index.js'
import { callId, running } from '../fixtures/calls.js'
import { withStore } from '../fixtures/withToolCalls.js'

/** A host's own area: other parts in another order, one restyled, one entry shown in its own way. */
function OwnArea() {
  const call = useToolCall(callId)
  return (
    <ToolCall.Root callId={callId} render={<article />}>
      <ToolCall.Header style={{ background: 'var(--tcd-color-surface-sunken)' }}>
        <ToolCall.Name />
        <ToolCall.Elapsed />
        <ToolCall.Mark />
      </ToolCall.Header>
      {call?.tasks.map((task) => (
        <ToolCall.Process
          key={task.taskId}
          task={task}
          renderItem={(item) => (item.kind === 'text' ? <strong>{item.text}</strong> : undefined)}
        />
      ))}
      <ToolCall.Arguments defaultOpen />
    </ToolCall.Root>
  )
}

const meta = {
  title: 'Parts/Composition',
  component: OwnArea,
  parameters: { fixture: running },
  ...withStore,
} satisfies Meta<typeof OwnArea>
export default meta

export const OwnOrder: StoryObj<typeof meta> = {
  play: async ({ canvas, step }) => {
    await step('the host shows a text in its own way', async () => {
      await expect(canvas.getByText('The bundle is built; running the type tests next.').tagName).toBe('STRONG')
    })
    await step('what is left out is not there', async () => {
      await expect(canvas.queryByText('Live')).not.toBeInTheDocument()
    })
  },
}
