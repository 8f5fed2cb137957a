import { describe, expect, test } from 'vitest'
import {
  elapsedMs,
  hasNoDetails,
  isCallOpen,
  isSkipVisible,
  isTaskOpen,
  logOf,
  toPlainText,
} from '../../src/core/index.js'
import { aborted, block, done, ended, makeTestStore, snapshot, type TestStore, text } from '../support/wire.js'

const frame = (store: TestStore, ...messages: unknown[]) => {
  for (const message of messages) store.receive('tool_event_stream', message)
}
const snap = (store: TestStore, ...messages: unknown[]) => {
  for (const message of messages) store.receive('chat_event', message)
}
const texts = (store: TestStore, task = 0) =>
  store.call().tasks[task]?.items.map((item) => ('text' in item ? item.text : item.kind))

describe('frames', () => {
  test('[A3] a frame without v, an envelope without v and status are read as version 1, running', () => {
    const store = makeTestStore()

    frame(store, {
      callId: 'call-1',
      taskId: 't',
      state: 'running',
      ts: 1,
      envelope: { kind: 'text', payload: { text: 'hi' } },
    })

    expect(texts(store)).toEqual(['hi'])
    expect(store.problems()).toEqual({})
  })

  test('[A3] an envelope of a newer version is shown by its text, or else its message', () => {
    const store = makeTestStore()

    frame(store, text(1, 'new', {}), {
      ...text(2, ''),
      envelope: { v: 2, kind: 'hologram', seq: 2, payload: { text: 'from v2' } },
    })
    frame(store, { ...text(3, ''), envelope: { v: 2, kind: 'hologram', seq: 3, payload: { message: 'said in v2' } } })

    expect(texts(store)).toEqual(['new', 'from v2', 'said in v2'])
    expect(store.problems()).toEqual({ newer_envelope: 2 })
  })

  test('[A3] the state of a frame counts in full whatever its envelope', () => {
    const store = makeTestStore()

    frame(store, text(1, 'a'), { ...done(2, ''), envelope: { v: 7, payload: { text: 'the end' } } })

    expect(store.call().outcome).toMatchObject({ kind: 'done', value: 'the end' })
  })

  test('[A3] a done frame without an envelope ends the task without a value', () => {
    const store = makeTestStore()

    frame(store, text(1, 'a'), { v: 1, callId: 'call-1', taskId: 'task-1', state: 'done', ts: 2_000 })

    expect(store.call().outcome).toMatchObject({ kind: 'done', value: undefined })
    expect(store.call().tasks[0]?.outcome).toBeDefined()
  })

  test('[A3] a running frame without an envelope is shown by its own text', () => {
    const store = makeTestStore()

    frame(store, { callId: 'call-1', taskId: 'task-1', state: 'running', ts: 1, payload: { text: 'bare' } })

    expect(texts(store)).toEqual(['bare'])
  })

  test('[A3] a frame of a newer version is counted on its call, once however often it comes, and shows nothing else', () => {
    const store = makeTestStore()

    frame(store, { ...text(1, 'x'), v: 2 }, { ...text(1, 'x'), v: 2 }, { ...text(2, 'y'), v: 3 })

    expect(store.call().newerMessages).toBe(2)
    expect(store.call().tasks).toEqual([])
    expect(store.problems()).toEqual({ newer_frame: 3 })
  })

  test('[A4] a block without callId is shown nowhere and only counted', () => {
    const store = makeTestStore()
    snap(store, snapshot())

    frame(store, text(1, 'whose?', { callId: undefined }))

    expect(store.call().tasks).toEqual([])
    expect(store.getState().calls.size).toBe(1)
    expect(store.problems()).toEqual({ missing_call_id: 1 })
  })

  test('[A4] an end without callId ends the task of that id if exactly one call has it, whenever that is known', () => {
    const store = makeTestStore()
    frame(store, done(9, 'all done', { callId: undefined }))

    frame(store, text(1, 'a'))
    expect(store.call().outcome?.value).toBe('all done')

    frame(store, text(1, 'a', { callId: 'call-2' }))
    expect(store.call().outcome).toBeUndefined()
    expect(store.call('call-2').outcome).toBeUndefined()
  })

  test('[A4] an end without callId that belongs to no call leaves the snapshot to tell', () => {
    const store = makeTestStore()

    frame(store, done(1, 'from the stream', { callId: undefined }))
    snap(store, ended('from the snapshot'))

    expect(store.call().outcome?.value).toBe('from the snapshot')
  })

  test('[A5] several tasks stand in the order of their first times, and the last one tells how the call ended', () => {
    const store = makeTestStore()

    frame(store, text(1, 'second', { taskId: 'late', ts: 2_000 }), text(1, 'first', { taskId: 'early', ts: 1_000 }))
    frame(store, done(2, 'early value', { taskId: 'early', ts: 1_500 }))
    expect(store.call().tasks.map((task) => task.taskId)).toEqual(['early', 'late'])
    expect(store.call().status).toBe('running')

    frame(store, aborted(2, 'gone', { taskId: 'late', ts: 3_000 }))
    expect(store.call().outcome).toMatchObject({ kind: 'aborted', reason: 'gone' })
  })

  test('[A5] an open last task does not keep a call running that a snapshot has ended', () => {
    const store = makeTestStore()

    frame(store, text(1, 'still here'))
    snap(store, ended('over'))

    expect(store.call().outcome?.value).toBe('over')
    expect(store.call().tasks[0]?.outcome).toBeUndefined()
  })

  test('[A6] numbers may start anywhere, be negative and skip', () => {
    const store = makeTestStore()

    frame(store, text(7, 'c'), text(-3, 'a'), text(0, 'b'))

    expect(
      store
        .call()
        .tasks[0]?.items.filter((item) => item.kind !== 'gap')
        .map((item) => 'text' in item && item.text),
    ).toEqual(['a', 'b', 'c'])
  })

  test('[A6] of two contents under one identity the earlier counts, and the other is counted', () => {
    const store = makeTestStore()

    frame(store, text(1, 'later', { ts: 20 }), text(1, 'earlier', { ts: 10 }), text(1, 'latest', { ts: 30 }))

    expect(texts(store)).toEqual(['earlier'])
    expect(store.problems()).toEqual({ conflicting_block: 2 })
  })

  test('[A6] of a block and the same of a newer version the same one is shown in any order', () => {
    const thinking = block(1, 'thinking', { text: 'hm' })
    const newer = { ...thinking, envelope: { ...(thinking.envelope as object), v: 2 } }
    const kinds = [
      [thinking, newer],
      [newer, thinking],
    ].map((frames) => {
      const store = makeTestStore()
      frame(store, ...frames)
      return store.call().tasks[0]?.items.map(({ kind }) => kind)
    })

    expect(kinds).toEqual([['text'], ['text']])
  })

  test('[A6] the same text twice under two numbers is two blocks', () => {
    const store = makeTestStore()

    frame(store, text(1, 'Polling'), text(2, 'Polling'))

    expect(texts(store)).toEqual(['Polling', 'Polling'])
  })

  test('[A6] a block without a number stands behind the greatest number that is not later than it', () => {
    const store = makeTestStore()

    frame(store, text(1, 'one', { ts: 100 }), text(2, 'two', { ts: 200 }), text(3, 'three', { ts: 300 }))
    frame(
      store,
      block(undefined, 'text', { text: 'between' }, { ts: 250 }),
      block(undefined, 'text', { text: 'before' }, { ts: 50 }),
    )

    expect(texts(store)).toEqual(['before', 'one', 'two', 'between', 'three'])
  })

  test('[A7] after the end nothing is appended, and what belongs before it is still merged', () => {
    const store = makeTestStore()

    frame(store, text(1, 'a'), done(5, 'value'), text(6, 'too late'), text(3, 'late but before'))

    expect(texts(store)).toEqual(['a', 'gap', 'late but before', 'gap'])
    expect(store.problems()).toEqual({ block_after_end: 1 })
  })

  test('[A7] a block that is later by one measure and not by another is kept', () => {
    const store = makeTestStore()

    frame(
      store,
      done(5, 'value', { ts: 2_000 }),
      text(6, 'sent before', { ts: 1_900 }),
      text(4, 'numbered before', { ts: 2_100 }),
    )

    expect(texts(store)).toEqual(['numbered before', 'gap', 'sent before'].filter((each) => each !== 'gap'))
  })

  test('[A7] of several ends the least by time counts, and the others are counted', () => {
    const store = makeTestStore()

    frame(store, done(9, 'second', { ts: 20 }), done(8, 'first', { ts: 10 }), aborted(7, 'third', { ts: 30 }))

    expect(store.call().outcome?.value).toBe('first')
    expect(store.problems()).toEqual({ conflicting_end: 2 })
  })

  test('[A8] says that there are no details after ten seconds, at once after an end, and not once a block is there', () => {
    const store = makeTestStore()
    snap(store, snapshot())
    const says = (now: number) => hasNoDetails(store.call(), now, store.silenceMs)

    expect(says(19_999)).toBe(false)
    expect(says(20_000)).toBe(true)
    frame(store, text(1, 'at last'))
    expect(says(99_999)).toBe(false)

    const silent = makeTestStore()
    snap(silent, ended('x'))
    expect(hasNoDetails(silent.call(), 10_000, 10_000)).toBe(true)
  })
})

describe('what depends on nothing but the set', () => {
  const orders = <T>(list: readonly T[]): readonly (readonly T[])[] =>
    list.length < 2
      ? [list]
      : list.flatMap((each, i) => orders([...list.slice(0, i), ...list.slice(i + 1)]).map((rest) => [each, ...rest]))

  test('[A6] a block behind the end still is what one without a number stands by', () => {
    const messages = [
      text(0, 'first', { ts: 5 }),
      text(2, 'hidden', { ts: 2 }),
      block(undefined, 'text', { text: 'loose' }, { ts: 4 }),
      done(0, 'v', { ts: undefined }),
    ]

    for (const order of orders(messages)) {
      const store = makeTestStore()
      for (const message of order) {
        frame(store, message)
        expect(texts(store)).toBeDefined()
      }
      expect(texts(store)).toEqual(['first', 'loose'])
    }
  })

  test('[A5] an end that does not count still tells when its task began', () => {
    const messages = [
      text(1, 'u', { taskId: 'u', ts: undefined }),
      aborted(undefined, 'gone', { taskId: 'u', ts: 5, callId: undefined }),
      text(1, 't', { taskId: 't', ts: 6 }),
      done(6, 'v', { taskId: 'u', ts: 5 }),
    ]
    const shownAfter = (publish: boolean) => {
      const store = makeTestStore()
      for (const message of messages) {
        frame(store, message)
        if (publish) store.flush()
      }
      return [store.call().status, store.call().tasks.map(({ taskId }) => taskId)]
    }

    expect(shownAfter(true)).toEqual(shownAfter(false))
  })

  test('[A7] an end without a value and one with the value null are two, and the same one counts in any order', () => {
    const messages = [done(1, undefined), done(1, null)]
    const [first, second] = orders(messages).map((order) => {
      const store = makeTestStore()
      frame(store, ...order)
      return store.call().outcome?.value
    })

    expect(first).toBe(second)
  })
})

describe('process', () => {
  test('[A9] a tool gathers the blocks of its key, and stands where its first one does', () => {
    const store = makeTestStore()

    frame(
      store,
      block(1, 'tool_call', { tool: 'shell' }, { streamKey: 'k' }),
      text(2, 'meanwhile'),
      block(3, 'tool_output_append', { tool: 'shell', chunk: 'one\n' }, { streamKey: 'k' }),
      block(4, 'tool_output_append', { tool: 'shell', chunk: 'two\n' }, { streamKey: 'k' }),
      block(5, 'tool_call', { tool: 'shell' }, { streamKey: 'k', status: 'done' }),
    )

    const [tool, line] = store.call().tasks[0]?.items ?? []
    expect(tool).toMatchObject({ kind: 'tool', name: 'shell', started: true, end: 'done', durationMs: 4 })
    expect(tool?.kind === 'tool' && logOf(tool)?.text()).toBe('one\ntwo\n')
    expect(line).toMatchObject({ kind: 'text', text: 'meanwhile' })
  })

  test('[A6] two chunks of one tool with the same number stand by their times, whichever comes first', () => {
    const store = makeTestStore()
    const output = (chunk: string, ts: number, place: Record<string, unknown>) =>
      block(1, 'tool_output_append', { chunk, ...place }, { ts, ...place })
    frame(store, block(0, 'tool_call', { tool: 'x' }, { streamKey: 'k' }))
    expect(store.call().tasks[0]?.items).toHaveLength(1)

    frame(store, output('second ', 20, { tool_call_id: 'k' }), output('first ', 10, { streamKey: 'k' }))

    const [tool] = store.call().tasks[0]?.items ?? []
    expect(tool?.kind === 'tool' && logOf(tool)?.text()).toBe('first second ')
  })

  test('[A6] chunks without numbers stand by their times, also when one comes late and the log was read before', () => {
    const store = makeTestStore()
    const output = (chunk: string, ts: number) =>
      block(undefined, 'tool_output_append', { chunk }, { ts, streamKey: 'k' })
    frame(store, output('second ', 20))
    expect(store.call().tasks[0]?.items).toHaveLength(1)

    frame(store, output('first ', 10))

    const [tool] = store.call().tasks[0]?.items ?? []
    expect(tool?.kind === 'tool' && logOf(tool)?.text()).toBe('first second ')
  })

  test('[A9] without a key each start opens a tool, and output goes to the last one before it', () => {
    const store = makeTestStore()

    frame(
      store,
      block(3, 'tool_call', { tool: 'second' }),
      block(4, 'tool_output_append', { tool: 'second', chunk: 'of second' }),
      block(2, 'tool_output_append', { tool: 'first', chunk: 'of first' }),
      block(1, 'tool_call', { tool: 'first' }),
    )

    const items = store.call().tasks[0]?.items ?? []
    expect(items.map((item) => item.kind === 'tool' && [item.name, logOf(item)?.text()])).toEqual([
      ['first', 'of first'],
      ['second', 'of second'],
    ])
  })

  test('[A9] thinking in a row is one fold, also when a block comes in between late', () => {
    const store = makeTestStore()
    frame(
      store,
      block(1, 'thinking', { text: 'a' }),
      block(2, 'thinking', { text: 'b' }),
      block(4, 'thinking', { text: 'c' }),
    )
    expect(store.call().tasks[0]?.items).toMatchObject([{ kind: 'thinking', texts: ['a', 'b', 'c'], durationMs: 3 }])

    frame(store, text(3, 'between'))

    expect(store.call().tasks[0]?.items.map((item) => item.kind)).toEqual(['thinking', 'text', 'thinking'])
  })

  test('[A10] aborted gives its message as the reason, and does not say whether it failed or was canceled', () => {
    const store = makeTestStore()

    frame(store, aborted(1, 'quota exceeded'))

    expect(store.call().outcome).toMatchObject({ kind: 'aborted', reason: 'quota exceeded', unspecific: true })
  })

  test('[A10] a snapshot that knows better gives the better word', () => {
    const store = makeTestStore()

    snap(store, snapshot({ status: 'failed' }))
    frame(store, aborted(1, 'quota exceeded'))

    expect(store.call().outcome).toMatchObject({ kind: 'error', reason: 'quota exceeded', unspecific: false })
    expect(store.call().recorded).toBeUndefined()
  })

  test('[A11] the frame is the final value, and what the caller recorded is said where it differs', () => {
    const store = makeTestStore()

    frame(store, done(1, 'the answer'))
    snap(store, ended('another answer'))

    expect(store.call().outcome?.value).toBe('the answer')
    expect(store.call().recorded?.value).toBe('another answer')
  })

  test('[A11] a record that only happens to hold the same word differs', () => {
    const store = makeTestStore()

    frame(store, done(1, 'ok'))
    snap(store, ended({ status: 'ok', result: 'DEPLOY FAILED' }))

    expect(store.call().recorded?.value).toEqual({ status: 'ok', result: 'DEPLOY FAILED' })
  })

  test('[A11] large values that differ late differ', () => {
    const store = makeTestStore()
    const list = (last: number) => Array.from({ length: 12_000 }, (_, i) => (i === 11_000 ? last : i))

    frame(store, done(1, list(1)))
    snap(store, ended(list(2)))

    expect(store.call().recorded).toBeDefined()
  })

  test('[A11] a record that holds the same text in one of its fields agrees', () => {
    const store = makeTestStore()

    frame(store, done(1, 'the answer'))
    snap(store, ended({ code: 0, output: 'the answer' }))

    expect(store.call().recorded).toBeUndefined()
  })

  test.each([0, false, '', null])('[A11] %j is a result', (value) => {
    const store = makeTestStore()

    snap(store, ended(value))

    expect(store.call().outcome).toMatchObject({ kind: 'done', value })
  })

  test('[A13] holes are told between their neighbours, inside a log where both are its own, and never stall anything', () => {
    const store = makeTestStore()
    const output = (seq: number) =>
      block(seq, 'tool_output_append', { tool: 'x', chunk: `${seq}\n` }, { streamKey: 'k' })

    frame(store, output(1), output(3), text(8, 'after'), done(10, 'v'))

    const [tool, gap, line, last] = store.call().tasks[0]?.items ?? []
    expect(tool).toMatchObject({ kind: 'tool', skips: [{ count: 1 }] })
    expect(gap).toMatchObject({ kind: 'gap', count: 4 })
    expect(line).toMatchObject({ kind: 'text' })
    expect(last).toMatchObject({ kind: 'gap', count: 1 })
    expect(store.call().tasks[0]?.skipped).toBe(6)
    expect(tool?.kind === 'tool' && logOf(tool)?.text()).toBe('1\n3\n')
    expect(tool?.kind === 'tool' && logOf(tool)?.gaps()).toMatchObject([{ line: 1, gap: { count: 1, before: 3 } }])

    frame(store, output(2))
    const [filled] = store.call().tasks[0]?.items ?? []
    expect(filled?.kind === 'tool' && [logOf(filled)?.text(), logOf(filled)?.gaps()]).toEqual(['1\n2\n3\n', []])
  })

  test('[A6] a line finds its place while the tool at the end has just moved to an earlier one', () => {
    const store = makeTestStore()
    const k1 = { streamKey: 'k1' }

    frame(store, block(9, 'tool_call', { tool: 'git' }), block(12, 'tool_output_append', { chunk: 'one\n' }, k1))
    store.flush()
    frame(store, block(5, 'tool_call', { tool: 'shell' }, k1), text(7, 'between'))

    const names = store
      .call()
      .tasks[0]?.items.flatMap((item) => (item.kind === 'tool' ? item.name : 'text' in item ? item.text : []))
    expect(names).toEqual(['shell', 'between', 'git'])
  })

  test('[A13] a hole behind an end that stands among the blocks is told in its place', () => {
    const store = makeTestStore()

    frame(store, done(0, undefined, { ts: 1_000 }), text(-2, 'a', { ts: undefined }), text(1, 'late', { ts: 1_001 }))
    frame(store, text(2, 'b', { ts: 1_000 }), text(4, 'c', { ts: 1_000 }))

    expect(texts(store)).toEqual(['a', 'b', 'gap', 'c', 'gap'])
  })

  test('[A13] a hole is said five seconds after the next block or once the task has ended, and goes when it fills', () => {
    const store = makeTestStore()
    frame(store, text(1, 'a'), text(3, 'c'))

    const gap = store.call().tasks[0]?.items[1]
    expect(gap).toMatchObject({ kind: 'gap', visibleAt: 15_000 })
    expect(
      gap?.kind === 'gap' && [
        isSkipVisible(gap, 14_999, false),
        isSkipVisible(gap, 15_000, false),
        isSkipVisible(gap, 0, true),
      ],
    ).toEqual([false, true, true])

    frame(store, text(2, 'b'))
    expect(texts(store)).toEqual(['a', 'b', 'c'])
  })

  test('[A13] very many holes are told as their sum alone', () => {
    const store = makeTestStore()

    for (let i = 0; i <= 600; i++) frame(store, text(i * 2, `${i}`))

    expect(store.call().tasks[0]?.items.some((item) => item.kind === 'gap')).toBe(false)
    expect(store.call().tasks[0]?.skipped).toBe(600)
  })
})

describe('life', () => {
  test('[A14] an open process tells of the connection that was lost, with its times; a disconnect changes no status', () => {
    const store = makeTestStore()
    frame(store, text(1, 'a'), done(1, 'v', { callId: 'call-2' }))

    store.setNow(20_000)
    store.ingest({ type: 'contact', contact: 'lost' })
    expect(store.call().status).toBe('running')
    expect(store.call().tasks[0]?.interruptions).toEqual([{ lostAt: 20_000, backAt: undefined }])
    store.setNow(25_000)
    store.ingest({ type: 'contact', contact: 'back' })

    expect(store.call().tasks[0]?.interruptions).toEqual([{ lostAt: 20_000, backAt: 25_000 }])
    expect(store.call('call-2').tasks[0]?.interruptions).toEqual([])
    expect(store.getState().connection).toEqual({ connected: true, lostAt: undefined })
  })

  test('[A14] one conversation that is gone for good does not keep another from being back', () => {
    const store = makeTestStore()

    store.ingest({ type: 'contact', contact: 'lost', conversationId: 'gone' })
    store.ingest({ type: 'contact', contact: 'back', conversationId: 'c-1' })
    store.flush()

    expect(store.getState().connection).toEqual({ connected: true, lostAt: undefined })
  })

  test('[A14] a process that goes on after its call has ended tells of the connection that was lost, too', () => {
    const store = makeTestStore()
    snap(store, ended('handle'))
    store.setNow(20_000)
    frame(store, text(1, 'working'))
    store.setNow(30_000)
    store.ingest({ type: 'contact', contact: 'lost' })
    store.setNow(40_000)
    store.ingest({ type: 'contact', contact: 'back' })
    expect(store.call().tasks[0]?.interruptions).toEqual([{ lostAt: 30_000, backAt: 40_000 }])

    frame(store, done(2, 'v'))
    store.setNow(50_000)
    store.ingest({ type: 'contact', contact: 'lost' })

    expect(store.call().tasks[0]?.interruptions).toEqual([{ lostAt: 30_000, backAt: 40_000 }])
  })

  test('[A14] the connection holds as long as one conversation is heard, and is lost with the last one', () => {
    const store = makeTestStore()
    const contact = (word: 'lost' | 'back' | 'closed', conversationId: string) => {
      store.ingest({ type: 'contact', contact: word, conversationId })
      store.flush()
      return store.getState().connection
    }
    for (const id of ['c-1', 'c-2', 'c-3']) contact('back', id)

    contact('lost', 'c-1')
    expect(contact('closed', 'c-1')).toEqual({ connected: true, lostAt: undefined })
    expect(contact('lost', 'c-2')).toEqual({ connected: true, lostAt: undefined })
    store.setNow(20_000)
    expect(contact('lost', 'c-3')).toEqual({ connected: false, lostAt: 20_000 })
    store.setNow(30_000)
    expect(contact('closed', 'c-3')).toEqual({ connected: false, lostAt: 20_000 })
    expect(contact('back', 'c-2')).toEqual({ connected: true, lostAt: undefined })
  })

  test('[A14] nothing is said of a loss after which everything was sent again', () => {
    const store = makeTestStore()
    frame(store, text(1, 'a'))

    store.ingest([
      { type: 'contact', contact: 'lost' },
      { type: 'contact', contact: 'back', recovered: true },
    ])

    expect(store.call().tasks[0]?.interruptions).toEqual([])
  })

  test('[A15] frames may come before their snapshot: the call is there by its id and joins its list with the snapshot', () => {
    const store = makeTestStore()

    frame(store, text(1, 'early'))
    store.flush()
    expect(store.getState().calls.has('call-1')).toBe(true)
    expect(store.getState().conversations.get('c-1')).toBeUndefined()
    snap(store, snapshot())

    store.flush()
    expect(store.getState().conversations.get('c-1')).toEqual(['call-1'])
    expect(texts(store)).toEqual(['early'])
  })

  test('[A16] a call that ended at once with a handle shows no process, unless frames do come', () => {
    const store = makeTestStore()
    snap(store, ended('{"task":"t-9"}'))
    expect(store.call()).toMatchObject({ status: 'done', tasks: [] })

    frame(store, text(1, 'working'))

    expect(texts(store)).toEqual(['working'])
    expect(store.call().status).toBe('done')
  })
})

describe('snapshots', () => {
  test.each([
    ['done', 'done'],
    ['Completed', 'done'],
    ['SUCCESS', 'done'],
    ['ok', 'done'],
    ['failed', 'error'],
    ['timeout', 'error'],
    ['cancelled', 'aborted'],
    ['interrupted', 'aborted'],
    ['rejected', 'denied'],
    ['queued', 'running'],
  ])('[A17] the word %s means %s', (word, status) => {
    const store = makeTestStore()

    snap(store, snapshot({ status: word }))

    expect(store.call().status).toBe(status)
  })

  test('[A17] a word that is not known is kept as text, and the host can say what it means', () => {
    const store = makeTestStore({ statusMap: { Vollendet: 'done', parked: 'running' } })

    snap(store, snapshot({ status: 'queued' }), snapshot({ eventId: 'call-2', status: 'VOLLENDET' }))

    expect(store.call()).toMatchObject({ status: 'running', statusText: 'queued' })
    expect(store.call('call-2').status).toBe('done')
  })

  test('[A17] a return value ends the call, in the content or beside it', () => {
    const store = makeTestStore()
    const content = { ...snapshot().content, toolReturn: 'inside' }

    snap(store, snapshot({ content }), snapshot({ eventId: 'call-2', toolReturn: 'beside' }))

    expect(store.call().outcome).toMatchObject({ kind: 'done', value: 'inside' })
    expect(store.call('call-2').outcome?.value).toBe('beside')
  })

  test('[A17] a null return of a running call is no return', () => {
    const store = makeTestStore()

    snap(store, snapshot({ toolReturn: null }))

    expect(store.call().status).toBe('running')
  })

  test('[A17] an ended snapshot is not undone by a running one, and absent fields change nothing', () => {
    const store = makeTestStore()

    snap(store, ended('value'), { eventId: 'call-1', eventScene: 'tool', status: 'running' })

    expect(store.call()).toMatchObject({ status: 'done', toolName: 'ask_colleague', conversationId: 'c-1' })
  })

  test('[A17] of two ended snapshots the one with a return counts, then the later one', () => {
    const store = makeTestStore()

    snap(
      store,
      snapshot({ status: 'failed', updatedAt: 30 }),
      ended('kept', { updatedAt: 20 }),
      ended('older', { updatedAt: 10 }),
    )

    expect(store.call().outcome).toMatchObject({ kind: 'done', value: 'kept' })
    expect(store.problems()).toEqual({ conflicting_outcome: 1 })
  })

  test('[A17] the other id that a snapshot names is one of the scope that the messages were received with', () => {
    const store = makeTestStore()
    for (const scope of ['s-1', 's-2']) {
      const message = { tool_call_id: 'llm-1', tool_name: 'ask', arguments: '' }
      store.receive('tool_call_start', message, { scope, conversationId: scope })
      const toolReturn = { text: 'v', meta: { callId: 'llm-1' } }
      store.receive('chat_event', ended(toolReturn, { eventId: `evt-${scope}`, conversationId: scope }), { scope })
    }
    store.flush()

    expect([...store.getState().calls.keys()]).toEqual(['evt-s-1', 'evt-s-2'])
    expect(store.getState().aliases.get('s-2/llm-1')).toBe('evt-s-2')
  })

  test('[A17] a call known under two ids becomes one, whichever comes first', () => {
    for (const aliasFirst of [true, false]) {
      const store = makeTestStore()
      const messages = [
        () => frame(store, text(1, 'by the other id', { callId: 'llm-7' })),
        () => snap(store, ended({ text: 'v', meta: { callId: 'llm-7' } })),
      ]
      for (const send of aliasFirst ? messages : messages.toReversed()) {
        send()
        store.flush()
      }

      expect([...store.getState().calls.keys()]).toEqual(['call-1'])
      expect(store.call('llm-7')).toBe(store.call())
      expect(texts(store)).toEqual(['by the other id'])
      expect(store.call().outcome?.value).toBe('v')
    }
  })

  test.each([[undefined], [3]])('[A17] of what two ids say the latest counts, whenever it is read: %j', (ts) => {
    const says = (store: TestStore, callId: string, toolName: string, at?: number) =>
      store.ingest({ type: 'call', callId, toolName, ...(at !== undefined && { ts: at }) })
    const nameIn = (isRead: boolean) => {
      const store = makeTestStore()
      store.ingest({ type: 'call', callId: 'call-1', alias: 'llm' })
      says(store, 'call-1', 'search', ts && 1)
      says(store, 'llm', 'find', ts && 2)
      if (isRead) store.flush()
      says(store, 'call-1', 'search', ts)
      return store.call().toolName
    }

    expect([nameIn(false), nameIn(true)]).toEqual(['search', 'search'])
  })

  test('[A17] an id that two calls claim joins neither', () => {
    const store = makeTestStore()

    snap(
      store,
      ended({ text: 'a', meta: { callId: 'call_0' } }),
      ended({ text: 'b', meta: { callId: 'call_0' } }, { eventId: 'call-2' }),
    )
    frame(store, text(1, 'x', { callId: 'call_0' }))

    expect(store.call('call-1').tasks).toEqual([])
    expect(store.call('call_0').id).toBe('call_0')
    expect(store.problems()).toEqual({ ambiguous_alias: 1 })
  })

  test('[A17] a word that is not known goes when the call is said to run', () => {
    const store = makeTestStore()

    snap(store, snapshot({ status: 'queued', ts: 1 }), snapshot({ status: 'running', ts: 2 }))

    expect(store.call().statusText).toBeUndefined()
  })

  test('[A17] a snapshot without a name does not rename the call', () => {
    const store = makeTestStore()

    snap(store, snapshot(), snapshot({ ts: 9, content: { toolCall: { toolId: 'tool-77' } } }))

    expect(store.call().toolName).toBe('ask_colleague')
  })

  test('[A17] an entry of a list that can not be read costs nothing of the others', () => {
    const store = makeTestStore()
    const bad = Object.defineProperty({}, 'eventScene', {
      get: () => {
        throw new Error('no')
      },
      enumerable: true,
    })

    snap(store, [snapshot(), bad, snapshot({ eventId: 'call-2' })])

    expect([store.call().id, store.call('call-2').id]).toEqual(['call-1', 'call-2'])
    expect(store.problems()).toEqual({ unreadable: 1 })
  })

  test('[A17] other scenes do not concern us', () => {
    const store = makeTestStore()

    snap(store, snapshot({ eventScene: 'message' }))

    expect(store.getState().calls.size).toBe(0)
    expect(store.problems()).toEqual({})
  })

  test('[A17] arguments may be text or an object, and the longer text counts', () => {
    const store = makeTestStore()
    const withArguments = (value: unknown) =>
      snapshot({ content: { toolCall: { functionCall: { name: 'f', arguments: value } } } })

    snap(store, withArguments({ a: 1, b: 2 }), withArguments('{"a":1}'))

    expect(store.call().args).toBe('{"a":1,"b":2}')
  })
})

describe('envelopes', () => {
  test('[B1] a status on any block marks the end of its tool, and the mark with the highest position counts', () => {
    const store = makeTestStore()

    frame(
      store,
      text(9, 'summary', { streamKey: 'k', status: 'aborted' }),
      block(1, 'tool_call', { tool: 'x' }, { streamKey: 'k' }),
      block(5, 'tool_output_append', { chunk: 'o' }, { streamKey: 'k', status: 'done' }),
    )

    expect(store.call().tasks[0]?.items.find((item) => item.kind === 'tool')).toMatchObject({ end: 'aborted' })
    expect(store.call().status).toBe('running')
  })

  test('[B1] a done tool_call ends the line that is there instead of opening a second one', () => {
    const store = makeTestStore()

    frame(store, block(1, 'tool_call', { tool: 'a' }), block(2, 'tool_call', { tool: 'b' }))
    frame(store, block(3, 'tool_call', { tool: 'a' }, { status: 'done' }))

    expect(store.call().tasks[0]?.items).toMatchObject([
      { name: 'a', end: 'done' },
      { name: 'b', end: undefined },
    ])
  })

  test('[B3] an unknown kind is shown by its text, else counted', () => {
    const store = makeTestStore()

    frame(store, block(1, 'mood', { text: 'cheerful' }), block(2, 'mood', { level: 3 }))

    expect(texts(store)).toEqual(['cheerful'])
    expect(store.problems()).toEqual({ unknown_kind: 2 })
  })

  test('[B4] the output of two tools that interleave does not mix', () => {
    const store = makeTestStore()
    const output = (seq: number, streamKey: string, chunk: string) =>
      block(seq, 'tool_output_append', { chunk }, { streamKey })

    frame(store, output(1, 'a', 'a1 '), output(2, 'b', 'b1 '), output(3, 'a', 'a2'), output(4, 'b', 'b2'))

    const logs = store.call().tasks[0]?.items.map((item) => item.kind === 'tool' && logOf(item)?.text())
    expect(logs).toEqual(['a1 a2', 'b1 b2'])
  })

  test('[B5] a chunk of 64 KB is taken, and a larger one leaves a line with its size', () => {
    const store = makeTestStore()

    frame(store, block(1, 'tool_output_append', { chunk: 'x'.repeat(65_536) }, { streamKey: 'a' }))
    frame(store, block(2, 'tool_output_append', { chunk: '语'.repeat(22_000) }, { streamKey: 'a' }))

    expect(store.call().tasks[0]?.items).toMatchObject([{ kind: 'tool' }, { kind: 'omitted', bytes: 66_000 }])
    expect(store.problems()).toEqual({ chunk_too_large: 1 })
  })

  test('[B6] neither an error nor a status nor a lost block overrides the outcome', () => {
    const store = makeTestStore()

    frame(store, done(9, 'fine'), block(3, 'error', { message: 'a hiccup' }, { status: 'aborted' }))

    expect(store.call().outcome).toMatchObject({ kind: 'done', value: 'fine' })
  })
})

describe('times', () => {
  test('[A7] the clock of one sender says nothing about the calls of another', () => {
    const store = makeTestStore()
    frame(store, text(1, 'x', { ts: 10_000 }))

    frame(store, text(1, 'x', { callId: 'call-2', ts: 3_600_000 }), text(2, 'x', { callId: 'call-3', ts: 1e300 }))

    expect(elapsedMs(store.call(), 15_000)).toBe(5_000)
    expect(store.problems()).toEqual({ invalid_ts: 1 })
  })

  test('[A16] a process that goes on after its call has ended is open until nothing more comes or it ends', () => {
    const store = makeTestStore()
    snap(store, ended('handle'))
    store.setNow(20_000)
    frame(store, text(1, 'working'))
    const [task] = store.call().tasks

    expect(task !== undefined && isTaskOpen(store.call(), task)).toBe(true)
    expect(isCallOpen(store.call())).toBe(true)
    frame(store, done(2, 'v'))
    expect(isCallOpen(store.call())).toBe(false)
  })
  test('[A14] an ended snapshot with the times of begin and end still tells how long it took', () => {
    const store = makeTestStore()

    snap(store, ended('v', { ts: 1_000, updatedAt: 5_000 }))

    expect(elapsedMs(store.call(), 99_000)).toBe(4_000)
  })

  test('[A7] elapsed time comes from the times of the events, and runs on the store clock while the call does', () => {
    const store = makeTestStore()
    frame(store, text(0, 'start', { ts: 4_000 }))
    expect(elapsedMs(store.call(), 13_000)).toBe(3_000)

    frame(store, done(1, 'v', { ts: 4_400 }))

    expect(elapsedMs(store.call(), 99_000)).toBe(400)
  })

  test('[A7] a call whose sender has a clock that is ahead has run since it was first heard of', () => {
    const store = makeTestStore()
    snap(store, snapshot({ ts: 90_000_000 }))

    expect(elapsedMs(store.call(), 13_000)).toBe(3_000)
  })

  test('[A14] nothing is said about the time of a call of which only the end was heard', () => {
    const store = makeTestStore()

    snap(store, ended('v', { updatedAt: 5_000 }))

    expect(elapsedMs(store.call(), 99_000)).toBeUndefined()
  })
})

test('[A1] the plain text holds the whole area in the order shown', () => {
  const store = makeTestStore()
  snap(store, snapshot())
  frame(
    store,
    block(1, 'thinking', { text: 'hm' }),
    block(2, 'tool_output_append', { tool: 'sh', chunk: 'out' }),
    done(4, 'v'),
  )

  expect(toPlainText(store.call())).toBe(
    [
      'ask_colleague [done]',
      'v',
      '',
      'arguments:',
      '{"message":"Build it"}',
      '',
      'process task-1 [done] 2 blocks',
      'numbering skips 1',
      'thinking: hm',
      'sh [open]',
      'out',
      'numbering skips 1',
      '',
    ].join('\n'),
  )
})
