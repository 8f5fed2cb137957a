import type { Outcome, ProcessItem, Task, ToolCall } from './call.js'

/**
 * The whole area as text, complete and in the order shown: what "copy all" copies, and what reports and tests compare.
 * Independent of language, time and what is folded.
 */
export function toPlainText(call: ToolCall): string {
  const head = [call.toolName ?? call.id, call.title].filter((part) => part !== undefined).join(' ')
  const lines = [`${head} [${call.status}]`]
  if (call.outcome !== undefined) lines.push(...outcomeLines(call.outcome))
  if (call.recorded !== undefined) lines.push(`recorded: ${call.recorded.kind}`, ...outcomeLines(call.recorded))
  if (call.args !== undefined) lines.push('', call.argsStreaming ? 'arguments so far:' : 'arguments:', call.args)
  for (const task of call.tasks) {
    lines.push('', ...taskLines(task))
    if (task.outcome !== undefined && task !== call.tasks.at(-1)) lines.push(...outcomeLines(task.outcome))
  }
  if (call.newerMessages > 0) lines.push('', `${call.newerMessages} messages are of a newer version`)
  return `${lines.join('\n')}\n`
}

function outcomeLines({ value, reason, summary }: Outcome): string[] {
  const lines = [summary, reason].filter((line) => line !== undefined)
  if (value !== undefined) lines.push(typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? ''))
  return lines
}

function taskLines(task: Task): string[] {
  const lines = [`process ${task.taskId} [${task.outcome?.kind ?? 'open'}] ${task.blockCount} blocks`]
  if (task.droppedBlocks > 0) lines.push(`${task.droppedBlocks} earlier blocks were dropped`)
  if (task.skipped > 0) lines.push(`numbering skips ${task.skipped}`)
  lines.push(...task.items.flatMap(itemLines))
  if (task.interruptions.length > 0) lines.push('the connection was lost meanwhile: blocks may be missing')
  return lines
}

function itemLines(item: ProcessItem): string[] {
  switch (item.kind) {
    case 'thinking':
      return [`thinking: ${item.texts.join('')}`]
    case 'text':
      return [item.text]
    case 'error':
      return [`error: ${item.text}`]
    case 'omitted':
      return [`a block of ${item.bytes} bytes was left out`]
    case 'gap':
      return [`numbering skips ${item.count}`]
    case 'tool':
      return [`${item.name ?? 'tool'} [${item.end ?? 'open'}]`, ...(item.log === undefined ? [] : [item.log.text()])]
  }
}
