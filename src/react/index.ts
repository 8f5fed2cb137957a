export { en } from '../messages/en.js'
export { defaultMessages, type Messages, type ScopeWords } from '../messages/messages.js'
export { AppendLog, type AppendLogProps, type AppendLogState } from './AppendLog.js'
export { ApprovalQueue, type ApprovalQueueProps, type ApprovalQueueState } from './ApprovalQueue.js'
export { createFormatter, type Formatter } from './formatter.js'
export * as ToolCall from './parts/index.js'
export type {
  CheckAgain,
  DescribeCall,
  RenderValue,
  ResolveArtifact,
  ToolRenderer,
  ToolRendererProps,
} from './providerContext.js'
export { ReplayBar, type ReplayBarProps } from './ReplayBar.js'
export { ToolCallDetail, type ToolCallDetailProps } from './ToolCallDetail.js'
export { ToolCallGroup, type ToolCallGroupProps, type ToolCallGroupState } from './ToolCallGroup.js'
export { ToolCallNode, type ToolCallNodeProps } from './ToolCallNode.js'
export { ToolCallProvider, type ToolCallProviderProps } from './ToolCallProvider.js'
export { useApprovals } from './useApprovals.js'
export { useNow } from './useNow.js'
export {
  useConnection,
  useConversationCalls,
  useDiagnostics,
  useMessages,
  useMode,
  useStore,
  useToolCall,
} from './useStore.js'
