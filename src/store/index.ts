export { createToolCallStore, type ToolCallStoreOptions } from './createToolCallStore.js'
export type { Connection, Diagnostics, Mode, SendAnswer, ToolCallState, ToolCallStore } from './state.js'
