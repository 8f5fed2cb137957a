import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type ConnectSocketOptions, connectSocket } from '../../src/socket/index.js'
import { createToolCallStore, type ToolCallStore } from '../../src/store/index.js'
import { createChatServer } from './chatServer.js'

const ioOptions = { reconnectionDelay: 20, reconnectionDelayMax: 20 }
const soon = { timeout: 15_000, interval: 20 }
const room = 'c-1'

type Event = Record<string, unknown> & { seq: number; type: string }

/** The story of a run that pays an invoice, event by event. */
const run: readonly Event[] = [
  { type: 'run_started' },
  { type: 'tool_requested', tool: 'pay', payload: { effect: 'write' } },
  { type: 'tool_progress', tool: 'pay', payload: { stage: 'waiting_provider' } },
  { type: 'internal_trace', visibility: 'audit', payload: { token: 'sk-secret' } },
  { type: 'tool_result', tool: 'pay' },
  { type: 'committed', status: 'ok', payload: { receipt_id: 'r-1' } },
].map((event, i) => ({ event_id: `e-${i + 1}`, run_id: 'run-1', seq: i + 1, visibility: 'user', ...event }))

const of = (...seqs: number[]) => seqs.map((seq) => run[seq - 1] as Event)

/** A chat server that answers `run_resume` with what `answer` gives; without it, never. */
async function createGateway(answer?: (lastSeq: number | null) => unknown) {
  const server = await createChatServer()
  const asked: unknown[] = []
  server.chat.on('connection', (socket) =>
    socket.on('run_resume', (request, acknowledge) => {
      asked.push(request)
      if (answer) acknowledge(answer(request.last_seq))
    }),
  )
  const joins = (times: number) =>
    vi.waitFor(() => expect(server.log.filter((entry) => entry === `join ${room}`)).toHaveLength(times), soon)
  const emit = (...events: unknown[]) => {
    for (const event of events) server.chat.to(room).emit('run_event', event)
  }
  return { ...server, asked, joins, emit }
}

/** What the log has after a number, as the source document has it. */
const fromLog = (lastSeq: number | null) => {
  const missed = run.filter(({ seq }) => seq > (lastSeq ?? 0))
  return { events: missed.filter(({ visibility }) => visibility === 'user'), next_seq: missed.at(-1)?.seq ?? lastSeq }
}

function open(store: ToolCallStore, url: string, options: Partial<ConnectSocketOptions> = {}) {
  const connection = connectSocket(store, {
    url,
    conversationId: room,
    ioOptions,
    resume: { gapMs: 50, retryMs: 50, deadlineMs: 5_000 },
    ...options,
  })
  onTestFinished(() => connection.close())
  return connection
}

function runIn(store: ToolCallStore, callId = 'run-1') {
  store.flush()
  return store.getState().calls.get(callId)
}

const statusIs = (store: ToolCallStore, status: string, callId?: string) =>
  vi.waitFor(() => expect(runIn(store, callId)?.status).toBe(status), soon)

describe('resuming a run', () => {
  test('[E6] asks for what is missing before an event, with the last number up to which nothing is', async () => {
    const gateway = await createGateway(fromLog)
    const store = createToolCallStore()
    open(store, gateway.url)
    await gateway.joins(1)
    gateway.emit(...of(1, 2, 6))
    await statusIs(store, 'done')
    await vi.waitFor(() => expect(runIn(store)?.story?.confirmed).toHaveLength(2), soon)
    expect(gateway.asked).toEqual([{ run_id: 'run-1', last_seq: 2, last_event_id: null }])
    expect(runIn(store)?.outcome?.receipt).toEqual({ kind: 'receipt', id: 'r-1' })
    expect(JSON.stringify(runIn(store))).not.toContain('sk-secret')
  })

  test('[E3][E6] an event that must not be seen leaves no gap', async () => {
    const gateway = await createGateway(fromLog)
    const store = createToolCallStore()
    open(store, gateway.url)
    await gateway.joins(1)
    gateway.emit(...run)
    await statusIs(store, 'done')
    await new Promise((resolve) => void setTimeout(resolve, 200))
    expect(gateway.asked).toEqual([])
    expect(store.getState().diagnostics.counts).toEqual({ not_visible: 1 })
  })

  test('[E6] after a reconnect asks for the runs that are open, and takes the outcome that was missed', async () => {
    const gateway = await createGateway(fromLog)
    const store = createToolCallStore()
    open(store, gateway.url)
    await gateway.joins(1)
    gateway.emit(...of(1, 2, 3))
    gateway.emit(...run.map((event) => ({ ...event, run_id: 'run-2' })))
    await statusIs(store, 'done', 'run-2')
    gateway.breakConnection()
    await statusIs(store, 'done')
    expect(gateway.asked).toEqual([{ run_id: 'run-1', last_seq: 3, last_event_id: null }])
    expect(runIn(store)?.timings).toMatchObject({ disconnects: 1, resumes: 1 })
  })

  test('[E6] events that arrive while an answer is awaited are kept', async () => {
    let reply = (_answer: unknown) => {}
    const gateway = await createGateway()
    gateway.chat.on('connection', (socket) =>
      socket.on('run_resume', (_request, acknowledge) => void (reply = acknowledge)),
    )
    const store = createToolCallStore()
    open(store, gateway.url)
    await gateway.joins(1)
    gateway.emit(...of(1, 3))
    await vi.waitFor(() => expect(gateway.asked).toHaveLength(1), soon)
    gateway.emit(...of(4, 5, 6))
    await statusIs(store, 'done')
    reply({ events: of(2), next_seq: 2 })
    const undisturbed = createToolCallStore()
    for (const event of run) undisturbed.receive('run_gateway', event, { conversationId: room })
    const told = runIn(undisturbed)?.story?.lines
    await vi.waitFor(() => expect(runIn(store)?.story?.lines).toEqual(told), soon)
    expect(gateway.asked).toHaveLength(1)
  })

  test('[E6] an empty answer erases nothing', async () => {
    const gateway = await createGateway((lastSeq) => ({ events: [], next_seq: lastSeq }))
    const store = createToolCallStore()
    open(store, gateway.url)
    await gateway.joins(1)
    gateway.emit(...of(1, 2, 3))
    await vi.waitFor(() => expect(runIn(store)?.story?.lines).toHaveLength(1), soon)
    const before = runIn(store)?.story?.lines
    gateway.breakConnection()
    await vi.waitFor(() => expect(runIn(store)?.timings.resumes).toBe(1), soon)
    expect(runIn(store)?.story?.lines).toEqual(before)
    expect(runIn(store)?.status).toBe('running')
  })

  test('[E6][E8] asks on while answers are full', async () => {
    const gateway = await createGateway((lastSeq) => {
      const events = run.filter(({ seq }) => seq > (lastSeq ?? 0)).slice(0, 2)
      return { events, next_seq: events.at(-1)?.seq ?? lastSeq }
    })
    const store = createToolCallStore()
    open(store, gateway.url, { runs: ['run-1'], resume: { maxEvents: 2 } })
    await statusIs(store, 'done')
    await vi.waitFor(() => expect(runIn(store)?.timings.resumes).toBe(1), soon)
    expect(gateway.asked.map((request) => (request as { last_seq: unknown }).last_seq)).toEqual([null, 2, 4, 6])
  })

  test.for([
    ['refused', { error: 'refused' }],
    ['expired', { status: 'expired' }],
  ])('[E5][E6] a resume that is %s leaves the run unknown; asking again brings the truth', async ([, refusal]) => {
    let answer: unknown = refusal
    const gateway = await createGateway((lastSeq) => answer ?? fromLog(lastSeq))
    const store = createToolCallStore()
    const connection = open(store, gateway.url)
    await gateway.joins(1)
    gateway.emit(...of(1, 2, 3))
    await statusIs(store, 'running')
    gateway.breakConnection()
    await statusIs(store, 'unknown')
    expect(runIn(store)?.outcome).toMatchObject({ kind: 'unknown', cause: 'resume_refused' })
    expect(runIn(store)?.story?.mayHaveChanged).toBe(true)
    answer = undefined
    connection.resumeRun('run-1')
    await statusIs(store, 'done')
  })

  test('[E6] an expired resume with a snapshot shows how the run ended', async () => {
    const gateway = await createGateway(() => ({ error: 'expired', snapshot: { events: of(1, 6), next_seq: 6 } }))
    const store = createToolCallStore()
    open(store, gateway.url, { runs: ['run-1'] })
    await statusIs(store, 'done')
    expect(runIn(store)?.outcome?.receipt).toEqual({ kind: 'receipt', id: 'r-1' })
  })

  test('[E6] a snapshot that is no event shows how the run ended', async () => {
    const gateway = await createGateway(() => ({ run_id: 'run-1', status: 'succeeded', receipt_id: 'r-1' }))
    const store = createToolCallStore()
    open(store, gateway.url, { runs: ['run-1'] })
    await statusIs(store, 'done')
    expect(runIn(store)?.outcome?.receipt).toEqual({ kind: 'receipt', id: 'r-1' })
  })

  test('[E6] without any answer it is asked for again; in the end the run is unknown, and each failure is counted', async () => {
    const gateway = await createGateway()
    const store = createToolCallStore()
    open(store, gateway.url, { runs: ['run-1'], resume: { deadlineMs: 30, retryMs: 10, attempts: 3 } })
    await statusIs(store, 'unknown')
    expect(gateway.asked).toHaveLength(3)
    expect(store.getState().diagnostics.counts).toEqual({ resume_failed: 3 })
  })

  test("[E6] uses the host's own function instead of the socket where there is one", async () => {
    const gateway = await createGateway(() => ({ error: 'not this way' }))
    const resumeRun = vi.fn(async ({ lastSeq }: { lastSeq: number | null }) => fromLog(lastSeq))
    const store = createToolCallStore()
    open(store, gateway.url, { resumeRun })
    await gateway.joins(1)
    gateway.emit(...of(1, 2))
    await statusIs(store, 'running')
    gateway.breakConnection()
    await statusIs(store, 'done')
    expect(resumeRun.mock.calls).toEqual([[{ runId: 'run-1', lastSeq: 2, lastEventId: null }]])
    expect(gateway.asked).toEqual([])
  })

  test('[E11] a run that the host names comes back from nothing but its id, under the scope of the connection', async () => {
    const gateway = await createGateway(fromLog)
    const store = createToolCallStore()
    open(store, gateway.url, { runs: ['run-1'], context: { scope: 's' } })
    await statusIs(store, 'done', 's/run-1')
    expect(gateway.asked).toEqual([{ run_id: 'run-1', last_seq: null, last_event_id: null }])
  })

  test('[E6] takes the names of the events as options, and asks nothing where the gateway can not resume', async () => {
    const gateway = await createGateway(fromLog)
    const other: unknown[] = []
    gateway.chat.on('connection', (socket) =>
      socket.on('again', (request, acknowledge) => {
        other.push(request)
        acknowledge(fromLog(request.last_seq))
      }),
    )
    const store = createToolCallStore()
    open(store, gateway.url, { events: { progress: 'run_gateway' }, resumeEvent: 'again' })
    const silent = createToolCallStore()
    open(silent, gateway.url, { resume: false, runs: ['run-1'] })
    await gateway.joins(2)
    for (const event of of(1, 6)) gateway.chat.to(room).emit('progress', event)
    gateway.emit(...of(1, 6))
    await vi.waitFor(() => expect(runIn(store)?.story?.confirmed).toHaveLength(2), soon)
    await statusIs(silent, 'done')
    expect(other).toHaveLength(1)
    expect(gateway.asked).toEqual([])
  })

  test('[E3] a run of which nothing may be seen is not shown because it was asked for', async () => {
    const gateway = await createGateway((lastSeq) => ({ events: [], next_seq: lastSeq }))
    const store = createToolCallStore()
    open(store, gateway.url, { resume: { gapMs: 10, retryMs: 10, attempts: 2 } })
    await gateway.joins(1)
    gateway.emit(...of(4))
    await vi.waitFor(() => expect(store.getState().diagnostics.counts.resume_failed).toBe(2), soon)
    expect(runIn(store)).toBeUndefined()
  })
})
