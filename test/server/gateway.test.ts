import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fc, test as lawTest } from '@fast-check/vitest'
import { io as connect } from 'socket.io-client'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type ToolCall, toPlainText } from '../../src/core/index.js'
import { connectSocket } from '../../src/socket/index.js'
import { createToolCallStore } from '../../src/store/index.js'
import { coalesce, createSendQueue, type RunEvent } from '../../stories/live/server/gateway/backpressure.mjs'
import { createEventBudget } from '../../stories/live/server/gateway/eventBudget.mjs'
import { createRunLog } from '../../stories/live/server/gateway/runLog.mjs'
import { runScenarios, secretWords } from '../../stories/live/server/gateway/runScenarios.mjs'
import { createToolLedger } from '../../stories/live/server/gateway/toolLedger.mjs'
import { watchLiveServer } from '../../stories/live/server/watch.mjs'
import { startServer } from '../support/liveServer.js'

const soon = { timeout: 30_000, interval: 20 }
const room = { conversation_id: 'c-1' }

function temporaryFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), 'run-gateway-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const startGateway = (options: Parameters<typeof startServer>[0] = {}) => startServer({ speed: 20, ...options })

/** A host with a store, and the raw events that its socket hears. */
function createHost(url: string, options: { runs?: string[] } = {}) {
  const socket = connect(url, { forceNew: true, reconnectionDelay: 20, reconnectionDelayMax: 50 })
  onTestFinished(() => void socket.disconnect())
  const heard: (Record<string, any> & { type: string })[] = []
  socket.on('run_event', (event) => heard.push(event))
  const store = createToolCallStore()
  const connection = connectSocket(store, { socket, conversationId: 'c-1', resume: { gapMs: 50 }, ...options })
  onTestFinished(() => connection.close())
  const run = (runId: string) => {
    store.flush()
    return store.getState().calls.get(runId)
  }
  return {
    socket,
    heard,
    store,
    connection,
    run,
    start: async (scenario: string): Promise<string> =>
      (await socket.emitWithAck('start_scenario', { ...room, scenario })).run_id,
    waitFor: (runId: string, status: string) => vi.waitFor(() => expect(run(runId)?.status).toBe(status), soon),
    executions: (runId: string) => socket.emitWithAck('count_executions', { run_id: runId }),
  }
}

describe('backpressure', () => {
  const event = (type: string, fields: object = {}): RunEvent => ({ run_id: 'r', type, ...fields })
  const progress = (stage: string, completed: number) =>
    event('tool_progress', { tool: 't', payload: { stage, completed } })
  const taken = (queue: ReturnType<typeof createSendQueue>) =>
    Array.from({ length: queue.size }, () => queue.shift(0) as RunEvent)

  test('[E8] lets go of heartbeats first, then of older progress of the same stage, then of token deltas', () => {
    const all = [
      event('heartbeat'),
      progress('a', 1),
      event('token_delta', { payload: { text: 'x' } }),
      progress('a', 2),
      progress('b', 1),
      event('tool_result'),
    ]
    const left = (bufferEvents: number) => {
      const queue = createSendQueue({ bufferEvents })
      for (const each of all) queue.push(each, 0)
      return taken(queue).map((each) => all.indexOf(each))
    }
    expect(left(6)).toEqual([0, 1, 2, 3, 4, 5])
    expect(left(5)).toEqual([1, 2, 3, 4, 5])
    expect(left(4)).toEqual([2, 3, 4, 5])
    expect(left(3)).toEqual([3, 4, 5])
    expect(left(1)).toEqual([3, 4, 5])
  })

  test('[E8] holds 256 events before anything goes, and says when progress is sampled', () => {
    const queue = createSendQueue()
    for (let i = 0; i < 256; i++) queue.push(progress('a', i), 0)
    expect([queue.size, queue.isDegraded]).toEqual([256, false])
    queue.push(progress('a', 256), 0)
    expect([queue.size, queue.isDegraded]).toEqual([256, true])
    taken(queue)
    expect(queue.shift(0)).toBeUndefined()
    expect(queue.isDegraded).toBe(false)
  })

  test('[E8] says so too when an event has waited for more than 8 s', () => {
    const queue = createSendQueue()
    queue.push(progress('a', 1), 1_000)
    queue.push(progress('a', 2), 1_000)
    queue.shift(9_000)
    expect(queue.isDegraded).toBe(false)
    queue.shift(9_001)
    expect(queue.isDegraded).toBe(true)
  })

  const types = [
    'tool_requested',
    'tool_result',
    'approval_required',
    'committed',
    'failed',
    'unknown',
    'artifact.ready',
  ]
  const anyEvent = fc.oneof(
    fc.constantFrom(...types).map((type) => event(type)),
    fc.constantFrom('heartbeat', 'token_delta').map((type) => event(type)),
    fc.record({ stage: fc.constantFrom('a', 'b'), done: fc.nat(9) }).map(({ stage, done }) => progress(stage, done)),
  )

  lawTest.prop([fc.array(anyEvent, { maxLength: 60 }), fc.integer({ min: 1, max: 10 })])(
    '[E8] never loses what a step begins or ends with, and keeps the order',
    (sent, bufferEvents) => {
      const queue = createSendQueue({ bufferEvents })
      for (const each of sent) queue.push(each, 0)
      const got = taken(queue)
      expect(got).toEqual(sent.filter((each) => got.includes(each)))
      const isKept = ({ type }: RunEvent) => types.includes(type)
      expect(got.filter(isKept)).toEqual(sent.filter(isKept))
      // The newest progress of what is going on is never what goes.
      const last = sent.findLast(({ type }) => type === 'tool_progress')
      if (last) expect(got).toContain(last)
    },
  )

  test('[E9] progress that brings an artifact or a source is kept', () => {
    const events = [progress('a', 1), { ...progress('a', 2), citations: ['doc#1'] }, progress('a', 3)]
    expect(coalesce(events)).toEqual(events.slice(1))
  })
})

describe('the event budget', () => {
  const admitted = (budget: ReturnType<typeof createEventBudget>, events: readonly RunEvent[], now = 0) =>
    events.filter((event) => budget.admits(event, now)).length
  const many = (count: number, fields: object): RunEvent[] =>
    Array.from({ length: count }, () => ({ run_id: 'r', type: 'tool_progress', ...fields }))

  test('[E8] lets 20 progress events of a tool through', () => {
    const budget = createEventBudget()
    expect(admitted(budget, many(30, { tool: 'a' }))).toBe(20)
    expect(admitted(budget, many(30, { tool: 'b' }))).toBe(20)
  })

  test('[E8] lets 8 token deltas a second through', () => {
    const budget = createEventBudget()
    for (const now of [0, 999]) expect(admitted(budget, many(20, { type: 'token_delta' }), now)).toBe(now ? 0 : 8)
    expect(admitted(budget, many(20, { type: 'token_delta' }), 1_000)).toBe(8)
  })

  test('[E8] keeps 4 of 400 places for the end of a run, which is let through in any case', () => {
    const budget = createEventBudget({ progressPerTool: 1_000 })
    expect(admitted(budget, many(1_000, { tool: 'a' }))).toBe(396)
    expect(admitted(budget, many(10, { type: 'committed' }))).toBe(10)
  })
})

describe('the log', () => {
  const run = { runId: 'r', conversationId: 'c-1', scenario: 'expense-draft', startedAt: 0 }
  const user = { visibility: 'user' }

  test('[E6] survives its process, and a last line that was only half written', () => {
    const folder = temporaryFolder()
    const log = createRunLog(folder)
    log.begin(run)
    log.append('r', 0, { type: 'run_started', ...user })
    appendFileSync(path.join(folder, 'r.jsonl'), '{"step":1,"event":{"type":"committed"')
    const again = createRunLog(folder)
    expect(again.runs()).toEqual([run])
    expect(again.entries('r').map(({ event }) => event.type)).toEqual(['run_started'])
    again.append('r', 1, { type: 'failed', ...user })
    expect(
      createRunLog(folder)
        .entries('r')
        .map(({ event }) => event.seq),
    ).toEqual([1, 2])
  })

  test('[E3][E6] answers with what comes after a number, never with what is not for the user', () => {
    const log = createRunLog(temporaryFolder())
    log.begin(run)
    for (const visibility of ['user', 'audit', 'user', 'debug']) log.append('r', 0, { type: 'tool_result', visibility })
    const { events = [], next_seq, has_more } = log.resume('r', 1, 1_000)
    expect([events.map(({ seq }) => seq), next_seq, has_more]).toEqual([[3], 4, false])
  })

  test('[E8] answers with a thousand events at most, and says that there are more', () => {
    const log = createRunLog(temporaryFolder())
    log.begin(run)
    for (let i = 0; i < 5; i++) log.append('r', i, { type: 'tool_result', ...user })
    const { events = [], next_seq, has_more } = log.resume('r', null, 2)
    expect([events.map(({ seq }) => seq), next_seq, has_more]).toEqual([[1, 2], 2, true])
  })

  test('[E8] keeps the snapshot of a run for longer than its events', () => {
    const folder = temporaryFolder()
    const log = createRunLog(folder)
    log.begin(run)
    for (const completed of [1, 2]) {
      log.append('r', 0, { type: 'tool_progress', tool: 't', payload: { stage: 'a', completed }, ...user }, 1_000)
    }
    log.append('r', 1, { type: 'committed', ...user }, 1_000)
    log.expire(1_000 + 29 * 60_000)
    expect(log.resume('r', null, 1_000).snapshot).toBeUndefined()
    log.expire(1_000 + 30 * 60_000)
    for (const each of [log, createRunLog(folder)]) {
      const { snapshot } = each.resume('r', null, 1_000) as { snapshot?: any }
      expect(snapshot.events.map(({ seq }: RunEvent) => seq)).toEqual([2, 3])
      expect(snapshot.next_seq).toBe(3)
    }
    expect(createRunLog(folder).resume('other', null, 1_000)).toEqual({ error: 'expired' })
  })

  test('[E6] a tool runs once under one key, also after a restart', () => {
    const file = path.join(temporaryFolder(), 'tools.jsonl')
    const execute = vi.fn(() => ({ id: 1 }))
    for (let i = 0; i < 2; i++) {
      const ledger = createToolLedger(file)
      for (let j = 0; j < 2; j++) expect(ledger.runOnce('r/1', 'pay', execute)).toEqual({ id: 1 })
      expect(ledger.executions('r')).toEqual({ pay: 1 })
    }
    expect(execute).toHaveBeenCalledOnce()
  })
})

describe('the gateway', () => {
  test('[E5][E12] waits for the approval of a write, and commits with a receipt', async () => {
    const server = await startGateway()
    const host = createHost(server.url)
    const runId = await host.start('expense-draft')
    await host.waitFor(runId, 'waiting')
    const asked = host.heard.find(({ type }) => type === 'approval_required')
    expect(await host.executions(runId)).toEqual({ create_draft: 1 })
    const answer = { ...room, correlationID: `${runId}/${asked?.seq}`, approved: true }
    for (let i = 0; i < 2; i++) expect(await host.socket.emitWithAck('tool_approval_response', answer)).toEqual({})
    const other = { ...answer, approved: false }
    expect(await host.socket.emitWithAck('tool_approval_response', other)).toHaveProperty('error')
    await host.waitFor(runId, 'done')
    expect(host.run(runId)?.outcome?.receipt).toMatchObject({ kind: 'receipt' })
    expect(await host.executions(runId)).toEqual({ create_draft: 1, submit_expense: 1 })
  })

  test('[D4] a declined write does not run', async () => {
    const server = await startGateway()
    const host = createHost(server.url)
    const runId = await host.start('expense-draft')
    await host.waitFor(runId, 'waiting')
    const seq = host.heard.find(({ type }) => type === 'approval_required')?.seq
    await host.socket.emitWithAck('tool_approval_response', {
      ...room,
      correlationID: `${runId}/${seq}`,
      approved: false,
    })
    await host.waitFor(runId, 'error')
    expect(await host.executions(runId)).toEqual({ create_draft: 1 })
  })

  test.for(['expense-draft', 'audit-report'])(
    '[E3] %s: what is logged for audits reaches no reader and no store',
    async (scenario) => {
      const stateFile = path.join(temporaryFolder(), 'state.json')
      const server = await startGateway({ stateFile })
      const host = createHost(server.url)
      const runId = await host.start(scenario)
      await vi.waitFor(() => expect(['waiting', 'done']).toContain(host.run(runId)?.status), soon)
      const log = readFileSync(path.join(`${stateFile}.gateway`, 'runs', `${runId}.jsonl`), 'utf8')
      const answer = await host.socket.emitWithAck('run_resume', { run_id: runId, last_seq: null })
      for (const word of secretWords) {
        expect(log).toContain(word)
        expect(JSON.stringify([host.heard, answer, host.run(runId), host.store.getState().diagnostics])).not.toContain(
          word,
        )
      }
    },
  )

  test('[E9] hands out links to a file that hold for a while, and no file without one', async () => {
    const server = await startGateway({ gatewayLimits: { linkMs: 400 } })
    const host = createHost(server.url)
    const runId = await host.start('audit-report')
    await host.waitFor(runId, 'done')
    const { artifacts = [], citations = [] } = host.run(runId)?.story ?? {}
    expect(citations.map(({ source, place }) => `${source} ${place}`)).toEqual(['doc-17 p4', 'doc-22 p7'])
    const origin = new URL(server.url).origin
    const link = async () =>
      (await fetch(`${origin}/artifacts/${artifacts[0]?.id}/link`)).json() as Promise<{ url: string }>
    const { url } = await link()
    const file = await fetch(url)
    expect(file.headers.get('content-disposition')).toContain('audit-report-q2.csv')
    expect((await file.text()).length).toBe(artifacts[0]?.size)
    expect((await fetch(url.replace(/signature=./, 'signature=_'))).status).toBe(403)
    expect((await fetch(`${origin}/artifacts/none/link`)).status).toBe(404)
    await vi.waitFor(async () => expect((await fetch(url)).status).toBe(410), soon)
    expect((await fetch((await link()).url)).status).toBe(200)
  })

  test('[E5][E6] cut between the write and its receipt: unknown, then the truth; the tool ran once', async () => {
    // So slow that the page has heard of the write when the connection is cut.
    const server = await startGateway({ speed: 2 })
    const host = createHost(server.url)
    const statuses: string[] = []
    host.connection.onStatusChange((status) => statuses.push(status))
    const runId = await host.start('cut-at-the-write')
    await host.waitFor(runId, 'unknown')
    expect(host.run(runId)?.story?.mayHaveChanged).toBe(true)
    expect(statuses).toContain('lost')
    host.connection.resumeRun(runId)
    await host.waitFor(runId, 'done')
    expect(host.run(runId)?.outcome?.receipt).toMatchObject({ kind: 'confirmation' })
    expect(await host.executions(runId)).toEqual({ pay_invoice: 1 })
  })

  test('[E7] says that it pauses before it ends a connection; the reader comes back and misses nothing', async () => {
    const server = await startGateway()
    const host = createHost(server.url)
    const runId = await host.start('connection-limit')
    await host.waitFor(runId, 'error')
    expect(host.heard.map(({ type }) => type)).toContain('stream.paused')
    expect(host.run(runId)?.timings.disconnects).toBe(1)
    expect(host.run(runId)?.story?.lines[0]).toMatchObject({ state: 'done', name: 'compare_offers' })
  })

  test('[E7] a connection has a limit of its own', async () => {
    const server = await startGateway({ gatewayLimits: { connectionMs: 500 } })
    const host = createHost(server.url)
    const statuses: string[] = []
    host.connection.onStatusChange((status) => statuses.push(status))
    await vi.waitFor(() => expect(statuses.slice(0, 3)).toEqual(['connected', 'lost', 'connected']), soon)
  })

  test('[E7] heartbeats keep a run in contact while nothing happens', async () => {
    const server = await startGateway({ gatewayLimits: { heartbeatMs: 50 } })
    const host = createHost(server.url)
    const runId = await host.start('expense-draft')
    await host.waitFor(runId, 'waiting')
    const before = host.run(runId)?.story?.heardAt ?? 0
    await vi.waitFor(() => expect(host.run(runId)?.story?.heardAt).toBeGreaterThan(before + 100), soon)
  })

  test('[E8][E10] a slow reader gets a part of the progress, is told so, and ends where the others do', async () => {
    const limits = { backpressure: { bufferEvents: 16 }, budget: { progressPerTool: 1_000 } }
    const server = await startGateway({ speed: 5, gatewayLimits: limits })
    const host = createHost(server.url)
    const runId = await host.start('slow-reader')
    await vi.waitFor(() => expect(host.heard.some(({ degraded }) => degraded === true)).toBe(true), soon)
    await host.waitFor(runId, 'done')
    expect(host.heard.filter(({ type }) => type === 'tool_progress').length).toBeLessThan(200)
    await vi.waitFor(() => expect(host.run(runId)?.story?.degraded).toBe(false), soon)
    const later = createHost(server.url, { runs: [runId] })
    await later.waitFor(runId, 'done')
    expect(later.run(runId)?.story?.lines).toEqual(host.run(runId)?.story?.lines)
  })

  test('[H1] answers nonsense with an error', async () => {
    const server = await startGateway()
    const { socket } = createHost(server.url)
    for (const request of [undefined, null, 1, {}, { run_id: 1 }, { run_id: 'none' }]) {
      socket.emit('run_resume', request)
      socket.emit('run_resume', request, 'no function')
      expect(await socket.emitWithAck('run_resume', request)).toHaveProperty('error')
    }
  })
})

describe('coming back', () => {
  test('[E11] a run that is opened by its id in the middle shows where it is, and goes on', async () => {
    const server = await startGateway()
    const first = createHost(server.url)
    const runId = await first.start('expense-draft')
    await first.waitFor(runId, 'waiting')
    const left = first.run(runId)?.story?.lines
    first.connection.close()
    first.socket.disconnect()
    const second = createHost(server.url, { runs: [runId] })
    await second.waitFor(runId, 'waiting')
    expect(second.run(runId)?.story?.lines).toEqual(left)
    const [approval] = [...second.store.getState().approvals.values()]
    second.store.answer(approval?.id ?? '', { approved: true })
    await second.waitFor(runId, 'done')
    expect(await second.executions(runId)).toEqual({ create_draft: 1, submit_expense: 1 })
  })

  test('[E6][E11] killed and restarted while a run goes on: the run ends as it would have, each tool ran once', {
    timeout: 90_000,
  }, async () => {
    const stateFile = path.join(temporaryFolder(), 'state.json')
    const env = { ...process.env, LIVE_STATE_FILE: stateFile, LIVE_SPEED: '2' }
    const server = await watchLiveServer({ env, restartMs: 200 })
    onTestFinished(() => server.stop())
    const host = createHost(server.url)
    const runId = await host.start('audit-report')
    for (const count of [2, 6]) {
      const hasCounted = () =>
        (host.run(runId)?.story?.lines ?? []).some((line) => 'count' in line && (line.count?.done ?? 0) >= count)
      await vi.waitFor(() => expect(hasCounted()).toBe(true), soon)
      host.socket.emit('crash')
      await vi.waitFor(() => expect(host.connection.status).toBe('lost'), soon)
      await vi.waitFor(() => expect(host.connection.status).toBe('connected'), soon)
    }
    await host.waitFor(runId, 'done')
    expect(await host.executions(runId)).toEqual({ write_report: 1 })
    const undisturbed = createHost((await startGateway()).url)
    const otherId = await undisturbed.start('audit-report')
    await undisturbed.waitFor(otherId, 'done')
    const storyOf = (call: ToolCall | undefined) =>
      toPlainText(call as ToolCall).replaceAll(/[\da-f]{8}(-[\da-f-]{27})?/g, 'ID')
    expect(storyOf(host.run(runId))).toBe(storyOf(undisturbed.run(otherId)))
    expect(readdirSync(path.join(`${stateFile}.gateway`, 'runs'))).toEqual([`${runId}.jsonl`])
  })
})

test('[F3] offers every kind of run', () => {
  expect(runScenarios.map(({ name }) => name)).toEqual([
    'expense-draft',
    'audit-report',
    'cut-at-the-write',
    'connection-limit',
    'slow-reader',
  ])
})
