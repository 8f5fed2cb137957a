'use client'
import { type ReactNode, useId, useState } from 'react'
import { CallCounts } from './CallCounts.js'
import { FoldToggle } from './FoldToggle.js'
import { ShowMore } from './ShowMore.js'
import type { RowStatus } from './useCallStatuses.js'
import { useWantedAmong } from './useReveal.js'

/** What a list of calls takes. */
export interface CallListProps {
  /** Begins the `data-slot` of the toggle: `<slot>-toggle`. */
  readonly slot: `tool-call-${string}`
  readonly rows: readonly RowStatus[]
  /** Comes before the counts in the line that folds the list. */
  readonly label: ReactNode
  /** All are shown; otherwise those that need somebody, and those that the reader has opened. */
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  /** A call's line, and what it opens. */
  readonly renderCall: (callId: string, isOpen: boolean, onOpenChange: (isOpen: boolean) => void) => ReactNode
}

/** Calls that are shown at first, and added by each "show more". */
const stepCalls = 50

/**
 * Calls under a line that counts them by outcome and folds them. What failed and what waits for a person is in view also
 * while they are folded. Renders a `<button>`, a `<ul>`, and another `<button>` where there are more.
 */
export function CallList({ slot, rows, label, isOpen, onOpenChange, renderCall }: CallListProps) {
  const id = useId()
  const [limit, setLimit] = useState(stepCalls)
  const [opened, setOpened] = useState<ReadonlySet<string>>(() => new Set())
  const setOpen = (callId: string, open: boolean) => {
    setOpened((before) => {
      const after = new Set(before)
      if (open) after.add(callId)
      else after.delete(callId)
      return after
    })
  }
  const wanted = useWantedAmong(rows.map(({ callId }) => callId))

  const [ledTo, setLedTo] = useState<string>()
  if (wanted !== ledTo) {
    setLedTo(wanted)
    if (wanted !== undefined) setOpen(wanted, true)
  }

  const listed = rows.filter(({ callId, needsAttention }) => isOpen || needsAttention || opened.has(callId))
  // What the reader was led to is there however many stand before it.
  const shown = listed.filter(({ callId }, index) => index < limit || opened.has(callId))
  return (
    <>
      <FoldToggle
        slot={`${slot}-toggle`}
        isOpen={isOpen}
        onOpenChange={onOpenChange}
        contentId={shown.length > 0 ? id : undefined}
      >
        {label}{' '}
        <span data-slot="tool-call-counts">
          <CallCounts statuses={rows.flatMap(({ status, below }) => [status, ...below])} />
        </span>
      </FoldToggle>
      {shown.length > 0 && (
        <ul id={id} data-slot="tool-call-calls">
          {shown.map(({ callId, below }) => (
            <li key={callId} data-slot="tool-call-call">
              {renderCall(callId, opened.has(callId), (open) => setOpen(callId, open))}
              {below.length > 0 && !opened.has(callId) && (
                <span data-slot="tool-call-counts">
                  <CallCounts statuses={below} />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      <ShowMore left={listed.length - shown.length} step={stepCalls} onShow={() => setLimit(limit + stepCalls)} />
    </>
  )
}
