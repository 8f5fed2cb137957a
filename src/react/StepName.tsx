'use client'
import type { Step } from '../core/index.js'
import { maxNameLength } from './foldText.js'
import { stepLabel } from './stepText.js'
import { useMessages } from './useStore.js'
import { VisibleText } from './VisibleText.js'

/** What a step is called where it is one of several in a line: of an approval, what it is about. Renders a `<bdi>`. */
export function StepName({ step }: { readonly step: Pick<Step, 'kind' | 'name' | 'title'> }) {
  const messages = useMessages()
  const { kind, name } = step
  const text = kind === 'approval' && name !== undefined ? name : stepLabel(step, messages)
  return (
    <bdi data-slot={name === undefined || kind === 'step' ? 'tool-call-step-name' : 'tool-call-tool-name'}>
      <VisibleText text={text} maxLength={maxNameLength} />
    </bdi>
  )
}
