import type { Step } from '../core/index.js'
import type { Messages } from '../messages/messages.js'

/** The name that a step is given where the sender's own is not shown: of the plan, a request for approval, a commit. */
export function stepLabel({ kind, name, title }: Pick<Step, 'kind' | 'name' | 'title'>, messages: Messages): string {
  const { planReady, approval, commit, step } = messages.run
  if (kind === 'plan') return planReady
  if (kind === 'approval') return title ?? approval
  if (kind === 'commit') return title ?? commit
  return name ?? title ?? step
}

/** A stage in the reader's words where it is one that is known, else as it came (E1). */
export function stageText(stage: string, messages: Messages): string {
  const { stages } = messages.run
  return Object.hasOwn(stages, stage) ? stages[stage as keyof typeof stages] : stage
}

/** What is known of whether a step changes data (E12). */
export function effectText(effect: Step['effect'], messages: Messages): string {
  if (effect === 'write') return messages.changesData
  return effect === 'read' ? messages.run.onlyReads : messages.run.effectUnknown
}
