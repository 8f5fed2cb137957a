import { logOf, type ProcessItem, type Skip, type ToolCall, toPlainJson } from '../../src/core/index.js'
import type { ToolCallStore } from '../../src/store/index.js'
import type { ShownCall, ShownItem } from './oracle.js'

/** What a store shows, in the oracle's terms. */
export function shownCalls(store: ToolCallStore): Map<string, ShownCall> {
  store.flush()
  return new Map([...store.getState().calls].map(([id, call]) => [id, shownCall(call)]))
}

function shownCall(call: ToolCall): ShownCall {
  return {
    status: call.status,
    value: call.outcome?.value,
    reason: call.outcome?.reason,
    summary: call.outcome?.summary,
    unspecific: call.outcome?.unspecific ?? false,
    recorded: call.recorded?.kind,
    toolName: call.toolName,
    conversationId: call.conversationId,
    newer: call.newerMessages,
    args: call.args,
    argsStreaming: call.argsStreaming,
    argsValue: call.parsedArgs?.complete ? toPlainJson(call.parsedArgs.root ?? null) : undefined,
    tasks: call.tasks.map(({ taskId, outcome, blockCount, items }) => ({
      taskId,
      ended: outcome !== undefined,
      blocks: blockCount,
      items: items.map(shownItem),
    })),
  }
}

const counts = (skips: readonly Skip[]) => skips.map(({ count }) => count)

function shownItem(item: ProcessItem): ShownItem {
  switch (item.kind) {
    case 'thinking':
      return { thinking: [...item.texts], skips: counts(item.skips) }
    case 'text':
      return { text: item.text }
    case 'error':
      return { error: item.text }
    case 'omitted':
      return { omitted: item.bytes }
    case 'gap':
      return { gap: item.count }
    case 'tool': {
      const { name, started, end, skips } = item
      return { tool: name, started, end, log: logOf(item)?.text() ?? '', skips: counts(skips) }
    }
  }
}
