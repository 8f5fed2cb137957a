import type { WireMessage } from './wireMessage.js'

/** What a message of the bus says; unnamed fields of its type may be added. */
type BusFields = Readonly<Record<string, unknown>>

const session = 'session-1'

/** A message of an agent's bus: `{ type, payload }`, of session `session-1` unless it says another (D1 to D6). */
export const busMessage = (at: number, type: string, payload: BusFields): WireMessage<'agent_bus'> => ({
  protocol: 'agent_bus',
  at,
  message: { type, payload: { sessionID: session, ...payload } },
})

/** A call is announced; `display` is its readable line (D1). */
export const busCall = (id: string, at: number, name: string, fields: BusFields = {}) =>
  busMessage(at, 'ToolCallEvent', { toolCallID: id, name, args: {}, ...fields })

/** Where the call is: pending, running, done or error; `timeoutSec` is how long it may run (D2). */
export const busStatus = (id: string, at: number, status: string, fields: BusFields = {}) =>
  busMessage(at, 'ToolStatusEvent', { toolCallID: id, status, ...fields })

/** The call ends; `display` is its final value (D3). */
export const busResult = (id: string, at: number, display: unknown, fields: BusFields = {}) =>
  busMessage(at, 'ToolResultEvent', { toolCallID: id, display, isError: false, ...fields })

/** A decision is asked for; it names no call, which is found by session, tool and arguments (D4). */
export const busApprovalRequest = (correlationID: string, at: number, toolName: string, fields: BusFields = {}) =>
  busMessage(at, 'ToolApprovalRequestEvent', { correlationID, toolName, args: {}, ...fields })

/** The answer to it (D4). */
export const busApprovalResponse = (correlationID: string, at: number, approved: boolean, fields: BusFields = {}) =>
  busMessage(at, 'ToolApprovalResponseEvent', { correlationID, approved, scope: 'once', ...fields })

/** A command starts in the call's terminal (D6). */
export const busTerminal = (id: string, at: number, command: string, fields: BusFields = {}) =>
  busMessage(at, 'TerminalNewRunningEvent', { toolCallID: id, command, ...fields })

/** A piece of its output, which has its place by the order of arrival (D6). */
export const busTerminalOutput = (id: string, at: number, delta: string) =>
  busMessage(at, 'TerminalAppendStringEvent', { toolCallID: id, delta })

/** The command has ended (D6). */
export const busTerminalEnd = (id: string, at: number, exitCode: number) =>
  busMessage(at, 'TerminalCompletedEvent', { toolCallID: id, exitCode, isError: exitCode !== 0 })
