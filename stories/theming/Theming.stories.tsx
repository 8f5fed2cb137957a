import type { Meta, StoryObj } from '@storybook/react-vite'
import type { ReactNode } from 'react'
import { expect, fireEvent } from 'storybook/test'
import { ToolCallDetail, ToolCallNode } from '../../src/react/index.js'
import { callId, calling, ended, endedWithoutResult, running, unknown } from '../fixtures/calls.js'
import { OwnStore } from '../fixtures/OwnStore.js'
import type { Fixture } from '../fixtures/storeOf.js'
import { TokenTable } from './TokenTable.js'
import './theming.css'
import { themes } from './themes.js'

function Place({ fixture, label }: { readonly fixture: Fixture; readonly label: string }) {
  return (
    <OwnStore fixture={fixture}>
      {label === 'Node' ? <ToolCallNode callId={callId} /> : <ToolCallDetail callId={callId} aria-label={label} />}
    </OwnStore>
  )
}

/** What a theme is looked at with: every ground, every mark and output. */
const sample: ReactNode = (
  <>
    <Place fixture={calling} label="Node" />
    <Place fixture={running} label="Running" />
    <Place fixture={ended} label="Ended" />
    <Place fixture={endedWithoutResult} label="Failed" />
    <Place fixture={unknown} label="Not known" />
  </>
)

function HostTheme({ name }: { readonly name: keyof typeof themes }) {
  const { variables, css } = themes[name]
  return (
    <div className="theming">
      <style>{`.theme-${name} {${variables}}\n.theme-${name} {${css}\n}`}</style>
      <div className={`theming-preview theme-${name}`}>{sample}</div>
      <pre>
        <code>{`:root {${css.replaceAll('\n      ', '\n  ')}\n}`}</code>
      </pre>
    </div>
  )
}

/**
 * The tokens, what they mean, and what a host's own design makes of them. Set them outside of the layer
 * `tool-call-detail`, on any element: what is inside follows.
 */
const meta = { title: 'Theming/Tokens' } satisfies Meta
export default meta
type Story = StoryObj<typeof meta>

/** Every token with its meaning. Change one, see what follows, and copy what you have changed. */
export const Tokens: Story = {
  render: (_args, { globals }) => (
    <TokenTable key={`${globals.theme} ${globals.contrast} ${globals.density}`}>{sample}</TokenTable>
  ),
  play: async ({ canvas, step }) => {
    await step('a changed token shows at once, and as CSS', async () => {
      await fireEvent.change(canvas.getByLabelText('--tcd-color-ink'), { target: { value: '#102a43' } })
      await expect(canvas.getByRole('textbox', { name: /^Your theme/ })).toHaveValue(
        ':root {\n  --tcd-color-ink: #102a43;\n}\n',
      )
      await expect(getComputedStyle(canvas.getByRole('region', { name: 'Ended' })).color).toBe('rgb(16, 42, 67)')
    })
    await step('and can be taken back', async () => {
      await fireEvent.click(canvas.getByRole('button', { name: 'Start again' }))
      await expect(canvas.getByRole('textbox', { name: /^Your theme/ })).toHaveValue(':root {\n}\n')
    })
  },
}

/** On the variables of shadcn/ui. */
export const Shadcn: Story = { render: () => <HostTheme name="shadcn" /> }

/** On the variables of Material UI's CSS theme. */
export const Material: Story = { render: () => <HostTheme name="material" /> }

/** On the variables of Ant Design's CSS theme. */
export const Ant: Story = { render: () => <HostTheme name="ant" /> }
