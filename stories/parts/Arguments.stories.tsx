import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { ToolCall } from '../../src/react/index.js'
import { callId } from '../fixtures/calls.js'
import type { Fixture } from '../fixtures/storeOf.js'
import { snapshot } from '../fixtures/wire.js'
import { loadStore, withToolCalls } from '../fixtures/withToolCalls.js'

const calledWith = (args: unknown): Fixture => ({ receives: [snapshot(callId, 0, { args })], now: 1_000 })

const page = '<!DOCTYPE html>\n<html lang="en">\n<canvas id="board"></canvas>\n</html>'

const meta = {
  title: 'Parts/Arguments',
  component: ToolCall.Arguments,
  args: { defaultOpen: true },
  parameters: { fixture: calledWith({ path: 'game.html', content: page, overwrite: false, retries: 0 }) },
  loaders: [loadStore],
  decorators: [withToolCalls],
  render: (args) => (
    <ToolCall.Root callId={callId} aria-label="Arguments only">
      <ToolCall.Arguments {...args} style={{ borderBlockStart: 0 }} />
    </ToolCall.Root>
  ),
} satisfies Meta<typeof ToolCall.Arguments>
export default meta
type Story = StoryObj<typeof meta>

export const Rows: Story = {
  play: async ({ canvas, step }) => {
    await step('each key is a row', async () => {
      await expect(canvas.getByText('"game.html"')).toBeVisible()
      await expect(canvas.getAllByRole('term').map((term) => term.textContent)).toEqual([
        'path',
        'content',
        'overwrite',
        'retries',
      ])
    })
  },
}

export const Folded: Story = { args: { defaultOpen: false } }
export const Nested: Story = {
  parameters: { fixture: calledWith({ query: { all: [{ tag: 'a' }, { tag: 'b' }] }, limit: 20 }) },
}
export const NotJson: Story = { parameters: { fixture: calledWith('ls -la\ngrep -r "TODO" src') } }
export const HalfFinished: Story = {
  parameters: { fixture: calledWith('{"path": "game.html", "content": "<!DOCTYPE ht') },
}
export const LongKeys: Story = {
  parameters: {
    fixture: calledWith({ 'a key that goes on and on and on and on and on and on': 'value', k: 'v'.repeat(300) }),
  },
}
