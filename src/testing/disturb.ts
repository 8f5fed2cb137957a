import { createRandom, type Random } from './random.js'
import type { WireMessage, WireProtocol } from './wireMessage.js'

/**
 * What can happen to messages on their way.
 *
 * - `delay`: each comes up to `ms` later, in the same order.
 * - `reorder`: each comes up to `ms` later, and may be overtaken.
 * - `duplicate`: each comes twice with that `chance`, the second time up to `ms` later.
 * - `lose`: each that may be lost (`isLossy`) does not come at all, with that `chance`.
 * - `cut`: there is no connection from `from` for `ms`. What may be lost is; the rest comes when it is back, as servers
 *   send it again after a rejoin or a resume.
 * - `slow`: the reader takes no more than one message in `ms`.
 */
export interface Faults {
  readonly delay?: { readonly ms: number }
  readonly reorder?: { readonly ms: number }
  readonly duplicate?: { readonly chance: number; readonly ms: number }
  readonly lose?: { readonly chance: number }
  readonly cut?: { readonly from: number; readonly ms: number }
  readonly slow?: { readonly ms: number }
}

/** The name of a fault. */
export type Fault = keyof Faults

const anyFault: readonly Fault[] = ['delay', 'reorder', 'duplicate', 'lose', 'cut', 'slow']

/**
 * The faults that a message's protocol bears: those under which a scenario ends in the same outcome.
 *
 * - Numbered protocols that send again after a break bear all of them: `chat_event`, `tool_event_stream`, `run_gateway`.
 * - `tool_call_*` have no way to ask again, so that what a cut takes is gone.
 * - `agent_bus` has neither numbers nor a way to ask again: calls, status, approvals and results bear another order and
 *   repetition, but the output of terminals is the order of its arrival, and each piece is taken as often as it comes (D6).
 * - `a2a` sends again when it is subscribed to again, but the pieces of its artifacts have no numbers.
 */
export function faultsBorneBy({ protocol, message }: WireMessage<WireProtocol>): readonly Fault[] {
  switch (protocol) {
    case 'tool_call_start':
    case 'tool_call_args_delta':
    case 'tool_call_result':
      return ['delay', 'reorder', 'duplicate', 'lose', 'slow']
    case 'agent_bus':
      return isOfTerminal(message) ? ['delay', 'slow'] : ['delay', 'reorder', 'duplicate', 'slow']
    case 'a2a':
      return ['delay', 'cut', 'slow']
    default:
      return anyFault
  }
}

const isOfTerminal = (message: unknown) =>
  String((message as { readonly type?: unknown } | null)?.type).startsWith('Terminal')

/**
 * The scenario as it comes in under these faults, in the order of its coming. The same seed, any whole number, gives the
 * same.
 *
 * @throws when a message's protocol does not bear one of the faults, since the outcome would then not be promised.
 */
export function disturb<Protocol extends WireProtocol>(
  scenario: readonly WireMessage<Protocol>[],
  faults: Faults,
  seed: number,
): readonly WireMessage<Protocol>[] {
  refuse(scenario, faults)
  const random = createRandom(seed)
  let messages: readonly WireMessage<Protocol>[] = inOrder(scenario)
  const { delay, reorder, duplicate, lose, cut, slow } = faults
  if (lose) messages = messages.filter(({ isLossy }) => isLossy !== true || random() >= lose.chance)
  if (duplicate) messages = messages.flatMap((each) => twice(each, duplicate, random))
  if (cut) messages = messages.flatMap((each) => throughCut(each, cut))
  if (reorder) messages = messages.map((each) => later(each, random() * reorder.ms))
  messages = inOrder(messages)
  if (delay)
    messages = keepingOrder(
      messages.map((each) => later(each, random() * delay.ms)),
      0,
    )
  if (slow) messages = keepingOrder(messages, slow.ms)
  return messages
}

function refuse(scenario: readonly WireMessage<WireProtocol>[], faults: Faults): void {
  for (const fault of anyFault) {
    if (faults[fault] === undefined) continue
    const message = scenario.find((each) => !faultsBorneBy(each).includes(fault))
    if (message === undefined) continue
    const borne = faultsBorneBy(message).join(', ')
    const what =
      message.protocol === 'agent_bus' && isOfTerminal(message.message) ? 'output of agent_bus' : message.protocol
    throw new Error(`tool-call-detail/testing: ${what} does not bear "${fault}"; it bears ${borne}.`)
  }
}

/** Sorting is stable: of the same time, the order stays. */
const inOrder = <Protocol extends WireProtocol>(messages: readonly WireMessage<Protocol>[]) =>
  messages.toSorted((a, b) => a.at - b.at)

const later = <Protocol extends WireProtocol>(message: WireMessage<Protocol>, ms: number): WireMessage<Protocol> => ({
  ...message,
  at: message.at + ms,
})

function twice<Protocol extends WireProtocol>(
  message: WireMessage<Protocol>,
  { chance, ms }: NonNullable<Faults['duplicate']>,
  random: Random,
): readonly WireMessage<Protocol>[] {
  return random() < chance ? [message, later(message, random() * ms)] : [message]
}

function throughCut<Protocol extends WireProtocol>(
  message: WireMessage<Protocol>,
  { from, ms }: NonNullable<Faults['cut']>,
): readonly WireMessage<Protocol>[] {
  if (message.at < from || message.at >= from + ms) return [message]
  return message.isLossy === true ? [] : [{ ...message, at: from + ms }]
}

/** None before the one in front of it, and each at least `ms` after it. */
function keepingOrder<Protocol extends WireProtocol>(
  messages: readonly WireMessage<Protocol>[],
  ms: number,
): readonly WireMessage<Protocol>[] {
  let last = Number.NEGATIVE_INFINITY
  return messages.map((message) => {
    last = Math.max(message.at, last + ms)
    return { ...message, at: last }
  })
}
