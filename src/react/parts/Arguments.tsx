'use client'
import { memo, useState } from 'react'
import { JsonContainer, type JsonNode, type PartialJson, type ToolCall } from '../../core/index.js'
import { CopyButton } from '../CopyButton.js'
import { Fold } from '../Fold.js'
import { cutText, maxNameLength } from '../foldText.js'
import { GrowingText } from '../GrowingText.js'
import { Shape } from '../Shape.js'
import { useMessages } from '../useStore.js'
import { ValueView } from '../ValueView.js'
import { VisibleText } from '../VisibleText.js'
import { createPart, type PartProps, partElement } from './createPart.js'
import { useFold, useRootCall } from './rootContext.js'

/** The state of the arguments. */
export interface ArgumentsState {
  /** `data-open` */
  readonly open: boolean
  /** `data-streaming`: more of them may arrive. */
  readonly streaming: boolean
}

/** What the arguments take. */
export interface ArgumentsProps extends PartProps<'div', ArgumentsState> {
  /** Whether they are open until the reader chooses, also when they did not arrive before their eyes. Default false. */
  readonly defaultOpen?: boolean
}

/** UTF-16 code units of the arguments that stand in the folded line. */
const previewLength = 200
/** Up to so many are written out while folded too, so that the browser's search finds them. */
const searchableLength = 20_000
/** Rows that are shown at first, and added by each "show more". */
const stepRows = 100

/**
 * The call's arguments: a row for each key of a JSON object, else the value or the text; nothing when there are none.
 * They are open while they arrive and stay so, and are folded where they were complete before. Renders a `<div>`.
 */
export const Arguments = createPart<HTMLDivElement, ArgumentsProps>(
  'Arguments',
  ({ defaultOpen = false, ...host }, ref) => {
    const call = useRootCall('Arguments')
    const messages = useMessages()
    const streaming = call?.argsStreaming === true
    const [hasStreamed, setHasStreamed] = useState(streaming)
    if (streaming && !hasStreamed) setHasStreamed(true)
    const [open, setOpen] = useFold('Arguments', 'arguments', defaultOpen || hasStreamed)
    const args = call?.args
    if (call === undefined || args === undefined || (!streaming && isNothing(args))) return null
    const label = (
      <>
        <span data-slot="tool-call-label">{messages.arguments}</span>
        {!open && (
          <bdi data-slot="tool-call-preview">
            <VisibleText text={cutText(args, previewLength)} />
          </bdi>
        )}
      </>
    )
    const children = (
      <>
        <Fold slot="tool-call-arguments" isOpen={open} onOpenChange={setOpen} label={label}>
          {(open || (!streaming && args.length <= searchableLength)) && <Content call={call} text={args} />}
        </Fold>
        {open && !isNothing(args) && <CopyButton text={() => args} />}
      </>
    )
    const state = { open, streaming }
    return partElement({ tag: 'div', slot: 'tool-call-arguments', state, own: { children }, host, ref })
  },
)

function Content({ call, text }: { readonly call: ToolCall; readonly text: string }) {
  const messages = useMessages()
  const { argsStreaming: streaming, parsedArgs: json } = call
  if (json === undefined) return null
  if (streaming && isBlank(json)) {
    return (
      <p data-slot="tool-call-loading">
        <Shape name="running" />
        {messages.loadingArguments}
      </p>
    )
  }
  const object = json.root instanceof JsonContainer && json.root.kind === 'object' ? json.root : undefined
  return (
    <>
      {json.root === undefined && <GrowingText text={text} isGrowing={streaming} />}
      {object !== undefined && <Rows object={object} isGrowing={streaming} />}
      {json.root !== undefined && object === undefined && (
        <div data-slot="tool-call-arguments-value">
          <ValueView value={json.root} isWhole isGrowing={streaming} />
        </div>
      )}
      {!streaming && <Remark json={json} text={text} />}
    </>
  )
}

/** What has to be said of arguments that are not what they seemed to become. */
function Remark({ json, text }: { readonly json: PartialJson; readonly text: string }) {
  const messages = useMessages()
  const { brokenAt, complete } = json
  if (complete || (brokenAt !== undefined && !/^\s*[{[]/.test(text.slice(0, 100)))) return null
  return (
    <div data-slot="tool-call-arguments-note">
      {brokenAt === undefined ? messages.argumentsCutOff : messages.argumentsBroken(brokenAt + 1)}
    </div>
  )
}

function Rows({ object, isGrowing }: { readonly object: JsonContainer; readonly isGrowing: boolean }) {
  const messages = useMessages()
  const [limit, setLimit] = useState(stepRows)
  return (
    <>
      <dl data-slot="tool-call-rows" aria-busy={isGrowing || undefined}>
        {Array.from({ length: Math.min(limit, object.length) }, (_, index) => (
          <Row
            key={object.keyAt(index)}
            name={object.keyAt(index)}
            value={object.valueAt(index)}
            isGrowing={isGrowing && index === object.length - 1}
          />
        ))}
      </dl>
      {limit < object.length && (
        <button type="button" data-slot="tool-call-more" onClick={() => setLimit(limit + stepRows)}>
          {messages.showMore(Math.min(stepRows, object.length - limit))}
        </button>
      )}
    </>
  )
}

interface RowProps {
  readonly name: string
  readonly value: JsonNode
  readonly isGrowing: boolean
}

const Row = memo(function Row({ name, value, isGrowing }: RowProps) {
  return (
    <div data-slot="tool-call-row">
      <dt>
        <bdi data-slot="tool-call-key">
          <VisibleText text={name} maxLength={maxNameLength} />
        </bdi>
      </dt>
      <dd data-slot="tool-call-row-value">
        <ValueView value={value} isGrowing={isGrowing} />
      </dd>
    </div>
  )
})

/** Whether nothing of the arguments can be shown yet (C4). */
const isBlank = ({ root, brokenAt }: PartialJson) =>
  brokenAt === undefined && (root === undefined || (root instanceof JsonContainer && root.length === 0))

/** An empty text or an empty object. */
const isNothing = (args: string) => args.length < 100 && /^(?:\{\s*\})?$/.test(args.trim())
