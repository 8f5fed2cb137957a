import { Aliases } from './aliases.js'
import { compareNumbers } from './block.js'
import type { ToolCall } from './call.js'
import { CallEvidence, uniteCalls } from './callEvidence.js'
import { Contact } from './contact.js'
import type { BlockEvent, CallEvent, OutcomeEvent, ToolEvent } from './events.js'
import type { Limits } from './limits.js'
import { betterOutcome, compareEnds, type StoredOutcome } from './outcome.js'
import type { IsMasked } from './partialJson.js'
import { plainValue } from './plainValue.js'
import type { Problem } from './problems.js'
import { TaskEvidence } from './taskEvidence.js'
import { toToolCall } from './toToolCall.js'

/** All calls as they are shown. */
export interface Calls {
  readonly calls: ReadonlyMap<string, ToolCall>
  readonly aliases: ReadonlyMap<string, string>
  readonly conversations: ReadonlyMap<string, readonly string[]>
  readonly forgotten: ReadonlySet<string>
}

export const noCalls: Calls = { calls: new Map(), aliases: new Map(), conversations: new Map(), forgotten: new Set() }

/** How many ids of forgotten calls, and how many ends that name no call, are remembered. */
const maxForgotten = 100_000
const maxOtherEnds = 2_000

/** How many other ids one call may claim. */
const maxAliases = 16

/**
 * Everything received, with the time of receipt and an arrival number. No event is thrown away because of what came
 * before it: winners, ends and order are found when the calls are read. The one exception are the limits (H3).
 */
export class Evidence {
  readonly contact = new Contact()
  #records = new Map<string, CallEvidence>()
  #aliases = new Aliases()
  /** The ids under which each task is known. */
  #taskOwners = new Map<string, Set<string>>()
  /** Ends that name no call, by task (A4). */
  #otherEnds = new Map<string, StoredOutcome>()
  #forgotten = new Set<string>()
  #forgottenChanged = false
  /** Ids of calls that may have to be shown anew. */
  #changed = new Set<string>()
  #ended = new Set<string>()
  #open = new Set<string>()
  #arrivals = 0
  #limits: Limits
  #report: (problem: Problem) => void
  #isMasked: IsMasked | undefined

  constructor(limits: Limits, report: (problem: Problem) => void, isMasked?: IsMasked) {
    this.#limits = limits
    this.#report = report
    this.#isMasked = isMasked
  }

  /** Takes an event. Costs what is new, whatever is there. */
  ingest(event: ToolEvent, receivedAt: number): void {
    this.#arrivals += 1
    if (event.type === 'contact') {
      if (this.contact.add(event, receivedAt)) this.#markOpenTasks(event.conversationId)
      return
    }
    if (event.type === 'approval') return
    if (event.type === 'outcome' && event.callId === undefined) {
      this.#addOtherEnd(event, receivedAt)
      return
    }
    const record = this.#recordOf(event.callId as string, receivedAt)
    if (record === undefined) return
    switch (event.type) {
      case 'call': {
        const before = record.version
        this.#note(record.addFacts(this.#withinArgsLimit(event, record), this.#arrivals), record)
        if (event.alias !== undefined) this.#claim(record, event.alias)
        if (record.version !== before) this.#changed.add(record.id)
        break
      }
      case 'block':
        this.#addBlock(record, event, receivedAt)
        break
      case 'outcome':
        this.#addOutcome(record, event, receivedAt)
        break
      default:
        event satisfies never
    }
  }

  /** The calls as they are shown now; what did not change is taken from `previous`. */
  read(previous: Calls): Calls {
    if (this.#changed.size === 0 && !this.#forgottenChanged) return previous
    const calls = new Map(previous.calls)
    const aliases = new Map(previous.aliases)
    const moved = new Set<string>()
    const roots = new Set<string>()
    for (const id of this.#changed) {
      const root = this.#aliases.rootOf(id)
      roots.add(root)
      if (root === id) aliases.delete(id)
      else {
        aliases.set(id, root)
        noteConversation(moved, calls.get(id))
        calls.delete(id)
        this.#sortOut(id, undefined)
      }
    }
    for (const root of roots) {
      const before = calls.get(root)
      const call = this.#show(root)
      if (call === undefined) calls.delete(root)
      else calls.set(root, call)
      const stays = before?.conversationId === call?.conversationId && before?.listedAt === call?.listedAt
      if (!stays || before === undefined) {
        noteConversation(moved, before)
        noteConversation(moved, call)
      }
      this.#sortOut(root, call)
    }
    for (const id of this.#takeSurplus(calls)) {
      noteConversation(moved, calls.get(id))
      for (const alias of calls.get(id)?.aliases ?? []) aliases.delete(alias)
      calls.delete(id)
    }
    const forgotten = this.#forgottenChanged ? new Set(this.#forgotten) : previous.forgotten
    this.#changed.clear()
    this.#forgottenChanged = false
    return { calls, aliases, conversations: this.#list(previous.conversations, calls, moved), forgotten }
  }

  #recordOf(id: string, receivedAt: number): CallEvidence | undefined {
    const known = this.#records.get(id)
    if (known !== undefined) {
      known.firstReceivedAt = Math.min(known.firstReceivedAt, receivedAt)
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

  #taskOf(record: CallEvidence, taskId: string): TaskEvidence | undefined {
    const known = record.tasks.get(taskId)
    if (known !== undefined) return known
    if (record.tasks.size >= this.#limits.callTasks) {
      this.#report({ kind: 'too_many', callId: record.id, detail: 'tasks of one call' })
      return undefined
    }
    const task = new TaskEvidence(taskId, this.#limits)
    record.tasks.set(taskId, task)
    const owners = this.#taskOwners.get(taskId) ?? new Set()
    this.#taskOwners.set(taskId, owners.add(record.id))
    for (const id of owners) this.#changed.add(id)
    return task
  }

  #addBlock(record: CallEvidence, event: BlockEvent, receivedAt: number): void {
    const task = this.#taskOf(record, event.taskId)
    if (task === undefined) return
    record.noteTime(event.ts, receivedAt)
    const { version } = task
    const before = record.version
    if (event.ts !== undefined) record.offerStart(event.ts)
    this.#note(task.add(this.#withinLimit(event), receivedAt), record)
    if (task.version !== version || record.version !== before) this.#changed.add(record.id)
  }

  #addOutcome(record: CallEvidence, event: OutcomeEvent, receivedAt: number): void {
    const outcome = this.#plain(event, record.id)
    if (event.taskId === undefined) {
      const before = record.version
      this.#note(record.addOutcome(outcome, receivedAt), record)
      if (record.version !== before) this.#changed.add(record.id)
      return
    }
    const task = this.#taskOf(record, event.taskId)
    if (task === undefined) return
    record.noteTime(event.ts, receivedAt)
    const { version } = task
    this.#note(task.addEnd(outcome, receivedAt), record)
    if (task.version !== version) this.#changed.add(record.id)
  }

  #addOtherEnd(event: OutcomeEvent, receivedAt: number): void {
    const { taskId } = event
    if (taskId === undefined) return
    const known = this.#otherEnds.get(taskId)
    const end = betterOutcome(known, { event: this.#plain(event, undefined), receivedAt }, compareEnds)
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
    if (record.aliases.size >= maxAliases) {
      this.#report({ kind: 'too_many', callId: record.id, detail: 'other ids of one call' })
      return
    }
    record.aliases.add(alias)
    const { touched, ambiguous } = this.#aliases.claim(record.id, alias)
    for (const id of touched) this.#changed.add(id)
    if (ambiguous) this.#report({ kind: 'ambiguous_alias', callId: record.id })
  }

  /** The call that is known by `root`, from all its ids. */
  #show(root: string): ToolCall | undefined {
    const ids = this.#aliases.members(root)
    const members = ids.map((id) => this.#records.get(id)).filter((record) => record !== undefined)
    if (members.length === 0) return undefined
    const evidence = uniteCalls(members, (taskId) => new TaskEvidence(taskId, this.#limits))
    for (const [taskId, task] of evidence.tasks) task.setOtherEnd(this.#otherEndOf(taskId, root))
    return toToolCall(evidence, ids.slice(1), this.contact)
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
    const [into, outOf] = call?.outcome === undefined ? [this.#open, this.#ended] : [this.#ended, this.#open]
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
      for (const id of this.#aliases.members(root)) this.#forget(id)
    }
    return surplus
  }

  #forget(id: string): void {
    for (const taskId of this.#records.get(id)?.tasks.keys() ?? []) {
      const owners = this.#taskOwners.get(taskId)
      owners?.delete(id)
      if (owners?.size === 0) this.#taskOwners.delete(taskId)
    }
    this.#records.delete(id)
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

  /** The conversations' lists; only those named in `moved` are made anew. */
  #list(
    previous: ReadonlyMap<string, readonly string[]>,
    calls: ReadonlyMap<string, ToolCall>,
    moved: ReadonlySet<string>,
  ): ReadonlyMap<string, readonly string[]> {
    if (moved.size === 0) return previous
    const lists = new Map<string, ToolCall[]>()
    for (const call of calls.values()) {
      const { conversationId } = call
      if (conversationId === undefined || !moved.has(conversationId)) continue
      const list = lists.get(conversationId)
      if (list === undefined) lists.set(conversationId, [call])
      else list.push(call)
    }
    const conversations = new Map(previous)
    for (const id of moved) {
      const list = lists.get(id) ?? []
      const arrival = (call: ToolCall) => this.#records.get(call.id)?.arrival
      list.sort((a, b) => compareNumbers(a.listedAt, b.listedAt) || compareNumbers(arrival(a), arrival(b)))
      const ids = list.map((call) => call.id)
      const known = previous.get(id)
      if (ids.length === 0) conversations.delete(id)
      else if (known?.length !== ids.length || ids.some((callId, i) => callId !== known[i])) conversations.set(id, ids)
    }
    return conversations
  }

  /** A loss of the connection shows on the open tasks of the conversation that was heard through it (A14). */
  #markOpenTasks(conversationId: string | undefined): void {
    for (const record of this.#records.values()) {
      const own = record.facts.get('conversationId')?.value
      const isHeard = conversationId === undefined || own === undefined || own === conversationId
      if (isHeard && [...record.tasks.values()].some((task) => task.end === undefined)) this.#changed.add(record.id)
    }
  }

  #note(kind: Problem['kind'] | undefined, record: CallEvidence): void {
    if (kind !== undefined) this.#report({ kind, callId: record.id })
  }

  /** A block with its text cut to the limit. Output is not cut: logs have limits of their own. */
  #withinLimit(event: BlockEvent): BlockEvent {
    if (event.kind === 'tool' || event.kind === 'output' || event.kind === 'omitted') return event
    return event.text.length > this.#limits.textLength
      ? { ...event, text: this.#cutText(event.text, event.callId) }
      : event
  }

  /** The facts with the arguments cut to the limit, without a mark: they are data, and are shown as cut off. */
  #withinArgsLimit(event: CallEvent, record: CallEvidence): CallEvent {
    const { args = '', argsDelta = '' } = event
    const limit = this.#limits.textLength
    const room = limit - record.args.length
    if (args.length <= limit && argsDelta.length <= room) return event
    this.#report({ kind: 'text_cut', callId: record.id, detail: `${args.length + argsDelta.length} code units` })
    return {
      ...event,
      ...(event.args !== undefined && { args: args.slice(0, limit) }),
      ...(event.argsDelta !== undefined && { argsDelta: argsDelta.slice(0, Math.max(0, room)) }),
    }
  }

  #cutText(text: string, callId: string): string {
    if (text.length <= this.#limits.textLength) return text
    this.#report({ kind: 'text_cut', callId, detail: `${text.length} code units` })
    return `${text.slice(0, this.#limits.textLength)}…`
  }

  /** The outcome with a value that nobody can change any more, within the limits. */
  #plain(event: OutcomeEvent, callId: string | undefined): OutcomeEvent {
    if (event.value === undefined && event.reason === undefined && event.summary === undefined) return event
    const said = [event.value ?? null, event.reason ?? null, event.summary ?? null]
    const { value, cut } = plainValue(said, this.#limits.textLength)
    if (cut) this.#report({ kind: 'value_cut', ...(callId === undefined ? {} : { callId }) })
    const [plain, reason, summary] = value as [unknown, unknown, unknown]
    return {
      ...event,
      ...(event.value === undefined ? {} : { value: plain }),
      ...(typeof reason === 'string' ? { reason } : {}),
      ...(typeof summary === 'string' ? { summary } : {}),
    }
  }
}

function noteConversation(moved: Set<string>, call: ToolCall | undefined): void {
  if (call?.conversationId !== undefined) moved.add(call.conversationId)
}
