import fc from 'fast-check'

/** Messages of one conversation as they go over the wire, valid but in no order. */
export interface Conversation {
  readonly snapshots: readonly Record<string, any>[]
  readonly frames: readonly Record<string, any>[]
  readonly toolCalls: readonly ToolCallMessage[]
}

/** A message of a call whose arguments stream in. */
export interface ToolCallMessage {
  readonly event: 'tool_call_start' | 'tool_call_args_delta' | 'tool_call_result'
  readonly message: Record<string, any>
}

/** A message with the event that carries it. */
export type Delivery = readonly [event: 'chat_event' | 'tool_event_stream' | ToolCallMessage['event'], message: unknown]

const ts = fc.integer({ min: 1_000, max: 1_012 })
const word = fc.constantFrom('a', 'b', 'c')
const toolName = fc.constantFrom('shell', 'git', undefined)
const compact = (record: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))

const content = fc.oneof(
  fc.record({ kind: fc.constant('thinking'), payload: fc.record({ text: word }) }),
  fc.record({ kind: fc.constant('text'), payload: fc.record({ text: word }) }),
  fc.record({ kind: fc.constant('error'), payload: fc.record({ message: word }) }),
  fc
    .record({ tool: toolName, tool_call_id: fc.constantFrom('k1', undefined, undefined) })
    .map((payload) => ({ kind: 'tool_call', payload: compact(payload) })),
  fc
    .record({
      tool: toolName,
      tool_call_id: fc.constantFrom('k1', undefined, undefined),
      chunk: fc.constantFrom('one\n', 'two\n', 'three', 'four '),
    })
    .map((payload) => ({ kind: 'tool_output_append', payload: compact(payload) })),
)

const envelope = fc
  .record({
    content,
    seq: fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: -2, max: 12 }) },
      { weight: 1, arbitrary: fc.constant(undefined) },
    ),
    streamKey: fc.constantFrom('k1', 'k2', undefined, undefined),
    status: fc.constantFrom(undefined, 'running', 'running', 'done', 'aborted'),
  })
  .map(({ content: { kind, payload }, ...rest }) => ({ v: 1, kind, payload, ...compact(rest) }))

/** Mostly the first, so that one process grows long enough for its blocks to meet. */
const mostly = (first: string, ...rest: string[]) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(first) }, { weight: 1, arbitrary: fc.constantFrom(...rest) })
const callId = mostly('call-1', 'call-2', 'llm-1')
const taskId = mostly('task-1', 'task-2', 'task-3')

/** A frame of `tool_event_stream`: mostly blocks, some ends, a few of a newer version or without `callId`. */
export const frame = fc
  .record({
    callId: fc.oneof({ weight: 9, arbitrary: callId }, { weight: 1, arbitrary: fc.constant(undefined) }),
    taskId,
    ts: fc.oneof({ weight: 8, arbitrary: ts }, { weight: 1, arbitrary: fc.constant(undefined) }),
    body: fc.oneof(
      { weight: 10, arbitrary: fc.record({ v: fc.constant(1), state: fc.constant('running'), envelope }) },
      {
        weight: 1,
        arbitrary: fc
          .record({
            text: fc.option(word, { nil: undefined }),
            seq: fc.option(fc.integer({ min: 0, max: 12 }), { nil: undefined }),
          })
          .map(({ text, seq }) => ({
            v: 1,
            state: 'done',
            envelope: compact({ kind: 'text', seq, payload: compact({ text }) }),
          })),
      },
      {
        weight: 1,
        arbitrary: fc
          .record({ message: word })
          .map((payload) => ({ v: 1, state: 'aborted', envelope: { kind: 'error', payload } })),
      },
      { weight: 1, arbitrary: word.map((text) => ({ v: 2, state: 'running', envelope: { payload: { text } } })) },
    ),
  })
  .map(({ body, ...place }) => ({ ...compact(place), ...body }))

/** Arguments as they grow, and others that do not go together with them. */
const argsText = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.nat({ max: 24 }).map((length) => '{"a":"x\\ny","b":[1,tr]}'.replace('tr', 'true').slice(0, length)),
  },
  { weight: 1, arbitrary: fc.constantFrom('', '{}', '{"c":1}', '{"a":"other"}', '{"a":1} and more', 'ls -la') },
)

const nameOf = (id: string) => `ask ${id === 'llm-1' ? 'call-1' : id}`

/** A message of the protocol of streamed arguments, about one of the same calls. */
const toolCallMessage: fc.Arbitrary<ToolCallMessage> = fc
  .record({
    id: callId,
    args: argsText,
    status: fc.constantFrom('success', 'success', 'error', 'odd', undefined),
    result: fc.constantFrom('a', 0, null, undefined),
    summary: fc.constantFrom(undefined, undefined, 'it went'),
    event: fc.constantFrom('tool_call_start', 'tool_call_args_delta', 'tool_call_args_delta', 'tool_call_result'),
  })
  .map(({ id, args, event, ...end }) => {
    const base = { tool_call_id: id }
    if (event === 'tool_call_result') return { event, message: compact({ ...base, ...end }) }
    const name = event === 'tool_call_start' ? { tool_name: nameOf(id) } : {}
    return { event: event as 'tool_call_start', message: { ...base, ...name, arguments: args } }
  })

/** A snapshot of one of two calls; all of a call agree about its name, and `call-1` may be known as `llm-1`, too. */
export const snapshot = fc
  .record({
    eventId: fc.constantFrom('call-1', 'call-2'),
    status: fc.constantFrom('running', 'running', 'completed', 'failed', 'canceled', 'denied'),
    updatedAt: fc.option(ts, { nil: undefined }),
    text: fc.option(word, { nil: undefined }),
    namesAlias: fc.boolean(),
    args: argsText,
  })
  .map(({ eventId, status, updatedAt, text, namesAlias, args }) => {
    const meta = eventId === 'call-1' && namesAlias ? { meta: { callId: 'llm-1' } } : {}
    const toolReturn = text === undefined ? undefined : { text, ...meta }
    return compact({
      eventId,
      conversationId: 'c-1',
      eventScene: 'tool',
      status,
      updatedAt,
      content: compact({
        toolCall: { toolId: 'ask', functionCall: { name: nameOf(eventId), arguments: args } },
        toolReturn,
      }),
    })
  })

/** All messages of a conversation; in half of them every block has a number, which is the store's fast way. */
export const conversation: fc.Arbitrary<Conversation> = fc
  .record({
    snapshots: fc.array(snapshot, { maxLength: 4 }),
    frames: fc.array(frame, { maxLength: 40 }),
    toolCalls: fc.array(toolCallMessage, { maxLength: 6 }),
    allNumbered: fc.boolean(),
  })
  .map(({ snapshots, frames, toolCalls, allNumbered }) => ({
    snapshots,
    toolCalls,
    frames: allNumbered ? frames.filter((each) => each.state !== 'running' || hasNumber(each)) : frames,
  }))

const hasNumber = (message: Record<string, any>) => message.envelope.seq !== undefined

/** A delivery of a conversation: any order, any of it repeated, and what is published after each message. */
export const deliveryOf = ({ snapshots, frames, toolCalls }: Conversation) => {
  const messages: Delivery[] = [
    ...snapshots.map((message) => ['chat_event', message] as const),
    ...frames.map((message) => ['tool_event_stream', message] as const),
    ...toolCalls.map(({ event, message }) => [event, message] as const),
  ]
  return fc
    .record({
      repeated: fc.subarray(messages),
      publishAfter: fc.array(fc.nat(messages.length * 2), { maxLength: 6 }),
    })
    .chain(({ repeated, publishAfter }) => {
      const all = [...messages, ...repeated]
      return fc.record({
        deliveries: fc.shuffledSubarray(all, { minLength: all.length }),
        publishAfter: fc.constant(new Set(publishAfter)),
      })
    })
}
