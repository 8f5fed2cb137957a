'use client'
import { type ReactNode, useId, useMemo, useState } from 'react'
import { defaultMessages, type Messages } from '../messages/messages.js'
import type { ToolCallStore } from '../store/index.js'
import { Announcements } from './Announcements.js'
import { createAnnouncer } from './announcer.js'
import { createAnswerDesk } from './answerDesk.js'
import { createFormatter } from './formatter.js'
import {
  type CheckAgain,
  type DescribeCall,
  ProviderContext,
  type ProviderContextValue,
  type RenderValue,
  type ResolveArtifact,
  type ToolRenderer,
} from './providerContext.js'
import { createRevealer } from './revealer.js'

/** What a provider takes. */
export interface ToolCallProviderProps {
  /** Where the calls come from. Several stores on one page have a provider each. */
  readonly store: ToolCallStore
  /** How numbers and times are written, as a BCP 47 tag. It brings no words: give those as `messages`. Default `en`. */
  readonly locale?: string
  /** The words: those of a language from `tool-call-detail/messages`, or single ones in the place of the English ones. */
  readonly messages?: Partial<Messages>
  /**
   * By a tool's name: what replaces everything below the header for its calls. One that throws is left for the standard
   * view until it or the call is another, and reported as `host_callback_failed`.
   */
  readonly renderers?: Readonly<Record<string, ToolRenderer>>
  /** Replaces how final values are shown (A11). One that throws is treated as above. */
  readonly renderValue?: RenderValue
  /**
   * Says in one line what a call does, from its arguments as they arrive, where the call has no title of its own. One that
   * throws is reported as `host_callback_failed`.
   */
  readonly describe?: DescribeCall
  /**
   * The scopes that an approval may be given for, each a button, the first one the main one (D4). Those that have no words
   * are shown as they are. Default: once, session, always.
   */
  readonly approvalScopes?: readonly string[]
  /**
   * Gives a fresh address for a file of a run (E9). Without it files are downloaded from the address that came with them,
   * or not at all. One that throws is reported as `host_callback_failed`.
   */
  readonly resolveArtifact?: ResolveArtifact
  /**
   * Asks how a call stands whose outcome is not known, as by `connection.resume(runId)` (E5). With it such a call has a
   * button for it; it is treated as above.
   */
  readonly onCheckAgain?: CheckAgain
  readonly children?: ReactNode
}

const noRenderers = {}
const defaultScopes = ['once', 'session', 'always']

/**
 * Gives a store and a language to the components inside. Renders its children, and behind them the one region through
 * which a screen reader hears that a call has started, needs somebody or has ended.
 */
export function ToolCallProvider(props: ToolCallProviderProps) {
  const { store, locale = 'en', messages, renderers = noRenderers, renderValue, describe, children } = props
  const { approvalScopes = defaultScopes, resolveArtifact, onCheckAgain } = props
  const idPrefix = useId()
  const [announcer] = useState(createAnnouncer)
  const [answerDesk] = useState(createAnswerDesk)
  const [revealer] = useState(createRevealer)
  const words = useMemo(() => ({ ...defaultMessages, ...messages }), [messages])
  const formatter = useMemo(() => createFormatter(locale, words), [locale, words])
  const value = useMemo<ProviderContextValue>(
    () => ({
      store,
      messages: words,
      formatter,
      announcer,
      renderers,
      renderValue,
      describe,
      approvalScopes,
      answerDesk,
      revealer,
      resolveArtifact,
      onCheckAgain,
      idPrefix,
    }),
    [
      store,
      words,
      formatter,
      announcer,
      renderers,
      renderValue,
      describe,
      approvalScopes,
      answerDesk,
      revealer,
      resolveArtifact,
      onCheckAgain,
      idPrefix,
    ],
  )

  return (
    <ProviderContext.Provider value={value}>
      {children}
      <Announcements />
    </ProviderContext.Provider>
  )
}
