'use client'
import { memo, type ReactNode } from 'react'
import type { StoryLine } from '../../core/index.js'
import { HostPart } from '../HostPart.js'
import { useNewest } from '../useNewest.js'
import { useShownStatus } from '../useShownStatus.js'
import { useMessages, useMode } from '../useStore.js'
import { createPart, type PartProps, partElement } from './createPart.js'
import { useRootCall } from './rootContext.js'
import { StepLine } from './StepLine.js'
import { Text } from './Text.js'
import { Thinking } from './Thinking.js'

/** The state of a story. */
export interface StoryState {
  /** `data-ended`: the run has ended. */
  readonly ended: boolean
}

/** What a story takes. */
export interface StoryProps extends PartProps<'div', StoryState> {
  /**
   * Shows a line in the host's way; `undefined` leaves it to the library. One that throws is left for the standard view,
   * and reported as `host_callback_failed`.
   */
  readonly renderLine?: (line: StoryLine) => ReactNode
}

/** Lines that are mounted at first, and added by each "show earlier": always the newest. */
const stepLines = 200

/**
 * What a run tells, one line for each step: the plan, its tools, a request for approval, the commit, and what is planned
 * and has not begun (E2). Nothing where the call is no run, or has told nothing. Renders a `<div>`.
 */
export const Story = createPart<HTMLDivElement, StoryProps>('Story', ({ renderLine, ...host }, ref) => {
  const call = useRootCall('Story')
  const messages = useMessages()
  const isLive = useMode() === 'live'
  const status = useShownStatus(call)
  const story = call?.story
  const { newest, showEarlier } = useNewest(story?.lines ?? [], stepLines, 'tool-call-earlier')
  if (call === undefined || story === undefined || (story.lines.length === 0 && story.droppedSteps === 0)) return null
  const hasExpired = status !== call.status
  const ended = call.outcome !== undefined
  const children = (
    <>
      {story.droppedSteps > 0 && <div data-slot="tool-call-note">{messages.run.droppedSteps(story.droppedSteps)}</div>}
      {showEarlier}
      <ol data-slot="tool-call-items">
        {newest.map((line, index, lines) => {
          const standard = (
            <Line line={line} live={isLive && !ended && index === lines.length - 1} hasExpired={hasExpired} />
          )
          return (
            <li key={line.id} data-slot="tool-call-item">
              <HostPart
                name="renderLine"
                callId={call.id}
                standard={standard}
                inputs={[renderLine, line]}
                render={renderLine && (() => renderLine(line) ?? standard)}
              />
            </li>
          )
        })}
      </ol>
    </>
  )
  return partElement({ tag: 'div', slot: 'tool-call-story', state: { ended }, own: { children }, host, ref })
})

interface LineProps {
  readonly line: StoryLine
  readonly live: boolean
  /** Nobody can answer what it waits for. */
  readonly hasExpired: boolean
}

const Line = memo(function Line({ line, live, hasExpired }: LineProps) {
  if (line.kind === 'thinking') return <Thinking item={line} taskId="" live={live} />
  if (line.kind === 'text') return <Text item={line} />
  return <StepLine step={hasExpired && line.state === 'waiting' ? { ...line, state: 'unreported' } : line} />
})
