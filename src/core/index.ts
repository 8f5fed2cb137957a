export type {
  Approval,
  ApprovalState,
  CallStatus,
  CallTimings,
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
  UnknownCause,
} from './call.js'
export { descendantsOf, needsAttention, pathOf } from './callTree.js'
export { canonicalJson } from './canonicalJson.js'
export type {
  ApprovalAnswer,
  ApprovalEvent,
  ApprovalRequest,
  ArgumentsKind,
  Artifact,
  ArtifactPiece,
  BlockEvent,
  BlockStatus,
  CallEvent,
  Citation,
  ContactEvent,
  Effect,
  OutcomeEvent,
  OutcomeKind,
  PlannedStep,
  Receipt,
  StepEvent,
  TerminalFact,
  ToolEvent,
} from './events.js'
export { Evidence, noCalls } from './evidence.js'
export { hashText } from './hashText.js'
export { isComplete, JsonContainer, type JsonNode, JsonText, JsonToken, toPlainJson } from './jsonNode.js'
export { defaultLimits, type Limits } from './limits.js'
export {
  type Color,
  cellWidth,
  checkedLink,
  columnsAfter,
  createLog,
  type Log,
  type LogGap,
  type LogLine,
  type LogMatch,
  type LogOptions,
  type LogSearch,
  type LogTail,
  type PlacedGap,
  type SearchOptions,
  type Style,
  type StyleRun,
} from './log/index.js'
export { logOf } from './logOf.js'
export { type MaskArguments, toIsMasked } from './maskArguments.js'
export { createEventMask } from './maskEvents.js'
export type { MakeLog, ToolOutput } from './output.js'
export { createPartialJson, type PartialJson } from './partialJson.js'
export { plainValue } from './plainValue.js'
export type { Problem, ProblemKind } from './problems.js'
export type { EffectOf, Step, StepState, Story, StoryLine } from './story.js'
export { commandArgument, type TellingArgument, tellingArgument } from './tellingArgument.js'
export { elapsedMs, hasNoDetails, isCalendarTime, isCallOpen, isQuiet, isSkipVisible, isTaskOpen } from './time.js'
export { canAnswer, isApprovalOpen, isUnconfirmed } from './toApproval.js'
export { toPlainText } from './toPlainText.js'
export { visibleString, visibleText } from './visibleText.js'
