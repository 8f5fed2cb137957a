import { Aliases } from './aliases.js'
import type { ApprovalEvidence } from './approvalEvidence.js'
import { Approvals } from './approvals.js'
import type { ArgumentsEvidence } from './argumentsEvidence.js'
import { compareNumbers } from './block.js'
import { breakCircles } from './breakCircles.js'
import type { Approval, ToolCall } from './call.js'
import { CallEvidence, uniteCalls } from './callEvidence.js'
import { Contact } from './contact.js'
import type { BlockEvent, CallEvent, ContactEvent, Effect, OutcomeEvent, StepEvent, ToolEvent } from './events.js'
import { holdTexts } from './holdTexts.js'
import type { Keeping } from './limits.js'
import { betterOutcome, compareEnds, type StoredOutcome } from './outcome.js'
import type { IsMasked } from './partialJson.js'
import { plainValue } from './plainValue.js'
import type { Problem } from './problems.js'
import { RunEvidence } from './runEvidence.js'
import type { EffectOf } from './story.js'
import { TaskEvidence } from './taskEvidence.js'
import { toApproval } from './toApproval.js'
import { approvedCall, closingOf, toToolCall } from './toToolCall.js'

/** All calls as they are shown. */
export interface Calls {
  readonly calls: ReadonlyMap<string, ToolCall>
  readonly aliases: ReadonlyMap<string, string>
  readonly conversations: ReadonlyMap<string, readonly string[]>
  readonly forgotten: ReadonlySet<string>
  readonly approvals: ReadonlyMap<string, Approval>
  readonly children: ReadonlyMap<string, readonly string[]>
}

export const noCalls: Calls = {
  calls: new Map(),
  aliases: new Map(),
  conversations: new Map(),
  forgotten: new Set(),
  approvals: new Map(),
  children: new Map(),
}

/** How many ids of forgotten calls, and how many ends that name no call, are remembered. */
const maxForgotten = 100_000
const maxOtherEnds = 2_000

/** How many other ids one call may claim; of ids that claim each other in a row twice as many are one call. */
const maxAliases = 16

/** Of how many tools it is remembered what the host says of them. */
const maxEffects = 1_000

/**
 * Everything received, with the time of receipt and an arrival number. No event is thrown away because of what came
 * before it: winners, ends and order are found when the calls are read. The one exception are the limits (H3).
 */
export class Evidence {
  contact = new Contact()
  #approvals: Approvals
  /** The parent that each call names, by the call's id, and what is shown of these. */
  #namedParents = new Map<string, string>()
  #parents: ReadonlyMap<string, string> = new Map()
  #parentsChanged = false
  #records = new Map<string, CallEvidence>()
  /** Ids of records that belong to what this was forked from, too. */
  #sharedRecords: Set<string> | undefined
  #aliases = new Aliases()
  /** The ids under which each task is known. */
  #taskOwners = new Map<string, ReadonlySet<string>>()
  /** Ends that name no call, by task (A4). */
  #otherEnds = new Map<string, StoredOutcome>()
  #forgotten = new Set<string>()
  #forgottenChanged = false
  /** Ids of calls that may have to be shown anew. */
  #changed = new Set<string>()
  #ended = new Set<string>()
  #open = new Set<string>()
  /** Calls whose end somebody has told: news of the connection changes nothing about that. */
  #told = new Set<string>()
  #arrivals = 0
  #limits: Keeping
  #report: (problem: Problem) => void
  #isMasked: IsMasked | undefined
  #parentOf: (session: string) => string | undefined
  #askEffect: EffectOf | undefined
  #effects = new Map<string, Effect | undefined>()

  /** `parentOf` tells which call's sub-agent has a session, where the wire does not (D5). */
  constructor(
    limits: Keeping,
    report: (problem: Problem) => void,
    isMasked?: IsMasked,
    parentOf: (session: string) => string | undefined = () => undefined,
    effectOf?: EffectOf,
  ) {
    this.#askEffect = effectOf
    this.#limits = limits
    this.#report = report
    this.#isMasked = isMasked
    this.#parentOf = parentOf
    this.#approvals = new Approvals(limits, report, isMasked, parentOf)
  }

  /**
   * Evidence that goes on from here, and tells its problems to `report` (G1). This one must not be changed any more, but
   * can be forked again. Costs a little for each call; what the calls hold is shared until it changes. Only for evidence
   * that was made to be `forkable`.
   */
  fork(report: (problem: Problem) => void): Evidence {
    const fork = new Evidence(this.#limits, report, this.#isMasked, this.#parentOf, this.#askEffect)
    fork.#effects = this.#effects
    fork.contact = this.contact.fork()
    fork.#approvals = this.#approvals.fork(report)
    fork.#namedParents = new Map(this.#namedParents)
    fork.#parents = this.#parents
    fork.#parentsChanged = this.#parentsChanged
    fork.#records = new Map(this.#records)
    fork.#sharedRecords = new Set(this.#records.keys())
    fork.#aliases = this.#aliases.fork()
    fork.#taskOwners = new Map(this.#taskOwners)
    fork.#otherEnds = new Map(this.#otherEnds)
    fork.#forgotten = new Set(this.#forgotten)
    fork.#forgottenChanged = this.#forgottenChanged
    fork.#changed = new Set(this.#changed)
    fork.#ended = new Set(this.#ended)
    fork.#open = new Set(this.#open)
    fork.#told = new Set(this.#told)
    fork.#arrivals = this.#arrivals
    return fork
  }

  /** Takes an event. Costs what is new, whatever is there. */
  ingest(received: ToolEvent, receivedAt: number): void {
    this.#arrivals += 1
    const event = holdTexts(received, this.#limits.textLength)
    if (event !== received) this.#report({ kind: 'text_cut', ...callOf(event), detail: `in a ${event.type} event` })
    if (event.type === 'contact' && (event.contact === 'resumed' || event.contact === 'resume_refused')) {
      const run = event.callId === undefined ? undefined : this.#recordOf(event.callId, receivedAt)
      if (run === undefined) return
      run.addResume(event.contact === 'resume_refused', receivedAt, this.#arrivals)
      this.#changed.add(run.id)
      return
    }
    if (event.type === 'contact') {
      this.#addContact(event, receivedAt)
      return
    }
    if (event.type === 'approval') {
      this.#approvals.ingest(event, receivedAt, this.#arrivals)
      return
    }
    if (event.type === 'outcome' && event.callId === undefined) {
      this.#addOtherEnd(event, receivedAt)
      return
    }
    const record = this.#recordOf(event.callId as string, receivedAt)
    if (record === undefined) return
    switch (event.type) {
      case 'call': {
        const { version, repeats } = record
        this.#note(record.addFacts(this.#withinArgsLimit(event, record), this.#arrivals, receivedAt), record)
        if (event.alias !== undefined) this.#claim(record, event.alias)
        const isChanged =
          record.version !== version || (record.repeats !== repeats && !this.#aliases.isAlone(record.id))
        if (isChanged) this.#changed.add(record.id)
        break
      }
      case 'block':
        this.#addBlock(record, event, receivedAt)
        break
      case 'outcome':
        this.#addOutcome(record, event, receivedAt)
        break
      case 'step':
        this.#addStep(record, event, receivedAt)
        break
      default:
        event satisfies never
    }
  }

  /** The arguments of the call that has that id, if anything was said about them. */
  argsOf(callId: string): ArgumentsEvidence | undefined {
    const args = this.#records.get(callId)?.args
    return args?.isKnown === true ? args : undefined
  }

  /** The calls as they are shown now; what did not change is taken from `previous`. */
  read(previous: Calls): Calls {
    if (this.#changed.size === 0 && !this.#forgottenChanged && !this.#approvals.isChanged) return previous
    const calls = new Map(previous.calls)
    const aliases = new Map(previous.aliases)
    const moved: Moved = { conversations: new Set(), parents: new Set() }
    const roots = new Map<string, CallEvidence | undefined>()
    const addRoot = (root: string) => {
      if (!roots.has(root)) roots.set(root, this.#unite(root))
    }
    for (const id of this.#changed) {
      const root = this.#aliases.rootOf(id)
      addRoot(root)
      if (root === id) aliases.delete(id)
      else {
        aliases.set(id, root)
        noteMove(moved, calls.get(id))
        calls.delete(id)
        this.#noteTraits(id, undefined)
        this.#sortOut(id, undefined)
      }
    }
    for (const [root, evidence] of roots) this.#noteTraits(root, evidence)
    for (const id of this.#approvals.relink()) addRoot(this.#aliases.rootOf(id))
    for (const id of this.#takeMovedChildren()) addRoot(id)
    const approvals = new Map(previous.approvals)
    /** Calls that are heard of, or kept no longer: their children stand elsewhere then. */
    const cameOrWent = new Set<string>()
    for (const [root, evidence] of roots) {
      const before = calls.get(root)
      const call = evidence && this.#show(evidence, approvals)
      if (call === undefined) calls.delete(root)
      else calls.set(root, call)
      if (before === undefined || call === undefined || !standsAt(before, call)) {
        noteMove(moved, before)
        noteMove(moved, call)
      }
      if ((before === undefined) !== (call === undefined)) cameOrWent.add(root)
      this.#sortOut(root, call)
    }
    for (const id of this.#takeSurplus(calls)) {
      noteMove(moved, calls.get(id))
      cameOrWent.add(id)
      for (const alias of calls.get(id)?.aliases ?? []) aliases.delete(alias)
      calls.delete(id)
    }
    if (cameOrWent.size > 0) {
      for (const [id, parent] of this.#parents) if (cameOrWent.has(parent)) noteMove(moved, calls.get(id))
    }
    // A call whose parent nobody has heard of, or that is no longer kept, stands for itself.
    const knownParentOf = ({ parentId }: ToolCall) =>
      parentId !== undefined && calls.has(parentId) ? parentId : undefined
    const hasGone = this.#updateApprovals(approvals)
    const areSame = !hasGone && sameEntries(previous.approvals, approvals)
    const forgotten = this.#forgottenChanged ? new Set(this.#forgotten) : previous.forgotten
    this.#changed.clear()
    this.#forgottenChanged = false
    return {
      calls,
      aliases,
      conversations: this.#list(previous.conversations, calls, moved.conversations, (call) =>
        knownParentOf(call) === undefined ? call.conversationId : undefined,
      ),
      forgotten,
      approvals: areSame ? previous.approvals : this.#approvals.inOrder(approvals),
      children: this.#list(previous.children, calls, moved.parents, knownParentOf),
    }
  }

  #recordOf(id: string, receivedAt: number): CallEvidence | undefined {
    const known = this.#ownRecord(id)
    if (known !== undefined) {
      // A clock may be set back.
      if (receivedAt < known.firstReceivedAt) {
        known.firstReceivedAt = receivedAt
        this.#changed.add(id)
      }
      return known
    }
    if (this.#forgotten.has(id)) {
      this.#report({ kind: 'call_forgotten', callId: id })
      return undefined
    }
    const record = new CallEvidence(id, this.#arrivals, receivedAt, this.#isMasked)
    this.#records.set(id, record)
    this.#changed.add(id)
    return record
  }

  /** What is known of that id, to be changed. */
  #ownRecord(id: string): CallEvidence | undefined {
    if (this.#sharedRecords?.delete(id) === true) this.#records.set(id, (this.#records.get(id) as CallEvidence).fork())
    return this.#records.get(id)
  }

  #taskOf(record: CallEvidence, taskId: string): TaskEvidence | undefined {
    const known = record.ownTask(taskId)
    if (known !== undefined) return known
    if (record.tasks.size >= this.#limits.callTasks) {
      this.#report({ kind: 'too_many', callId: record.id, detail: 'tasks of one call' })
      return undefined
    }
    const task = new TaskEvidence(taskId, this.#limits)
    record.tasks.set(taskId, task)
    const owners = new Set(this.#taskOwners.get(taskId)).add(record.id)
    this.#taskOwners.set(taskId, owners)
    this.#changed.add(record.id)
    // An end that named no call was theirs while no other call had the task.
    if (this.#otherEnds.has(taskId)) for (const id of owners) this.#changed.add(id)
    return task
  }

  #addBlock(record: CallEvidence, event: BlockEvent, receivedAt: number): void {
    const task = this.#taskOf(record, event.taskId)
    if (task === undefined) return
    const { version } = task
    const before = record.version
    record.noteTime(event.ts, receivedAt)
    record.noteBlock(this.#arrivals, receivedAt)
    if (event.ts !== undefined) record.offerStart(event.ts)
    this.#note(task.add(this.#placed(event), receivedAt), record)
    if (task.version !== version || record.version !== before) this.#changed.add(record.id)
  }

  #addStep(record: CallEvidence, event: StepEvent, receivedAt: number): void {
    // A text that was cut has its mark behind it.
    const { value, cut } = plainValue(event, this.#limits.textLength + 1)
    if (cut) this.#report({ kind: 'value_cut', callId: record.id })
    const before = record.version
    record.noteTime(event.ts, receivedAt)
    if (event.ts !== undefined) record.offerStart(event.ts)
    record.run ??= new RunEvidence(this.#limits.taskBlocks)
    const { version } = record.run
    this.#note(record.run.add(value as StepEvent, receivedAt, this.#arrivals), record)
    if (record.run.version !== version || record.version !== before) this.#changed.add(record.id)
  }

  /** What the host knows of a tool; it is asked once for each (E12). */
  readonly #effectOf = (tool: string): Effect | undefined => {
    if (this.#askEffect === undefined) return undefined
    if (!this.#effects.has(tool)) {
      let effect: unknown
      try {
        effect = this.#askEffect(tool)
      } catch {
        this.#report({ kind: 'host_callback_failed', detail: 'effectOf' })
      }
      this.#effects.set(tool, effect === 'read' || effect === 'write' ? effect : undefined)
      if (this.#effects.size > maxEffects) this.#effects.delete(this.#effects.keys().next().value as string)
    }
    return this.#effects.get(tool)
  }

  #addOutcome(record: CallEvidence, event: OutcomeEvent, receivedAt: number): void {
    const outcome = this.#plain(event, record.id)
    if (event.taskId === undefined) {
      const before = record.version
      this.#note(record.addOutcome(outcome, receivedAt, this.#arrivals), record)
      if (record.version !== before) this.#changed.add(record.id)
      return
    }
    const task = this.#taskOf(record, event.taskId)
    if (task === undefined) return
    const { version } = task
    const before = record.version
    record.noteTime(event.ts, receivedAt)
    this.#note(task.addEnd(outcome, receivedAt), record)
    if (task.version !== version || record.version !== before) this.#changed.add(record.id)
  }

  #addOtherEnd(event: OutcomeEvent, receivedAt: number): void {
    const { taskId } = event
    if (taskId === undefined) return
    const known = this.#otherEnds.get(taskId)
    const end = betterOutcome(known, { event: this.#plain(event, undefined), receivedAt }, compareEnds)
    if (end === known) return
    this.#otherEnds.set(taskId, end as StoredOutcome)
    if (this.#otherEnds.size > maxOtherEnds) this.#dropOtherEnd()
    for (const id of this.#taskOwners.get(taskId) ?? []) this.#changed.add(id)
  }

  /** Forgets the oldest end that no task has been found for. */
  #dropOtherEnd(): void {
    for (const taskId of this.#otherEnds.keys()) {
      if (this.#taskOwners.has(taskId)) continue
      this.#otherEnds.delete(taskId)
      this.#report({ kind: 'too_many', detail: 'ends without a call' })
      return
    }
  }

  #claim(record: CallEvidence, alias: string): void {
    if (record.aliases.has(alias)) return
    const members = (id: string) => this.#aliases.members(this.#aliases.rootOf(id))
    if (record.aliases.size >= maxAliases || members(record.id).length + members(alias).length > 2 * maxAliases) {
      this.#report({ kind: 'too_many', callId: record.id, detail: 'other ids of one call' })
      return
    }
    record.aliases.add(alias)
    const { touched, ambiguous } = this.#aliases.claim(record.id, alias)
    for (const id of touched) this.#changed.add(id)
    if (touched.length > 0) this.#approvals.markPlaced()
    if (this.#namedParents.size > 0) this.#parentsChanged = true
    if (ambiguous) this.#report({ kind: 'ambiguous_alias', callId: record.id })
  }

  /** A block whose wire has no numbers stands at its arrival (D6). */
  #placed(event: BlockEvent): BlockEvent {
    return event.byArrival === true ? { ...event, seq: this.#arrivals } : event
  }

  /** What is known of the call of `root`, from all its ids; undefined where there is none. */
  #unite(root: string): CallEvidence | undefined {
    const ids = this.#aliases.members(root)
    // Showing it notes what was shown, so that it must be ours.
    const members = ids.map((id) => this.#ownRecord(id)).filter((record) => record !== undefined)
    if (members.length === 0) return undefined
    for (const member of members) {
      for (const [taskId, task] of member.tasks) {
        const end = this.#otherEndOf(taskId, root)
        if (task.otherEnd !== end) member.ownTask(taskId)?.setOtherEnd(end)
      }
    }
    const evidence = uniteCalls(members, (taskId) => new TaskEvidence(taskId, this.#limits))
    for (const [taskId, task] of evidence.tasks) task.setOtherEnd(this.#otherEndOf(taskId, root))
    return evidence
  }

  #show(evidence: CallEvidence, approvals: Map<string, Approval>): ToolCall {
    // An id that was announced first need not be the one that the call is known by.
    const root = this.#aliases.rootOf(evidence.id)
    const ids = this.#aliases.members(root)
    const call = approvedCall(root, evidence)
    if (call.outcome === undefined) this.#told.delete(root)
    else this.#told.add(root)
    const own = this.#approvals.ofCall(ids).flatMap((each) => this.#showApproval(each, call, approvals) ?? [])
    return toToolCall(evidence, {
      aliases: ids.slice(1),
      contact: this.contact,
      approvals: own,
      parentId: this.#parents.get(root),
      effectOf: this.#effectOf,
    })
  }

  #showApproval(
    evidence: ApprovalEvidence,
    call: ReturnType<typeof approvedCall> | undefined,
    approvals: Map<string, Approval>,
  ): Approval | undefined {
    const { arrival, conversationId, request } = evidence
    const isOver = [request?.sessionId, request?.subagentSessionId].some(
      (session) => this.contact.endOf(arrival, conversationId, session) !== undefined,
    )
    const parentId = this.#approvals.parentOf(evidence)
    const parent = call?.id ?? request?.callId ?? (parentId && this.#aliases.rootOf(parentId))
    const approval = toApproval(evidence, call, parent, isOver, this.#effectOf)
    if (approval === undefined) return undefined
    const shown = this.#approvals.noteShown(evidence, approval)
    approvals.set(evidence.id, shown)
    return shown
  }

  /** Shows anew the requests that are about no call, and takes away what went. False: nothing went. */
  #updateApprovals(approvals: Map<string, Approval>): boolean {
    const { changed, gone } = this.#approvals.takeChanges()
    for (const evidence of changed) {
      const callId = this.#approvals.callOf(evidence)
      // Those of a call were shown with it.
      const isShown =
        callId !== undefined && this.#aliases.members(this.#aliases.rootOf(callId)).some((id) => this.#records.has(id))
      if (!isShown) this.#showApproval(evidence, undefined, approvals)
    }
    for (const id of gone) approvals.delete(id)
    return gone.length > 0
  }

  /** Takes what a call says by which others are found: the requests about it, and its parent. */
  #noteTraits(root: string, evidence: CallEvidence | undefined): void {
    const fact = (name: 'sessionId' | 'toolName' | 'toolId' | 'parentCallId') => evidence?.facts.get(name)?.value
    const session = fact('sessionId')
    const parentId = fact('parentCallId') ?? (session === undefined ? undefined : this.#parentOf(session))
    if (this.#namedParents.get(root) !== parentId) {
      if (parentId === undefined) this.#namedParents.delete(root)
      else this.#namedParents.set(root, parentId)
      this.#parentsChanged = true
    }
    if (evidence === undefined || session === undefined) {
      this.#approvals.noteCall(root, undefined)
      return
    }
    const toolName = fact('toolName') ?? fact('toolId')
    const { args, argsStreaming } = approvedCall(root, evidence)
    const { arrival, endArrival } = evidence
    this.#approvals.noteCall(root, {
      session,
      toolName,
      args: argsStreaming ? undefined : (args ?? ''),
      parentId,
      arrival,
      endArrival,
    })
  }

  /** The calls whose parent is another one than before, as it is shown. */
  #takeMovedChildren(): readonly string[] {
    if (!this.#parentsChanged) return []
    this.#parentsChanged = false
    const before = this.#parents
    const roots = [...this.#namedParents].map(([id, parent]) => [id, this.#aliases.rootOf(parent)] as const)
    this.#parents = breakCircles(new Map(roots))
    const ids = new Set([...before.keys(), ...this.#parents.keys()])
    return [...ids].filter((id) => before.get(id) !== this.#parents.get(id)).map((id) => this.#aliases.rootOf(id))
  }

  /** The end without a call that belongs to a task, if exactly one call has that task (A4). */
  #otherEndOf(taskId: string, root: string): StoredOutcome | undefined {
    const end = this.#otherEnds.get(taskId)
    if (end === undefined) return undefined
    const owners = [...(this.#taskOwners.get(taskId) ?? [])]
    return owners.every((id) => this.#aliases.rootOf(id) === root) ? end : undefined
  }

  /** Remembers which calls have ended, in the order in which they did. */
  #sortOut(root: string, call: ToolCall | undefined): void {
    // What is only not heard of any more may go on: it is not among the first to be forgotten.
    const isOpen = call?.outcome === undefined || call.outcome.cause === 'connection_closed'
    const [into, outOf] = isOpen ? [this.#open, this.#ended] : [this.#ended, this.#open]
    outOf.delete(root)
    if (call === undefined) into.delete(root)
    else into.add(root)
  }

  /** Forgets the oldest calls over the limits; only their ids are left. */
  #takeSurplus(calls: ReadonlyMap<string, ToolCall>): readonly string[] {
    const oldest = (ids: ReadonlySet<string>, limit: number) => {
      if (ids.size <= limit) return []
      // A history may come newest first: the senders' times count before the order of arrival.
      const time = (id: string) => calls.get(id)?.outcome?.ts ?? calls.get(id)?.listedAt ?? Number.NEGATIVE_INFINITY
      return [...ids].sort((a, b) => compareNumbers(time(a), time(b))).slice(0, ids.size - limit)
    }
    const surplus = [...oldest(this.#ended, this.#limits.endedCalls), ...oldest(this.#open, this.#limits.openCalls)]
    for (const root of surplus) {
      this.#ended.delete(root)
      this.#open.delete(root)
      this.#told.delete(root)
      const ids = this.#aliases.members(root)
      this.#approvals.forgetCall(ids)
      for (const id of ids) this.#forget(id)
    }
    return surplus
  }

  #forget(id: string): void {
    for (const taskId of this.#records.get(id)?.tasks.keys() ?? []) {
      const owners = new Set(this.#taskOwners.get(taskId))
      owners.delete(id)
      if (owners.size === 0) this.#taskOwners.delete(taskId)
      else this.#taskOwners.set(taskId, owners)
    }
    this.#records.delete(id)
    this.#sharedRecords?.delete(id)
    if (this.#namedParents.delete(id)) this.#parentsChanged = true
    this.#aliases.forget(id)
    this.#forgotten.add(id)
    this.#forgottenChanged = true
    if (this.#forgotten.size > maxForgotten) {
      for (const oldest of this.#forgotten) {
        this.#forgotten.delete(oldest)
        break
      }
    }
  }

  /** Lists of calls in their order; only those named in `moved` are made anew. `keyOf` tells the list of a call. */
  #list(
    previous: ReadonlyMap<string, readonly string[]>,
    calls: ReadonlyMap<string, ToolCall>,
    moved: ReadonlySet<string>,
    keyOf: (call: ToolCall) => string | undefined,
  ): ReadonlyMap<string, readonly string[]> {
    if (moved.size === 0) return previous
    const lists = new Map<string, ToolCall[]>()
    for (const call of calls.values()) {
      const key = keyOf(call)
      if (key === undefined || !moved.has(key)) continue
      const list = lists.get(key)
      if (list === undefined) lists.set(key, [call])
      else list.push(call)
    }
    const result = new Map(previous)
    for (const key of moved) {
      const list = lists.get(key) ?? []
      const arrival = (call: ToolCall) => this.#records.get(call.id)?.arrival
      list.sort((a, b) => compareNumbers(a.listedAt, b.listedAt) || compareNumbers(arrival(a), arrival(b)))
      const ids = list.map((call) => call.id)
      const known = previous.get(key)
      if (ids.length === 0) result.delete(key)
      else if (known?.length !== ids.length || ids.some((callId, i) => callId !== known[i])) result.set(key, ids)
    }
    return result
  }

  #addContact(event: ContactEvent, receivedAt: number): void {
    const lostSince = this.contact.lostSince(event.conversationId)
    const changes = this.contact.add(event, receivedAt, this.#arrivals)
    if (changes === undefined) return
    this.#markOpenTasks(event.conversationId, Math.min(lostSince ?? receivedAt, receivedAt))
    if (changes === 'tasks') return
    for (const record of this.#records.values()) {
      const session = record.facts.get('sessionId')?.value ?? event.sessionId
      const isMeant = event.sessionId === undefined || session === event.sessionId
      if (isMeant && !this.#told.has(this.#aliases.rootOf(record.id))) this.#changed.add(record.id)
    }
    this.#approvals.markOpen()
  }

  /** A loss of the connection shows on what was open since then of the conversation that was heard through it (A14, G2). */
  #markOpenTasks(conversationId: string | undefined, since: number): void {
    for (const record of this.#records.values()) {
      const own = record.facts.get('conversationId')?.value
      const isHeard = conversationId === undefined || own === undefined || own === conversationId
      const wasOpen = (task: TaskEvidence) => closingOf(task, record.endReceivedAt) > since
      const isOpen = !this.#ended.has(this.#aliases.rootOf(record.id)) || [...record.tasks.values()].some(wasOpen)
      if (isHeard && isOpen) this.#changed.add(record.id)
    }
  }

  #note(kind: Problem['kind'] | undefined, record: CallEvidence): void {
    if (kind !== undefined) this.#report({ kind, callId: record.id })
  }

  /** The facts with increments of the arguments within the limit on all of them, without a mark, as those that come whole. */
  #withinArgsLimit(event: CallEvent, record: CallEvidence): CallEvent {
    const { argsDelta = '' } = event
    const room = Math.max(0, this.#limits.textLength - record.args.length)
    if (argsDelta.length <= room) return event
    this.#report({ kind: 'text_cut', callId: record.id, detail: 'arguments in pieces' })
    return { ...event, argsDelta: argsDelta.slice(0, room) }
  }

  /** The outcome with a value that nobody can change any more, within the limits. */
  #plain(event: OutcomeEvent, callId: string | undefined): OutcomeEvent {
    if (event.value === undefined) return event
    const { value, cut } = plainValue(event.value, this.#limits.textLength)
    if (cut) this.#report({ kind: 'value_cut', ...(callId === undefined ? {} : { callId }) })
    return { ...event, value }
  }
}

const callOf = (event: ToolEvent) => ('callId' in event && event.callId !== undefined ? { callId: event.callId } : {})

/** The lists that have to be made anew, by what they are the list of. */
interface Moved {
  readonly conversations: Set<string>
  readonly parents: Set<string>
}

function noteMove(moved: Moved, call: ToolCall | undefined): void {
  if (call?.conversationId !== undefined) moved.conversations.add(call.conversationId)
  if (call?.parentId !== undefined) moved.parents.add(call.parentId)
}

const standsAt = (a: ToolCall, b: ToolCall) =>
  a.conversationId === b.conversationId && a.listedAt === b.listedAt && a.parentId === b.parentId

const sameEntries = <Value>(a: ReadonlyMap<string, Value>, b: ReadonlyMap<string, Value>) =>
  a.size === b.size && [...b].every(([key, value]) => a.get(key) === value)
