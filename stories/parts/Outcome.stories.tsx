import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent, waitFor, within } from 'storybook/test'
import { ToolCall, ToolCallDetail } from '../../src/react/index.js'
import {
  abortedCall,
  callId,
  denied,
  endedWithoutResult,
  failed,
  hostile,
  lengthy,
  recordedOtherwise,
  returned,
  unknown,
} from '../fixtures/calls.js'
import { Matrix as MatrixOf } from '../fixtures/Matrix.js'
import { runCommitted } from '../fixtures/runs.js'
import { done } from '../fixtures/wire.js'
import { withStore } from '../fixtures/withToolCalls.js'

const meta = {
  title: 'Parts/Outcome',
  component: ToolCall.Outcome,
  parameters: { fixture: returned('export const answer = 42') },
  ...withStore,
  render: () => (
    <ToolCall.Root callId={callId} aria-label="Outcome only">
      <ToolCall.Outcome style={{ borderBlockStart: 0 }} />
    </ToolCall.Root>
  ),
} satisfies Meta
export default meta
type Story = StoryObj

export const TextValue: Story = {}
export const EndedWithoutResult: Story = { parameters: { fixture: endedWithoutResult } }
export const Unknown: Story = { parameters: { fixture: unknown } }
export const OneLongLine: Story = { parameters: { fixture: returned('no break in it '.repeat(400)) } }
export const ManyEntries: Story = {
  parameters: {
    fixture: returned(Array.from({ length: 1_000 }, (_, index) => ({ id: index, name: `Entry ${index}` }))),
  },
}

/** It stays in view while the process below it is read, and leaves at least half of the height to that. */
export const Pinned: Story = {
  parameters: {
    fixture: {
      ...lengthy(60),
      receives: [
        ...lengthy(60).receives,
        done(callId, 900, 100, Array.from({ length: 40 }, (_, i) => `Line ${i}`).join('\n')),
      ],
    },
  },
  render: () => (
    <div data-testid="panel" style={{ blockSize: 360, overflow: 'auto' }}>
      <ToolCallDetail callId={callId} />
    </div>
  ),
  play: async ({ canvas, step }) => {
    const panel = canvas.getByTestId('panel')
    const outcome = canvas.getByRole('group', { name: 'Final value' })
    await step('it stays at the top when the process is scrolled', async () => {
      await userEvent.click(canvas.getByRole('button', { name: /^Process ended/ }))
      panel.scrollTop = 600
      await waitFor(() => expect(outcome.getBoundingClientRect().top).toBeCloseTo(panel.getBoundingClientRect().top, 0))
    })
    await step('it takes no more than half of the height, also when all of it is shown', async () => {
      await userEvent.click(within(outcome).getByRole('button', { name: 'Show all (40 lines)' }))
      await expect(outcome.getBoundingClientRect().height).toBeLessThanOrEqual(180)
    })
    await step('what does not fit is reached by keyboard', async () => {
      const body = outcome.querySelector('[data-slot="tool-call-outcome-body"]') as HTMLElement
      await waitFor(() => expect(body).toHaveAttribute('tabindex', '0'))
    })
  },
}

export const Matrix: Story = {
  render: () => (
    <MatrixOf
      fixtures={{
        Text: returned('export const answer = 42'),
        Tree: returned({ files: [{ path: 'src/index.ts', lines: 48 }], ok: true, warnings: 0, next: null, note: '' }),
        'Folded text': returned(Array.from({ length: 80 }, (_, index) => `Line ${index + 1} of the answer`).join('\n')),
        'No value': returned(null),
        'Empty text': returned(''),
        Failed: failed,
        Aborted: abortedCall,
        'Ended without a result': endedWithoutResult,
        Denied: denied,
        Unknown: unknown,
        'Recorded otherwise': recordedOtherwise,
        'With a receipt': runCommitted,
        'Hostile text': hostile,
      }}
      show={(caption) => (
        <ToolCall.Root callId={callId} aria-label={caption}>
          <ToolCall.Outcome style={{ borderBlockStart: 0 }} />
        </ToolCall.Root>
      )}
    />
  ),
}
