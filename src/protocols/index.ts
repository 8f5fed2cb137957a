import { chatEvent } from './chatEvent.js'
import type { Protocol } from './protocol.js'
import { toolEventStream } from './toolEventStream.js'

export { chatEvent } from './chatEvent.js'
export type { Protocol, ProtocolContext, Translation } from './protocol.js'
export { toolEventStream } from './toolEventStream.js'

/** The wire protocols by the name that `store.receive` knows them by. */
export const protocols = { chat_event: chatEvent, tool_event_stream: toolEventStream } satisfies Record<
  string,
  Protocol
>

/** The name of a wire protocol. */
export type ProtocolName = keyof typeof protocols
