'use client'
import { useState } from 'react'
import { ArgumentsView } from '../ArgumentsView.js'
import { CopyButton } from '../CopyButton.js'
import { Fold } from '../Fold.js'
import { cutText } from '../foldText.js'
import { useMessages } from '../useStore.js'
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
          {(open || (!streaming && args.length <= searchableLength)) && (
            <ArgumentsView text={args} json={call.parsedArgs} isGrowing={streaming} />
          )}
        </Fold>
        {open && !isNothing(args) && <CopyButton what={messages.arguments} text={() => args} />}
      </>
    )
    const state = { open, streaming }
    return partElement({ tag: 'div', slot: 'tool-call-arguments', state, own: { children }, host, ref })
  },
)

/** An empty text or an empty object. */
const isNothing = (args: string) => args.length < 100 && /^(?:\{\s*\})?$/.test(args.trim())
