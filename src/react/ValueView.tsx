'use client'
import { useId, useMemo, useState } from 'react'
import { FoldedText } from './FoldedText.js'
import { maxNameLength } from './foldText.js'
import { Shape } from './Shape.js'
import { useMessages } from './useStore.js'
import { VisibleText } from './VisibleText.js'

/** What a value view takes. */
export interface ValueViewProps {
  /** Plain data: what JSON can hold. */
  readonly value: unknown
  /** True where the value is the subject itself, so that a text stands without quotes and a tree begins open. */
  readonly isWhole?: boolean
}

/** Entries of the outermost level that are shown at first: as many as lines of a text. */
const firstEntries = 12
/** Entries of a level that are shown at first, and added by each "show more". */
const stepEntries = 100

/**
 * Any value: texts as text, 0, false and null as they are written, objects and arrays as a tree that opens level by
 * level. Renders a `<span>`, for a text of several lines a `<div>`, for a tree a `<ul>`.
 */
export function ValueView({ value, isWhole = false }: ValueViewProps) {
  if (isContainer(value)) {
    return isWhole ? (
      <Entries container={value} atFirst={firstEntries} />
    ) : (
      <Branch name={undefined} container={value} />
    )
  }
  if (typeof value === 'string') return isWhole ? <WholeText text={value} /> : <QuotedText text={value} />
  return (
    <span data-slot="tool-call-value" data-type={value === null ? 'null' : typeof value}>
      {String(value)}
    </span>
  )
}

function WholeText({ text }: { readonly text: string }) {
  const messages = useMessages()
  return text === '' ? <span data-slot="tool-call-empty-value">{messages.emptyText}</span> : <FoldedText text={text} />
}

function QuotedText({ text }: { readonly text: string }) {
  if (text.length > 200 || text.includes('\n')) return <FoldedText text={text} />
  return (
    <bdi data-slot="tool-call-value" data-type="string">
      "<VisibleText text={text} />"
    </bdi>
  )
}

type Container = Readonly<Record<string, unknown>> | readonly unknown[]

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null

function Entries({ container, atFirst }: { readonly container: Container; readonly atFirst: number }) {
  const messages = useMessages()
  const [limit, setLimit] = useState(atFirst)
  const keys = useMemo(() => (Array.isArray(container) ? undefined : Object.keys(container)), [container])
  const count = keys?.length ?? (container as readonly unknown[]).length
  const next = limit < stepEntries ? stepEntries : limit + stepEntries
  if (count === 0) return <span data-slot="tool-call-value">{keys ? '{}' : '[]'}</span>

  return (
    <>
      <ul data-slot="tool-call-tree">
        {Array.from({ length: Math.min(limit, count) }, (_, index) => {
          const key = keys?.[index] ?? String(index)
          const entry = (container as Readonly<Record<string, unknown>>)[key]
          return (
            // The keys of plain data do not move: an entry is its key.
            <li key={key} data-slot="tool-call-tree-entry">
              {isContainer(entry) ? <Branch name={key} container={entry} /> : <Leaf name={key} value={entry} />}
            </li>
          )
        })}
      </ul>
      {limit < count && (
        <button type="button" data-slot="tool-call-more" onClick={() => setLimit(next)}>
          {next >= count ? messages.showAllLines(count) : messages.showMore(next - limit)}
        </button>
      )}
    </>
  )
}

function Leaf({ name, value }: { readonly name: string; readonly value: unknown }) {
  return (
    <>
      <bdi data-slot="tool-call-key">
        <VisibleText text={name} maxLength={maxNameLength} />
      </bdi>{' '}
      <ValueView value={value} />
    </>
  )
}

function Branch({ name, container }: { readonly name: string | undefined; readonly container: Container }) {
  const messages = useMessages()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const count = Array.isArray(container) ? container.length : Object.keys(container).length

  return (
    <>
      <button
        type="button"
        data-slot="tool-call-branch"
        data-open={isOpen ? '' : undefined}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <Shape name="fold" />
        {name !== undefined && (
          <bdi data-slot="tool-call-key">
            <VisibleText text={name} maxLength={maxNameLength} />
          </bdi>
        )}
        <span data-slot="tool-call-quiet">
          {Array.isArray(container) ? '[…]' : '{…}'} {messages.entries(count)}
        </span>
      </button>
      {isOpen && (
        <div id={id} data-slot="tool-call-branch-content">
          <Entries container={container} atFirst={stepEntries} />
        </div>
      )}
    </>
  )
}
