export { cellWidth, columnsAfter } from './cellWidth.js'
export { checkedLink } from './checkedLink.js'
export {
  createLog,
  type DroppedPart,
  type Log,
  type LogGap,
  type LogLine,
  type LogOptions,
  type LogTail,
  type PlacedGap,
} from './createLog.js'
export type { LogMatch, LogSearch, SearchOptions } from './search.js'
export type { Color, Style, StyleRun } from './style.js'
