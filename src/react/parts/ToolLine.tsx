'use client'
import type { ToolItem } from '../../core/index.js'
import { maxNameLength } from '../foldText.js'
import { useProvider } from '../providerContext.js'
import { Shape } from '../Shape.js'
import { useNow } from '../useNow.js'
import { VisibleText } from '../VisibleText.js'
import { createPart, type PartProps, partElement } from './createPart.js'
import { Log } from './Log.js'
import { useRoot } from './rootContext.js'

/** The state of a tool line. */
export interface ToolLineState {
  /** `data-status`; `unreported` where the process is over and the tool's end was never told. */
  readonly status: 'running' | 'done' | 'aborted' | 'unreported'
}

/** What a tool line takes. */
export interface ToolLineProps extends PartProps<'div', ToolLineState> {
  readonly item: ToolItem
  /** The process that it belongs to is over. Default false. */
  readonly over?: boolean
  /** How many numbers are missing inside its blocks and may be told (A13). Default 0. */
  readonly skipped?: number
}

/** A tool that the remote agent used: its mark, name and duration, and below them its output. Renders a `<div>`. */
export const ToolLine = createPart<HTMLDivElement, ToolLineProps>(
  'ToolLine',
  ({ item, over = false, skipped = 0, ...host }, ref) => {
    useRoot('ToolLine')
    const { messages, formatter } = useProvider('ToolCall.ToolLine')
    const hasHoles = item.skips.some(({ before }) => before !== undefined)
    const now = useNow(!over && hasHoles) ?? Number.NEGATIVE_INFINITY
    const status = item.end ?? (over ? 'unreported' : 'running')
    const children = (
      <>
        <span
          data-slot="tool-call-item-mark"
          role="img"
          aria-label={status === 'unreported' ? messages.noEndReported : messages.status[status]}
        >
          <Shape name={status} />
        </span>
        <div data-slot="tool-call-item-content">
          <div data-slot="tool-call-line">
            <bdi data-slot="tool-call-tool-name">
              {item.name === undefined ? (
                messages.unnamedTool
              ) : (
                <VisibleText text={item.name} maxLength={maxNameLength} />
              )}
            </bdi>
            {item.durationMs !== undefined && (
              <span data-slot="tool-call-duration">{formatter.duration(item.durationMs, 'tenths')}</span>
            )}
            {status === 'unreported' && (
              <span data-slot="tool-call-quiet" aria-hidden="true">
                {messages.noEndReported}
              </span>
            )}
            {skipped > 0 && <span data-slot="tool-call-quiet">{messages.numberingSkips(skipped)}</span>}
          </div>
          {item.log !== undefined && (
            <Log log={item.log} name={item.name} gapsUntil={over ? Number.POSITIVE_INFINITY : now} />
          )}
        </div>
      </>
    )
    return partElement({ tag: 'div', slot: 'tool-call-tool-line', state: { status }, own: { children }, host, ref })
  },
)
