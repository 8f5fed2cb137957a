'use client'
import { memo, useMemo, useState } from 'react'
import { Fold } from '../Fold.js'
import { FoldedText } from '../FoldedText.js'
import { cutText, maxNameLength } from '../foldText.js'
import { useMessages } from '../useStore.js'
import { ValueView } from '../ValueView.js'
import { VisibleText } from '../VisibleText.js'
import { createPart, type PartProps, partElement } from './createPart.js'
import { useFold, useRootCall } from './rootContext.js'

/** The state of the arguments. */
export interface ArgumentsState {
  /** `data-open` */
  readonly open: boolean
}

/** What the arguments take. */
export interface ArgumentsProps extends PartProps<'div', ArgumentsState> {
  /** Whether they are open until the reader chooses. Default false. */
  readonly defaultOpen?: boolean
}

/** UTF-16 code units of the arguments that stand in the folded line. */
const previewLength = 200
/** Up to so many are written out while folded too, so that the browser's search finds them. */
const searchableLength = 20_000
/** Rows that are shown at first, and added by each "show more". */
const stepRows = 100

/**
 * The call's arguments, folded: a row for each key when they are a JSON object, else their text; nothing when there are
 * none. Renders a `<div>`.
 */
export const Arguments = createPart<HTMLDivElement, ArgumentsProps>(
  'Arguments',
  ({ defaultOpen = false, ...host }, ref) => {
    const args = useRootCall('Arguments')?.args
    const messages = useMessages()
    const [open, setOpen] = useFold('Arguments', 'arguments', defaultOpen)
    if (args === undefined || isNothing(args)) return null
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
      <Fold slot="tool-call-arguments" isOpen={open} onOpenChange={setOpen} label={label}>
        {(open || args.length <= searchableLength) && <Rows args={args} />}
      </Fold>
    )
    return partElement({ tag: 'div', slot: 'tool-call-arguments', state: { open }, own: { children }, host, ref })
  },
)

const Rows = memo(function Rows({ args }: { readonly args: string }) {
  const messages = useMessages()
  const [limit, setLimit] = useState(stepRows)
  const object = useMemo(() => parseObject(args), [args])
  if (object === undefined) return <FoldedText text={args} />
  const keys = Object.keys(object)
  return (
    <>
      <dl data-slot="tool-call-rows">
        {keys.slice(0, limit).map((key) => (
          <div key={key} data-slot="tool-call-row">
            <dt>
              <bdi data-slot="tool-call-key">
                <VisibleText text={key} maxLength={maxNameLength} />
              </bdi>
            </dt>
            <dd data-slot="tool-call-row-value">
              <ValueView value={object[key]} />
            </dd>
          </div>
        ))}
      </dl>
      {limit < keys.length && (
        <button type="button" data-slot="tool-call-more" onClick={() => setLimit(limit + stepRows)}>
          {messages.showMore(Math.min(stepRows, keys.length - limit))}
        </button>
      )}
    </>
  )
})

/** An empty text or an empty object. */
const isNothing = (args: string) => args.length < 100 && /^(?:\{\s*\})?$/.test(args.trim())

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined
  } catch {
    return undefined
  }
}
