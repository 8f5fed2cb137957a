import type { Meta, StoryObj } from '@storybook/react-vite'
import { useState } from 'react'
import { expect, userEvent, waitFor } from 'storybook/test'
import { createLog, type Log, type LogOptions } from '../src/core/index.js'
import { AppendLog, type AppendLogProps } from '../src/react/index.js'

interface ShownProps extends Omit<AppendLogProps, 'log'> {
  /** Fills the log, the first time that the story is shown. */
  readonly fill: (log: Log) => void
  readonly options?: LogOptions
}

function Shown({ fill, options, ...props }: ShownProps) {
  const [log] = useState(() => {
    const created = createLog(options)
    fill(created)
    return created
  })
  return <AppendLog log={log} {...props} />
}

function Growing() {
  const [log] = useState(() => {
    const created = createLog()
    lines(1_000)(created)
    return created
  })
  return (
    <>
      <AppendLog log={log} name="shell" />
      <button type="button" onClick={() => lines(128, (i) => `more ${i}`)(log)}>
        128 more lines
      </button>
    </>
  )
}

const chunks =
  (...texts: string[]) =>
  (log: Log) => {
    for (const text of texts) log.append(text)
  }

/** Lines in chunks of 500, as from a process. */
const lines =
  (count: number, text = (i: number) => `line ${i}`) =>
  (log: Log) => {
    for (let from = 1; from <= count; from += 500) {
      let chunk = ''
      for (let i = from; i < from + 500 && i <= count; i++) chunk += `${text(i)}\n`
      log.append(chunk)
    }
  }

const build = [
  '\x1b[36mvite v8.3.8\x1b[0m \x1b[32mbuilding for production…\x1b[0m\r\n',
  '\x1b[32m✓\x1b[0m 1 204 modules transformed.\r\n',
  '\x1b[33m▲ [warn]\x1b[0m "use client" ignored in \x1b]8;;https://example.org/src/Log.tsx\x07\x1b[34msrc/Log.tsx:1:0\x1b[0m\x1b]8;;\x07\r\n',
  'dist/index.js       \x1b[34m48.20 kB\x1b[0m \x1b[2m│ gzip: 15.31 kB\x1b[0m\r\n',
  'rendering chunks 3/24\rrendering chunks \x1b[35m━━━━━━━━━━━━━━━━\x1b[0m 18/24',
]

const eight = (from: number, text: string) =>
  `${Array.from({ length: 8 }, (_, i) => `\x1b[${from + i}m ${text} ${i} \x1b[0m`).join('')}\n`
const colors = [eight(30, 'colour'), eight(90, 'bright')]
const grounds = [eight(40, 'ground'), eight(100, 'bright')]
const styles =
  '\x1b[1mbold\x1b[0m \x1b[2mdim\x1b[0m \x1b[3mitalic\x1b[0m \x1b[4munderlined\x1b[0m \x1b[7minverse\x1b[0m \x1b[9mstruck\x1b[0m \x1b[53moverlined\x1b[0m\n'
const palette = `${Array.from({ length: 36 }, (_, i) => `\x1b[48;5;${16 + i * 6}m  `).join('')}\x1b[0m\n`
const trueColors = `${Array.from({ length: 36 }, (_, i) => `\x1b[48;2;${i * 7};${255 - i * 7};128m  `).join('')}\x1b[0m\n`

const gaps = (log: Log) => {
  log.append('one\ntwo\n', 1)
  log.append('six\nseven\n', 5)
  log.setGaps([{ before: 5, count: 3 }])
}

/** Output as it comes, alone: no store, no provider. */
const meta = {
  title: 'Components/AppendLog',
  component: Shown,
  args: { name: 'shell', fill: chunks(...build) },
} satisfies Meta<typeof Shown>
export default meta
type Story = StoryObj<typeof meta>

/** A build with a progress bar that is drawn over itself. */
export const Build: Story = { args: { heading: '$ npm run build' } }
export const Colors: Story = { args: { fill: chunks(...colors, styles) } }

/** What stands on which ground is up to the sender. */
export const Grounds: Story = {
  args: { fill: chunks(...grounds, palette, trueColors) },
  parameters: { a11y: { config: { rules: [{ id: 'color-contrast', enabled: false }] } } },
}

export const Empty: Story = { args: { fill: chunks() } }
export const WithoutNumbers: Story = { args: { lineNumbers: false } }
export const WithTimes: Story = { args: { timeOf: (number) => `12:03:0${number}` } }

/** A box of the host's height. */
export const GivenHeight: Story = {
  args: { fill: lines(1_000), maxLines: Number.POSITIVE_INFINITY, style: { blockSize: 400 } },
}

export const LongLinesWrapped: Story = {
  args: { fill: lines(40, (i) => `${i} ${'word '.repeat((i * 7) % 60)}end`), defaultWrapped: true },
}

/** Characters of two columns and of none, and signs that fonts take from elsewhere. */
export const WideCharacters: Story = {
  args: {
    fill: chunks(
      '│日本語　│한국어　│中文字　│\n│abcdef　│ghijkl　│mnopqr　│\n│👍🚀🎉..│e\u0301e\u0301e\u0301.....│✓▲→━●...│\n│........│........│........│\n',
    ),
  },
}

/** Characters that could deceive a reader are marked. */
export const InvisibleCharacters: Story = {
  args: { fill: chunks('access \u202Egnp.exe\u202C granted\nzero\u200Bwidth and \u2066isolated\u2069 text\n') },
}

/** Links that may be one, with their target where the browser shows it; others are text. */
export const Links: Story = {
  args: {
    fill: chunks(
      'see \x1b]8;;https://example.org/report?id=7\x07the report\x1b]8;;\x07\n',
      'not \x1b]8;;javascript:alert(1)\x07this one\x1b]8;;\x07\n',
    ),
  },
  play: async ({ canvas }) => {
    canvas.getByRole('link', { name: 'the report' }).focus()
    await expect(canvas.getByText('https://example.org/report?id=7')).toBeVisible()
    await expect(canvas.getAllByRole('link')).toHaveLength(1)
  },
}

/** What a limit has taken away is said where it was. */
export const LinesDropped: Story = {
  args: { fill: lines(912), options: { lines: 100 } },
  play: async ({ canvas }) => {
    canvas.getByRole('log').focus()
    await userEvent.keyboard('{Home}')
    await waitFor(() => expect(canvas.getByText('812 earlier lines were dropped')).toBeVisible())
  },
}

/** Numbers that the sender left out, between two chunks of the log. */
export const Gaps: Story = {
  args: {
    fill: gaps,
  },
}

/** A full-screen program is no part of a log, and a chunk may come too late. */
export const LeftOut: Story = {
  args: {
    fill: (log) => {
      log.append('$ vim notes.txt\n\x1b[?1049hits screen\x1b[?1049l$ \n', 0)
      lines(30_000)(log)
      log.finish()
      log.append('late\n', -1)
    },
    options: { lines: 10 },
  },
}

/** A megabyte in one line: a part of it is shown, and the rest is said. */
export const VeryLongLine: Story = { args: { fill: chunks(`${'0123456789'.repeat(100_000)}\nnext\n`) } }

export const Searching: Story = {
  args: { fill: lines(10_000) },
  play: async ({ canvas, step }) => {
    canvas.getByRole('log').focus()
    await step('Ctrl+F opens the search, which counts in the whole log', async () => {
      await userEvent.keyboard('{Control>}f{/Control}')
      await userEvent.type(canvas.getByRole('textbox'), 'line 77')
      await waitFor(() => expect(canvas.getByRole('status')).toHaveTextContent('1 of 111'))
    })
    await step('Enter goes on', async () => {
      await userEvent.keyboard('{Enter}')
      await waitFor(() => expect(canvas.getByRole('status')).toHaveTextContent('2 of 111'))
    })
  },
}

/** The reader has scrolled up: what is read stays, and the count of new lines leads back. */
export const ReaderScrolledUp: Story = {
  render: () => <Growing />,
  play: async ({ canvas }) => {
    const log = canvas.getByRole('log')
    log.scrollTop = 900
    await waitFor(() => expect(canvas.getByText('line 51')).toBeVisible())
    await userEvent.click(canvas.getByRole('button', { name: '128 more lines' }))
    await waitFor(() => expect(canvas.getByRole('button', { name: /128 new lines/ })).toBeVisible())
    await expect(log.scrollTop).toBe(900)
  },
}

export const Matrix: Story = {
  render: () => (
    <div style={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 20 }}>
      <Shown name="build" heading="$ npm run build" fill={chunks(...build)} />
      <Shown name="colours" fill={chunks(...colors, styles)} />
      <Shown name="many lines" fill={lines(300)} maxLines={6} />
      <Shown name="wrapped" fill={lines(6, (i) => `${i} ${'word '.repeat(i * 8)}end`)} defaultWrapped />
      <Shown name="times" fill={lines(3)} timeOf={(number) => `12:03:0${number}`} />
      <Shown name="no numbers" fill={lines(3)} lineNumbers={false} />
      <Shown name="gaps" fill={gaps} />
      <Shown name="invisible" fill={chunks('access \u202Egnp.exe\u202C granted\nzero\u200Bwidth text\n')} />
      <Shown name="empty" fill={chunks()} />
    </div>
  ),
}

/** Higher than a browser makes an element: long jumps are mapped, and small steps are exact. */
export const AMillionLines: Story = {
  args: { fill: lines(1_000_000) },
  play: async ({ canvas, canvasElement, step }) => {
    const log = canvas.getByRole('log')
    await step('the end is there at once', async () => {
      await waitFor(() => expect(canvas.getByText('line 1000000')).toBeVisible())
    })
    await step('the beginning can be reached', async () => {
      await waitFor(() => expect(canvas.getByText('1,000,000 lines')).toBeVisible(), { timeout: 10_000 })
      log.scrollTop = 0
      await waitFor(() => expect(canvas.getByText('line 1')).toBeVisible())
    })
    await step('few rows are mounted', async () => {
      const rows = canvasElement.querySelectorAll('[data-slot="tool-call-log-line"]')
      await expect(rows.length).toBeLessThan(60)
    })
  },
}
