'use client'
import { useId, useMemo, useState } from 'react'
import { JsonContainer, JsonText, JsonToken } from '../core/index.js'
import { FoldedText } from './FoldedText.js'
import { FoldToggle } from './FoldToggle.js'
import { maxNameLength } from './foldText.js'
import { Caret, GrowingText } from './GrowingText.js'
import { useMessages } from './useStore.js'
import { VisibleText } from './VisibleText.js'

/** What a value view takes. */
export interface ValueViewProps {
  /** Plain data: what JSON can hold; or such a value as far as it has arrived. */
  readonly value: unknown
  /** True where the value is the subject itself, so that a text stands without quotes and a tree begins open. */
  readonly isWhole?: boolean
  /** True while more of what is open may arrive. */
  readonly isGrowing?: boolean
}

/** Entries of the outermost level that are shown at first: as many as lines of a text. */
const firstEntries = 12
/** Entries of a level that are shown at first, and added by each "show more". */
const stepEntries = 100

/**
 * Any value: texts as text, 0, false and null as they are written, objects and arrays as a tree that opens level by
 * level. Renders a `<span>`, for a text of several lines a `<div>`, for a tree a `<ul>`.
 */
export function ValueView({ value, isWhole = false, isGrowing = false }: ValueViewProps) {
  if (isContainer(value)) {
    return isWhole ? (
      <Entries container={value} atFirst={firstEntries} isGrowing={isGrowing} />
    ) : (
      <Branch name={undefined} container={value} isGrowing={isGrowing} />
    )
  }
  if (value instanceof JsonToken) return <Token token={value} isGrowing={isGrowing} />
  if (value instanceof JsonText) return <QuotedText text={value} isGrowing={isGrowing} />
  if (typeof value === 'string') return isWhole ? <WholeText text={value} /> : <QuotedText text={value} />
  return (
    <span data-slot="tool-call-value" data-type={value === null ? 'null' : typeof value}>
      {String(value)}
    </span>
  )
}

/** A value as it is written, a masked one, or the place of one of which nothing is there. */
function Token({ token, isGrowing }: { readonly token: JsonToken; readonly isGrowing: boolean }) {
  const messages = useMessages()
  if (token.masked) {
    return (
      <span data-slot="tool-call-value" data-type="masked" role="img" aria-label={messages.masked}>
        {token.text}
      </span>
    )
  }
  return (
    <span data-slot="tool-call-value" data-type="number">
      <VisibleText text={token.text} maxLength={maxNameLength} />
      {isGrowing && !token.complete && <Caret />}
    </span>
  )
}

function WholeText({ text }: { readonly text: string }) {
  const messages = useMessages()
  return text === '' ? <span data-slot="tool-call-empty-value">{messages.emptyText}</span> : <FoldedText text={text} />
}

/** Longer texts, and texts with line breaks, stand without quotes and are folded. */
const maxQuotedLength = 200

function QuotedText({ text, isGrowing = false }: { readonly text: string | JsonText; readonly isGrowing?: boolean }) {
  const isOpen = typeof text !== 'string'
  const hasBreak = isOpen ? text.lineCount > 1 || text.tail(1) === '\n' : text.includes('\n')
  if (text.length > maxQuotedLength || hasBreak) return <GrowingText text={text} isGrowing={isOpen && isGrowing} />
  return (
    <bdi data-slot="tool-call-value" data-type="string">
      "<VisibleText text={String(text)} />
      {!isOpen && '"'}
      {isOpen && isGrowing && <Caret />}
    </bdi>
  )
}

type Container = Readonly<Record<string, unknown>> | readonly unknown[] | JsonContainer

const isContainer = (value: unknown): value is Container =>
  typeof value === 'object' && value !== null && !(value instanceof JsonText) && !(value instanceof JsonToken)

const isList = (container: Container) =>
  container instanceof JsonContainer ? container.kind === 'array' : Array.isArray(container)

const countEntries = (container: Container) =>
  container instanceof JsonContainer || Array.isArray(container) ? container.length : Object.keys(container).length

interface EntriesProps {
  readonly container: Container
  readonly atFirst: number
  readonly isGrowing: boolean
}

function Entries({ container, atFirst, isGrowing }: EntriesProps) {
  const messages = useMessages()
  const [limit, setLimit] = useState(atFirst)
  const entryAt = useMemo(() => entriesOf(container), [container])
  const count = countEntries(container)
  const next = limit < stepEntries ? stepEntries : limit + stepEntries
  if (count === 0) return <span data-slot="tool-call-value">{isList(container) ? '[]' : '{}'}</span>

  return (
    <>
      <ul data-slot="tool-call-tree">
        {Array.from({ length: Math.min(limit, count) }, (_, index) => {
          const [key, entry] = entryAt(index)
          return (
            // The keys of plain data do not move: an entry is its key.
            <li key={key} data-slot="tool-call-tree-entry">
              {isContainer(entry) ? (
                <Branch name={key} container={entry} isGrowing={isGrowing} />
              ) : (
                <Leaf name={key} value={entry} isGrowing={isGrowing} />
              )}
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

/** Gives an entry's key and value by its index. */
function entriesOf(container: Container): (index: number) => readonly [key: string, value: unknown] {
  if (container instanceof JsonContainer) return (index) => [container.keyAt(index), container.valueAt(index)]
  if (Array.isArray(container)) return (index) => [String(index), (container as readonly unknown[])[index]]
  const keys = Object.keys(container)
  return (index) => {
    const key = keys[index] as string
    return [key, (container as Readonly<Record<string, unknown>>)[key]]
  }
}

interface LeafProps {
  readonly name: string
  readonly value: unknown
  readonly isGrowing: boolean
}

function Leaf({ name, value, isGrowing }: LeafProps) {
  return (
    <>
      <bdi data-slot="tool-call-key">
        <VisibleText text={name} maxLength={maxNameLength} />
      </bdi>{' '}
      <ValueView value={value} isGrowing={isGrowing} />
    </>
  )
}

interface BranchProps {
  readonly name: string | undefined
  readonly container: Container
  readonly isGrowing: boolean
}

function Branch({ name, container, isGrowing }: BranchProps) {
  const messages = useMessages()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const count = countEntries(container)
  const isArriving = isGrowing && container instanceof JsonContainer && !container.complete

  return (
    <>
      <FoldToggle slot="tool-call-branch" isOpen={isOpen} onOpenChange={setOpen} contentId={isOpen ? id : undefined}>
        {name !== undefined && (
          <bdi data-slot="tool-call-key">
            <VisibleText text={name} maxLength={maxNameLength} />
          </bdi>
        )}
        <span data-slot="tool-call-quiet">
          {isList(container) ? '[…]' : '{…}'} {messages.entries(count)}
        </span>
        {isArriving && !isOpen && <Caret />}
      </FoldToggle>
      {isOpen && (
        <div id={id} data-slot="tool-call-branch-content">
          <Entries container={container} atFirst={stepEntries} isGrowing={isGrowing} />
        </div>
      )}
    </>
  )
}
