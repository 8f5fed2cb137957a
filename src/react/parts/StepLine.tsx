'use client'
import type { Step, StepState } from '../../core/index.js'
import { maxNameLength, plainName } from '../foldText.js'
import { Shape, type ShapeName } from '../Shape.js'
import { stageText, stepLabel } from '../stepText.js'
import { useMessages } from '../useStore.js'
import { VisibleText } from '../VisibleText.js'
import { createPart, type PartProps, partElement } from './createPart.js'
import { useRoot } from './rootContext.js'

/** The state of a step. */
export interface StepLineState {
  /** `data-status` */
  readonly status: StepState
  /** `data-kind` */
  readonly kind: Step['kind']
  /** `data-effect`; absent where it is not known. */
  readonly effect: Step['effect']
}

/** What a step takes. */
export interface StepLineProps extends PartProps<'div', StepLineState> {
  readonly step: Step
}

const shapes: Readonly<Record<StepState, ShapeName>> = {
  pending: 'pending',
  running: 'running',
  waiting: 'waiting',
  blocked: 'warning',
  done: 'done',
  failed: 'aborted',
  unreported: 'unreported',
}

/** UTF-16 code units of a message that are shown. */
const maxMessageLength = 1_000

/**
 * One step of a run: its mark, its name, the newest of its progress, whether it changes data, and how far it is where that
 * is a fact (E4). Renders a `<div>`.
 */
export const StepLine = createPart<HTMLDivElement, StepLineProps>('Step', ({ step, ...host }, ref) => {
  useRoot('Step')
  const messages = useMessages()
  const { kind, name, title, state, effect, stage, message, count, estimate } = step
  const isTool = kind === 'tool' && name !== undefined
  const label = stepLabel(step, messages)
  const children = (
    <>
      <span data-slot="tool-call-item-mark" role="img" aria-label={messages.run.state[state]}>
        <Shape name={shapes[state]} />
      </span>
      <div data-slot="tool-call-item-content">
        <div data-slot="tool-call-line">
          <bdi data-slot={isTool ? 'tool-call-tool-name' : 'tool-call-step-name'}>
            <VisibleText text={label} maxLength={maxNameLength} />
          </bdi>
          {kind === 'approval' && name !== undefined && <ToolName name={name} />}
          {isTool && title !== undefined && <Quiet text={title} />}
          {stage !== undefined && <Quiet text={stageText(stage, messages)} />}
          {estimate && <span data-slot="tool-call-quiet">{messages.run.inProgress}</span>}
          {message !== undefined && <Quiet text={message} />}
          {state === 'unreported' && (
            <span data-slot="tool-call-quiet" aria-hidden="true">
              {messages.noEndReported}
            </span>
          )}
          {effect === 'write' && state !== 'pending' && <Effect />}
        </div>
        {count !== undefined && state === 'running' && <Count name={label} {...count} />}
      </div>
    </>
  )
  const own = { children }
  return partElement({ tag: 'div', slot: 'tool-call-step', state: { status: state, kind, effect }, own, host, ref })
})

function ToolName({ name }: { readonly name: string }) {
  return (
    <bdi data-slot="tool-call-tool-name">
      <VisibleText text={name} maxLength={maxNameLength} />
    </bdi>
  )
}

function Quiet({ text }: { readonly text: string }) {
  return (
    <bdi data-slot="tool-call-step-text">
      <VisibleText text={text} maxLength={maxMessageLength} />
    </bdi>
  )
}

function Effect() {
  const messages = useMessages()
  return <span data-slot="tool-call-effect">{messages.changesData}</span>
}

interface CountProps {
  readonly name: string
  readonly done: number
  readonly total: number
}

/** How far it is: the numbers as they are, and a bar; never a percentage (E4). */
function Count({ name, done, total }: CountProps) {
  const messages = useMessages()
  const text = messages.run.count(done, total)
  return (
    <span data-slot="tool-call-count">
      {total > 0 && (
        <span
          data-slot="tool-call-bar"
          role="progressbar"
          aria-label={plainName(name)}
          aria-valuemin={0}
          aria-valuemax={total}
          aria-valuenow={done}
          aria-valuetext={text}
          style={{ '--tcd-done': done / total } as object}
        />
      )}
      <span data-slot="tool-call-numbers">{text}</span>
    </span>
  )
}
