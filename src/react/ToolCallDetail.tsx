'use client'
import { forwardRef, type ReactNode, useState } from 'react'
import { Guard } from './Guard.js'
import * as ToolCall from './parts/index.js'
import { useProvider } from './providerContext.js'
import { useMessages, useToolCall } from './useStore.js'

/** What a detail area takes. */
export interface ToolCallDetailProps extends Omit<ToolCall.RootProps, 'children'> {
  /** What stands in the place of the live or replay mode (A12). */
  readonly mode?: ReactNode
}

/**
 * The detail area of one call: its header, its outcome pinned below, its arguments and its process. A renderer of the
 * host for the call's tool replaces everything below the header. Renders a `<section>`.
 */
export const ToolCallDetail = forwardRef<HTMLElement, ToolCallDetailProps>(function ToolCallDetail(
  { mode, ...props },
  ref,
) {
  return (
    <ToolCall.Root {...props} ref={ref}>
      <ToolCall.Header mode={mode} />
      <ToolCall.Absent />
      <Inside callId={props.callId} />
    </ToolCall.Root>
  )
})

function Inside({ callId }: { readonly callId: string }) {
  const { renderers, store } = useProvider('ToolCallDetail')
  const call = useToolCall(callId)
  const tool = call?.toolName
  const Renderer = tool !== undefined && Object.hasOwn(renderers, tool) ? renderers[tool] : undefined
  if (call === undefined || Renderer === undefined) return <Standard callId={callId} />
  const report = () => store.report({ kind: 'host_callback_failed', callId: call.id, detail: 'renderers' })
  return (
    <Guard fallback={<Standard callId={callId} />} attempt={Renderer} onError={report}>
      <Renderer call={call} />
    </Guard>
  )
}

/** Processes that are mounted at first, and added by each "show earlier": the last ones. */
const stepTasks = 20

function Standard({ callId }: { readonly callId: string }) {
  const tasks = useToolCall(callId)?.tasks ?? []
  const messages = useMessages()
  const [limit, setLimit] = useState(stepTasks)
  const hidden = tasks.length - limit
  return (
    <>
      <ToolCall.Outcome />
      <ToolCall.Arguments />
      {hidden > 0 && (
        <button type="button" data-slot="tool-call-earlier" onClick={() => setLimit(limit + stepTasks)}>
          {messages.showEarlier(Math.min(stepTasks, hidden))}
        </button>
      )}
      {tasks.slice(-limit).map((task) => (
        <ToolCall.Process key={task.taskId} task={task} />
      ))}
      <ToolCall.NoDetails />
      <ToolCall.NewerMessages />
    </>
  )
}
