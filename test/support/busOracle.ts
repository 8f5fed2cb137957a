// A slow and obvious reading of the rules of the agent's bus (D1 to D6), against which the store is compared. It takes the
// whole list of messages at once. Only where several calls or several requests are alike does the order of first receipt
// count, for which it looks at the list.
import { canonicalJson } from '../../src/core/index.js'

type Message = Record<string, any>

export interface ShownBusCall {
  status: string
  value: unknown
  title: string | undefined
  approvals: string[]
}
export interface ShownApproval {
  state: string
  answer: unknown
  callId: string | undefined
  parentCallId: string | undefined
  args: unknown
}
export interface ShownBus {
  calls: Record<string, ShownBusCall>
  approvals: Record<string, ShownApproval>
  children: Record<string, string[]>
}

/** Everything that has to be shown once these messages were received in this order. */
export function expectedBus(messages: readonly Message[]): ShownBus {
  const of = (type: string) => messages.filter((message) => message.type === type)
  const requestIds = [...new Set(of('ToolApprovalRequest').map((message) => message.correlationID as string))]
  const callIds = [
    ...new Set(messages.map((message) => message.toolCallID).filter((id) => id !== undefined)),
  ] as string[]
  const firstOf = (list: readonly Message[]) => messages.indexOf(list[0] as Message)

  const told = new Map(callIds.map((id) => [id, toldOutcome(messages.filter((each) => each.toolCallID === id))]))
  const requests = requestIds.map((id) => {
    const copies = of('ToolApprovalRequest').filter((each) => each.correlationID === id)
    const best = [...copies].sort(
      (a, b) =>
        Number(a.subagentSessionID === undefined) - Number(b.subagentSessionID === undefined) ||
        (canonicalJson(a) < canonicalJson(b) ? -1 : 1),
    )[0] as Message
    const answers = of('ToolApprovalResponse').filter((each) => each.correlationID === id)
    return { id, best, answers, at: firstOf(copies) }
  })

  const links = new Map<string, string>()
  for (const request of requests) {
    const session = request.best.subagentSessionID ?? request.best.sessionID
    const alike = (other: Message) =>
      canonicalJson([other.best.subagentSessionID ?? other.best.sessionID, other.best.toolName, other.best.args]) ===
      canonicalJson([session, request.best.toolName, request.best.args])
    if (requests.find(alike) !== request) continue
    const candidates = callIds
      .map((id) => ({ id, own: messages.filter((each) => each.toolCallID === id) }))
      .filter(({ own }) => {
        const call = own.find((each) => each.type === 'ToolCall')
        const named = own.find((each) => (each.name ?? each.toolName) !== undefined)
        return (
          own[0]?.sessionID === session &&
          (named?.name ?? named?.toolName) === request.best.toolName &&
          canonicalJson(call?.args) === canonicalJson(request.best.args)
        )
      })
    const endOf = (own: readonly Message[]) => {
      const at = messages.findIndex((each) => own.includes(each) && isEnd(each))
      return at < 0 ? Number.POSITIVE_INFINITY : at
    }
    const free = [...candidates]
    const group = requests.filter(alike)
    const take = (at: number, id: string) => void links.set(id, free.splice(at, 1)[0]?.id as string)
    for (const { id, at } of group) {
      const fit = free.findIndex(({ own }) => endOf(own) > at)
      if (fit >= 0) take(fit, id)
    }
    for (const { id } of group) if (!links.has(id) && free.length > 0) take(0, id)
  }

  const approvals: Record<string, ShownApproval> = {}
  for (const { id, best, answers } of requests) {
    const callId = links.get(id)
    const words = new Set(answers.map((each) => each.approved))
    const scopes = new Set(answers.map((each) => each.scope).filter((scope) => scope !== undefined))
    const ended = callId !== undefined && told.get(callId) !== undefined
    const conflict = words.size > 1 || scopes.size > 1
    const parent = callIds
      .map((each) => messages.filter((message) => message.toolCallID === each))
      .find(
        (own) =>
          own[0]?.sessionID === best.subagentSessionID && own.some((each) => each.parentToolCallID !== undefined),
      )
      ?.find((each) => each.parentToolCallID !== undefined)?.parentToolCallID
    approvals[id] = {
      state: conflict
        ? 'conflict'
        : words.has(true)
          ? 'allowed'
          : words.has(false)
            ? 'denied'
            : ended
              ? 'withdrawn'
              : 'open',
      answer: conflict || words.size === 0 ? undefined : { approved: [...words][0], scope: [...scopes][0] },
      callId,
      parentCallId: callId ?? (best.subagentSessionID === undefined ? undefined : parent),
      args: best.args,
    }
  }

  const calls: Record<string, ShownBusCall> = {}
  const children: Record<string, string[]> = {}
  for (const id of callIds) {
    const own = messages.filter((each) => each.toolCallID === id)
    const outcome = told.get(id)
    const asked = requestIds.filter((request) => approvals[request]?.callId === id)
    const answered = asked.filter((request) => !['open', 'withdrawn'].includes(approvals[request]?.state as string))
    const refused = approvals[answered.at(-1) ?? '']?.state === 'denied'
    const runs = own.some((each) => each.status === 'running')
    const isOpen = asked.some((request) => approvals[request]?.state === 'open')
    const isPending = own.some((each) => each.type === 'ToolCall' || each.status === 'pending')
    calls[id] = {
      status:
        outcome === undefined
          ? isOpen
            ? 'waiting'
            : isPending && !runs
              ? 'pending'
              : 'running'
          : outcome.kind === 'error' && refused
            ? 'denied'
            : outcome.kind,
      value: outcome?.value,
      title: own.find((each) => each.type === 'ToolCall')?.display,
      approvals: asked,
    }
    const parent = own.find((each) => each.parentToolCallID !== undefined)?.parentToolCallID
    if (callIds.includes(parent)) children[parent] = [...(children[parent] ?? []), id].sort()
  }
  return { calls, approvals, children }
}

const isEnd = ({ type, status }: Message) => type === 'ToolResult' || status === 'done' || status === 'error'

/** A result counts before a word, a failure before a success, then the least by canonical JSON. */
function toldOutcome(own: readonly Message[]): { kind: string; value: unknown } | undefined {
  const ends = own.filter(isEnd).map((each) => {
    const failed = each.type === 'ToolResult' ? each.isError === true : each.status === 'error'
    const kind = failed ? 'error' : 'done'
    return { rank: each.type === 'ToolResult' ? 0 : 1, kind, value: each.display as unknown }
  })
  const order = (end: (typeof ends)[number]) => `${end.rank}${end.kind === 'error' ? 0 : 1}${canonicalJson(end.value)}`
  return ends.sort((a, b) => (order(a) < order(b) ? -1 : 1))[0]
}
