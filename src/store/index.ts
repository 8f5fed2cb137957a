export {
  createRewindableStore,
  createToolCallStore,
  type Moment,
  type ToolCallStoreOptions,
} from './createToolCallStore.js'
export type { Connection, Diagnostics, Mode, Received, SendAnswer, ToolCallState, ToolCallStore } from './state.js'
export { UnconfirmedAnswer } from './UnconfirmedAnswer.js'
