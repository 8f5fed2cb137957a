import type { Meta, StoryObj } from '@storybook/react-vite'
import { useEffect, useMemo, useState } from 'react'
import { expect, fireEvent, userEvent, waitFor } from 'storybook/test'
import { ReplayBar, ToolCallDetail, ToolCallNode, ToolCallProvider, useStore } from '../src/index.js'
import { messagesFor } from '../src/messages/index.js'
import { createPlayer } from '../src/replay/index.js'
import { recordingOf } from './fixtures/recordingOf.js'
import { aborted, output, snapshot, startedAt, text, thinking, tool } from './fixtures/wire.js'
import './replay.css'

const callId = 'call-1'
const recording = recordingOf({
  receives: [
    snapshot(callId, 0, { args: { message: 'Build it' } }),
    thinking(callId, 1_000, 1, 'Looking at the sources first.'),
    text(callId, 4_000, 2, 'Building the release'),
    tool(callId, 5_000, 3, 'shell'),
    ...Array.from({ length: 20 }, (_, i) => output(callId, 6_000 + i * 500, 4 + i, 'shell', `line ${i + 1}\n`)),
    tool(callId, 18_000, 24, 'shell', 'done'),
    aborted(callId, 20_000, 25, 'The disk is full'),
  ],
})

interface ReplayProps {
  /** The text of a recording. */
  readonly recording: string
  readonly locale: string
}

/** Plays a recording, and each file of one that is dropped on it. */
function Replay({ recording: given, locale }: ReplayProps) {
  const [source, setSource] = useState(given)
  const player = useMemo(() => createPlayer(source), [source])
  useEffect(() => {
    player.seek(player.duration)
    return player.close
  }, [player])
  return (
    <ToolCallProvider store={player.store} locale={locale} messages={messagesFor(locale)}>
      {/* Dropping a file is a shortcut of this page; the control itself works with the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <section
        className="replay-page"
        aria-label="Recording"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          void event.dataTransfer.files[0]?.text().then(setSource)
        }}
      >
        <ReplayBar player={player} />
        <Calls />
      </section>
    </ToolCallProvider>
  )
}

/** All calls of the recording, and the detail area of the one that is opened, the last one at first. */
function Calls() {
  const calls = useStore(({ calls: all }) => all)
  const [opened, setOpened] = useState<string>()
  const ids = [...calls.keys()]
  const open = opened !== undefined && calls.has(opened) ? opened : ids.at(-1)
  if (open === undefined) return <p className="replay-hint">Nothing has been received at this moment.</p>
  return (
    <>
      {ids.length > 1 &&
        ids.map((id) => <ToolCallNode key={id} callId={id} open={id === open} onOpenChange={() => setOpened(id)} />)}
      <ToolCallDetail key={open} callId={open} />
    </>
  )
}

/**
 * The control of a recording that is played. Drop the file of a recording, such as one saved on the live page, onto the
 * story: it shows the same calls.
 */
const meta = {
  title: 'Components/ReplayBar',
  component: ReplayBar as never,
  args: { recording },
  render: (args, { globals }) => (
    <Replay key={args.recording} recording={args.recording} locale={globals.locale as string} />
  ),
} satisfies Meta<{ readonly recording: string }>
export default meta
type Story = StoryObj<{ readonly recording: string }>

export const AtTheEnd: Story = {}

export const Dragged: Story = {
  play: async ({ canvas, step }) => {
    const slider = await canvas.findByRole('slider', { name: 'Moment of the recording' })
    await step('dragged back, the call is still running and the output is shorter', async () => {
      await expect(await canvas.findByText('The disk is full')).toBeVisible()
      await fireEvent.change(slider, { target: { value: '10000' } })
      await waitFor(() => expect(canvas.queryByText('The disk is full')).not.toBeInTheDocument())
      // A failed process is open, one that goes on is what the reader makes of it.
      await userEvent.click(canvas.getByRole('button', { name: /^Process/ }))
      await waitFor(() => expect(canvas.getByText('line 9')).toBeVisible())
      await expect(canvas.queryByText('line 10')).not.toBeInTheDocument()
      await expect(slider).toHaveAttribute('aria-valuetext', '10.0 s of 20.0 s')
    })
    await step('a step goes on by one message, and one back takes it away again', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'One step on' }))
      await waitFor(() => expect(canvas.getByText('line 10')).toBeVisible())
      await userEvent.click(canvas.getByRole('button', { name: 'One step back' }))
      await waitFor(() => expect(canvas.queryByText('line 10')).not.toBeInTheDocument())
    })
    await step('played without waiting, it comes to its end', async () => {
      await userEvent.selectOptions(canvas.getByRole('combobox', { name: 'Speed' }), 'immediate')
      await userEvent.click(canvas.getByRole('button', { name: 'Play' }))
      await expect(await canvas.findByText('The disk is full')).toBeVisible()
      await expect(await canvas.findByRole('button', { name: 'Play' })).toBeVisible()
    })
  },
}

export const Dropped: Story = {
  args: { recording: '' },
  play: async ({ canvas, step }) => {
    await step('there is nothing in it', async () => {
      await expect(canvas.getByText('There is nothing in this recording')).toBeVisible()
    })
    await step('a recording is dropped: it shows what the live store showed', async () => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([recording], 'recording.jsonl'))
      canvas
        .getByRole('region', { name: 'Recording' })
        .dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }))
      await expect(await canvas.findByText('The disk is full')).toBeVisible()
      await expect(canvas.queryByText('There is nothing in this recording')).not.toBeInTheDocument()
    })
  },
}

/** What can be read of it is played, and the rest is said. */
export const Broken: Story = {
  args: {
    recording: `${recording.replace('"version":1', '"version":2')}no receipt\n{"receivedAt":${startedAt},"ev`,
  },
}
