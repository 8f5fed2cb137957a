import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent, waitFor, within } from 'storybook/test'
import { type ApprovalAnswer, ToolCall } from '../../src/index.js'
import type { ToolCallStore } from '../../src/store/index.js'
import {
  allowedEnded,
  allowedRunning,
  answeredElsewhere,
  answerFailed,
  answerSending,
  answerSent,
  answersInConflict,
  argumentsDiffer,
  argumentsPending,
  deniedWithReason,
  requestExpired,
  requestExpiring,
  requestWithdrawn,
  waitingCommand,
  waitingForYou,
} from '../fixtures/bus.js'
import { Matrix as MatrixOf } from '../fixtures/Matrix.js'
import { withArea } from '../fixtures/withToolCalls.js'

const meta = {
  title: 'Parts/Approval',
  component: ToolCall.Approval,
  parameters: { fixture: waitingForYou },
  ...withArea,
} satisfies Meta
export default meta
type Story = StoryObj

export const WaitingForYou: Story = {
  play: async ({ canvas, loaded, step }) => {
    const store = loaded.store as ToolCallStore
    const answers: ApprovalAnswer[] = []
    let deliver: () => void = () => {}
    store.carryAnswers((_approval, answer) => {
      answers.push(answer)
      return new Promise((resolve) => {
        deliver = resolve
      })
    })
    const question = () =>
      within(
        canvas.getByRole('group', { name: 'The sub-agent release-bot wants to run write_file through fs-server.' }),
      )
    await step('it says exactly what will run', async () => {
      await expect(question().getByText('"deploy/values.yaml"')).toBeVisible()
    })
    await step('it is answered once, however often it is clicked', async () => {
      await userEvent.dblClick(question().getByRole('button', { name: 'Allow once' }))
      store.flush()
      await waitFor(() => expect(question().getByText('Allow once · sending…')).toBeVisible())
      await expect(answers).toEqual([{ approved: true, scope: 'once' }])
      await expect(question().queryByRole('button', { name: 'Deny' })).not.toBeInTheDocument()
    })
    await step('an acknowledgement does not confirm it', async () => {
      deliver()
      await waitFor(() => {
        store.flush()
        return expect(question().getByText('Allow once · sent, waiting for confirmation')).toBeVisible()
      })
    })
  },
}

export const Command: Story = { parameters: { fixture: waitingCommand } }
export const Sending: Story = { parameters: { fixture: answerSending } }
export const Sent: Story = { parameters: { fixture: answerSent } }
export const NotSent: Story = { parameters: { fixture: answerFailed } }
export const ArgumentsPending: Story = { parameters: { fixture: argumentsPending } }
export const ArgumentsDiffer: Story = { parameters: { fixture: argumentsDiffer } }
export const Expiring: Story = { parameters: { fixture: requestExpiring } }
export const Expired: Story = { parameters: { fixture: requestExpired } }
export const Withdrawn: Story = { parameters: { fixture: requestWithdrawn } }
export const AnsweredElsewhere: Story = { parameters: { fixture: answeredElsewhere } }
export const Conflict: Story = { parameters: { fixture: answersInConflict } }
export const AllowedAndRunning: Story = { parameters: { fixture: allowedRunning } }

/** The decision stays readable: what, which scope, when. */
export const AllowedAndEnded: Story = {
  parameters: { fixture: allowedEnded },
  play: async ({ canvas, step }) => {
    await step('one line says what was decided', async () => {
      const decision = canvas.getByRole('button', { name: /^Allowed once/ })
      await expect(decision).toHaveAttribute('aria-expanded', 'false')
      await userEvent.click(decision)
    })
    await step('it opens what was asked', async () => {
      const asked = within(canvas.getByRole('group', { name: /^The sub-agent release-bot wants/ }))
      await expect(asked.getByText('"deploy/values.yaml"')).toBeVisible()
    })
  },
}

export const DeniedWithReason: Story = { parameters: { fixture: deniedWithReason } }

/** A reason is asked for, and Enter sends it. */
export const GivingAReason: Story = {
  play: async ({ canvas, loaded, step }) => {
    const store = loaded.store as ToolCallStore
    const answers: ApprovalAnswer[] = []
    store.carryAnswers(async (_approval, answer) => {
      answers.push(answer)
    })
    await step('the field opens with the focus in it', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Add a reason' }))
      await expect(canvas.getByRole('textbox', { name: 'Reason for denying' })).toHaveFocus()
    })
    await step('Enter denies', async () => {
      await userEvent.keyboard('Not on a Friday.{Enter}')
      store.flush()
      await expect(answers).toEqual([{ approved: false, reason: 'Not on a Friday.' }])
      await waitFor(() => expect(canvas.queryByRole('textbox')).not.toBeInTheDocument())
    })
  },
}

/** The host allows other scopes than the usual ones. */
export const OwnScopes: Story = {
  parameters: { provider: { approvalScopes: ['once', 'this directory', 'always'] } },
}

export const Matrix: Story = {
  render: () => (
    <MatrixOf
      fixtures={{
        'Waiting for you': waitingForYou,
        Command: waitingCommand,
        Sending: answerSending,
        Sent: answerSent,
        'Not sent': answerFailed,
        'Arguments pending': argumentsPending,
        'Arguments differ': argumentsDiffer,
        Expiring: requestExpiring,
        Expired: requestExpired,
        Withdrawn: requestWithdrawn,
        Elsewhere: answeredElsewhere,
        Conflict: answersInConflict,
        'Allowed and running': allowedRunning,
        'Allowed and ended': allowedEnded,
        Denied: deniedWithReason,
      }}
    />
  ),
}
