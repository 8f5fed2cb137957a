import { describe, expect, test } from 'vitest'
import { type JsonContainer, type JsonText, type PartialJson, toPlainJson, toPlainText } from '../../src/core/index.js'
import { callKey, type ProtocolContext } from '../../src/protocols/index.js'
import { block, ended, makeTestStore, snapshot, type TestStore } from '../support/wire.js'

const id = { tool_call_id: 'call-1' }
const start = (args: unknown = '', more: Record<string, unknown> = {}) => ({
  ...id,
  tool_name: 'write_file',
  arguments: args,
  ...more,
})
const receiver =
  (event: 'tool_call_start' | 'tool_call_args_delta' | 'tool_call_result') =>
  (store: TestStore, message: unknown, context?: ProtocolContext) =>
    store.receive(event, message, context)
const starts = receiver('tool_call_start')
const result = (store: TestStore, fields: Record<string, unknown>) =>
  receiver('tool_call_result')(store, { ...id, ...fields })
const delta = (store: TestStore, args: unknown, context?: ProtocolContext) =>
  receiver('tool_call_args_delta')(store, { ...id, arguments: args }, context)
const append: ProtocolContext = { argumentsMode: 'append' }
const valueOf = (store: TestStore) => {
  const root = store.call().parsedArgs?.root
  return root === undefined ? undefined : toPlainJson(root)
}

describe('a call whose arguments stream in', () => {
  test('[C1] is there as soon as its id and name are known, in the conversation that it was heard in', () => {
    const store = makeTestStore()

    starts(store, start(), { conversationId: 'c-1' })

    expect(store.call()).toMatchObject({ toolName: 'write_file', status: 'running', args: '', argsStreaming: true })
    expect(store.getState().conversations.get('c-1')).toEqual(['call-1'])
  })

  test('[C1] comes wrapped as { type, data }, too; other types on that channel are passed over', () => {
    const store = makeTestStore()

    store.receive('tool_call', { type: 'tool_call_start', data: start() })
    store.receive('tool_call', { type: 'tool_call_args_delta', data: { ...id, arguments: '{"path":"a' } })
    store.receive('tool_call', { type: 'content_delta', data: { text: 'hello' } })
    store.receive('tool_call', { type: 'constructor', data: {} })
    store.receive('tool_call', { type: 'tool_call_result', data: { ...id, result: 'ok', status: 'success' } })

    expect(store.call()).toMatchObject({ toolName: 'write_file', args: '{"path":"a', status: 'done' })
    expect(store.problems()).toEqual({})
  })

  test('[C1] is told apart by the scope of its id', () => {
    const store = makeTestStore()

    starts(store, start(), { scope: 'session-1' })
    starts(store, start(), { scope: 'session-2' })

    expect([...(store.call('session-1/call-1') && store.getState().calls.keys())]).toEqual([
      callKey('session-1', 'call-1'),
      callKey('session-2', 'call-1'),
    ])
    expect(callKey(undefined, 'call-1')).toBe('call-1')
  })

  test('[C2] each text replaces the one before, and a shorter one that comes late changes nothing', () => {
    const store = makeTestStore()
    starts(store, start())

    delta(store, '{"path":"game.ht')
    delta(store, '{"path":"game.html","con')
    delta(store, '{"path":"ga')

    expect(store.call().args).toBe('{"path":"game.html","con')
    expect(valueOf(store)).toEqual({ path: 'game.html' })
    expect(store.problems()).toEqual({})
  })

  test('[C2] what is complete beats what is not, and what comes with a result beats both', () => {
    const store = makeTestStore()
    delta(store, '{"path":"a-long-name-that-was-never-meant.ht')

    store.receive('chat_event', snapshot({ content: { toolCall: { functionCall: { arguments: '{"path":"b"}' } } } }))
    expect(store.call().args).toBe('{"path":"b"}')

    store.receive('chat_event', ended('ok', { content: { toolCall: { functionCall: { arguments: '{}' } } } }))
    expect(store.call().args).toBe('{}')
    delta(store, '{"path":"a-long-name-that-was-never-meant.html"}')
    expect(store.call().args).toBe('{}')
  })

  test('[C2] texts of which neither is the beginning of the other are counted, and the longer one is shown', () => {
    const store = makeTestStore()

    delta(store, '{"path":"a.html"')
    delta(store, '{"command":"npm test"')
    expect(valueOf(store)).toEqual({ command: 'npm test' })
    delta(store, '{"url":"x"')

    expect(valueOf(store)).toEqual({ command: 'npm test' })
    expect(store.problems()).toEqual({ conflicting_arguments: 2 })
  })

  test('[C2] in append mode each message is what is new', () => {
    const store = makeTestStore()
    starts(store, start(), append)

    for (const piece of ['{"path":"ga', 'me.html","lines":[1,', '1,', '1,', '2]}']) delta(store, piece, append)

    expect(valueOf(store)).toEqual({ path: 'game.html', lines: [1, 1, 1, 2] })
    expect(store.call().argsStreaming).toBe(false)
  })

  test('[C2] in append mode the increments go on from the start, unless the first repeats it', () => {
    const [goesOn, repeats] = [makeTestStore(), makeTestStore()]
    for (const store of [goesOn, repeats]) starts(store, start('{"pa'), append)

    for (const piece of ['th":', '1}']) delta(goesOn, piece, append)
    for (const piece of ['{"pa', 'th":', '1}']) delta(repeats, piece, append)

    expect(goesOn.call().args).toBe('{"path":1}')
    expect(repeats.call().args).toBe('{"path":1}')
  })

  test('[C2] in append mode the text of a complete snapshot beats increments of which some were lost', () => {
    const store = makeTestStore()
    for (const piece of ['{"path":"', 'ml"}']) delta(store, piece, append)

    store.receive('chat_event', snapshot({ content: { toolCall: { functionCall: { arguments: '{"path":"x"}' } } } }))

    expect(valueOf(store)).toEqual({ path: 'x' })
  })

  test('[C2] arguments that come as an object are complete', () => {
    const store = makeTestStore()

    starts(store, start({ path: 'a' }))

    expect(store.call()).toMatchObject({ args: '{"path":"a"}', argsStreaming: false })
  })

  test('[C6] arguments are complete when their JSON closes', () => {
    const store = makeTestStore()

    delta(store, '{"path":"a"')
    expect(store.call().argsStreaming).toBe(true)
    delta(store, '{"path":"a"} ')

    expect(store.call()).toMatchObject({ argsStreaming: false, status: 'running' })
  })

  test('[C6] arguments are complete when the call runs, has output, or has ended', () => {
    const proofs: ((store: TestStore) => void)[] = [
      (store) => store.ingest({ type: 'call', callId: 'call-1', running: true }),
      (store) => store.receive('tool_event_stream', block(1, 'text', { text: 'at work' })),
      (store) => result(store, { result: 'ok', status: 'success' }),
    ]
    for (const prove of proofs) {
      const store = makeTestStore()
      delta(store, 'ls -la')
      expect(store.call().argsStreaming).toBe(true)
      prove(store)
      expect(store.call().argsStreaming).toBe(false)
    }
  })

  test('[C6] a result ends the call with its status and one line', () => {
    const store = makeTestStore()
    starts(store, start('{"path":"a"}'))

    result(store, { result: 'written', status: 'success', summary: 'Wrote 12 lines' })

    expect(store.call()).toMatchObject({
      status: 'done',
      outcome: { value: 'written', summary: 'Wrote 12 lines' },
    })
    expect(toPlainText(store.call())).toContain('Wrote 12 lines')
  })

  test('[C6] an error result fails the call and shows what was returned', () => {
    const store = makeTestStore()

    result(store, { result: 'ENOSPC: no space left', status: 'error' })

    expect(store.call()).toMatchObject({ status: 'error', outcome: { value: 'ENOSPC: no space left' } })
  })

  test('[C6] 0, false, "" and null are results', () => {
    for (const value of [0, false, '', null]) {
      const store = makeTestStore()
      result(store, { result: value, status: 'success' })
      expect(store.call().outcome).toMatchObject({ kind: 'done', value })
    }
  })

  test('[C6] a result without a start is a call of its own', () => {
    const store = makeTestStore()

    result(store, { result: 'late', status: 'success' })

    expect(store.call()).toMatchObject({ toolName: undefined, args: undefined, argsStreaming: false, status: 'done' })
  })

  test('[C6] a status that is not known is never success', () => {
    const [odd, none] = [makeTestStore(), makeTestStore()]

    result(odd, { result: 'x', status: 'perhaps' })
    result(none, { summary: 'over' })

    expect(odd.call()).toMatchObject({ status: 'unknown', outcome: { reason: 'perhaps' } })
    expect(none.call().status).toBe('unknown')
    expect(odd.problems()).toEqual({ unknown_status: 1 })
  })

  test('[C7] a second start changes nothing but what it knows better', () => {
    const store = makeTestStore()
    starts(store, start('{"path":"a.html"'))
    const before = store.call()

    starts(store, start(''))
    expect(store.call()).toBe(before)
    starts(store, start('{"path":"a.html","content":""}'))

    expect(valueOf(store)).toEqual({ path: 'a.html', content: '' })
    result(store, { result: 'ok', status: 'success' })
    const after = store.call()

    starts(store, start('{"path":"a.html"', { tool_name: '' }))

    expect(store.call()).toBe(after)
  })

  test('[C8] rows that are complete stay the same while the rest grows', () => {
    const store = makeTestStore()
    delta(store, '{"edits":[{"from":"a"}],"content":"one')
    const rootOf = () => (store.call().parsedArgs as PartialJson).root as JsonContainer
    const edits = rootOf().valueAt(0)

    delta(store, '{"edits":[{"from":"a"}],"content":"one two')

    expect(rootOf().valueAt(0)).toBe(edits)
    expect((rootOf().valueAt(1) as JsonText).toString()).toBe('one two')
  })

  test('[C8] a text that was changed early on is read anew once it is complete', () => {
    const store = makeTestStore()
    const content = 'x'.repeat(3_000)

    delta(store, `{"path":"old","content":"${content}`)
    store.flush()
    delta(store, `{"path":"new","content":"${content}yes"}`)

    expect(valueOf(store)).toEqual({ path: 'new', content: `${content}yes` })
  })

  test('[C8] a call that nothing new is said of keeps its identity', () => {
    const store = makeTestStore()
    delta(store, '{"path":"a"}')
    const before = store.call()

    delta(store, '{"path":"a"}')
    delta(store, '{"path":')

    expect(store.call()).toBe(before)
  })

  test('[H3] arguments are cut to the limit on texts, and shown as cut off', () => {
    for (const context of [undefined, append]) {
      const store = makeTestStore({ limits: { textLength: 10 } })

      delta(store, '{"path":"abc', context)
      if (context) delta(store, 'def"}', context)

      expect(store.call().args).toBe('{"path":"a')
      expect(store.problems().text_cut).toBe(context ? 2 : 1)
    }
  })

  test('[H1] messages without an id, and arguments that are neither text nor object, are counted', () => {
    const store = makeTestStore()

    for (const event of ['tool_call_start', 'tool_call_args_delta', 'tool_call_result'] as const) {
      store.receive(event, { arguments: '{}' })
      store.receive(event, null)
    }
    store.receive('tool_call', 7)
    store.receive('tool_call', {})
    delta(store, 7)

    expect(store.getState().calls.size).toBe(0)
    expect(store.problems()).toEqual({ missing_call_id: 3, not_an_object: 4, unknown_kind: 1, invalid_arguments: 1 })
  })
})

describe('masked arguments', () => {
  const secretive = '{"url":"x","auth":{"Password":"hunter2"},"token":"hunter3"}'

  test('[C3] what the host names is masked in all that can be shown, copied or recorded of a call', () => {
    for (const maskArguments of [
      ['password', 'token'],
      (path: readonly string[]) => /token|pass/i.test(path.at(-1) ?? ''),
    ]) {
      const store = makeTestStore({ maskArguments })
      for (let end = 1; end <= secretive.length; end++) delta(store, secretive.slice(0, end))

      const call = store.call()
      expect(call.args).not.toContain('hunter')
      expect(JSON.stringify(valueOf(store))).not.toContain('hunter')
      expect(toPlainText(call)).not.toContain('hunter')
      expect(call.args).toContain('"url":"x"')
    }
  })

  test('[C3] a path from the top names one value only', () => {
    const store = makeTestStore({ maskArguments: ['auth.password'] })

    delta(store, '{"password":"shown","auth":{"password":"hunter2"}}')

    expect(store.call().args).toBe('{"password":"shown","auth":{"password":"•••"}}')
  })

  test('[C3] a function of the host that throws masks, and is counted', () => {
    const store = makeTestStore({
      maskArguments: () => {
        throw new Error('no')
      },
    })

    delta(store, '{"a":"hunter2"}')

    expect(store.call().args).not.toContain('hunter')
    expect(store.problems().host_callback_failed).toBeGreaterThan(0)
  })
})
