'use client'
import { useEffect, useMemo } from 'react'
import { type TellingArgument, type ToolCall, tellingArgument } from '../../core/index.js'
import type { Messages } from '../../messages/messages.js'
import { type DescribeCall, useProvider } from '../providerContext.js'
import { Shape } from '../Shape.js'
import { VisibleText } from '../VisibleText.js'
import { createPart, type PartProps, partElement } from './createPart.js'
import { useRoot, useRootCall } from './rootContext.js'

/** The state of a title. */
export interface TitleState {
  /** `data-calling`: there is no title, and the call is under way. */
  readonly calling: boolean
  /** `data-loading`: there is no title yet, and the arguments that may give one stream in. */
  readonly loading: boolean
}

/** What a title takes. */
export type TitleProps = PartProps<'bdi', TitleState>

/** UTF-16 code units that are shown. */
const maxTitleLength = 1_000

/**
 * The line that says what the call does: how it went where a result says so, else its own title, else what the host's
 * `describe` makes of it, else the first of its arguments that tells something. While there is none it says that the
 * arguments are loading (C4), or that it is being called. Renders a `<bdi>`.
 */
export const Title = createPart<HTMLElement, TitleProps>('Title', (host, ref) => {
  const { titleId } = useRoot('Title')
  const { messages } = useProvider('ToolCall.Title')
  const call = useRootCall('Title')
  const described = useDescribed(call)
  const text = call?.outcome?.summary ?? call?.title ?? described
  const telling = text === undefined && call !== undefined ? tellingArgument(call) : undefined
  const isBlank = text === undefined && telling === undefined
  const loading = isBlank && call?.argsStreaming === true
  const calling = isBlank && !loading && call?.status === 'running' && call.statusText === undefined
  if (isBlank && !loading && !calling) return null
  const own = {
    id: titleId,
    children: (
      <>
        {loading && <Shape name="running" />}
        {loading && messages.loadingArguments}
        {calling && messages.calling}
        {text !== undefined && <VisibleText text={text} maxLength={maxTitleLength} />}
        {telling !== undefined && call !== undefined && <Telling call={call} telling={telling} messages={messages} />}
      </>
    ),
  }
  return partElement({ tag: 'bdi', slot: 'tool-call-title', state: { calling, loading }, own, host, ref })
})

interface TellingProps {
  readonly call: ToolCall
  readonly telling: TellingArgument
  readonly messages: Messages
}

function Telling({ call, telling, messages }: TellingProps) {
  const [before = '', after = ''] = lineAround(placeholder, call, telling, messages).split(placeholder)
  const argument = (
    <bdi>
      <VisibleText text={telling.text} />
    </bdi>
  )
  return (
    <>
      {before}
      {telling.kind === 'path' ? <span data-slot="tool-call-title-path">{argument}</span> : argument}
      {after}
    </>
  )
}

/** Stands for the argument while its place in the line is found, so that it can have an element of its own. */
const placeholder = '\uFFFC'

/** Only of what runs, or has run to its end, a verb would be true; and not before it is known on what. */
function lineAround(
  argument: string,
  { status, argsStreaming }: ToolCall,
  { kind }: TellingArgument,
  messages: Messages,
): string {
  if (kind === 'text' || kind === 'path' || argsStreaming) return argument
  if (status === 'running') return messages.titleRunning[kind](argument)
  return status === 'done' || status === 'error' ? messages.titleEnded[kind](argument) : argument
}

/** What the host says of the call. What it throws is reported once the page has been drawn. */
function useDescribed(call: ToolCall | undefined): string | undefined {
  const { describe, store } = useProvider('ToolCall.Title')
  const described = useMemo(() => describeCall(describe, call), [describe, call])
  const { failed } = described
  const callId = call?.id

  useEffect(() => {
    if (failed)
      store.report({ kind: 'host_callback_failed', ...(callId !== undefined && { callId }), detail: 'describe' })
  }, [failed, store, callId])

  return described.line
}

function describeCall(describe: DescribeCall | undefined, call: ToolCall | undefined) {
  if (describe === undefined || call === undefined) return { line: undefined, failed: false }
  try {
    const line: unknown = describe(call)
    return { line: typeof line === 'string' && line !== '' ? line : undefined, failed: false }
  } catch {
    return { line: undefined, failed: true }
  }
}
