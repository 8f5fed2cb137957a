'use client'
import type { ThinkingItem } from '../../core/index.js'
import { Fold } from '../Fold.js'
import { FoldedText } from '../FoldedText.js'
import { cutText } from '../foldText.js'
import { useProvider } from '../providerContext.js'
import { VisibleText } from '../VisibleText.js'
import { createPart, type PartProps, partElement } from './createPart.js'
import { useFold } from './rootContext.js'

/** The state of thinking. */
export interface ThinkingState {
  /** `data-open` */
  readonly open: boolean
  /** `data-live`: it is what the agent is at right now. */
  readonly live: boolean
}

/** What thinking takes. */
export interface ThinkingProps extends PartProps<'div', ThinkingState> {
  readonly item: ThinkingItem
  /** The task that it belongs to. */
  readonly taskId: string
  /** It is the last of an open process that is heard live. Default false. */
  readonly live?: boolean
  /** How many numbers are missing inside its blocks and may be told (A13). Default 0. */
  readonly skipped?: number
}

/** UTF-16 code units that stand in the folded line. */
const previewLength = 200

/**
 * What an agent thought, folded to one line until the reader opens it; once they did it stays as they left it, whatever
 * comes in. Renders a `<div>`.
 */
export const Thinking = createPart<HTMLDivElement, ThinkingProps>(
  'Thinking',
  ({ item, taskId, live = false, skipped = 0, ...host }, ref) => {
    const { messages, formatter } = useProvider('ToolCall.Thinking')
    const [open, setOpen] = useFold('Thinking', `thinking/${taskId}/${item.id}`, false)
    const { texts, durationMs = 0 } = item
    const finished = durationMs < 1000 ? messages.thought : messages.thoughtFor(formatter.duration(durationMs, 'whole'))
    const label = (
      <>
        <span data-slot="tool-call-thinking-label">{live ? messages.thinking : finished}</span>
        {!open && (
          <bdi data-slot="tool-call-preview">
            <VisibleText text={cutText((live ? texts.at(-1) : texts[0]) ?? '', previewLength)} />
          </bdi>
        )}
        {skipped > 0 && <span data-slot="tool-call-quiet">{messages.numberingSkips(skipped)}</span>}
      </>
    )
    const children = (
      <Fold slot="tool-call-thinking" isOpen={open} onOpenChange={setOpen} label={label}>
        {/* While it grows and is folded, writing it out at each block would cost more and more. */}
        {(open || !live) && <FoldedText text={texts.join('')} maxLines={400} maxLength={20_000} />}
      </Fold>
    )
    return partElement({ tag: 'div', slot: 'tool-call-thinking', state: { open, live }, own: { children }, host, ref })
  },
)
