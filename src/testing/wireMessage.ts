import type { ProtocolContext, ProtocolName } from '../protocols/index.js'

/** The wire protocols for which there are builders, by the names that `store.receive` knows them by. */
export type WireProtocol =
  | 'chat_event'
  | 'tool_event_stream'
  | 'tool_call_start'
  | 'tool_call_args_delta'
  | 'tool_call_result'
  | 'agent_bus'
  | 'run_gateway'
  | 'a2a'

/** A raw message as a server sends it, and when it comes in. A scenario is a list of them. */
export interface WireMessage<Protocol extends WireProtocol = WireProtocol & ProtocolName> {
  readonly protocol: Protocol
  /** In ms since the scenario's start; what the sender says of the time is `startedAt` and this. */
  readonly at: number
  readonly message: unknown
  /** What the host knows beside it, for `store.receive`. */
  readonly context?: ProtocolContext
  /** A sender may drop it under pressure, and does not send it again after a break (A13, E8). Default: false. */
  readonly isLossy?: boolean
}

/** When the calls of all scenarios begin, in ms since 1970: 12:03:00 in UTC on 2 January 2026. */
export const startedAt = Date.UTC(2026, 0, 2, 12, 3, 0)

/** A time of a scenario as a date text. */
export const dateAt = (at: number) => new Date(startedAt + at).toISOString()
