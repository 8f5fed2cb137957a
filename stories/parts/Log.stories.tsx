import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fireEvent, userEvent, waitFor } from 'storybook/test'
import { ToolCall } from '../../src/react/index.js'
import type { ToolCallStore } from '../../src/store/index.js'
import { callId, interleaved, longOutput, overLimits } from '../fixtures/calls.js'
import { FirstProcess } from '../fixtures/FirstProcess.js'
import { Matrix as MatrixOf } from '../fixtures/Matrix.js'
import { output } from '../fixtures/wire.js'
import { withStore } from '../fixtures/withToolCalls.js'

/** The output of a tool, inside its line. */
const meta = {
  title: 'Parts/Log',
  component: ToolCall.Log,
  parameters: { fixture: longOutput(1_000) },
  ...withStore,
  render: () => <FirstProcess callId={callId} />,
} satisfies Meta
export default meta
type Story = StoryObj

export const LongOutput: Story = {
  play: async ({ canvas, canvasElement, loaded, step }) => {
    const store = loaded.store as ToolCallStore
    const log = canvas.getByRole('log', { name: 'Output of shell' })
    const append = (seq: number, lines: number) => {
      const chunk = Array.from({ length: lines }, (_, index) => `more ${index + 1}\n`).join('')
      const { protocol, message } = output(callId, 30_000 + seq, seq, 'shell', chunk)
      store.receive(protocol, message)
      store.flush()
    }
    const isAtEnd = () => log.scrollTop + log.clientHeight >= log.scrollHeight - 1

    await step('it shows its end', async () => {
      await expect(canvas.getByText('line 1000 of the output')).toBeVisible()
      await expect(isAtEnd()).toBe(true)
    })
    await step('it follows what comes', async () => {
      append(100, 5)
      await waitFor(() => expect(canvas.getByText('more 5')).toBeVisible())
      await waitFor(() => expect(isAtEnd()).toBe(true))
    })
    await step('the reader scrolls up: it stays, and counts what is new', async () => {
      log.scrollTop = 900
      await waitFor(() => expect(canvas.getByText('line 55 of the output')).toBeVisible())
      append(101, 128)
      await waitFor(() => expect(canvas.getByRole('button', { name: /128 new lines/ })).toBeVisible())
      await expect(log.scrollTop).toBe(900)
    })
    await step('what is mounted does not grow with it', async () => {
      await expect(canvasElement.querySelectorAll('[data-slot="tool-call-log-line"]').length).toBeLessThan(60)
    })
    await step('the button leads back, and it follows again', async () => {
      await userEvent.click(canvas.getByRole('button', { name: /128 new lines/ }))
      await waitFor(() => expect(isAtEnd()).toBe(true))
      append(102, 3)
      await waitFor(() => expect(isAtEnd()).toBe(true))
      await expect(canvas.queryByRole('button', { name: /new lines/ })).not.toBeInTheDocument()
    })
    await step('scrolling back to the end by hand makes it follow, too', async () => {
      log.scrollTop = 500
      await waitFor(() => expect(canvas.getByText('line 30 of the output')).toBeVisible())
      log.scrollTop = log.scrollHeight
      await fireEvent.scroll(log)
      append(103, 3)
      await waitFor(() => expect(isAtEnd()).toBe(true))
    })
  },
}

export const ReaderScrolledUp: Story = {
  play: async ({ canvas, loaded }) => {
    const log = canvas.getByRole('log')
    log.scrollTop = 900
    await waitFor(() => expect(canvas.getByText('line 55 of the output')).toBeVisible())
    const store = loaded.store as ToolCallStore
    const { protocol, message } = output(callId, 50_000, 200, 'shell', 'new\n'.repeat(128))
    store.receive(protocol, message)
    store.flush()
    await waitFor(() => expect(canvas.getByRole('button', { name: /128 new lines/ })).toBeVisible())
  },
}

export const LinesDropped: Story = { parameters: { fixture: overLimits } }
export const Short: Story = { parameters: { fixture: longOutput(2) } }

export const Matrix: Story = {
  render: () => (
    <MatrixOf
      fixtures={{
        Short: longOutput(2),
        Long: longOutput(200),
        'Lines dropped': overLimits,
        'Two at a time': interleaved,
      }}
      show={(caption) => <FirstProcess callId={callId} label={caption} />}
    />
  ),
}
