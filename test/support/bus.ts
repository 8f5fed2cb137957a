/** Messages of the agent's bus, as their senders write them. */
const compact = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const call = { sessionID: 's-1', toolCallID: 'call-1' }

export const toolCall = (fields: Record<string, unknown> = {}) =>
  compact({ type: 'ToolCall', ...call, name: 'bash', args: { command: 'ls' }, display: 'run: ls', ...fields })

export const toolStatus = (status: string, fields: Record<string, unknown> = {}) =>
  compact({ type: 'ToolStatus', ...call, toolName: 'bash', status, ...fields })

export const toolResult = (display: unknown, fields: Record<string, unknown> = {}) =>
  compact({ type: 'ToolResult', ...call, toolName: 'bash', display, isError: false, ...fields })

export const approvalRequest = (fields: Record<string, unknown> = {}) =>
  compact({
    type: 'ToolApprovalRequest',
    sessionID: 's-1',
    correlationID: 'r-1',
    toolName: 'bash',
    args: { command: 'ls' },
    ...fields,
  })

export const approvalResponse = (approved: unknown, fields: Record<string, unknown> = {}) =>
  compact({ type: 'ToolApprovalResponse', correlationID: 'r-1', approved, ...fields })

export const newRunning = (command: string, fields: Record<string, unknown> = {}) =>
  compact({ type: 'TerminalNewRunning', ...call, command, ...fields })

export const appendString = (delta: unknown, fields: Record<string, unknown> = {}) =>
  compact({ type: 'TerminalAppendString', ...call, delta, ...fields })

export const completed = (exitCode: number, fields: Record<string, unknown> = {}) =>
  compact({ type: 'TerminalCompleted', ...call, exitCode, isError: exitCode !== 0, ...fields })

export const sessionEnded = (fields: Record<string, unknown> = {}) =>
  compact({ type: 'SessionEnded', sessionID: 's-1', ...fields })
