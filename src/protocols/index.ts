import { a2a } from './a2a.js'
import { agentBus } from './agentBus.js'
import { chatEvent } from './chatEvent.js'
import type { Protocol } from './protocol.js'
import { runGateway } from './runGateway.js'
import { toolCall, toolCallArgsDelta, toolCallResult, toolCallStart } from './toolCall.js'
import { toolEventStream } from './toolEventStream.js'

export { a2a } from './a2a.js'
export { agentBus } from './agentBus.js'
export { callKey, idOfKey } from './callKey.js'
export { chatEvent } from './chatEvent.js'
export type { Protocol, ProtocolContext, Translation } from './protocol.js'
export { runGateway } from './runGateway.js'
export { type RunPlace, runPlaceOf } from './runPlace.js'
export { toolCall, toolCallArgsDelta, toolCallResult, toolCallStart } from './toolCall.js'
export { toolEventStream } from './toolEventStream.js'

/** The wire protocols by the name that `store.receive` knows them by. */
export const protocols = {
  chat_event: chatEvent,
  tool_event_stream: toolEventStream,
  tool_call: toolCall,
  tool_call_start: toolCallStart,
  tool_call_args_delta: toolCallArgsDelta,
  tool_call_result: toolCallResult,
  agent_bus: agentBus,
  a2a,
  run_gateway: runGateway,
} satisfies Record<string, Protocol>

/** The name of a wire protocol. */
export type ProtocolName = keyof typeof protocols
