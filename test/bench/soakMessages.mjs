/**
 * The messages of the n-th call of a long stream; its protocol changes from call to call, and every seventh never ends.
 *
 * @param {number} n
 * @returns {Iterable<import('../support/fullMessages.js').Received>}
 */
export function* callMessages(n) {
  const ends = n % 7 !== 0
  const id = `call-${n}`
  const ts = 1_000_000 + n * 1_000
  switch (n % 5) {
    case 0: {
      const frame = { v: 1, callId: id, taskId: `task-${n}`, state: 'running' }
      const snapshot = { eventId: id, conversationId: 'c-1', eventScene: 'tool', status: 'running', ts }
      yield { protocol: 'chat_event', message: snapshot }
      for (let i = 0; i < 60; i++) {
        // Every third comes late.
        const seq = i % 3 === 0 ? i : (i ^ 1) + 100
        const payload = i % 4 === 0 ? { text: `step ${i}` } : { tool: 'shell', chunk: `line ${i} of ${n}\n` }
        const kind = i % 4 === 0 ? 'text' : 'tool_output_append'
        const envelope = { v: 1, kind, seq, streamKey: `k${i % 2}`, payload }
        yield { protocol: 'tool_event_stream', message: { ...frame, ts: ts + i, envelope } }
      }
      if (!ends) return
      const end = { kind: 'text', seq: 1_000, payload: { text: `value ${n}` } }
      yield { protocol: 'tool_event_stream', message: { ...frame, state: 'done', ts: ts + 100, envelope: end } }
      yield { protocol: 'chat_event', message: { ...snapshot, status: 'completed', toolReturn: `value ${n}` } }
      return
    }
    case 1: {
      yield { protocol: 'tool_call_start', message: { tool_call_id: id, tool_name: 'write', arguments: '' } }
      let args = `{"path":"/tmp/${n}","content":"`
      for (let i = 0; i < 20; i++) {
        args += `line ${i}\\n`
        yield { protocol: 'tool_call_args_delta', message: { tool_call_id: id, arguments: args } }
      }
      const message = { tool_call_id: id, result: { written: n }, status: 'success', summary: 'written' }
      if (ends) yield { protocol: 'tool_call_result', message }
      return
    }
    case 2: {
      const call = { sessionID: `s-${n % 50}`, toolCallID: id }
      const bus = (type, fields) => ({ protocol: 'agent_bus', message: { type, ...fields } })
      const args = { command: `run ${n}` }
      yield bus('ToolCall', { ...call, name: 'bash', args, display: `run ${n}` })
      yield bus('ToolApprovalRequest', { sessionID: call.sessionID, correlationID: `r-${n}`, toolName: 'bash', args })
      yield bus('ToolApprovalResponse', { correlationID: `r-${n}`, approved: true, scope: 'once' })
      yield bus('TerminalNewRunning', { ...call, command: `run ${n}` })
      for (let i = 0; i < 40; i++) yield bus('TerminalAppendString', { ...call, delta: `out ${i}\n` })
      yield bus('TerminalCompleted', { ...call, exitCode: 0, isError: false })
      if (ends) yield bus('ToolResult', { ...call, toolName: 'bash', display: `ran ${n}`, isError: false })
      return
    }
    case 3: {
      const run = (seq, type, fields) => ({
        protocol: 'run_gateway',
        message: { event_id: `${id}-${seq}`, run_id: id, seq, type, created_at: ts + seq, ...fields },
      })
      yield run(1, 'run_started', { payload: { name: 'run', title: `Run ${n}` } })
      yield run(2, 'tool_requested', { tool: 'search' })
      for (let seq = 3; seq < 30; seq++) {
        yield run(seq, seq % 3 === 0 ? 'heartbeat' : 'tool_progress', { tool: 'search', payload: { completed: seq } })
      }
      yield run(30, 'tool_result', { tool: 'search', payload: { evidence_ids: [`doc-${n}#p1`] } })
      if (ends) yield run(31, 'committed', { payload: { receipt_id: `rcp-${n}` } })
      return
    }
    default: {
      const update = (state, i, text) => ({
        protocol: 'a2a',
        message: {
          statusUpdate: {
            taskId: id,
            contextId: 'x-1',
            status: {
              state: `TASK_STATE_${state}`,
              timestamp: new Date(ts + i).toISOString(),
              message: { messageId: `${id}-${i}`, role: 'ROLE_AGENT', parts: [{ text }] },
            },
          },
        },
      })
      for (let i = 0; i < 25; i++) yield update('WORKING', i, `step ${i} of ${n}`)
      const artifact = { artifactId: 'file', parts: [{ text: `file ${n}\n` }] }
      for (let i = 0; i < 5; i++) {
        yield { protocol: 'a2a', message: { artifactUpdate: { taskId: id, artifact, append: i > 0 } } }
      }
      if (ends) yield update('COMPLETED', 99, `the end of ${n}`)
    }
  }
}
