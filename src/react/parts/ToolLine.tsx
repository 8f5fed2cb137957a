'use client'
import { type ReactNode, useEffect, useState } from 'react'
import { logOf, type TerminalFact, type ToolItem } from '../../core/index.js'
import { Command } from '../Command.js'
import { Fold } from '../Fold.js'
import { maxNameLength, plainName } from '../foldText.js'
import { useProvider } from '../providerContext.js'
import { Shape } from '../Shape.js'
import { useNow } from '../useNow.js'
import { useMessages } from '../useStore.js'
import { VisibleText } from '../VisibleText.js'
import { createPart, type PartProps, partElement } from './createPart.js'
import { Log } from './Log.js'
import { useFold, useRoot } from './rootContext.js'

/** The state of a tool line. */
export interface ToolLineState {
  /**
   * `data-status`; `failed` where a command did, `unreported` where the process is over and the tool's end was never told.
   */
  readonly status: 'running' | 'done' | 'failed' | 'aborted' | 'unreported'
}

/** What a tool line takes. */
export interface ToolLineProps extends PartProps<'div', ToolLineState> {
  readonly item: ToolItem
  /** The task that it belongs to. */
  readonly taskId?: string
  /** The process that it belongs to is over. Default false. */
  readonly over?: boolean
  /** How many numbers are missing inside its blocks and may be told (A13). Default 0. */
  readonly skipped?: number
}

/**
 * A tool that the remote agent used: its mark, name and duration, and below them its output. Of a terminal it is the
 * command and how that exited, with the output folded until it has run for a moment (D6). Renders a `<div>`.
 */
export const ToolLine = createPart<HTMLDivElement, ToolLineProps>(
  'ToolLine',
  ({ item, taskId, over = false, skipped = 0, ...host }, ref) => {
    useRoot('ToolLine')
    const { messages, formatter } = useProvider('ToolCall.ToolLine')
    const hasHoles = item.skips.some(({ before }) => before !== undefined)
    const now = useNow(!over && hasHoles) ?? Number.NEGATIVE_INFINITY
    const { terminal } = item
    const status = statusOf(item, over)
    const hasRun = useHasRun(terminal !== undefined && status === 'running')
    const name = terminal?.command ?? item.name
    const output = logOf(item)
    const log = output && <Log log={output} name={name} gapsUntil={over ? Number.POSITIVE_INFINITY : now} />
    const children = (
      <>
        <span
          data-slot="tool-call-item-mark"
          role="img"
          aria-label={status === 'unreported' ? messages.noEndReported : messages.status[shapes[status]]}
        >
          <Shape name={status === 'unreported' ? status : shapes[status]} />
        </span>
        <div data-slot="tool-call-item-content">
          <div data-slot="tool-call-line">
            {terminal?.command === undefined ? (
              <bdi data-slot="tool-call-tool-name">
                {item.name === undefined ? (
                  messages.unnamedTool
                ) : (
                  <VisibleText text={item.name} maxLength={maxNameLength} />
                )}
              </bdi>
            ) : (
              <Command text={terminal.command} maxLines={3} />
            )}
            {terminal?.description !== undefined && (
              <bdi data-slot="tool-call-terminal-description">
                <VisibleText text={terminal.description} maxLength={1_000} />
              </bdi>
            )}
            {terminal !== undefined && <Exit terminal={terminal} />}
            {item.durationMs !== undefined && (
              <span data-slot="tool-call-duration">{formatter.duration(item.durationMs, 'tenths')}</span>
            )}
            {status === 'unreported' && (
              <span data-slot="tool-call-quiet" aria-hidden="true">
                {messages.noEndReported}
              </span>
            )}
            {skipped > 0 && <span data-slot="tool-call-quiet">{messages.numberingSkips(skipped)}</span>}
            {log !== undefined && terminal !== undefined && (
              <Terminal foldKey={`terminal/${taskId}/${item.id}`} isOpen={hasRun || hasExitedBadly(terminal)}>
                {log}
              </Terminal>
            )}
          </div>
          {log !== undefined && terminal === undefined && log}
        </div>
      </>
    )
    return partElement({ tag: 'div', slot: 'tool-call-tool-line', state: { status }, own: { children }, host, ref })
  },
)

const shapes = { running: 'running', done: 'done', failed: 'error', aborted: 'aborted' } as const

function statusOf({ end, terminal }: ToolItem, over: boolean): ToolLineState['status'] {
  if (end === undefined) return over ? 'unreported' : 'running'
  return end === 'done' && terminal !== undefined && hasExitedBadly(terminal) ? 'failed' : end
}

interface TerminalProps {
  readonly foldKey: string
  /** Until the reader chooses. */
  readonly isOpen: boolean
  readonly children: ReactNode
}

/** The output of a command. */
function Terminal({ foldKey, isOpen, children }: TerminalProps) {
  const messages = useMessages()
  const [open, setOpen] = useFold('ToolLine', foldKey, isOpen)
  return (
    <Fold
      slot="tool-call-terminal"
      isOpen={open}
      onOpenChange={setOpen}
      label={<span data-slot="tool-call-label">{messages.outputOf(undefined)}</span>}
    >
      {open && children}
    </Fold>
  )
}

/** A command that ends sooner stays one line: its output does not flash open and shut. In ms. */
const openAfterMs = 300

/** Whether something has gone on for a moment before the reader's eyes, also when it has ended then. */
function useHasRun(isRunning: boolean): boolean {
  const [hasRun, setHasRun] = useState(false)

  useEffect(() => {
    if (!isRunning) return undefined
    const timer = setTimeout(() => setHasRun(true), openAfterMs)
    return () => clearTimeout(timer)
  }, [isRunning])

  return hasRun
}

/** How the command exited, in words. */
function Exit({ terminal }: { readonly terminal: TerminalFact }) {
  const messages = useMessages()
  const { exitCode, signal } = terminal
  if (exitCode === undefined && signal === undefined) return null
  return (
    <span data-slot="tool-call-exit" data-failed={hasExitedBadly(terminal) ? '' : undefined}>
      {signal === undefined ? messages.exitCode(String(exitCode)) : messages.endedBySignal(plainName(signal))}
    </span>
  )
}

const hasExitedBadly = ({ exitCode, signal, isError }: TerminalFact) =>
  isError ?? (signal !== undefined || (exitCode !== undefined && exitCode !== 0))
