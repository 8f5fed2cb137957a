'use client'
import { forwardRef, type ReactNode, useState } from 'react'
import { HostPart } from './HostPart.js'
import * as ToolCall from './parts/index.js'
import { useProvider } from './providerContext.js'
import { ShowMore } from './ShowMore.js'
import { useCallRequests } from './useCallRequests.js'
import { useNewest } from './useNewest.js'
import { useToolCall } from './useStore.js'

/** What a detail area takes. */
export interface ToolCallDetailProps extends Omit<ToolCall.RootProps, 'children'> {
  /** What stands in the place of the live or replay mode (A12). */
  readonly mode?: ReactNode
}

/**
 * The detail area of one call: its header, the requests for a decision about it and about the calls below it, its outcome
 * pinned below, what a run tells and has made, what was decided, its arguments, its process, and the calls of its
 * sub-agents. A renderer of the host for the call's tool replaces everything below the requests. Renders a `<section>`.
 */
export const ToolCallDetail = forwardRef<HTMLElement, ToolCallDetailProps>(function ToolCallDetail(
  { mode, ...props },
  ref,
) {
  return (
    <ToolCall.Root {...props} ref={ref}>
      <ToolCall.Header mode={mode} />
      <ToolCall.Absent />
      <Requests callId={props.callId} />
      <Inside callId={props.callId} />
    </ToolCall.Root>
  )
})

/** Requests that are shown at first, and added by each "show more"; the others follow as these are answered. */
const stepRequests = 5

/** What waits for a person, or for the answer to arrive, about the call and all that is below it (D5). */
function Requests({ callId }: { readonly callId: string }) {
  const { open } = useCallRequests(callId)
  const [limit, setLimit] = useState(stepRequests)
  return (
    <>
      {open.slice(0, limit).map((approval) => (
        <ToolCall.Approval key={approval.id} approval={approval} />
      ))}
      <ShowMore left={open.length - limit} step={stepRequests} onShow={() => setLimit(limit + stepRequests)} />
    </>
  )
}

function Inside({ callId }: { readonly callId: string }) {
  const { renderers } = useProvider('ToolCallDetail')
  const call = useToolCall(callId)
  const tool = call?.toolName
  const Renderer = tool !== undefined && Object.hasOwn(renderers, tool) ? renderers[tool] : undefined
  if (call === undefined || Renderer === undefined) return <Standard callId={callId} />
  return (
    <HostPart
      name="renderers"
      callId={call.id}
      standard={<Standard callId={callId} />}
      inputs={[Renderer, call]}
      render={() => <Renderer call={call} />}
    />
  )
}

/** Decisions that are shown at first, and added by each "show earlier": the last ones. */
const stepDecisions = 20
/** Processes that are mounted at first, and added by each "show earlier": the last ones. */
const stepTasks = 20

function Standard({ callId }: { readonly callId: string }) {
  const call = useToolCall(callId)
  const { settled } = useCallRequests(callId)
  const tasks = useNewest(call?.tasks ?? [], stepTasks, 'tool-call-earlier')
  const decisions = useNewest(settled, stepDecisions, 'tool-call-earlier')
  return (
    <>
      <ToolCall.Outcome />
      <ToolCall.Progress />
      <ToolCall.Story />
      {decisions.showEarlier}
      {decisions.newest.map((approval) => (
        <ToolCall.Approval key={approval.id} approval={approval} />
      ))}
      <ToolCall.Artifacts />
      <ToolCall.Citations />
      <ToolCall.Arguments />
      {tasks.showEarlier}
      {tasks.newest.map((task) => (
        <ToolCall.Process key={task.taskId} task={task} />
      ))}
      <ToolCall.NoDetails />
      <ToolCall.Children renderCall={(id) => <ToolCallDetail callId={id} />} />
      {call?.story !== undefined && call.outcome !== undefined && <ToolCall.Timings />}
      <ToolCall.NewerMessages />
    </>
  )
}
