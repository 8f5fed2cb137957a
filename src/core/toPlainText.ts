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
  if (call.args !== undefined) lines.push('', 'arguments:', call.args)
  for (const task of call.tasks) lines.push('', ...taskLines(task))
  return `${lines.join('\n')}\n`
}

function outcomeLines({ value, reason }: Outcome): string[] {
  const lines = reason === undefined ? [] : [reason]
  if (value !== undefined) lines.push(typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? ''))
  return lines
}

function taskLines(task: Task): string[] {
  const state = task.outcome === undefined ? 'open' : 'ended'
  const lines = [`process ${task.taskId} [${state}] ${task.blockCount} blocks`]
  if (task.droppedBlocks > 0) lines.push(`${task.droppedBlocks} earlier blocks were dropped`)
  if (task.skipped > 0) lines.push(`numbering skips ${task.skipped}`)
  return [...lines, ...task.items.flatMap(itemLines)]
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
