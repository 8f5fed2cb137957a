import type { Meta, StoryObj } from '@storybook/react-vite'
import { useMemo } from 'react'
import { expect } from 'storybook/test'
import { toPlainText } from '../src/core/index.js'
import { messagesFor } from '../src/messages/index.js'
import { ToolCallDetail, ToolCallProvider } from '../src/react/index.js'
import { disturb } from '../src/testing/index.js'
import { callId } from './fixtures/calls.js'
import { storeOf } from './fixtures/storeOf.js'
import { aborted, done, output, snapshot, text, thinking, tool, type WireMessage } from './fixtures/wire.js'

const ends = {
  done: done(callId, 60_000, 100, 'The release builds.'),
  aborted: aborted(callId, 60_000, 100, 'The peer was stopped: quota exceeded.'),
}

/** A process of some length, and how it ends. */
const conversation = (end: keyof typeof ends): readonly WireMessage[] => [
  snapshot(callId, 0, { args: { goal: 'Build the release' } }),
  thinking(callId, 400, 1, 'First the tree, then the bundle.'),
  tool(callId, 1_000, 2, 'lint'),
  tool(callId, 1_100, 3, 'build'),
  ...Array.from({ length: 30 }, (_, index) =>
    output(callId, 2_000 + index * 100, 4 + index, index % 3 === 0 ? 'lint' : 'build', `line ${index + 1}\n`),
  ),
  tool(callId, 6_000, 40, 'lint', 'done'),
  text(callId, 6_100, 41, 'No mistakes; the bundle next.'),
  tool(callId, 50_000, 42, 'build', 'done'),
  ends[end],
]

interface FaultsProps {
  readonly end: keyof typeof ends
  /** Each message comes up to so many ms later, and may be overtaken. */
  readonly reorder: number
  /** How many of a hundred messages come twice. */
  readonly duplicate: number
  /** How many of a hundred blocks never come; how a process ends, and snapshots, always do (A13). */
  readonly lose: number
  /** Each message comes up to so many ms later, in the same order. */
  readonly delay: number
  /** Another number is another bad day. */
  readonly seed: number
  readonly locale: string
}

/** The same call twice: as it was sent, and as it comes through a bad connection. */
function UnderFaults({ end, reorder, duplicate, lose, delay, seed, locale }: FaultsProps) {
  const { sent, arrived, stores } = useMemo(() => {
    const all = conversation(end)
    const disturbed = disturb(
      all,
      {
        reorder: { ms: reorder },
        duplicate: { chance: duplicate / 100, ms: 30_000 },
        lose: { chance: lose / 100 },
        delay: { ms: delay },
      },
      seed,
    )
    const storesOfBoth = [all, disturbed].map((receives) => storeOf({ receives, now: 300_000 }))
    return { sent: all, arrived: disturbed, stores: storesOfBoth }
  }, [end, reorder, duplicate, lose, delay, seed])
  const calls = stores.map((store) => store.getState().calls.get(callId))
  const [asSent, asReceived] = calls.map((call) => call && toPlainText(call))
  const [outcome, outcomeReceived] = calls.map((call) => JSON.stringify([call?.outcome?.kind, call?.outcome?.value]))
  const lost = sent.length - new Set(arrived.map(({ message }) => message)).size
  return (
    <div style={{ display: 'grid', gap: 12 }}>
      <p role="status" style={{ margin: 0, font: '13px/20px var(--tcd-font-ui)', color: 'var(--tcd-color-ink)' }}>
        {arrived.length} messages came in, {lost} were lost.{' '}
        {outcome === outcomeReceived ? 'The outcome is the same' : 'THE OUTCOME IS ANOTHER'},{' '}
        {asSent === asReceived ? 'and so is everything that is shown.' : 'and what is shown differs by what was lost.'}
      </p>
      <div style={{ display: 'grid', gap: 12, gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 300px), 1fr))' }}>
        {['As sent', 'As received'].map((label, index) => (
          <ToolCallProvider key={label} store={stores[index]!} locale={locale} messages={messagesFor(locale)}>
            <ToolCallDetail callId={callId} aria-label={label} />
          </ToolCallProvider>
        ))}
      </div>
    </div>
  )
}

/**
 * What order, repetition and loss do to a call: nothing that decides anything. Turn the knobs; `seed` is another bad day.
 */
const meta = {
  title: 'Testing/Faults',
  component: UnderFaults,
  args: { end: 'done', reorder: 60_000, duplicate: 30, lose: 0, delay: 0, seed: 1, locale: 'en' },
  argTypes: {
    end: { control: 'inline-radio', options: Object.keys(ends) },
    duplicate: { control: { type: 'range', min: 0, max: 100 } },
    lose: { control: { type: 'range', min: 0, max: 100 } },
    reorder: { control: { type: 'range', min: 0, max: 60_000, step: 1_000 } },
    delay: { control: { type: 'range', min: 0, max: 60_000, step: 1_000 } },
    seed: { control: { type: 'number', min: 1 } },
    locale: { table: { disable: true } },
  },
  render: (args, { globals }) => <UnderFaults {...args} locale={globals.locale as string} />,
} satisfies Meta<typeof UnderFaults>
export default meta
type Story = StoryObj<typeof meta>

/** Nearly any order, and a third of all twice. */
export const ReorderedAndRepeated: Story = {
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('status')).toHaveTextContent(
      '0 were lost. The outcome is the same, and so is everything',
    )
  },
}

/** Each message up to half a minute too late, and none overtaken. */
export const Delayed: Story = { args: { reorder: 0, duplicate: 0, delay: 30_000 }, play: ReorderedAndRepeated.play! }

/** Half of the process is lost; how it ended is not. */
export const Lossy: Story = {
  args: { lose: 50 },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('status')).toHaveTextContent(
      /[1-9]\d* were lost. The outcome is the same, and what is/,
    )
  },
}

/** All of it is lost but the end. */
export const OnlyTheEnd: Story = { args: { lose: 100, end: 'aborted' }, play: Lossy.play! }
