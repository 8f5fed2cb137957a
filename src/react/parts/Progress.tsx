'use client'
import type { Step } from '../../core/index.js'
import { ConfirmedSteps } from '../ConfirmedSteps.js'
import { maxNameLength } from '../foldText.js'
import { StepName } from '../StepName.js'
import { effectText, stageText } from '../stepText.js'
import { useShownStatus } from '../useShownStatus.js'
import { useMessages } from '../useStore.js'
import { VisibleText } from '../VisibleText.js'
import { createPart, type PartProps, partElement } from './createPart.js'
import { useRootCall } from './rootContext.js'

/** The state of a run's line. */
export interface ProgressState {
  /** `data-effect`: whether the step that comes next, or the one that it is at, changes data; absent: not known. */
  readonly effect: Step['effect']
}

/** What a run's line takes. */
export type ProgressProps = PartProps<'dl', ProgressState>

/**
 * The run in one line: where it is, what is confirmed, what comes next as far as it was announced, and whether that
 * changes data (E12). Nothing while it has no steps, and when it has ended. Renders a `<dl>`.
 */
export const Progress = createPart<HTMLDListElement, ProgressProps>('Progress', (host, ref) => {
  const call = useRootCall('Progress')
  const messages = useMessages()
  const status = useShownStatus(call)
  const story = call?.story
  if (story === undefined || call?.outcome !== undefined) return null
  const { current, confirmed, next } = story
  if (current === undefined && next === undefined && confirmed.length === 0) return null
  const words = messages.run
  const children = (
    <>
      {current !== undefined && (
        <div data-slot="tool-call-progress-now">
          <dt>{words.now}</dt>
          <dd>
            <StepName step={current} />
            {current.stage !== undefined && (
              <bdi>
                <VisibleText text={stageText(current.stage, messages)} maxLength={maxNameLength} />
              </bdi>
            )}
            {current.count !== undefined && <span>{words.count(current.count.done, current.count.total)}</span>}
            {current.state === 'waiting' && status === 'waiting' && <span>{words.state.waiting}</span>}
            {current.state === 'running' && <Effect effect={current.effect} kind={current.kind} />}
          </dd>
        </div>
      )}
      <div data-slot="tool-call-progress-confirmed">
        <dt>{words.confirmed}</dt>
        <dd>
          {confirmed.length === 0 && <span>{words.nothingConfirmed}</span>}
          <ConfirmedSteps steps={confirmed} />
        </dd>
      </div>
      {next !== undefined && (
        <div data-slot="tool-call-progress-next">
          <dt>{words.next}</dt>
          <dd>
            <StepName step={next} />
            <Effect effect={next.effect} kind={next.kind} />
          </dd>
        </div>
      )}
    </>
  )
  const state = { effect: next?.effect ?? current?.effect }
  return partElement({ tag: 'dl', slot: 'tool-call-progress', state, own: { children }, host, ref })
})

/** Of a request for approval that is only planned the question is not whether it changes data. */
function Effect({ effect, kind }: Pick<Step, 'effect' | 'kind'>) {
  const messages = useMessages()
  if (kind === 'approval' && effect === undefined) return null
  const slot = effect === 'write' ? 'tool-call-effect' : 'tool-call-quiet'
  return <span data-slot={slot}>{effectText(effect, messages)}</span>
}
