'use client'
import {
  type FocusEvent,
  type ForwardedRef,
  forwardRef,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import type { Approval } from '../core/index.js'
import { ApprovalBody } from './ApprovalBody.js'
import { type ApprovalStatus, approvalStatus, approvalText, failureText, requestName } from './approvalText.js'
import { focusedFrom } from './focusedFrom.js'
import { type PartProps, partElement } from './parts/createPart.js'
import { useMergedRefs } from './parts/mergeRefs.js'
import { useProvider } from './providerContext.js'
import { type ReaderActivity, watchReader } from './readerActivity.js'
import { Shape } from './Shape.js'
import { useApprovals } from './useApprovals.js'
import { useKeptFocus } from './useKeptFocus.js'
import { useBrowserLayoutEffect, useNow } from './useNow.js'
import { useMode, useStore } from './useStore.js'
import { VisibleText } from './VisibleText.js'

/** The state of a queue. */
export interface ApprovalQueueState {
  /** `data-empty`: nothing waits, and only what became of the last request is said. */
  readonly empty: boolean
}

/** What a queue takes. */
export interface ApprovalQueueProps extends Omit<PartProps<'section', ApprovalQueueState>, 'children'> {
  /** Whose requests. Default: those of the whole store. */
  readonly conversationId?: string
  /** Leads to the call of a request. Default: to its area, where that is on the page or can be opened there. */
  readonly onShowCall?: (callId: string) => void
  /**
   * Whether the first request takes the focus when it comes, unless the reader is typing or is in a dialog, or a recording
   * is played. Default true.
   */
  readonly autoFocus?: boolean
}

/**
 * The requests for a person's decision in a conversation, oldest first, one at a time (D4): put it where it is always in
 * view. What has been answered gives way to the next one, and what was answered elsewhere, withdrawn or has expired is
 * said. Renders a `<section>`; nothing while there is nothing to say.
 */
export const ApprovalQueue = forwardRef<HTMLElement, ApprovalQueueProps>(function ApprovalQueue(props, ref) {
  const reader = useRef<ReaderActivity>(undefined)

  // Which key was pressed last outlives a conversation: it may have led from one to the next.
  useBrowserLayoutEffect(() => {
    const watched = watchReader()
    reader.current = watched
    return watched.end
  }, [])

  // What has left the queue of one conversation is nothing to another.
  return <Queue key={props.conversationId} {...props} reader={reader} forwardedRef={ref} />
})

interface QueueProps extends ApprovalQueueProps {
  readonly reader: RefObject<ReaderActivity | undefined>
  readonly forwardedRef: ForwardedRef<HTMLElement>
}

function Queue({ conversationId, onShowCall, autoFocus = true, reader, forwardedRef, ...host }: QueueProps) {
  const isReplay = useMode() === 'replay'
  const { store, messages, announcer, answerDesk, revealer } = useProvider('ApprovalQueue')
  const waiting = useApprovals(conversationId)
  const [place, setPlace] = useState<{ readonly id: string | undefined; readonly index: number }>({
    id: undefined,
    index: 0,
  })
  const [leftId, setLeftId] = useState<string>()
  /** When it was mounted, on the store's clock. */
  const [since, setSince] = useState(Number.POSITIVE_INFINITY)
  const question = useRef<HTMLDivElement>(null)
  // Kept until the next one: it is asked whether it holds the focus when it is about to go, and refs are emptied before.
  const setQuestion = useCallback((element: HTMLDivElement | null) => {
    question.current = element ?? question.current
  }, [])
  const questionId = useId()

  // What is shown stays, whatever comes and goes around it, until it leaves itself.
  const at = waiting.findIndex(({ id }) => id === place.id)
  const index = at >= 0 ? at : Math.min(place.index, waiting.length - 1)
  const shown = waiting[index]
  if (shown?.id !== place.id || (shown !== undefined && index !== place.index)) {
    if (at < 0 && place.id !== undefined) setLeftId(place.id)
    setPlace({ id: shown?.id, index: Math.max(0, index) })
  }
  const shownId = shown?.id

  useBrowserLayoutEffect(() => setSince(store.now()), [store])

  const left = useLeft(leftId, since)
  const isThere = shown !== undefined || left !== undefined
  const { keepFocus, noteFocus, giveBackFocus, onFocus } = useQuestionFocus(
    shownId,
    isThere,
    question,
    // Whoever looks at a recording is at its controls, and can answer nothing.
    autoFocus && !isReplay ? reader : undefined,
  )

  // A press that was meant for the one before must not answer this one.
  const previous = useRef<string>(undefined)
  useBrowserLayoutEffect(() => {
    if (previous.current !== undefined && shownId !== undefined && shownId !== previous.current) answerDesk.hold()
    previous.current = shownId
  }, [shownId, answerDesk])

  // The calls tell themselves that they need somebody; what has none is told here.
  const callIds = waiting.flatMap(({ callId }) => callId ?? []).join('\n')
  useEffect(() => {
    if (callIds === '') return undefined
    const ends = callIds.split('\n').map((id) => announcer.watch(id))
    return () => {
      for (const end of ends) end()
    }
  }, [callIds, announcer])
  const told = useRef<ReadonlySet<string>>(new Set())
  useEffect(() => {
    const orphans = waiting.filter(({ callId }) => callId === undefined)
    for (const orphan of orphans) {
      if (!told.current.has(orphan.id)) announcer.say(messages.needsYou(requestName(orphan, messages)), orphan.id)
    }
    told.current = new Set(orphans.map(({ id }) => id))
  }, [waiting, announcer, messages])

  if (!isThere) return null

  const step = (by: number) => {
    const to = waiting[(index + by + waiting.length) % waiting.length]
    if (to !== undefined) show(to.id)
  }
  const show = (id: string) => {
    previous.current = id
    setPlace({ id, index: waiting.findIndex((each) => each.id === id) })
  }
  // The button that was pressed goes, and the focus must not go with it.
  const focusQuestion = () => (shown === undefined ? giveBackFocus() : question.current?.focus({ preventScroll: true }))
  const goTo = (id: string) => {
    show(id)
    focusQuestion()
  }
  const children = (
    <>
      {left !== undefined && (
        <LeftNotice
          approval={left.approval}
          status={left.status}
          onShow={left.status === 'open' && left.approval.id !== shownId ? () => goTo(left.approval.id) : undefined}
          onDismiss={() => {
            setLeftId(undefined)
            focusQuestion()
          }}
        />
      )}
      {shown !== undefined && (
        <div
          ref={setQuestion}
          data-slot="tool-call-approval"
          data-status="open"
          role="group"
          aria-labelledby={questionId}
          tabIndex={-1}
        >
          <Shown
            key={shown.id}
            approval={shown}
            questionId={questionId}
            onShowCall={onShowCall ?? revealer.reveal}
            onLeave={keepFocus}
            corner={
              waiting.length > 1 && (
                <span data-slot="tool-call-approval-steps">
                  <Step label={messages.previousRequest} onClick={() => step(-1)} />
                  <span data-slot="tool-call-approval-position">{messages.position(index + 1, waiting.length)}</span>
                  <Step label={messages.nextRequest} onClick={() => step(1)} isNext />
                </span>
              )
            }
          />
        </div>
      )}
    </>
  )
  const own = { 'aria-label': messages.requests, onFocus, children }
  return <Box empty={shown === undefined} own={own} host={host} forwardedRef={forwardedRef} onLeave={noteFocus} />
}

interface BoxProps extends ApprovalQueueState {
  readonly own: object
  readonly host: ApprovalQueueProps
  readonly forwardedRef: ForwardedRef<HTMLElement>
  /** Called with its element before that goes. */
  readonly onLeave: (element: HTMLElement) => void
}

/** What is around all of it, while there is something. */
function Box({ empty, own, host, forwardedRef, onLeave }: BoxProps) {
  const element = useRef<HTMLElement>(null)
  const ref = useMergedRefs(forwardedRef, element)
  useKeptFocus(element)

  useBrowserLayoutEffect(() => {
    const box = element.current
    return () => {
      if (box !== null) onLeave(box)
    }
  }, [onLeave])

  return partElement({ tag: 'section', slot: 'tool-call-approval-queue', state: { empty }, own, host, ref })
}

/**
 * Brings the focus to the question when the first one comes and the `reader`, if given, is not typing, and back to where
 * it was when the last one has gone, or all there was. Returns what keeps it there when a request gives way to the next
 * one, what notes whether an element that goes has it, and what gives it back.
 */
function useQuestionFocus(
  shownId: string | undefined,
  isThere: boolean,
  question: RefObject<HTMLElement | null>,
  reader: RefObject<ReaderActivity | undefined> | undefined,
) {
  const cameFrom = useRef<Element>(null)
  const hadQuestion = useRef(false)
  const hadFocus = useRef(false)
  const giveBackFocus = useCallback(() => {
    // Of another document it is no `HTMLElement` of this one.
    const element = cameFrom.current as HTMLElement | null
    element?.focus?.({ preventScroll: true })
  }, [])

  useEffect(() => {
    const hasQuestion = shownId !== undefined
    if (hasQuestion === hadQuestion.current) return
    hadQuestion.current = hasQuestion
    if (hasQuestion) {
      if (question.current === null || reader?.current?.isBusy(question.current) !== false) return
      question.current.focus({ preventScroll: true })
    } else if (hadFocus.current) giveBackFocus()
  }, [shownId, question, reader, giveBackFocus])

  useEffect(() => {
    if (!isThere && hadFocus.current) giveBackFocus()
  }, [isThere, giveBackFocus])

  const noteFocus = useCallback((element: HTMLElement | null) => {
    hadFocus.current = element?.contains(focusedFrom(element)) === true
  }, [])
  const keepFocus = useCallback(() => {
    noteFocus(question.current)
    // The buttons go, and the focus must not go with them.
    if (hadFocus.current) question.current?.focus({ preventScroll: true })
  }, [question, noteFocus])

  // Whoever comes by themselves goes back, too.
  const onFocus = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) cameFrom.current = relatedTarget
  }
  return { keepFocus, noteFocus, giveBackFocus, onFocus }
}

interface ShownProps {
  readonly approval: Approval
  readonly questionId: string
  readonly onShowCall: (callId: string) => void
  readonly onLeave: () => void
  readonly corner: ReactNode
}

/** The request that is shown; another one is another element. */
function Shown({ approval, questionId, onShowCall, onLeave, corner }: ShownProps) {
  const now = useNow(approval.expiresAt !== undefined)
  const { callId } = approval

  // Runs while its elements are still there.
  useBrowserLayoutEffect(() => onLeave, [onLeave])

  return (
    <ApprovalBody
      approval={approval}
      status="open"
      now={now}
      questionId={questionId}
      corner={corner}
      onShowCall={callId === undefined ? undefined : () => onShowCall(callId)}
    />
  )
}

interface StepProps {
  readonly label: string
  readonly isNext?: boolean
  readonly onClick: () => void
}

function Step({ label, isNext = false, onClick }: StepProps) {
  return (
    <button
      type="button"
      data-slot="tool-call-approval-step"
      data-next={isNext ? '' : undefined}
      aria-label={label}
      onClick={onClick}
    >
      <Shape name="fold" />
    </button>
  )
}

/** The request that left the queue last, while there is something to say about it; what had expired before `since` never came. */
function useLeft(leftId: string | undefined, since: number) {
  const approval = useStore(({ approvals }) => (leftId === undefined ? undefined : approvals.get(leftId)))
  const now = useNow(approval?.state === 'open' && approval.expiresAt !== undefined)
  if (approval === undefined) return undefined
  const status = approvalStatus(approval, now ?? Number.NEGATIVE_INFINITY)
  if (status === 'expired' && (approval.expiresAt ?? since) <= since) return undefined
  const isSaid =
    status === 'open'
      ? approval.failure !== undefined
      : (status !== 'allowed' && status !== 'denied') || approval.answeredElsewhere
  return isSaid ? { approval, status } : undefined
}

interface LeftNoticeProps {
  readonly approval: Approval
  readonly status: ApprovalStatus
  readonly onShow: (() => void) | undefined
  readonly onDismiss: () => void
}

/** What became of the request that left the queue last. */
function LeftNotice({ approval, status, onShow, onDismiss }: LeftNoticeProps) {
  const { messages } = useProvider('ApprovalQueue')
  return (
    <div data-slot="tool-call-approval-left" data-status={status} role="status">
      <bdi data-slot="tool-call-approval-tool">
        <VisibleText text={requestName(approval, messages)} />
      </bdi>
      <span data-slot="tool-call-approval-decision">
        {status === 'open' ? failureText(approval, messages) : approvalText(approval, status, messages)}
      </span>
      {onShow !== undefined && (
        <button type="button" data-slot="tool-call-approval-lead" onClick={onShow}>
          {messages.showRequest}
        </button>
      )}
      <button type="button" data-slot="tool-call-approval-lead" onClick={onDismiss}>
        {messages.dismiss}
      </button>
    </div>
  )
}
