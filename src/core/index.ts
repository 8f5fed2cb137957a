export type {
  CallStatus,
  ErrorItem,
  GapItem,
  Interruption,
  OmittedItem,
  Outcome,
  ProcessItem,
  Skip,
  Task,
  TextItem,
  ThinkingItem,
  ToolCall,
  ToolItem,
} from './call.js'
export { canonicalJson } from './canonicalJson.js'
export type {
  BlockEvent,
  BlockStatus,
  CallEvent,
  ContactEvent,
  OutcomeEvent,
  OutcomeKind,
  ToolEvent,
} from './events.js'
export { Evidence, noCalls } from './evidence.js'
export { hashText } from './hashText.js'
export { defaultLimits, type Limits } from './limits.js'
export { createLog, type Log, type LogLine, type LogOptions } from './log.js'
export { plainValue } from './plainValue.js'
export type { Problem, ProblemKind } from './problems.js'
export { elapsedMs, hasNoDetails, isSkipVisible } from './time.js'
export { toPlainText } from './toPlainText.js'
export { visibleString, visibleText } from './visibleText.js'
