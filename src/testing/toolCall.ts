import type { WireMessage } from './wireMessage.js'

/** A call starts, as soon as its id and name are known (C1). */
export const start = (id: string, at: number, tool: string, args = ''): WireMessage<'tool_call_start'> => ({
  protocol: 'tool_call_start',
  at,
  message: { tool_call_id: id, tool_name: tool, arguments: args },
})

/** All of the arguments so far (C2). */
export const argsDelta = (id: string, at: number, args: string): WireMessage<'tool_call_args_delta'> => ({
  protocol: 'tool_call_args_delta',
  at,
  message: { tool_call_id: id, arguments: args },
})

/** The call ends; `fields` are `result`, `status` and `summary` (C6). */
export const result = (
  id: string,
  at: number,
  fields: Readonly<Record<string, unknown>>,
): WireMessage<'tool_call_result'> => ({
  protocol: 'tool_call_result',
  at,
  message: { tool_call_id: id, ...fields },
})
