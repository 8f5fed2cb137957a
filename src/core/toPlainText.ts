import type { Approval, Outcome, ProcessItem, Task, ToolCall, ToolItem } from './call.js'
import { logOf } from './logOf.js'
import type { Story, StoryLine } from './story.js'

/**
 * The whole area as text, complete and in the order shown: what "copy all" copies, and what reports and tests compare.
 * Independent of language, time and what is folded. `children` are the ids of the calls that its sub-agents made, which
 * are counted.
 */
export function toPlainText(call: ToolCall, children: readonly string[] = []): string {
  const head = [call.toolName ?? call.id, call.title].filter((part) => part !== undefined).join(' ')
  const lines = [`${head} [${call.status}]`]
  if (call.outcome !== undefined) lines.push(...outcomeLines(call.outcome))
  if (call.recorded !== undefined) lines.push(`recorded: ${call.recorded.kind}`, ...outcomeLines(call.recorded))
  lines.push(...call.approvals.flatMap(approvalLines))
  if (children.length > 0) lines.push(`${children.length} ${children.length === 1 ? 'call' : 'calls'} of sub-agents`)
  if (call.story !== undefined) lines.push('', ...storyLines(call.story))
  if (call.args !== undefined) lines.push('', call.argsStreaming ? 'arguments so far:' : 'arguments:', call.args)
  for (const task of call.tasks) {
    lines.push('', ...taskLines(task))
    if (task.outcome !== undefined && task !== call.tasks.at(-1)) lines.push(...outcomeLines(task.outcome))
  }
  if (call.newerMessages > 0) lines.push('', `${call.newerMessages} messages are of a newer version`)
  return `${lines.join('\n')}\n`
}

function outcomeLines({ value, reason, summary, cause, receipt }: Outcome): string[] {
  const lines = [cause, summary, reason].filter((line) => line !== undefined)
  if (receipt === null) lines.push('no receipt given')
  else if (receipt !== undefined) lines.push(`${receipt.kind}: ${receipt.id}`)
  if (value !== undefined) lines.push(typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? ''))
  return lines
}

/** What was asked, how it was decided, and for how long that holds. */
function approvalLines({ toolName, state, answer, message, args, failure }: Approval): string[] {
  const scope = answer?.scope === undefined ? '' : ` ${answer.scope}`
  const reason = answer?.reason === undefined ? '' : `: ${answer.reason}`
  const lines = [`approval ${toolName ?? ''} [${state}]${scope}${reason}`, message, args]
  if (failure !== undefined) lines.push(`not sent: ${failure}`)
  return lines.filter((line) => line !== undefined)
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
      return [...toolLines(item), ...[logOf(item)?.text() ?? []].flat()]
  }
}

function storyLines({ lines, artifacts, citations, droppedSteps }: Story): string[] {
  const told = lines.map(storyLine)
  if (droppedSteps > 0) told.unshift(`${droppedSteps} earlier events were dropped`)
  for (const { id, name, size, sha256 } of artifacts) {
    const facts = [
      name ?? id,
      name && id,
      size === undefined ? undefined : `${size} bytes`,
      sha256 && `sha256 ${sha256}`,
    ]
    told.push(`artifact: ${facts.filter((fact) => fact !== undefined).join(' ')}`)
  }
  for (const { source, place, title, url } of citations) {
    told.push(`citation: ${[source, place, title, url].filter((fact) => fact !== undefined).join(' ')}`)
  }
  return told
}

function storyLine(line: StoryLine): string {
  if (line.kind === 'thinking') return `thinking: ${line.texts.join('')}`
  if (line.kind === 'text') return line.text
  const { kind, name, title, state, effect, stage, message, count } = line
  const facts = [
    kind === 'tool' || kind === 'step' ? (name ?? 'step') : [kind, name].filter((word) => word !== undefined).join(' '),
    `[${state}]`,
    effect === 'write' ? 'changes data' : undefined,
    title,
    stage,
    count === undefined ? undefined : `${count.done}/${count.total}`,
    message,
  ]
  return facts.filter((fact) => fact !== undefined).join(' ')
}

function toolLines({ name, end: mark, terminal }: ToolItem): string[] {
  const end = mark ?? 'open'
  if (terminal === undefined) return [`${name ?? 'tool'} [${end}]`]
  const { command, description, exitCode, signal } = terminal
  const exit = [exitCode === undefined ? '' : ` exit code ${exitCode}`, signal === undefined ? '' : ` signal ${signal}`]
  const lines = [`terminal [${end}]${exit.join('')}`, description, command === undefined ? undefined : `$ ${command}`]
  return lines.filter((line) => line !== undefined)
}
