export { createToolCallStore, type ToolCallStoreOptions } from './createToolCallStore.js'
export type { Connection, Diagnostics, Mode, ToolCallState, ToolCallStore } from './state.js'
