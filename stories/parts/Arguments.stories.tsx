import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent } from 'storybook/test'
import { ToolCall, ToolCallDetail, ToolCallNode } from '../../src/react/index.js'
import {
  argumentsLoading,
  argumentsSoFar,
  argumentsStreaming,
  callId,
  longFileStreaming,
  resulted,
} from '../fixtures/calls.js'
import { Matrix as MatrixOf } from '../fixtures/Matrix.js'
import type { Fixture } from '../fixtures/storeOf.js'
import { snapshot } from '../fixtures/wire.js'
import { withStore } from '../fixtures/withToolCalls.js'

const calledWith = (args: unknown): Fixture => ({ receives: [snapshot(callId, 0, { args })], now: 1_000 })

const page = '<!DOCTYPE html>\n<html lang="en">\n<canvas id="board"></canvas>\n</html>'

const meta = {
  title: 'Parts/Arguments',
  component: ToolCall.Arguments,
  args: { defaultOpen: true },
  parameters: { fixture: calledWith({ path: 'game.html', content: page, overwrite: false, retries: 0 }) },
  ...withStore,
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
export const NotJson: Story = { parameters: { fixture: calledWith('ls -la\ngrep -r "retry" src') } }
export const HalfFinished: Story = {
  parameters: { fixture: calledWith('{"path": "game.html", "content": "<!DOCTYPE ht') },
}
export const Broken: Story = { parameters: { fixture: calledWith('{"path": "game.html", content: <!DOCTYPE html>') } }
export const Masked: Story = {
  parameters: {
    fixture: {
      ...calledWith({ url: 'https://example.org', headers: { authorization: 'Bearer 12345' }, token: 's3cret' }),
      maskArguments: ['token', 'headers.authorization'],
    },
  },
}
export const LongFile: Story = {
  parameters: {
    fixture: calledWith({
      path: 'src/lines.ts',
      content: Array.from({ length: 400 }, (_, index) => `const line${index + 1} = ${index + 1}`).join('\n'),
    }),
  },
}
export const LongKeys: Story = {
  parameters: {
    fixture: calledWith({ 'a key that goes on and on and on and on and on and on': 'value', k: 'v'.repeat(300) }),
  },
}

/** Nothing of the arguments can be shown yet: the header says so in the command's place, and the area can be open. */
export const Loading: Story = { parameters: { fixture: argumentsLoading }, render: area }

/** As they arrive, with a caret behind what is open. */
export const Streaming: Story = { parameters: { fixture: argumentsStreaming }, render: area }

export const StreamingNested: Story = {
  parameters: {
    fixture: argumentsSoFar('{"message":"Look at both","edits":[{"from":"a","to":"b"},{"from":"c","to":"unfin', 'edit'),
  },
  render: area,
  play: async ({ canvas, step }) => {
    await step('a nested value opens while it arrives', async () => {
      await userEvent.click(canvas.getByRole('button', { name: /^\[…\] 2 entries/ }))
      await userEvent.click(canvas.getByRole('button', { name: /^1\s*\{…\}/ }))
      await expect(canvas.getByText(/"unfin/)).toBeVisible()
    })
  },
}

/** A long text follows its own end until the reader asks for all of it. */
export const StreamingLongFile: Story = {
  parameters: { fixture: longFileStreaming(400) },
  render: area,
  play: async ({ canvas, step }) => {
    await step('its last lines are shown', async () => {
      await expect(canvas.getByText(/const line400 = 400/)).toBeVisible()
      await expect(canvas.queryByText(/const line1 = 1\n/)).toBeNull()
      await expect(canvas.getByRole('button', { name: 'Show all (400 lines)' })).toBeVisible()
    })
  },
}

/** Text that is not JSON by design. */
export const StreamingText: Story = {
  parameters: { fixture: argumentsSoFar('*** Begin Patch\n*** Update File: src/a.ts\n-old\n+n', 'apply_patch') },
  render: area,
}

/** The call has ended, and its arguments never came to their end. */
export const CutOff: Story = {
  parameters: {
    fixture: resulted({ result: 'connection reset', status: 'error' }, '{"path":"a.txt","content":"half a li'),
  },
  render: (args) => (
    <ToolCall.Root callId={callId}>
      <ToolCall.Header />
      <ToolCall.Arguments {...args} />
    </ToolCall.Root>
  ),
}

/** What the node in the conversation says from the arguments. */
export const InTheConversation: Story = {
  parameters: { fixture: argumentsStreaming },
  render: () => <ToolCallNode callId={callId} />,
}

/** Header lines: what the call does while it runs, what it did afterwards, or what the result says. */
export const HeaderLines: Story = {
  render: () => (
    <MatrixOf
      fixtures={{
        'Loading arguments': argumentsLoading,
        'Arguments streaming': argumentsSoFar('{"command":"npm te', 'shell'),
        'A command runs': argumentsSoFar('{"command":"npm test"}', 'shell'),
        'It has run': resulted({ result: '212 passed', status: 'success' }),
        'With a summary': resulted({ result: '212 passed', status: 'success', summary: '212 tests pass' }),
        'It failed': resulted({ result: 'exit code 1', status: 'error' }),
        'A search': argumentsSoFar('{"query":"tool call","limit":10}', 'web_search'),
        'An address': argumentsSoFar('{"url":"https://example.org/a"}', 'fetch'),
        'A path': argumentsSoFar('{"path":"src/index.ts"}', 'read_file'),
        'A result without a start': { receives: [resulted({ result: null, status: 'success' }).receives[2]!] },
        'The result is 0': resulted({ result: 0, status: 'success' }),
        'The result is false': resulted({ result: false, status: 'success' }),
        'The result is an empty text': resulted({ result: '', status: 'success' }),
      }}
    />
  ),
}

export const Matrix: Story = {
  render: (args) => (
    <MatrixOf
      fixtures={{
        Rows: calledWith({ path: 'game.html', content: page, overwrite: false, retries: 0, note: null }),
        Nested: calledWith({ query: { all: [{ tag: 'a' }, { tag: 'b' }] }, limit: 20 }),
        'Long values': calledWith({ 'a key that goes on and on and on and on': 'value', k: 'v'.repeat(300) }),
        Masked: { ...calledWith({ url: 'https://example.org', token: 's3cret' }), maskArguments: ['token'] },
        Arriving: argumentsStreaming,
        'A long file arriving': longFileStreaming(400),
        'Half finished': calledWith('{"path": "game.html", "content": "<!DOCTYPE ht'),
        Broken: calledWith('{"path": "game.html", content: <!DOCTYPE html>'),
        'Not JSON': calledWith('ls -la\ngrep -r "retry" src'),
      }}
      show={(caption) => (
        <ToolCall.Root callId={callId} aria-label={caption}>
          <ToolCall.Arguments {...args} style={{ borderBlockStart: 0 }} />
        </ToolCall.Root>
      )}
    />
  ),
}

function area() {
  return <ToolCallDetail callId={callId} />
}
