import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn, userEvent, waitFor, within } from 'storybook/test'
import { ToolCallDetail } from '../../src/react/index.js'
import { callId } from '../fixtures/calls.js'
import { Matrix as MatrixOf } from '../fixtures/Matrix.js'
import {
  runCommitted,
  runCounting,
  runEstimating,
  runFailed,
  runLost,
  runOfSteps,
  runPaused,
  runQuiet,
  runSampled,
  runThinking,
  runUnknown,
  runUnknownReading,
  runWaiting,
  runWithoutReceipt,
  runWriting,
} from '../fixtures/runs.js'
import type { WireMessage } from '../fixtures/wire.js'
import { withArea } from '../fixtures/withToolCalls.js'

const image =
  'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="240" height="80"><rect width="240" height="80" fill="teal"/></svg>'

/** An address that the page itself has made, as a host would that fetches the file with its own credentials. */
const blobUrl = async () => URL.createObjectURL(await (await fetch(image)).blob())

const meta = {
  title: 'Parts/Run',
  component: ToolCallDetail,
  parameters: { fixture: runCounting, provider: { resolveArtifact: blobUrl, onCheckAgain: () => {} } },
  ...withArea,
} satisfies Meta
export default meta
type Story = StoryObj

/** The counts are facts, so that there is a bar. */
export const Counting: Story = {}
export const ProgressSampled: Story = { parameters: { fixture: runSampled } }
/** No numbers: how far it is is a guess. */
export const Estimating: Story = { parameters: { fixture: runEstimating } }
export const Paused: Story = { parameters: { fixture: runPaused } }
export const Quiet: Story = { parameters: { fixture: runQuiet } }
export const ChangingData: Story = { parameters: { fixture: runWriting } }
export const Waiting: Story = { parameters: { fixture: runWaiting } }
export const Thinking: Story = { parameters: { fixture: runThinking } }
export const Failed: Story = { parameters: { fixture: runFailed } }
export const OutcomeUnknown: Story = { parameters: { fixture: runUnknown } }
export const OutcomeUnknownAfterReading: Story = { parameters: { fixture: runUnknownReading } }
export const NamedSteps: Story = { parameters: { fixture: runOfSteps } }
export const WithoutReceipt: Story = { parameters: { fixture: runWithoutReceipt } }

/** The stream was cut after a write, and what was missed can not be had: the host is asked, and nothing is run again. */
export const Lost: Story = {
  parameters: { fixture: runLost, provider: { onCheckAgain: fn(async () => {}) } },
  play: async ({ canvas, step, parameters, loaded }) => {
    const outcome = canvas.getByRole('group', { name: 'Outcome unknown' })
    await step('it says that it may have happened', async () => {
      await expect(within(outcome).getByText(/It may or may not have happened/)).toBeVisible()
      await expect(within(outcome).queryByRole('button', { name: /retry|again$/i })).toHaveTextContent('Check again')
    })
    await step('checking asks the host', async () => {
      await userEvent.click(within(outcome).getByRole('button', { name: 'Check again' }))
      await expect(parameters.provider.onCheckAgain).toHaveBeenCalledWith(callId)
    })
    await step('the truth takes the place of what was not known', async () => {
      loaded.store.receive('run_gateway', (runCommitted.receives.at(-1) as WireMessage).message)
      loaded.store.flush()
      await waitFor(() => expect(canvas.getByText('rcp-2026-0042')).toBeVisible())
      await expect(canvas.queryByText(/It may or may not have happened/)).toBeNull()
    })
  },
}

/** Confirmed by a receipt, with its files and its sources. */
export const Committed: Story = {
  parameters: { fixture: runCommitted },
  play: async ({ canvas, step }) => {
    await step('an image is shown when it is asked for, at an address that the host gives then', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Preview receipt-scan.png' }))
      await waitFor(() =>
        expect(canvas.getByRole('img', { name: 'receipt-scan.png' })).toHaveAttribute(
          'src',
          expect.stringMatching(/^blob:/),
        ),
      )
    })
    await step('and put away again', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Close preview receipt-scan.png' }))
      await expect(canvas.queryByRole('img', { name: 'receipt-scan.png' })).toBeNull()
    })
  },
}

/** All states of a run. */
export const Matrix: Story = {
  render: () => (
    <MatrixOf
      fixtures={{
        'Counts that are facts': runCounting,
        'Progress is sampled': runSampled,
        'An estimate': runEstimating,
        Paused: runPaused,
        'Nothing heard for a while': runQuiet,
        'Changing data': runWriting,
        'Waiting for a person': runWaiting,
        Thinking: runThinking,
        Committed: runCommitted,
        Failed: runFailed,
        'Unknown, after a write': runUnknown,
        'Unknown, resume refused': runLost,
        'Unknown, after reading': runUnknownReading,
        'Named steps': runOfSteps,
        'Done without a receipt': runWithoutReceipt,
      }}
    />
  ),
}
