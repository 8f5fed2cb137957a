import type { Meta, StoryObj } from '@storybook/react-vite'
import type { CSSProperties } from 'react'
import { ToolCallDetail, ToolCallNode } from '../src/react/index.js'
import { callId, calling, ended, endedWithoutResult, returned, running, unknown } from './fixtures/calls.js'
import { OwnStore } from './fixtures/OwnStore.js'
import { type Fixture, title } from './fixtures/storeOf.js'

interface PlaceProps {
  readonly fixture: Fixture
  readonly locale: string
  readonly asNode?: boolean
  readonly label?: string
}

function Place({ fixture, locale, asNode = false, label }: PlaceProps) {
  return (
    <OwnStore fixture={fixture} locale={locale}>
      {asNode ? <ToolCallNode callId={callId} /> : <ToolCallDetail callId={callId} aria-label={label} />}
    </OwnStore>
  )
}

const caption: CSSProperties = { font: '11px/1.5 var(--tcd-font-ui)', color: 'var(--tcd-color-ink-faint)' }
const readFile = returned('export {}')

/** What a person sees, from the line in the conversation to an outcome that nobody knows. */
function Overview({ locale }: { readonly locale: string }) {
  return (
    <div style={{ display: 'grid', gap: 20, maxInlineSize: 640 }}>
      <div style={caption}>In the conversation: one node a call</div>
      <div style={{ display: 'flex', flexWrap: 'wrap', gap: 8 }}>
        <Place fixture={calling} locale={locale} asNode />
        <Place fixture={{ receives: [...readFile.receives, title(callId, 'src/index.ts')] }} locale={locale} asNode />
      </div>
      <div style={caption}>Live: process running, output following its tail</div>
      <Place fixture={running} locale={locale} label="Live" />
      <div style={caption}>Ended: final value pinned, process closed</div>
      <Place fixture={ended} locale={locale} label="Ended" />
      <div style={caption}>Failed, and not known</div>
      <Place fixture={endedWithoutResult} locale={locale} label="Failed" />
      <Place fixture={unknown} locale={locale} label="Not known" />
    </div>
  )
}

const meta = {
  title: 'Components/Overview',
  component: Overview,
  args: { locale: 'en' },
  decorators: [(Story, { args, globals }) => <Story args={{ ...args, locale: globals.locale as string }} />],
} satisfies Meta<typeof Overview>
export default meta

export const Default: StoryObj<typeof meta> = {}
