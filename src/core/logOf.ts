import type { ToolItem } from './call.js'
import { createLog, type Log } from './log/index.js'

/** The log of a tool's output: the same one each time, which grows with the output. Undefined while there is none. */
export const logOf = (item: Pick<ToolItem, 'output'>): Log | undefined => item.output?.log(createLog)
