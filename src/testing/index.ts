export { type A2aState, a2aArtifact, a2aStatus, a2aText } from './a2a.js'
export {
  busApprovalRequest,
  busApprovalResponse,
  busCall,
  busMessage,
  busResult,
  busStatus,
  busTerminal,
  busTerminalEnd,
  busTerminalOutput,
} from './agentBus.js'
export { createFakeSocket, type FakeServer, type FakeSocket, type SentMessage } from './createFakeSocket.js'
export { disturb, type Fault, type Faults, faultsBorneBy } from './disturb.js'
export { expectSameOutcome, type SameOutcomeOptions } from './expectSameOutcome.js'
export { createFixedClock, type FixedClock } from './fixedClock.js'
export { type RunFields, runCommitted, runEvent, runProgress } from './runGateway.js'
export { argsDelta, result, start } from './toolCall.js'
export {
  aborted,
  done,
  type FrameFields,
  frame,
  output,
  type SnapshotFields,
  snapshot,
  text,
  thinking,
  tool,
} from './toolEventStream.js'
export { startedAt, type WireMessage, type WireProtocol } from './wireMessage.js'
