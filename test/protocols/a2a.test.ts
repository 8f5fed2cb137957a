import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { logOf, toPlainText } from '../../src/core/index.js'
import { at, enveloped, piece, readStream, said, taskAfter, update } from '../support/a2a.js'
import { makeTestStore, type TestStore } from '../support/wire.js'

const receive = (store: TestStore, ...messages: unknown[]) => {
  for (const message of messages) store.receive('a2a', message)
}
const area = (store: TestStore, id = 'task-1') => toPlainText(store.call(id))
const items = (store: TestStore, id = 'task-1') =>
  store
    .call(id)
    .tasks.at(-1)
    ?.items.map((item) => {
      if (item.kind === 'tool') return { tool: item.name, end: item.end, output: logOf(item)?.text() }
      return 'text' in item ? item.text : item.kind === 'thinking' ? { thinking: item.texts } : item.kind
    })

describe('recorded streams', () => {
  const recorded = '58bdd5e7-a7d1-45d2-a9c1-6bc8ff6c95a3'

  test('[B7] version 0.3: plain progress, an artifact that is the value, and the end', () => {
    const store = makeTestStore()

    receive(store, ...readStream('a2a-samples_langgraph_v0.3'))

    const id = '423a2569-f272-4d75-a4d1-cdc6682188e5'
    expect(items(store, id)).toEqual([
      'Looking up the exchange rates...',
      'Processing the exchange rates..',
      { tool: 'conversion_result', end: 'done', output: '10 USD is 856.2 INR.' },
    ])
    expect(store.call(id).outcome).toMatchObject({ kind: 'done', value: '10 USD is 856.2 INR.' })
    expect(store.problems()).toEqual({})
  })

  test('[B2] version 1 with envelopes, cut: the task is open with what came', () => {
    const store = makeTestStore()

    receive(store, ...readStream('recorded-1x_tfrs-envelope.conn1-cut'))

    expect(items(store, recorded)).toEqual([
      { thinking: ['need the rates table'] },
      { tool: 'read_table', end: undefined, output: 'row 1..100\n' },
    ])
    expect(store.call(recorded)).toMatchObject({ status: 'running', outcome: undefined })
    expect(store.problems()).toEqual({})
  })

  test.each([
    ['resumed', ['recorded-1x_tfrs-envelope.conn1-cut', 'recorded-1x_tfrs-envelope.conn2-subscribe']],
    ['subscribed to only late', ['recorded-1x_tfrs-envelope.conn2-subscribe']],
  ])('[B7] version 1 with envelopes, %s: everything once, and what is missing is said', (_, files) => {
    const store = makeTestStore()

    receive(store, ...files.flatMap(readStream))

    expect(items(store, recorded)).toEqual([
      { thinking: ['need the rates table'] },
      { tool: 'read_table', end: 'done', output: 'row 1..100\nrow 201..300\n' },
      'plain progress without an envelope',
      'newer envelope version',
      { tool: 'rates.csv', end: 'done', output: 'a,b\n1,2\n3,4\n' },
      { tool: 'summary.json', end: 'done', output: '{"rows":300,"ok":true}' },
    ])
    const [task] = store.call(recorded).tasks
    expect(task?.skipped).toBe(1)
    expect(task?.items[1]).toMatchObject({ skips: [{ count: 1, before: 45 }] })
    expect(store.call(recorded).outcome).toMatchObject({ kind: 'done', value: '300 rows read; rates.csv attached.' })
    expect(store.problems()).toEqual({ newer_envelope: 1 })
  })
})

describe('whose messages', () => {
  test('[B7] the call is the context’s, else the task, in its scope and conversation', () => {
    const store = makeTestStore()

    store.receive('a2a', update('WORKING', 1, said('m', 'mine')), { callId: 'evt-1', scope: 'peer' })
    store.receive('a2a', update('WORKING', 1, said('m', 'its own')), { scope: 'peer' })
    store.receive('a2a', update('WORKING', 1, said('m', 'here')), { conversationId: 'c-1' })

    expect(items(store, 'evt-1')).toEqual(['mine'])
    expect(store.call('evt-1')).toMatchObject({ conversationId: undefined, tasks: [{ taskId: 'task-1' }] })
    expect(items(store, 'peer/task-1')).toEqual(['its own'])
    expect(store.call('peer/task-1').conversationId).toBe('x-1')
    expect(store.call('task-1').conversationId).toBe('c-1')
  })

  test('[A5] two tasks of one call are two processes, and the later one’s end is the call’s', () => {
    const store = makeTestStore()
    const second = (message: unknown) => JSON.parse(JSON.stringify(message).replaceAll('task-1', 'task-2'))

    for (const message of [
      second(update('COMPLETED', 9, said('m-4', 'second'))),
      second(update('WORKING', 8, said('m-3', 'b'))),
      update('WORKING', 1, said('m-1', 'a')),
      update('COMPLETED', 2, said('m-2', 'first')),
    ]) {
      store.receive('a2a', message, { callId: 'evt-1' })
    }

    expect(store.call('evt-1').tasks.map(({ taskId, outcome }) => [taskId, outcome?.value])).toEqual([
      ['task-1', 'first'],
      ['task-2', 'second'],
    ])
    expect(store.call('evt-1').outcome?.value).toBe('second')
  })

  test('[B7] an answer that took no task ends the call with its text, or its data', () => {
    const store = makeTestStore()

    store.receive('a2a', { message: said('m', 'Four.') }, { callId: 'evt-1' })
    store.receive('a2a', { message: said('m', { data: { sum: 4 } }) }, { callId: 'evt-2' })

    expect(store.call('evt-1').outcome).toMatchObject({ kind: 'done', value: 'Four.' })
    expect(store.call('evt-2').outcome).toMatchObject({ kind: 'done', value: { sum: 4 } })
  })
})

describe('forms', () => {
  /** The objects that the official SDK gives to its users. */
  const sdkPart = { content: { $case: 'text', value: 'step' }, metadata: undefined, filename: '', mediaType: '' }
  const sdkMessage = { messageId: 'm-1', contextId: 'x-1', taskId: 'task-1', role: 2, parts: [sdkPart] }
  const sdkUpdate = { taskId: 'task-1', contextId: 'x-1', status: { state: 2, message: sdkMessage, timestamp: at(5) } }
  const sdkTask = { id: 'task-1', contextId: 'x-1', status: sdkUpdate.status, artifacts: [], history: [sdkMessage] }
  const wireMessage = { messageId: 'm-1', role: 'ROLE_AGENT', parts: [{ text: 'step' }] }
  const wireStatus = { state: 'TASK_STATE_WORKING', message: wireMessage, timestamp: at(5) }
  const oldMessage = { kind: 'message', messageId: 'm-1', role: 'agent', parts: [{ kind: 'text', text: 'step' }] }
  const oldStatus = { state: 'working', message: oldMessage, timestamp: at(5) }

  test.each<[string, unknown]>([
    ['the SDK’s stream', { payload: { $case: 'statusUpdate', value: sdkUpdate } }],
    ['the SDK’s task in a stream', { payload: { $case: 'task', value: sdkTask } }],
    ['the SDK’s event in an agent', { kind: 'statusUpdate', data: sdkUpdate }],
    ['the SDK’s bare update', sdkUpdate],
    ['the SDK’s bare task', sdkTask],
    ['version 1', { statusUpdate: { taskId: 'task-1', contextId: 'x-1', status: wireStatus } }],
    ['version 1 in JSON-RPC', { jsonrpc: '2.0', id: 1, result: { task: { ...sdkTask, status: wireStatus } } }],
    ['version 0.3', { kind: 'status-update', taskId: 'task-1', contextId: 'x-1', final: false, status: oldStatus }],
    ['version 0.3, a task', { kind: 'task', id: 'task-1', contextId: 'x-1', status: oldStatus, history: [oldMessage] }],
  ])('[B7] %s says the same', (_, message) => {
    const store = makeTestStore()

    receive(store, message)

    expect(area(store)).toBe('task-1 [running]\n\nprocess task-1 [open] 1 blocks\nstep\n')
    expect(store.call('task-1').conversationId).toBe('x-1')
    expect(store.problems()).toEqual({})
  })

  test('[B7] a file is told by its name or address, whatever the form', () => {
    const store = makeTestStore()
    const parts = [
      { raw: 'AAAA', filename: 'a.png', mediaType: 'image/png' },
      { content: { $case: 'url', value: 'https://example.org/b.png' }, filename: '', mediaType: 'image/png' },
      { kind: 'file', file: { uri: 'https://example.org/c.png', mimeType: 'image/png' } },
      { content: { $case: 'raw', value: new Uint8Array(4) }, filename: '', mediaType: 'image/png' },
    ]

    receive(store, update('WORKING', 1, said('m', ...parts)))

    expect(items(store)).toEqual(['a.png', 'https://example.org/b.png', 'https://example.org/c.png', 'image/png'])
  })
})

describe('envelopes', () => {
  const kept = (...parts: Parameters<typeof said>[1][]) => {
    const store = makeTestStore()
    receive(store, update('WORKING', 1, said('m', ...parts)))
    return { items: items(store), problems: store.problems() }
  }
  const envelope = { v: 1, kind: 'thinking', seq: 1, status: 'running', payload: { text: 'hm' } }

  test('[B2] one as a JSON text or as an object is a block', () => {
    expect(kept(enveloped('Thinking', envelope))).toEqual({ items: [{ thinking: ['hm'] }], problems: {} })
    expect(kept({ text: 'Thinking', metadata: { tfrs: envelope } }).items).toEqual([{ thinking: ['hm'] }])
  })

  test.each<[string, unknown, object]>([
    ['that can not be parsed', '{"v":1,', { invalid_payload: 1 }],
    ['that is no object', '[1]', { invalid_payload: 1 }],
    ['of a newer version', { ...envelope, v: 2 }, { newer_envelope: 1 }],
    ['without what its kind needs', { ...envelope, payload: {} }, { invalid_payload: 1 }],
  ])('[B2] in the place of one %s stands the text beside it', (_, broken, problems) => {
    expect(kept(enveloped('as before', broken))).toEqual({ items: ['as before'], problems })
  })

  test('[B3] one of an unknown kind is its own text, or nothing', () => {
    expect(kept(enveloped('beside', { ...envelope, kind: 'mood' })).items).toEqual(['hm'])
    expect(kept('other', enveloped('beside', { ...envelope, kind: 'mood', payload: {} })).items).toEqual(['other'])
  })

  test('[B4] the output of two tools that interleave does not mix', () => {
    const output = (streamKey: string, seq: number, chunk: string) =>
      enveloped(chunk, { v: 1, kind: 'tool_output_append', streamKey, seq, payload: { tool: streamKey, chunk } })

    expect(kept(output('a', 1, '1'), output('b', 2, 'x'), output('a', 3, '2'), output('b', 4, 'y')).items).toEqual([
      { tool: 'a', end: undefined, output: '12' },
      { tool: 'b', end: undefined, output: 'xy' },
    ])
  })

  test('[B5] a chunk over 64 KB is left out', () => {
    const chunk = 'x'.repeat(65_537)
    expect(kept(enveloped(chunk, { v: 1, kind: 'tool_output_append', seq: 1, payload: { chunk } })).items).toEqual([
      'omitted',
    ])
  })

  test('[B6] neither an error block nor an envelope’s status decides how the call ended', () => {
    const store = makeTestStore()
    const failed = enveloped('x', { v: 1, kind: 'error', seq: 1, status: 'aborted', payload: { message: 'no' } })

    receive(store, update('WORKING', 1, said('m-1', failed)))
    expect(store.call('task-1').outcome).toBeUndefined()
    receive(store, update('COMPLETED', 2, said('m-2', 'yes')))

    expect(store.call('task-1').outcome).toMatchObject({ kind: 'done', value: 'yes' })
  })
})

describe('states', () => {
  test.each([
    ['COMPLETED', { kind: 'done', value: 'so', reason: undefined }],
    ['FAILED', { kind: 'error', value: undefined, reason: 'so' }],
    ['CANCELED', { kind: 'aborted', value: undefined, reason: 'so' }],
    ['REJECTED', { kind: 'denied', value: undefined, reason: 'so' }],
  ])('[B7] %s is an outcome, on its own and in a task', (state, outcome) => {
    const end = update(state, 7, said('m-9', 'so'))
    for (const message of [end, taskAfter([end])]) {
      const store = makeTestStore()

      receive(store, message)

      expect(store.call('task-1').outcome).toMatchObject(outcome)
      expect(store.call('task-1').tasks[0]?.blockCount).toBe(0)
    }
  })

  test.each([
    ['INPUT_REQUIRED', 'input-required'],
    ['AUTH_REQUIRED', 'auth-required'],
  ])('[B7] %s waits for somebody, says for what, and is over when the work goes on', (state, word) => {
    const store = makeTestStore()

    receive(store, update('WORKING', 1), update(state, 2, said('m-1', 'Which currency?')))
    expect(store.call('task-1')).toMatchObject({ status: 'waiting', statusText: word, outcome: undefined })
    expect(items(store)).toEqual(['Which currency?'])
    receive(store, update('WORKING', 1))
    expect(store.call('task-1').status).toBe('waiting')
    receive(store, update('WORKING', 3))

    expect(store.call('task-1')).toMatchObject({ status: 'running', statusText: undefined })
  })

  test('[B7] a state that is not known is kept as a word and counted, and is no end', () => {
    const store = makeTestStore()

    receive(store, update('SLEEPING', 1))

    expect(store.call('task-1')).toMatchObject({ status: 'running', statusText: 'sleeping' })
    expect(store.problems()).toEqual({ unknown_state: 1 })
  })
})

describe('artifacts', () => {
  const made = (...messages: unknown[]) => {
    const store = makeTestStore()
    receive(store, ...messages)
    return items(store)
  }

  test('[B7] one in pieces grows, and ends with its last piece', () => {
    const pieces = [piece('a', '1'), piece('a', '2', { append: true }), piece('a', '2', { append: true })]

    expect(made(...pieces)).toEqual([{ tool: 'a', end: undefined, output: '122' }])
    expect(made(...pieces, piece('a', '3', { append: true, lastChunk: true }))).toEqual([
      { tool: 'a', end: 'done', output: '1223' },
    ])
  })

  test('[B7] a whole repeats or extends what is known; another one replaces it', () => {
    expect(made(piece('a', '12'), piece('a', '1'))).toMatchObject([{ output: '12' }])
    expect(made(piece('a', '1'), piece('a', '12'))).toMatchObject([{ output: '12' }])
    expect(made(piece('a', 'first'), piece('a', '2nd'))).toMatchObject([{ output: '2nd' }])
  })

  test('[B7] what a task ended with counts, whatever was heard', () => {
    const stream = [piece('a', '1'), piece('a', '2', { append: true }), update('COMPLETED', 5)]
    const twice = piece('a', '2', { append: true })

    expect(made(...stream, twice, taskAfter(stream), twice, piece('a', 'x'))).toMatchObject([{ output: '12' }])
  })

  test('[B5] [B7] data is shown in full, since only envelopes have a limit of 64 KB', () => {
    const data = { text: 'x'.repeat(100_000) }
    const whole = JSON.stringify(data)

    expect(made(update('WORKING', 1, said('m', { data })))).toEqual([whole])
    expect(made({ artifactUpdate: { taskId: 'task-1', artifact: { parts: [{ data }] } } })).toMatchObject([
      { output: whole },
    ])
  })

  test('[H3] artifacts are bounded in length and number', () => {
    const store = makeTestStore({ limits: { textLength: 10 } })

    receive(store, piece('a', '12345678'), piece('a', 'abcdef', { append: true }), piece('a', 'g', { append: true }))
    expect(items(store)).toEqual([{ tool: 'a', end: undefined, output: '12345678ab…' }])
    for (let i = 0; i < 1_001; i++) receive(store, piece(`many-${i}`, 'x'))

    expect(store.call('task-1').tasks[0]?.blockCount).toBe(1_000)
    expect(store.problems()).toEqual({ text_cut: 2, too_many: 2 })
  })
})

describe('any order', () => {
  type Step = 'plain' | 'thinking' | 'output' | 'two' | 'waits'
  const steps = fc.array(fc.constantFrom<Step>('plain', 'thinking', 'output', 'two', 'waits'), { maxLength: 10 })
  const end = fc.constantFrom(undefined, 'COMPLETED', 'FAILED', 'CANCELED', 'REJECTED')

  /** An agent's stream of status updates, each later than the one before it. */
  const stream = fc.record({ steps, end }).map(({ steps: kinds, end: state }) => {
    const messages = kinds.map((kind, i) => {
      const envelope = (payload: object, k = 'thinking') => ({ v: 1, kind: k, streamKey: k, seq: i + 1, payload })
      const parts: Record<Step, Parameters<typeof said>[1][]> = {
        plain: [`step ${9 - i}`],
        thinking: [enveloped('…', envelope({ text: `thought ${i}` }))],
        output: [enveloped('…', envelope({ tool: 't', chunk: `line ${i}\n` }, 'tool_output_append'))],
        two: [`first of ${9 - i}`, enveloped('second', '{')],
        waits: ['Which one?'],
      }
      return update(kind === 'waits' ? 'INPUT_REQUIRED' : 'WORKING', 1_000 + i, said(`m-${i}`, ...parts[kind]))
    })
    return state === undefined ? messages : [...messages, update(state, 5_000, said('m-end', 'the end'))]
  })

  const shownAfter = (messages: readonly unknown[]) => {
    const store = makeTestStore()
    receive(store, taskAfter([]), ...messages)
    store.setNow(60_000)
    return area(store)
  }

  test('[A6] [B7] repeated, mixed with tasks of any moment and in any order, the messages show the same', () => {
    const received = stream.chain((messages) =>
      fc.record({
        messages: fc.constant(messages),
        tasks: fc.array(fc.nat(messages.length), { maxLength: 3 }),
        again: fc.subarray(messages),
      }),
    )
    fc.assert(
      fc.property(received, fc.infiniteStream(fc.nat()), ({ messages, tasks, again }, random) => {
        const all = [...messages, ...again, ...tasks.map((n) => taskAfter(messages.slice(0, n)))]
        const keys = new Map(all.map((message) => [message, random.next().value as number]))
        const shuffled = all.toSorted((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0))

        expect(shownAfter(shuffled)).toBe(shownAfter(messages))
      }),
      { numRuns: 300 },
    )
  })

  test('[B7] cut anywhere and subscribed to again later, a stream shows the same, artifacts included', () => {
    const pieces = fc.array(fc.tuple(fc.nat(9), fc.constantFrom('a', 'b', 'aa')), { maxLength: 8 })
    const withPieces = fc.tuple(stream, pieces).map(([messages, made]) => {
      const begun = new Set<string>()
      return messages.flatMap((message, i) => {
        const here = made.filter(([place]) => place === i)
        const before = here.map(([, text]) => piece(`file-${text}`, text, begun.has(text) ? { append: true } : {}))
        for (const [, text] of here) begun.add(text)
        return [...before, message]
      })
    })
    fc.assert(
      fc.property(withPieces, fc.nat(20), fc.nat(20), (messages, cut, missed) => {
        const from = Math.min(messages.length, cut + missed)
        const resumed = [...messages.slice(0, cut), taskAfter(messages.slice(0, from)), ...messages.slice(from)]

        expect(shownAfter(resumed)).toBe(shownAfter(messages))
      }),
      { numRuns: 300 },
    )
  })

  test('[B7] messages without any times stand as they arrived, those of a history as it has them', () => {
    const store = makeTestStore()
    const messages = ['z', 'y', 'x'].map((text) => update('WORKING', undefined, said(`m-${text}`, text)))

    receive(store, messages[0], taskAfter(messages), messages[2])

    expect(items(store)).toEqual(['z', 'y', 'x'])
  })

  test('[B7] what only a history tells stands before what was said later', () => {
    const store = makeTestStore()
    const messages = ['e', 'd', 'c', 'b', 'a'].map((text, i) => update('WORKING', 10 + i, said(`m-${text}`, text)))

    receive(store, messages[0], messages[4], taskAfter(messages.slice(0, 4)))

    expect(items(store)).toEqual(['e', 'd', 'c', 'b', 'a'])
  })

  test('[B7] a shortened history makes no difference to the order', () => {
    const store = makeTestStore()
    const messages = ['e', 'd', 'c', 'b', 'a'].map((text, i) => update('WORKING', 10 + i, said(`m-${text}`, text)))
    const { task } = taskAfter(messages) as { task: { history: unknown[] } }

    receive(store, { task: { ...task, history: task.history.slice(-2) } }, { task })

    expect(items(store)).toEqual(['e', 'd', 'c', 'b', 'a'])
  })

  test('[A6] messages of one time stand as they arrived, and each is taken once', () => {
    const store = makeTestStore()
    const messages = ['z', 'z', 'a'].map((text, i) => update('WORKING', 10, said(`m-${i}`, text)))

    receive(store, ...messages, ...messages.toReversed())

    expect(items(store)).toEqual(['z', 'z', 'a'])
  })
})
