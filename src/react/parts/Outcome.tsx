'use client'
import { type ForwardedRef, useId, useRef } from 'react'
import type { Outcome as CallOutcome, OutcomeKind, Receipt, ToolCall } from '../../core/index.js'
import { ConfirmedSteps } from '../ConfirmedSteps.js'
import { CopyButton } from '../CopyButton.js'
import { FoldedText } from '../FoldedText.js'
import { maxNameLength } from '../foldText.js'
import { HostPart } from '../HostPart.js'
import { outcomeLabel, valueText } from '../outcomeText.js'
import { useProvider } from '../providerContext.js'
import { useCheckAgain } from '../useCheckAgain.js'
import { useIsScrollable } from '../useIsScrollable.js'
import { useSaid } from '../useSaid.js'
import { useScrollportHeight } from '../useScrollportHeight.js'
import { useMessages } from '../useStore.js'
import { useTakenOver } from '../useTakenOver.js'
import { ValueView } from '../ValueView.js'
import { VisibleText } from '../VisibleText.js'
import { createPart, type PartProps, partElement } from './createPart.js'
import { useMergedRefs } from './mergeRefs.js'
import { useRootCall } from './rootContext.js'

/** The state of an outcome. */
export interface OutcomeState {
  /** `data-status` */
  readonly status: OutcomeKind
  /** `data-unspecific`: it failed or was canceled, and nobody has said which (A10). */
  readonly unspecific: boolean
}

/** What an outcome takes. */
export type OutcomeProps = PartProps<'div', OutcomeState>

/**
 * How the call ended: its final value or the reason, pinned to the top of what scrolls; nothing while it runs. It never
 * takes more than half of the height. Renders a `<div role="group">`.
 */
export const Outcome = createPart<HTMLDivElement, OutcomeProps>('Outcome', (host, ref) => {
  const call = useRootCall('Outcome')
  if (call?.outcome === undefined) return null
  return <Ended call={call} outcome={call.outcome} host={host} forwardedRef={ref} />
})

interface EndedProps {
  readonly call: ToolCall
  readonly outcome: CallOutcome
  readonly host: OutcomeProps
  readonly forwardedRef: ForwardedRef<HTMLDivElement>
}

function Ended({ call, outcome, host, forwardedRef }: EndedProps) {
  const messages = useMessages()
  const id = useId()
  const element = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const ref = useMergedRefs(forwardedRef, element)
  const isScrollable = useIsScrollable(body)
  useScrollportHeight(element)

  const { kind, unspecific, value, reason } = outcome
  const label = outcomeLabel(outcome, messages)
  const children = (
    <>
      <div data-slot="tool-call-outcome-heading">
        <span id={id} data-slot="tool-call-label">
          {label}
        </span>
        {(value !== undefined || reason !== undefined) && (
          <CopyButton what={label} text={() => valueText(value === undefined ? reason : value)} />
        )}
      </div>
      <div ref={body} data-slot="tool-call-outcome-body" {...(isScrollable && { tabIndex: 0 })}>
        <div data-slot="tool-call-outcome-content">
          {reason !== undefined && <FoldedText text={reason} />}
          {value !== undefined && <FinalValue call={call} value={value} />}
          {value === undefined && reason === undefined && <NothingGiven outcome={outcome} />}
          {outcome.receipt !== undefined && <ReceiptLine receipt={outcome.receipt} isDone={kind === 'done'} />}
          {kind === 'unknown' && <NotKnown call={call} outcome={outcome} />}
        </div>
        {call.recorded !== undefined && <Recorded recorded={call.recorded} outcome={outcome} />}
      </div>
    </>
  )
  const own = { role: 'group', 'aria-labelledby': id, children }
  return partElement({ tag: 'div', slot: 'tool-call-outcome', state: { status: kind, unspecific }, own, host, ref })
}

function FinalValue({ call, value }: { readonly call: ToolCall; readonly value: unknown }) {
  const { renderValue } = useProvider('ToolCall.Outcome')
  const standard = <ValueView value={value} isWhole />
  return (
    <HostPart
      name="renderValue"
      callId={call.id}
      standard={standard}
      inputs={[renderValue, value, call]}
      render={renderValue && (() => renderValue(value, call))}
    />
  )
}

function NothingGiven({ outcome: { kind, cause, receipt } }: { readonly outcome: CallOutcome }) {
  const messages = useMessages()
  if (kind === 'unknown') {
    const hint = cause === undefined ? messages.outcomeUnknownHint : messages.unknownCause[cause]
    return <p data-slot="tool-call-hint">{hint}</p>
  }
  // Of what is confirmed the receipt is the result.
  return kind === 'done' && receipt === undefined ? <p data-slot="tool-call-quiet">{messages.noValue}</p> : null
}

/** What confirms that it was done, or that nothing does (E5). */
function ReceiptLine({ receipt, isDone }: { readonly receipt: Receipt | null; readonly isDone: boolean }) {
  const messages = useMessages()
  if (receipt === null) return isDone ? <p data-slot="tool-call-quiet">{messages.run.noReceipt}</p> : null
  return (
    <p data-slot="tool-call-receipt">
      {messages.run.receipt[receipt.kind]}{' '}
      <bdi data-slot="tool-call-receipt-id">
        <VisibleText text={receipt.id} maxLength={maxNameLength} />
      </bdi>
    </p>
  )
}

/** What is known all the same: whether something may have happened, what is confirmed, since when; and a way to ask (E5). */
function NotKnown({ call, outcome }: { readonly call: ToolCall; readonly outcome: CallOutcome }) {
  const { messages, formatter } = useProvider('ToolCall.Outcome')
  const { status, check } = useCheckAgain(call.id)
  const sinceKey = String(useTakenOver())
  const words = messages.run
  useSaid(status === 'failed' && words.checkFailed)
  const { mayHaveChanged = false, confirmed = [] } = call.story ?? {}
  return (
    <>
      {mayHaveChanged && <p data-slot="tool-call-hint">{words.mayHaveHappened}</p>}
      {confirmed.length > 0 && (
        <p data-slot="tool-call-known">
          {words.confirmed} <ConfirmedSteps steps={confirmed} max={10} />
        </p>
      )}
      {/* A server may be in another time zone than the reader. */}
      <p key={sinceKey} data-slot="tool-call-quiet" suppressHydrationWarning>
        {words.unknownSince(formatter.timeOfDay(outcome.receivedAt))}
      </p>
      {check !== undefined && (
        <p data-slot="tool-call-check">
          <button
            type="button"
            data-slot="tool-call-check-again"
            aria-disabled={status === 'checking' || undefined}
            onClick={check}
          >
            {status === 'checking' ? words.checking : words.checkAgain}
          </button>
          {status === 'failed' && <span data-slot="tool-call-quiet">{words.checkFailed}</span>}
        </p>
      )}
    </>
  )
}

/** One quiet line about what the caller recorded, where that is another outcome than the one pinned (A11). */
function Recorded({ recorded, outcome }: { readonly recorded: CallOutcome; readonly outcome: CallOutcome }) {
  const messages = useMessages()
  const text = recorded.value === undefined ? recorded.reason : valueText(recorded.value)
  const isOtherKind = recorded.kind !== outcome.kind
  return (
    <div data-slot="tool-call-recorded">
      {messages.callerRecorded} {isOtherKind && outcomeLabel(recorded, messages)}
      {isOtherKind && text !== undefined && ' · '}
      {text !== undefined && <FoldedText text={text === '' ? messages.emptyText : text} maxLines={1} />}
    </div>
  )
}
