import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent, within } from 'storybook/test'
import { ToolCallDetail } from '../src/react/index.js'
import type { ToolCallStore } from '../src/store/index.js'
import {
  abortedCall,
  callId,
  calling,
  denied,
  ended,
  endedWithoutResult,
  failed,
  hostile,
  incomplete,
  interleaved,
  lengthy,
  overLimits,
  recordedOtherwise,
  returned,
  running as runningCall,
  severalTasks,
  unknown,
} from './fixtures/calls.js'
import { Matrix as MatrixOf } from './fixtures/Matrix.js'
import { aborted, done, snapshot, text, thinking } from './fixtures/wire.js'
import { withStore } from './fixtures/withToolCalls.js'

const meta = {
  title: 'Components/ToolCallDetail',
  component: ToolCallDetail,
  args: { callId },
  parameters: { fixture: runningCall },
  ...withStore,
} satisfies Meta<typeof ToolCallDetail>
export default meta
type Story = StoryObj<typeof meta>

export const Running: Story = {
  play: async ({ canvas, step }) => {
    await step('the area is named by its tool and its title', async () => {
      await expect(canvas.getByRole('region', { name: /^ask_colleague Build the release/ })).toBeVisible()
    })
    await step('the mode is visible', async () => {
      await expect(canvas.getByText('Live')).toBeVisible()
    })
    await step('thinking is one line', async () => {
      await expect(canvas.getByRole('button', { name: /^Thought for 6 s/ })).toHaveAttribute('aria-expanded', 'false')
    })
  },
}

export const Calling: Story = { parameters: { fixture: calling } }

export const Silent: Story = {
  parameters: { fixture: { ...calling, now: 12_000 } },
  play: async ({ canvas, loaded, step }) => {
    await step('after the silence it says that there are no details', async () => {
      await expect(canvas.getByText('No process details')).toBeVisible()
    })
    await step('a late first block takes the place of that notice', async () => {
      const store = loaded.store as ToolCallStore
      const { protocol, message } = text(callId, 13_000, 1, 'Here I am.')
      store.receive(protocol, message)
      store.flush()
      await expect(await canvas.findByText('Here I am.')).toBeVisible()
      await expect(canvas.queryByText('No process details')).not.toBeInTheDocument()
    })
  },
}

export const EndsWhileWatched: Story = {
  play: async ({ canvas, loaded, step }) => {
    const store = loaded.store as ToolCallStore
    await step('the terminal frame comes', async () => {
      const { protocol, message } = done(callId, 72_000, 20, 'All is built.')
      store.receive(protocol, message)
      store.flush()
    })
    await step('the value is pinned and the process stays open', async () => {
      await expect(await canvas.findByText('All is built.')).toBeVisible()
      await expect(canvas.getByRole('button', { name: /^Process ended/ })).toHaveAttribute('aria-expanded', 'true')
    })
  },
}

export const Ended: Story = {
  parameters: { fixture: ended },
  play: async ({ canvas, step }) => {
    const toggle = canvas.getByRole('button', { name: /^Process ended/ })
    await step('the process is folded, for it had ended before', async () => {
      await expect(toggle).toHaveAttribute('aria-expanded', 'false')
      await expect(toggle).toHaveTextContent('numbering skips 3')
    })
    await step('Enter opens it', async () => {
      toggle.focus()
      await userEvent.keyboard('{Enter}')
      await expect(canvas.getByText('shell')).toBeVisible()
    })
    await step('Space folds it again', async () => {
      await userEvent.keyboard(' ')
      await expect(toggle).toHaveAttribute('aria-expanded', 'false')
    })
  },
}

export const Failed: Story = { parameters: { fixture: failed } }
export const Aborted: Story = { parameters: { fixture: abortedCall } }
export const EndedWithoutResult: Story = { parameters: { fixture: endedWithoutResult } }
export const Denied: Story = { parameters: { fixture: denied } }
export const OutcomeUnknown: Story = { parameters: { fixture: unknown } }
export const RecordedOtherwise: Story = { parameters: { fixture: recordedOtherwise } }
export const Replay: Story = { parameters: { fixture: { ...runningCall, mode: 'replay' } } }
export const SeveralTasks: Story = { parameters: { fixture: severalTasks } }
export const InterleavedStreams: Story = { parameters: { fixture: interleaved } }
export const Incomplete: Story = { parameters: { fixture: incomplete } }
export const OverLimits: Story = { parameters: { fixture: overLimits } }
export const HostileText: Story = { parameters: { fixture: hostile } }

/** An asynchronous call ends at once with a handle, and has no process (A16). */
export const AsynchronousHandle: Story = {
  parameters: { fixture: returned({ handle: 'job-17', state: 'queued' }, 'start_job') },
}

/** Known by its frames alone, which came before any snapshot (A15). */
export const BeforeItsSnapshot: Story = {
  parameters: { fixture: { receives: [thinking(callId, 0, 1, 'Who asked me?')], now: 1_000 } },
}

export const NotThere: Story = { parameters: { fixture: { receives: [] } } }

export const NoLongerKept: Story = {
  parameters: {
    fixture: {
      limits: { endedCalls: 1 },
      receives: [
        snapshot(callId, 0, { status: 'done', toolReturn: 'first' }),
        snapshot('call-2', 1, { status: 'done', toolReturn: 'second' }),
        snapshot('call-3', 2, { status: 'done', toolReturn: 'third' }),
      ],
    },
  },
}

export const NewerMessages: Story = {
  parameters: {
    fixture: {
      ...runningCall,
      receives: [
        ...runningCall.receives,
        { protocol: 'tool_event_stream', at: 41_000, message: { v: 2, callId, taskId: 'task-1', parts: [] } },
      ],
    },
  },
}

export const UnknownStatusWord: Story = {
  parameters: { fixture: { receives: [snapshot(callId, 0, { status: 'queued' })], now: 2_000 } },
}

export const LongValue: Story = {
  parameters: {
    fixture: returned(Array.from({ length: 80 }, (_, index) => `Line ${index + 1} of the answer`).join('\n')),
  },
  play: async ({ canvas, step }) => {
    await step('it is folded behind twelve lines', async () => {
      await expect(canvas.getByText(/Line 12 of/)).toBeVisible()
      await expect(canvas.queryByText(/Line 13 of/)).not.toBeInTheDocument()
    })
    await step('"show all" says how many there are, and opens it', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Show all (80 lines)' }))
      await expect(canvas.getByText(/Line 80 of/)).toBeInTheDocument()
    })
    await step('it never takes more than half of the height', async () => {
      const outcome = canvas.getByRole('group', { name: 'Final value' })
      await expect(outcome.getBoundingClientRect().height).toBeLessThanOrEqual(window.innerHeight / 2 + 1)
    })
  },
}

export const TreeValue: Story = {
  parameters: {
    fixture: returned({
      files: [
        { path: 'src/index.ts', lines: 48 },
        { path: 'src/core/log.ts', lines: 212 },
      ],
      ok: true,
      warnings: 0,
      next: null,
      note: '',
    }),
  },
  play: async ({ canvas, step }) => {
    await step('a branch opens by keyboard', async () => {
      canvas.getByRole('button', { name: /files/ }).focus()
      await userEvent.keyboard('{Enter}{Tab}{Enter}')
      const outcome = within(canvas.getByRole('group', { name: 'Final value' }))
      await expect(outcome.getByText('"src/index.ts"')).toBeVisible()
    })
  },
}

export const FalsyValues: Story = {
  render: () => (
    <MatrixOf fixtures={{ zero: returned(0), false: returned(false), empty: returned(''), nothing: returned(null) }} />
  ),
  play: async ({ canvas, step }) => {
    await step('each is a value', async () => {
      const outcomes = canvas.getAllByRole('group', { name: 'Final value' })
      const texts = ['0', 'false', '(empty text)', 'null']
      for (const [index, outcome] of outcomes.entries())
        await expect(within(outcome).getByText(texts[index] as string)).toBeVisible()
    })
  },
}

export const Lengthy: Story = {
  parameters: { fixture: lengthy(1_000) },
  play: async ({ canvas, step }) => {
    await step('the newest 200 are mounted', async () => {
      await expect(canvas.getAllByRole('listitem')).toHaveLength(200)
      await expect(canvas.getByText('Step 1000')).toBeInTheDocument()
    })
    await step('earlier ones come by 200', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Show 200 earlier' }))
      await expect(canvas.getAllByRole('listitem')).toHaveLength(400)
    })
  },
}

export const OwnMode: Story = { args: { mode: <button type="button">Pause</button> } }

export const OwnRenderer: Story = {
  parameters: {
    provider: {
      renderers: { ask_colleague: () => <p style={{ padding: 12, margin: 0 }}>The host shows this tool itself.</p> },
    },
  },
}

export const OwnValue: Story = {
  parameters: { fixture: ended, provider: { renderValue: (value: unknown) => <em>{String(value)}</em> } },
}

/** Aborted with its reason while another task of the call had ended well. */
export const LastTaskAborted: Story = {
  parameters: {
    fixture: {
      ...severalTasks,
      receives: [...severalTasks.receives, aborted(callId, 9_000, 2, 'Out of time.', 'task-2')],
    },
  },
}

export const Matrix: Story = {
  render: () => (
    <MatrixOf
      fixtures={{
        Calling: calling,
        Running: runningCall,
        Ended: ended,
        Failed: failed,
        Denied: denied,
        Unknown: unknown,
        Incomplete: incomplete,
        Hostile: hostile,
      }}
    />
  ),
}
