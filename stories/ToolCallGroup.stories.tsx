import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent } from 'storybook/test'
import { ToolCallGroup } from '../src/react/index.js'
import { manyRequests, sideBySide, sideBySideIds } from './fixtures/bus.js'
import { OwnStore } from './fixtures/OwnStore.js'
import { withStore } from './fixtures/withToolCalls.js'

const meta = {
  title: 'Components/ToolCallGroup',
  component: ToolCallGroup,
  args: { callIds: sideBySideIds },
  parameters: { fixture: sideBySide },
  ...withStore,
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

export const Matrix: Story = {
  render: (_args, { globals }) => (
    <div style={{ display: 'grid', gap: 20 }}>
      <OwnStore fixture={sideBySide} locale={globals.locale as string}>
        <ToolCallGroup callIds={sideBySideIds} />
      </OwnStore>
      <OwnStore fixture={sideBySide} locale={globals.locale as string}>
        <ToolCallGroup callIds={sideBySideIds} defaultOpen />
      </OwnStore>
      <OwnStore fixture={asking} locale={globals.locale as string}>
        <ToolCallGroup callIds={askingIds} />
      </OwnStore>
    </div>
  ),
}
