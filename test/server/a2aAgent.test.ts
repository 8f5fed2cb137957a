import { Role, type StreamResponse } from '@a2a-js/sdk'
import { type Client, ClientFactory } from '@a2a-js/sdk/client'
import { expect, onTestFinished, test, vi } from 'vitest'
import { toPlainText } from '../../src/core/index.js'
import { createA2aAgent, type Turn } from '../../stories/live/server/a2aAgent.mjs'
import { makeTestStore } from '../support/wire.js'

const soon = { timeout: 15_000, interval: 20 }

/** A door that an agent waits at until the test opens it. */
function createDoor() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

async function startAgent(act: (text: string, turn: Turn) => Promise<void>) {
  const agent = await createA2aAgent({ act })
  onTestFinished(() => agent.close())
  return { ...agent, client: await new ClientFactory().createFromAgentCard(agent.card) }
}

const request = (text: string, taskId = '') => ({
  tenant: '',
  configuration: undefined,
  metadata: undefined,
  message: {
    messageId: `u-${text}`,
    contextId: '',
    taskId,
    role: Role.ROLE_USER,
    parts: [
      { content: { $case: 'text' as const, value: text }, metadata: undefined, filename: '', mediaType: 'text/plain' },
    ],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  },
})

/** Hands a stream to a store, as it comes, and resolves at its end, be it a clean one or not. */
async function hear(stream: AsyncIterable<unknown>) {
  const store = makeTestStore()
  let taskId = ''
  const take = async (more: AsyncIterable<unknown>) => {
    try {
      for await (const event of more) {
        const { payload } = event as StreamResponse
        if (payload?.$case === 'task') taskId = payload.value.id
        store.receive('a2a', event, { callId: 'call-1' })
      }
      return 'ended'
    } catch {
      return 'broken'
    }
  }
  const ended = take(stream)
  const items = () => store.call().tasks[0]?.items ?? []
  return { store, take, ended, items, taskId: () => taskId, area: () => area(toPlainText(store.call()), taskId) }
}

/** Without what differs from one task to the next. */
const area = (text: string, taskId: string) => text.replaceAll(taskId, 'TASK')

/** Work that shows all that A2A can carry, in two halves. */
function worker() {
  const door = createDoor()
  const act = async (_: string, turn: Turn) => {
    turn.block('thinking', { text: 'I need the table.' }, { text: 'Thinking…' })
    turn.block('tool_call', { tool: 'read_table' }, { streamKey: 'callee-1' })
    turn.block('tool_output_append', { tool: 'read_table', chunk: 'row 1\n' }, { streamKey: 'callee-1', text: 'row 1' })
    turn.says('Half of it is there.')
    turn.makes('rates.csv', 'a,b\n')
    await door.opened
    turn.skips()
    turn.block('tool_output_append', { tool: 'read_table', chunk: 'row 2\n' }, { streamKey: 'callee-1', text: 'row 2' })
    turn.block('tool_call', { tool: 'read_table' }, { streamKey: 'callee-1', status: 'done' })
    turn.says('All of it is there.')
    turn.makes('rates.csv', '1,2\n', { append: true, lastChunk: true })
    turn.ends('COMPLETED', 'Two rows.')
  }
  return { act, door }
}

const allOfIt = `call-1 [done]
Two rows.

process TASK [done] 8 blocks
numbering skips 1
thinking: I need the table.
read_table [done]
row 1
row 2

Half of it is there.
All of it is there.
rates.csv [done]
a,b
1,2

`

const start = (client: Client) => client.sendMessageStream(request('read'))

test('[B7] a task of a real agent, heard from beginning to end through the official client', async () => {
  const { act, door } = worker()
  const { client } = await startAgent(act)
  const heard = await hear(start(client))

  await vi.waitFor(() => expect(heard.items()).toHaveLength(4), soon)
  expect(heard.store.call().status).toBe('running')
  door.open()

  expect(await heard.ended).toBe('ended')
  expect(heard.area()).toBe(allOfIt)
  expect(heard.store.problems()).toEqual({})
})

test('[B7] the connection cut and the task subscribed to again: the same, and nothing twice', async () => {
  const { act, door } = worker()
  const agent = await startAgent(act)
  const heard = await hear(start(agent.client))
  await vi.waitFor(() => expect(heard.items()).toHaveLength(4), soon)

  agent.cut()
  expect(await heard.ended).toBe('broken')
  for (let i = 0; i < 3; i++) {
    const again = heard.take(agent.client.resubscribeTask({ tenant: '', id: heard.taskId() }))
    await vi.waitFor(() => expect(agent.streams()).toBe(1), soon)
    agent.cut()
    expect(await again).toBe('broken')
  }
  expect(heard.items()).toHaveLength(4)
  const last = heard.take(agent.client.resubscribeTask({ tenant: '', id: heard.taskId() }))
  await vi.waitFor(() => expect(agent.streams()).toBe(1), soon)
  door.open()

  expect(await last).toBe('ended')
  expect(heard.area()).toBe(allOfIt)
})

test('[B7] cut, and back only after the end: the task itself tells the rest', async () => {
  const { act, door } = worker()
  const agent = await startAgent(act)
  const heard = await hear(start(agent.client))
  await vi.waitFor(() => expect(heard.items()).toHaveLength(4), soon)
  agent.cut()
  await heard.ended
  const task = { tenant: '', id: heard.taskId(), historyLength: undefined }

  door.open()
  await vi.waitFor(async () => expect((await agent.client.getTask(task)).status?.state).toBe(3), soon)
  expect(await heard.take(agent.client.resubscribeTask(task))).toBe('broken')
  heard.store.receive('a2a', await agent.client.getTask(task), { callId: 'call-1' })

  expect(heard.area()).toBe(allOfIt)
})

test('[B7] who hears only of the task afterwards sees the same steps', async () => {
  const { act, door } = worker()
  const agent = await startAgent(act)
  door.open()
  const heard = await hear(start(agent.client))
  await heard.ended
  const store = makeTestStore()

  store.receive('a2a', await agent.client.getTask({ tenant: '', id: heard.taskId() }), { callId: 'call-1' })

  expect(area(toPlainText(store.call()), heard.taskId())).toBe(allOfIt)
})

/** The responses of a raw stream, as their JSON. */
async function* rawStream(url: string, version: string, method: string, params: unknown) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': version },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  for (const line of (await response.text()).split('\n')) if (line.startsWith('data: ')) yield JSON.parse(line.slice(6))
}

test.each([
  ['1.0', 'SendStreamingMessage', { role: 'ROLE_USER', messageId: 'u-1', parts: [{ text: 'read' }] }],
  [
    '0.3',
    'message/stream',
    { kind: 'message', role: 'user', messageId: 'u-1', parts: [{ kind: 'text', text: 'read' }] },
  ],
])('[B7] version %s as it is on the wire', async (version, method, message) => {
  const { act, door } = worker()
  const { url } = await startAgent(act)
  door.open()
  const heard = await hear(rawStream(url, version, method, { message }))
  await heard.ended

  const [task] = heard.store.call().tasks
  expect(area(toPlainText(heard.store.call()), task?.taskId ?? '')).toBe(allOfIt)
  expect(heard.store.problems()).toEqual({})
})

test('[B7] a task that waits for an answer goes on when it gets one', async () => {
  const { client } = await startAgent(async (text, turn) => {
    if (text === 'convert') turn.waits('INPUT_REQUIRED', 'To which currency?')
    else turn.ends('COMPLETED', `In ${text}.`)
  })
  const heard = await hear(client.sendMessageStream(request('convert')))
  await heard.ended
  expect(heard.store.call()).toMatchObject({ status: 'waiting', statusText: 'input-required', outcome: undefined })

  await heard.take(client.sendMessageStream(request('INR', heard.taskId())))

  expect(heard.store.call().outcome).toMatchObject({ kind: 'done', value: 'In INR.' })
  expect(heard.items()).toMatchObject([{ kind: 'text', text: 'To which currency?' }])
})

test.each([
  ['FAILED', 'error'],
  ['CANCELED', 'aborted'],
  ['REJECTED', 'denied'],
] as const)('[B7] an agent that ends with %s', async (state, kind) => {
  const { client } = await startAgent(async (_, turn) => turn.ends(state, 'No rates today.'))
  const heard = await hear(start(client))
  await heard.ended

  expect(heard.store.call().outcome).toMatchObject({ kind, reason: 'No rates today.', value: undefined })
})

test('[B7] a task canceled on request', async () => {
  const door = createDoor()
  onTestFinished(door.open)
  const { client } = await startAgent(async (_, turn) => {
    turn.says('Working.')
    await door.opened
  })
  const heard = await hear(start(client))
  await vi.waitFor(() => expect(heard.items()).toHaveLength(1), soon)

  await client.cancelTask({ tenant: '', id: heard.taskId(), metadata: undefined })

  await heard.ended
  expect(heard.store.call().outcome).toMatchObject({ kind: 'aborted', reason: 'Canceled on request.' })
})

test('[H1] no page in a browser can talk to the agent', async () => {
  const { url } = await startAgent(async (_, turn) => turn.ends('COMPLETED'))
  const response = await fetch(url, { method: 'POST', headers: { origin: 'http://localhost:6006' }, body: '{}' })
  expect(response.status).toBe(403)
})
