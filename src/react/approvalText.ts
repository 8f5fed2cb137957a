import { type Approval, type ApprovalAnswer, type ApprovalState, isApprovalOpen } from '../core/index.js'
import type { Messages, ScopeWords } from '../messages/messages.js'
import { cutText, maxNameLength, plainName } from './foldText.js'

/** Where a request stands at a time. */
export type ApprovalStatus = ApprovalState | 'expired'

/** Where a request stands at that time, in ms. */
export function approvalStatus(approval: Approval, now: number): ApprovalStatus {
  return approval.state === 'open' && !isApprovalOpen(approval, now) ? 'expired' : approval.state
}

/** Whether a request is over: there is nothing to be answered or waited for any more. */
export function isSettled(status: ApprovalStatus): boolean {
  return status !== 'open' && status !== 'sending' && status !== 'sent'
}

/** The words for a scope. */
export function scopeText(words: ScopeWords, scope: string | undefined): string {
  switch (scope) {
    case undefined:
      return words.any
    case 'once':
    case 'session':
    case 'always':
      return words[scope]
    default:
      return words.other(plainName(scope))
  }
}

/** Who asks to run what, as text. */
export function questionText({ toolName, subagentSessionId, serverName }: Approval, messages: Messages): string {
  const shown = (name: string | undefined) => name && plainName(name)
  return messages.wantsToRun(shown(toolName) ?? messages.unnamedTool, shown(subagentSessionId), shown(serverName))
}

/** That the last answer has failed, or may have. */
export const failureText = ({ onlyAnswer }: Approval, messages: Messages): string =>
  onlyAnswer === undefined ? messages.answerFailed : messages.answerUnconfirmed

/** An answer in words: "Allowed once", "Denied". */
export function answerText(answer: ApprovalAnswer | undefined, messages: Messages): string {
  if (answer === undefined) return ''
  return answer.approved ? scopeText(messages.allowed, answer.scope) : messages.status.denied
}

/** An answer that was given, and that nobody has confirmed, in words: "Allow once", "Deny". */
function givenText(answer: ApprovalAnswer | undefined, messages: Messages): string {
  if (answer === undefined) return ''
  return answer.approved ? scopeText(messages.allow, answer.scope) : messages.deny
}

/** How a request stands in words, where it is over or on its way. */
export function approvalText(approval: Approval, status: ApprovalStatus, messages: Messages): string {
  const { answer, answeredElsewhere } = approval
  switch (status) {
    case 'open':
      return ''
    case 'sending':
      return `${givenText(answer, messages)} · ${messages.answerSending}`
    case 'sent':
      return `${givenText(answer, messages)} · ${messages.answerSent}`
    case 'allowed':
    case 'denied':
      return answeredElsewhere
        ? `${answerText(answer, messages)} · ${messages.answeredElsewhere}`
        : answerText(answer, messages)
    case 'conflict':
      return messages.answersConflict
    case 'withdrawn':
      return messages.requestWithdrawn
    case 'expired':
      return messages.requestExpired
  }
}

/** The name that a request goes by. */
export function requestName(approval: Approval, messages: Messages): string {
  return cutText(approval.toolName ?? messages.toolCall, maxNameLength)
}
