'use client'
import { type ComponentType, createContext, type ReactNode, useContext } from 'react'
import type { ToolCall } from '../core/index.js'
import type { Messages } from '../messages/messages.js'
import type { ToolCallStore } from '../store/index.js'
import type { Announcer } from './announcer.js'
import type { AnswerDesk } from './answerDesk.js'
import type { Formatter } from './formatter.js'
import type { Revealer } from './revealer.js'

/** What a renderer of a host is given. */
export interface ToolRendererProps {
  readonly call: ToolCall
}

/** Shows everything below the header for the calls of one tool. */
export type ToolRenderer = ComponentType<ToolRendererProps>

/** Shows a final value in the host's way, as Markdown for instance. `undefined` leaves it to the library. */
export type RenderValue = (value: unknown, call: ToolCall) => ReactNode

/** The line that says what a call does. `undefined` leaves it to the library. */
export type DescribeCall = (call: ToolCall) => string | undefined

/**
 * Gives the address of a file of a run, fresh each time that it is wanted, since signed addresses expire (E9): http, https
 * or blob.
 */
export type ResolveArtifact = (artifactId: string, callId: string) => Promise<string> | string

/** Finds out again how a call stands whose outcome is not known, and has it told to the store. It must run nothing (E5). */
export type CheckAgain = (callId: string) => Promise<void> | void

/** What a provider gives to the hooks and parts inside it. */
export interface ProviderContextValue {
  readonly store: ToolCallStore
  readonly messages: Messages
  readonly formatter: Formatter
  readonly announcer: Announcer
  readonly renderers: Readonly<Record<string, ToolRenderer>>
  readonly renderValue: RenderValue | undefined
  readonly describe: DescribeCall | undefined
  /** The scopes that an approval may be given for, the first one being the main button (D4). */
  readonly approvalScopes: readonly string[]
  readonly answerDesk: AnswerDesk
  readonly revealer: Revealer
  readonly resolveArtifact: ResolveArtifact | undefined
  readonly onCheckAgain: CheckAgain | undefined
  /** Begins every element id, so that providers on one page do not meet. */
  readonly idPrefix: string
}

/** Holds what the nearest provider gives. */
export const ProviderContext = createContext<ProviderContextValue | undefined>(undefined)

/** What the nearest provider gives. @throws outside a provider; `user` names the hook or part in the error. */
export function useProvider(user: string): ProviderContextValue {
  const value = useContext(ProviderContext)
  if (value === undefined) {
    throw new Error(`tool-call-detail: ${user} has no store here. Put a <ToolCallProvider store={…}> around it.`)
  }
  return value
}
