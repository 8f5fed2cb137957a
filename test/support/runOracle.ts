// A slow and obvious reading of the rules E1 to E5 and E12, against which the story of a run is compared. It takes all of the
// run's events at once, in the order of their numbers, and asks of each line what the events say of it.
type Message = Record<string, any>

export interface ToldStep {
  readonly kind: string
  readonly name: string | undefined
  state: string
  readonly progress: string
}

const of = (event: Message, name: string) => event.payload?.[name] ?? event[name]
const isOk = (word: unknown) => word === undefined || word === 'ok' || word === 'succeeded'

/** How the run ended; undefined while nothing tells it. */
export function expectedOutcome(
  events: readonly Message[],
): { kind: string; receipt: string | null | undefined } | undefined {
  const ends = events.flatMap((event) => {
    const status = of(event, 'status')
    const receipt = of(event, 'receipt_id') ?? of(event, 'draft_id') ?? null
    if (event.type === 'committed')
      return [{ rank: 2, at: event.seq, kind: isOk(status) ? 'done' : 'unknown', receipt }]
    if (event.type === 'failed') return [{ rank: 2, at: event.seq, kind: 'error', receipt: undefined }]
    if (event.type === 'unknown') return [{ rank: 2, at: event.seq, kind: 'unknown', receipt: undefined }]
    if (event.type !== 'task.ended') return []
    const kind = status === 'succeeded' ? 'done' : status === 'failed' ? 'error' : 'unknown'
    return [{ rank: 1, at: event.seq, kind, receipt: kind === 'done' ? receipt : undefined }]
  })
  const known = ends.filter(({ kind }) => kind !== 'unknown')
  const from = known.length > 0 ? known : ends
  const best = Math.max(...from.map(({ rank }) => rank))
  const last = from.filter(({ rank }) => rank === best).sort((a, b) => b.at - a.at)[0]
  return last && { kind: last.kind, receipt: last.receipt }
}

/** The steps that have begun, in order, each with its state and its newest progress. */
export function expectedSteps(events: readonly Message[]): ToldStep[] {
  const steps: (ToldStep & { open: boolean })[] = []
  const begin = (kind: string, name: string | undefined, state: string, progress = '') => {
    const step = { kind, name, state, progress, open: kind === 'tool' || kind === 'step' }
    steps.push(step)
    return step
  }
  const progressOf = (event: Message) => {
    const [stage, done, total] = [of(event, 'stage'), of(event, 'completed'), of(event, 'total')]
    const isFact = of(event, 'is_estimate') !== true && done !== undefined && total !== undefined && done <= total
    return [stage, isFact ? `${done}/${total}` : undefined, of(event, 'message')].filter(Boolean).join(' ')
  }
  const endApproval = () => {
    for (const step of steps) if (step.kind === 'approval' && step.state === 'waiting') step.state = 'done'
  }
  const about = (name: string | undefined) => {
    if (name === undefined) return steps.findLast((step) => step.open)
    const same = steps.filter((step) => step.kind === 'tool' && step.name === name)
    return same.length === 0 ? begin('tool', name, 'running') : same.find((step) => step.open)
  }
  for (const event of events) {
    if (event.type === 'plan_ready' && !steps.some(({ kind }) => kind === 'plan')) begin('plan', undefined, 'done')
    if (event.type === 'tool_requested') {
      endApproval()
      begin('tool', event.tool, 'running')
    }
    if (event.type === 'tool_progress') {
      const step = about(event.tool) ?? (event.tool === undefined ? begin('step', undefined, 'running') : undefined)
      if (step) Object.assign(step, { progress: progressOf(event) })
    }
    if (event.type === 'tool_result') {
      const step = about(event.tool)
      if (step) Object.assign(step, { progress: '', state: isOk(of(event, 'status')) ? 'done' : 'failed', open: false })
    }
    if (event.type === 'approval_required') begin('approval', event.tool, 'waiting')
    if (event.type === 'step.updated') {
      const known = steps.find(({ kind, name }) => kind === 'step' && name === event.step)
      const step = known ?? begin('step', event.step, event.state)
      if (step.state !== 'done') step.state = event.state
      step.open = step.state !== 'done'
    }
    if (['committed', 'failed', 'unknown', 'task.ended'].includes(event.type)) endApproval()
    if (event.type === 'committed' && isOk(of(event, 'status')) && !steps.some(({ kind }) => kind === 'commit')) {
      begin('commit', undefined, 'done')
    }
    if (event.type === 'failed' || (event.type === 'task.ended' && event.status === 'failed')) {
      const step =
        event.tool === undefined
          ? steps.findLast((each) => each.open)
          : steps.find((each) => each.kind === 'tool' && each.name === event.tool && each.open)
      if (step) Object.assign(step, { state: 'failed', open: false })
    }
  }
  const isOver = expectedOutcome(events) !== undefined
  for (const step of steps) if (isOver && (step.open || step.state === 'waiting')) step.state = 'unreported'
  return steps.map(({ kind, name, state, progress }) => ({ kind, name, state, progress }))
}
