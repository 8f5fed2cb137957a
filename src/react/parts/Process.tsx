'use client'
import { memo, type ReactNode } from 'react'
import {
  type Interruption,
  isSkipVisible,
  isTaskOpen,
  type Outcome,
  type ProcessItem,
  type Skip,
  type Task,
  type ToolCall,
} from '../../core/index.js'
import { Fold } from '../Fold.js'
import { FoldedText } from '../FoldedText.js'
import { HostPart } from '../HostPart.js'
import { outcomeLabel } from '../outcomeText.js'
import { useProvider } from '../providerContext.js'
import { useNewest } from '../useNewest.js'
import { useNow } from '../useNow.js'
import { useMessages, useMode } from '../useStore.js'
import { useTakenOver } from '../useTakenOver.js'
import { ValueView } from '../ValueView.js'
import { createPart, type PartProps, partElement } from './createPart.js'
import { ErrorLine } from './ErrorLine.js'
import { Note } from './Note.js'
import { useFold, useRoot, useRootCall } from './rootContext.js'
import { Text } from './Text.js'
import { Thinking } from './Thinking.js'
import { ToolLine } from './ToolLine.js'

/** The state of a process. */
export interface ProcessState {
  /** `data-open` */
  readonly open: boolean
  /** `data-ended`: its own end has been told, and nothing is appended after it. */
  readonly ended: boolean
  /** `data-unreported`: the call has ended, and the end of this process was never told. */
  readonly unreported: boolean
}

/** What a process takes. */
export interface ProcessProps extends PartProps<'div', ProcessState> {
  readonly task: Task
  /**
   * Shows an entry in the host's way; `undefined` leaves it to the library. One that throws is left for the standard view,
   * and reported as `host_callback_failed`.
   */
  readonly renderItem?: (item: ProcessItem) => ReactNode
}

/** Entries that are mounted at first, and added by each "show earlier": always the newest. */
const stepItems = 200
/** Interruptions that are told at first, and added by each "show earlier": the last ones. */
const stepInterruptions = 10

/**
 * The process of one task, one line for each entry. It begins folded if it had ended well before the area was mounted;
 * one that ends while somebody looks stays open, and one with a failure in it is never folded but by the reader. Nothing
 * while the call has no process to show. Renders a `<div role="group">`.
 */
export const Process = createPart<HTMLDivElement, ProcessProps>('Process', ({ task, renderItem, ...host }, ref) => {
  const { endedAtMount } = useRoot('Process')
  const call = useRootCall('Process')
  const messages = useMessages()
  const { newest, showEarlier } = useNewest(task.items, stepItems)
  const [open, setOpen] = useFold(
    'Process',
    `process/${task.taskId}`,
    !endedAtMount.has(task.taskId) || hasFailed(call, task),
  )
  const ended = task.outcome !== undefined
  const over = call !== undefined && !isTaskOpen(call, task)
  const skipped = skipsOf(newest)
  const now = useNow(!over && skipped.length > 0)
  if (call === undefined || !hasProcess(call, task)) return null

  const unreported = over && !ended && !task.terminalsOver
  const isTold = (skip: Skip) => isSkipVisible(skip, now ?? Number.NEGATIVE_INFINITY, over)
  const number = call.tasks.length > 1 ? call.tasks.findIndex(({ taskId }) => taskId === task.taskId) + 1 : undefined
  const heading = ended ? messages.processEnded(number) : messages.process(number)
  const label = (
    <>
      <span data-slot="tool-call-label">{heading}</span>
      <span data-slot="tool-call-quiet">{messages.blocks(task.blockCount)}</span>
      {unreported && <span data-slot="tool-call-quiet">{messages.noEndReported}</span>}
      {!open && <SkipTotal skips={skipsOf(task.items).filter(isTold)} />}
    </>
  )
  // Very many holes are not told in their places: their sum is.
  const isTooMany = task.skipped > 0 && skipsOf(task.items).length === 0
  const children = (
    <Fold slot="tool-call-process" isOpen={open} onOpenChange={setOpen} label={label}>
      {task.droppedBlocks > 0 && <div data-slot="tool-call-note">{messages.droppedBlocks(task.droppedBlocks)}</div>}
      {showEarlier}
      <Items
        callId={call.id}
        task={task}
        items={newest.filter((item) => item.kind !== 'gap' || isTold(item))}
        over={over}
        isTold={isTold}
        renderItem={renderItem}
      />
      {isTooMany && over && <div data-slot="tool-call-note">{messages.numberingSkips(task.skipped)}</div>}
      {ended && call.tasks.at(-1) !== task && <TaskEnd outcome={task.outcome} />}
      <Interruptions interruptions={task.interruptions} />
    </Fold>
  )
  const state = { open, ended, unreported }
  const own = { role: 'group', 'aria-label': heading, children }
  return partElement({ tag: 'div', slot: 'tool-call-process', state, own, host, ref })
})

/** The losses of the connection that the process lived through (A14). */
function Interruptions({ interruptions }: Pick<Task, 'interruptions'>) {
  const { newest, showEarlier } = useNewest(interruptions, stepInterruptions)
  return (
    <>
      {showEarlier}
      {newest.map((interruption) => (
        <InterruptionLine key={interruption.lostAt} interruption={interruption} />
      ))}
    </>
  )
}

interface ItemsProps {
  readonly callId: string
  readonly task: Task
  readonly items: readonly ProcessItem[]
  readonly over: boolean
  readonly isTold: (skip: Skip) => boolean
  readonly renderItem: ProcessProps['renderItem']
}

function Items({ callId, task, items, over, isTold, renderItem }: ItemsProps) {
  const isLive = useMode() === 'live' && !over
  if (items.length === 0) return null
  return (
    <ol data-slot="tool-call-items">
      {items.map((item, index) => {
        const standard = (
          <Item
            item={item}
            taskId={task.taskId}
            live={isLive && item.kind === 'thinking' && index === items.length - 1}
            over={over}
            skipped={
              'skips' in item ? total(item.skips.filter((skip) => skip.before === undefined && isTold(skip))) : 0
            }
          />
        )
        return (
          <li key={item.id} data-slot="tool-call-item">
            <HostPart
              name="renderItem"
              callId={callId}
              standard={standard}
              inputs={[renderItem, item]}
              render={renderItem && (() => renderItem(item) ?? standard)}
            />
          </li>
        )
      })}
    </ol>
  )
}

interface ItemProps {
  readonly item: ProcessItem
  readonly taskId: string
  readonly live: boolean
  readonly over: boolean
  readonly skipped: number
}

const Item = memo(function Item({ item, taskId, live, over, skipped }: ItemProps) {
  switch (item.kind) {
    case 'thinking':
      return <Thinking item={item} taskId={taskId} live={live} skipped={skipped} />
    case 'tool':
      return <ToolLine item={item} taskId={taskId} over={over} skipped={skipped} />
    case 'text':
      return <Text item={item} />
    case 'error':
      return <ErrorLine item={item} />
    case 'omitted':
    case 'gap':
      return <Note item={item} />
  }
})

/** How one of several processes ended; the last one's end is the call's, and pinned (A5). */
function TaskEnd({ outcome }: { readonly outcome: Outcome }) {
  const messages = useMessages()
  const { value, reason } = outcome
  return (
    <div data-slot="tool-call-task-end" data-status={outcome.kind}>
      <span data-slot="tool-call-label">{outcomeLabel(outcome, messages)}</span>
      {reason !== undefined && <FoldedText text={reason} />}
      {value !== undefined && <ValueView value={value} isWhole />}
    </div>
  )
}

function SkipTotal({ skips }: { readonly skips: readonly Skip[] }) {
  const messages = useMessages()
  return skips.length > 0 && <span data-slot="tool-call-quiet">{messages.numberingSkips(total(skips))}</span>
}

function InterruptionLine({ interruption }: { readonly interruption: Interruption }) {
  const { messages, formatter } = useProvider('ToolCall.Process')
  const key = String(useTakenOver())
  const { lostAt, backAt } = interruption
  const text = messages.interruption(
    formatter.timeOfDay(lostAt),
    backAt === undefined ? undefined : formatter.timeOfDay(backAt),
  )
  // A server may be in another time zone than the reader.
  return (
    <div key={key} data-slot="tool-call-note" suppressHydrationWarning>
      {text}
    </div>
  )
}

const isEmpty = (task: Task) => task.blockCount === 0 && task.droppedBlocks === 0 && task.interruptions.length === 0

function hasProcess(call: ToolCall, task: Task): boolean {
  return !isEmpty(task) || (call.tasks.length > 1 && !call.tasks.every(isEmpty))
}

/** Failures are never folded away by the software. */
function hasFailed(call: ToolCall | undefined, task: Task): boolean {
  return [call?.outcome, task.outcome].some(isFailure) || task.items.some((item) => item.kind === 'error')
}

const isFailure = (outcome: Task['outcome']) => outcome !== undefined && /error|aborted|unknown/.test(outcome.kind)

function skipsOf(items: readonly ProcessItem[]): readonly Skip[] {
  return items.flatMap((item) => (item.kind === 'gap' ? [item] : 'skips' in item ? item.skips : []))
}

const total = (skips: readonly Skip[]) => skips.reduce((sum, { count }) => sum + count, 0)
