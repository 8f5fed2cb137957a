/** A frame of a long build: output of three tools, thoughts and lines between them. */
export function makeFrame(i, callId = 'call-1') {
  const place = { v: 1, callId, taskId: 'task-1', state: 'running', ts: 1_000_000 + i }
  const base = { v: 1, seq: i, status: 'running' }
  if (i % 20 === 0) return { ...place, envelope: { ...base, kind: 'text', payload: { text: `step ${i}` } } }
  if (i % 20 === 10) return { ...place, envelope: { ...base, kind: 'thinking', payload: { text: `thought ${i}` } } }
  const payload = { tool: 'shell', chunk: `line ${i} of the output of a build\n` }
  return { ...place, envelope: { ...base, kind: 'tool_output_append', streamKey: `tool-${i % 3}`, payload } }
}

/** Numbers from 0 to below 1, the same ones each time. */
export function createRandom() {
  let state = 1
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
