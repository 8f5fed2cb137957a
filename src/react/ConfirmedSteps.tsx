'use client'
import { Fragment } from 'react'
import type { Step } from '../core/index.js'
import { StepName } from './StepName.js'
import { useMessages } from './useStore.js'

/** What the confirmed steps take. */
export interface ConfirmedStepsProps {
  readonly steps: readonly Step[]
  /** How many are named: the last ones. Default 3. */
  readonly max?: number
}

/** The confirmed steps of a run by name, told apart by dots, and how many more there are. Renders what is inside a line. */
export function ConfirmedSteps({ steps, max = 3 }: ConfirmedStepsProps) {
  const { run: words } = useMessages()
  const more = steps.length - max
  return (
    <>
      {steps.slice(-max).map((step, index) => (
        <Fragment key={step.id}>
          {index > 0 && <span data-slot="tool-call-quiet"> · </span>}
          <StepName step={step} />
        </Fragment>
      ))}
      {more > 0 && <span>{words.moreSteps(more)}</span>}
    </>
  )
}
