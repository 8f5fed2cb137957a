'use client'
import { type KeyboardEvent, type ReactNode, useMemo, useState } from 'react'
import {
  type Approval,
  type ApprovalAnswer,
  canAnswer,
  commandArgument,
  createPartialJson,
  JsonContainer,
} from '../core/index.js'
import { ApprovalQuestion } from './ApprovalQuestion.js'
import { ArgumentsView } from './ArgumentsView.js'
import { type ApprovalStatus, approvalText, failureText, scopeText } from './approvalText.js'
import { Command } from './Command.js'
import { FoldedText } from './FoldedText.js'
import { cutText } from './foldText.js'
import { useProvider } from './providerContext.js'
import { Shape } from './Shape.js'
import { useMessages, useMode, useToolCall } from './useStore.js'
import { VisibleText } from './VisibleText.js'

/** What the body of a request takes. */
export interface ApprovalBodyProps {
  readonly approval: Approval
  readonly status: ApprovalStatus
  /** The store's time in ms; absent while it is not known. */
  readonly now: number | undefined
  /** The id of the sentence that names the request. */
  readonly questionId: string
  /** Stands beside the question. */
  readonly corner?: ReactNode
  /** Stands beside the buttons, at the end of their line. */
  readonly aside?: ReactNode
  /** Leads to the call; without it there is no such button. */
  readonly onShowCall?: (() => void) | undefined
  /** Called before an answer is given. */
  readonly onAnswer?: () => void
}

/**
 * A request for a decision: who asks for what, exactly what will run, and the buttons; once it is answered, what became
 * of that. Renders what is inside the element of a request.
 */
export function ApprovalBody(props: ApprovalBodyProps) {
  const { approval, status, now, questionId, corner, aside, onShowCall, onAnswer } = props
  const { messages, formatter } = useProvider('ToolCall.Approval')
  const { expiresAt, effect, message, argsDiffer, argsPending } = approval
  const isOpen = status === 'open'
  return (
    <>
      <div data-slot="tool-call-approval-heading">
        <p id={questionId} data-slot="tool-call-approval-question">
          <ApprovalQuestion approval={approval} />
          {effect === 'write' && (
            <>
              {' '}
              <span data-slot="tool-call-approval-effect">{messages.changesData}</span>
            </>
          )}
        </p>
        {corner}
      </div>
      {message !== undefined && <FoldedText text={message} />}
      <WhatRuns approval={approval} />
      {argsDiffer && <p data-slot="tool-call-approval-note">{messages.argumentsDiffer}</p>}
      {isOpen && approval.failure !== undefined && <Failure approval={approval} />}
      <div data-slot="tool-call-approval-bar">
        {isOpen ? (
          <Buttons approval={approval} questionId={questionId} onAnswer={onAnswer} />
        ) : (
          <span data-slot="tool-call-approval-state">
            {(status === 'sending' || status === 'sent') && <Shape name="running" />}
            {approvalText(approval, status, messages)}
          </span>
        )}
        <span data-slot="tool-call-approval-aside">
          {isOpen && argsPending && <span data-slot="tool-call-quiet">{messages.argumentsPending}</span>}
          {isOpen && expiresAt !== undefined && now !== undefined && (
            <span data-slot="tool-call-quiet">{messages.expiresIn(formatter.countdown(expiresAt - now + 999))}</span>
          )}
          {onShowCall !== undefined && (
            <button
              type="button"
              data-slot="tool-call-approval-lead"
              aria-describedby={questionId}
              onClick={onShowCall}
            >
              {messages.showCall}
            </button>
          )}
          {aside}
        </span>
      </div>
    </>
  )
}

/** Exactly what will run: the command, and the other arguments; those of the call where the request has none (C9). */
export function WhatRuns({ approval }: { readonly approval: Approval }) {
  const call = useToolCall(approval.callId ?? '')
  const text = approval.args ?? call?.args
  const own = useMemo(() => (approval.args === undefined ? undefined : parse(approval.args)), [approval.args])
  if (text === undefined || text.trim() === '') return null
  const json = own ?? call?.parsedArgs
  const command = commandArgument(json?.root)
  const isCommandOnly = command !== undefined && json?.root instanceof JsonContainer && json.root.length === 1
  return (
    <div data-slot="tool-call-approval-arguments">
      {command !== undefined && <Command text={command.text} />}
      {!isCommandOnly && (
        <ArgumentsView
          text={text}
          json={json}
          isGrowing={own === undefined && call?.argsStreaming === true}
          except={command?.key}
          isExpanded
        />
      )}
    </div>
  )
}

function parse(args: string) {
  const reader = createPartialJson()
  reader.append(args)
  return reader.read(true)
}

function Failure({ approval }: { readonly approval: Approval }) {
  const messages = useMessages()
  const { failure: reason = '' } = approval
  return (
    <p data-slot="tool-call-approval-failure" role="alert">
      {failureText(approval, messages)}
      {reason !== '' && (
        <>
          {': '}
          <bdi>
            <VisibleText text={cutText(reason, 1_000)} />
          </bdi>
        </>
      )}
    </p>
  )
}

interface ButtonsProps {
  readonly approval: Approval
  readonly questionId: string
  readonly onAnswer: (() => void) | undefined
}

function Buttons({ approval, questionId, onAnswer }: ButtonsProps) {
  const { messages, store, approvalScopes, answerDesk } = useProvider('ToolCall.Approval')
  const { id, argsPending } = approval
  // What a recording shows was decided then, and nobody waits for an answer any more.
  const isReplay = useMode() === 'replay'
  const [reason, setReason] = useState(() => answerDesk.reasons.get(id))
  // What appears because the reader asked for it takes the focus, and what was there before does not.
  const [wasAsked, setAsked] = useState(false)

  const answer = (given: ApprovalAnswer) => {
    if (!answerDesk.take(id)) return
    onAnswer?.()
    store.answer(id, given)
  }
  const deny = () => answer({ approved: false, ...(reason?.trim() && { reason: reason.trim() }) })
  const changeReason = (text: string | undefined) => {
    setAsked(true)
    setReason(text)
    if (text === undefined) answerDesk.reasons.delete(id)
    else answerDesk.reasons.set(id, text)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { isComposing } = event.nativeEvent
    // A key that is held down presses again and again.
    if (event.repeat && (event.key === 'Enter' || event.key === ' ') && !isTextField(event.target)) {
      event.preventDefault()
      return
    }
    if (!isTextField(event.target) || isComposing) return
    if (event.key === 'Enter' && !event.repeat) {
      event.preventDefault()
      deny()
    } else if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      changeReason(undefined)
    }
  }

  return (
    // The keys are those of the buttons inside.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div data-slot="tool-call-approval-buttons" onKeyDown={onKeyDown}>
      {scopesOf(approvalScopes).map((scope, index) => (
        <button
          key={scope ?? ''}
          type="button"
          data-slot="tool-call-approval-button"
          data-primary={index === 0 ? '' : undefined}
          disabled={isReplay || argsPending || !canAnswer(approval, allowed(scope))}
          aria-describedby={questionId}
          onClick={() => answer(allowed(scope))}
        >
          <bdi>{scopeText(messages.allow, scope)}</bdi>
        </button>
      ))}
      <button
        type="button"
        data-slot="tool-call-approval-button"
        disabled={isReplay || !canAnswer(approval, { approved: false })}
        aria-describedby={questionId}
        onClick={deny}
      >
        {messages.deny}
      </button>
      {isReplay ? null : reason === undefined ? (
        <button
          type="button"
          data-slot="tool-call-approval-lead"
          aria-describedby={questionId}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- it stands where the field was that had the focus
          autoFocus={wasAsked}
          onClick={() => changeReason('')}
        >
          {messages.addReason}
        </button>
      ) : (
        <input
          data-slot="tool-call-approval-reason"
          type="text"
          dir="auto"
          autoComplete="off"
          aria-label={messages.reasonForDenying}
          aria-describedby={questionId}
          placeholder={messages.reasonForDenying}
          maxLength={1_000}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the reader has just asked for it
          autoFocus={wasAsked}
          value={reason}
          onChange={(event) => changeReason(event.target.value)}
        />
      )}
    </div>
  )
}

const allowed = (scope: string | undefined): ApprovalAnswer => ({
  approved: true,
  ...(scope !== undefined && { scope }),
})

const isTextField = (target: EventTarget) => (target as Element).localName === 'input'

/** Each scope once; without any there is one button that names none. */
const scopesOf = (scopes: readonly string[]): readonly (string | undefined)[] =>
  scopes.length === 0 ? [undefined] : [...new Set(scopes)]
