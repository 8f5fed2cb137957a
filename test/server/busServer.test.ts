import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { createClient, soon, startServer, temporaryFile } from '../support/liveServer.js'

const room = { conversation_id: 'c-1' }

type Client = ReturnType<typeof createClient>

/** A client in the conversation, in which the scenario is played up to its first request. */
async function begin(server: { readonly url: string }, scenario: string) {
  const client = join(server)
  await client.socket.emitWithAck('start_scenario', { ...room, scenario })
  const correlationID = await nextRequest(client)
  return { client, correlationID }
}

function join(server: { readonly url: string }) {
  const client = createClient(server.url)
  client.socket.on('connect', () => void client.socket.emit('join_conversation', room))
  return client
}

/** The id of the `count`-th request. */
async function nextRequest(client: Client, count = 1) {
  const requests = () => client.bus('ToolApprovalRequestEvent')
  await vi.waitFor(() => expect(requests().length).toBeGreaterThanOrEqual(count), soon)
  return requests()[count - 1]?.correlationID as string
}

const allow = { approved: true, scope: 'once' }
const answer = ({ socket }: Client, correlationID: string, given: object = allow) =>
  socket.emitWithAck('tool_approval_response', { ...room, correlationID, ...given })

const responses = (client: Client) => client.bus('ToolApprovalResponseEvent')
const results = (client: Client) => client.bus('ToolResultEvent')

test('[D4] a run waits for the answer, and goes on when it is allowed', async () => {
  const server = await startServer({ speed: 20 })
  const { client, correlationID } = await begin(server, 'approval')
  const elsewhere = join(server)
  expect(await answer(client, correlationID, { approved: true, scope: 'session' })).toEqual({})
  await vi.waitFor(() => expect(results(client)).toHaveLength(1), soon)
  expect(responses(client)).toEqual([expect.objectContaining({ correlationID, approved: true, scope: 'session' })])
  expect(results(client)[0]).toMatchObject({ isError: false, display: expect.stringMatching(/^Published/) })
  await vi.waitFor(() => expect(responses(elsewhere)).toEqual(responses(client)), soon)
  await vi.waitFor(() => expect(client.snapshots()).toHaveLength(2), soon)
  const [first, last] = ['ToolApprovalResponseEvent', 'ToolStatusEvent'].map((type) =>
    client.heard.findIndex(({ message }) => message.type === type),
  )
  expect(first).toBeLessThan(last as number)
})

test('[D4] a call that is denied ends with an error, and never runs', async () => {
  const server = await startServer({ speed: 20 })
  const { client, correlationID } = await begin(server, 'approval')
  expect(await answer(client, correlationID, { approved: false, scope: 'once', reason: 'not on a Friday' })).toEqual({})
  await vi.waitFor(() => expect(results(client)).toHaveLength(1), soon)
  expect(responses(client)).toEqual([expect.objectContaining({ approved: false, reason: 'not on a Friday' })])
  expect(results(client)[0]).toMatchObject({ isError: true, display: 'Denied by the user: not on a Friday' })
  await vi.waitFor(() => expect(client.snapshots()).toHaveLength(2), soon)
  expect(client.bus('ToolStatusEvent')).toEqual([])
})

test('[D4] the first answer counts; the same one again is as good, another one is not', async () => {
  const server = await startServer({ speed: 20 })
  const { client, correlationID } = await begin(server, 'approval')
  const [first, again, other] = await Promise.all([
    answer(client, correlationID),
    answer(client, correlationID),
    answer(client, correlationID, { approved: false }),
  ])
  expect([first, again, other]).toEqual([{}, {}, { error: expect.any(String) }])
  await vi.waitFor(() => expect(client.snapshots()).toHaveLength(2), soon)
  // Now the run is over, and only what was said on the bus is left of it.
  expect(await answer(client, correlationID)).toEqual({})
  expect(await answer(client, correlationID, { approved: false })).toHaveProperty('error')
  expect(responses(client)).toHaveLength(1)
  expect(results(client)).toHaveLength(1)
})

test('[D4] answers go to the request that they name, in whatever order', async () => {
  const server = await startServer({ speed: 20 })
  const { client } = await begin(server, 'same-tool')
  await nextRequest(client, 3)
  const ids = client.bus('ToolApprovalRequestEvent').map(({ correlationID }) => correlationID as string)
  await answer(client, ids[2] as string)
  await vi.waitFor(() => expect(results(client)).toHaveLength(1), soon)
  expect(ids[2]).toBe(`${String(results(client)[0]?.toolCallID)}-approval`)
  await answer(client, ids[0] as string, { approved: false })
  await vi.waitFor(() => expect(results(client)).toHaveLength(2), soon)
  expect(results(client)[1]).toMatchObject({ isError: true })
  expect(ids[0]).toBe(`${String(results(client)[1]?.toolCallID)}-approval`)
})

test('[D4] an answer to nothing, from elsewhere or too late is refused', async () => {
  const server = await startServer({ speed: 20 })
  const { client, correlationID } = await begin(server, 'session-ends')
  const refused = { error: expect.any(String) }
  expect(await answer(client, 'nothing')).toEqual(refused)
  const abroad = { conversation_id: 'c-2', correlationID, ...allow }
  expect(await client.socket.emitWithAck('tool_approval_response', abroad)).toEqual(refused)
  await vi.waitFor(() => expect(client.bus('SessionEndedEvent')).toHaveLength(1), soon)
  expect(await answer(client, correlationID)).toEqual(refused)

  await client.socket.emitWithAck('start_scenario', { ...room, scenario: 'expiring' })
  const expiring = await nextRequest(client, 2)
  expect(client.bus('ToolApprovalRequestEvent')[1]).toHaveProperty('expiresAt', expect.any(Number))
  await vi.waitFor(() => expect(results(client)).toHaveLength(1), soon)
  expect(results(client)[0]).toMatchObject({ isError: true, display: 'Nobody answered in time.' })
  expect(await answer(client, expiring)).toEqual(refused)
  expect(responses(client)).toEqual([])
})

test('[D4] requests survive a restart of the server, and can be answered then', async () => {
  const stateFile = temporaryFile()
  const first = await startServer({ stateFile, speed: 20 })
  const { correlationID } = await begin(first, 'approval')
  await first.close()
  const second = await startServer({ stateFile })
  const client = join(second)
  expect(await nextRequest(client)).toBe(correlationID)
  expect(await answer(client, correlationID)).toEqual({})
  await vi.waitFor(() => expect(results(client)).toHaveLength(1), soon)
  await vi.waitFor(() => expect(JSON.parse(readFileSync(stateFile, 'utf8')).runs).toEqual([]), soon)
})

test('[A14] who joins later hears what the bus said of calls and requests, and no output', async () => {
  const stateFile = temporaryFile()
  const server = await startServer({ stateFile, speed: 20 })
  const { client, correlationID } = await begin(server, 'approval')
  await answer(client, correlationID)
  await vi.waitFor(() => expect(client.snapshots()).toHaveLength(2), soon)
  const later = join(server)
  await vi.waitFor(() => expect(later.snapshots()).toHaveLength(2), soon)
  expect(later.bus()).toEqual(client.bus().filter(({ topic }) => topic === undefined))
  expect(client.bus().length).toBeGreaterThan(later.bus().length)
  expect(readFileSync(stateFile, 'utf8')).not.toContain('TerminalAppendString')
})

test('[D4] an answer that is refused once is taken the second time', async () => {
  const server = await startServer({ speed: 20 })
  const { client, correlationID } = await begin(server, 'refused-answer')
  expect(await answer(client, correlationID)).toEqual({ error: expect.stringContaining('try again') })
  expect(await answer(client, correlationID, { approved: false })).toEqual({})
  await vi.waitFor(() => expect(results(client)).toHaveLength(1), soon)
})

test('[D4] a server that dies of an answer counts it once, whether it had noted it or not', async () => {
  const stateFile = temporaryFile()
  let server = await startServer({ stateFile, speed: 20, onCrash: () => void (crashes += 1) })
  let { client, correlationID } = await begin(server, 'answer-lost')
  let crashes = 0
  for (const count of [1, 2]) {
    client.socket.emit('tool_approval_response', { ...room, correlationID, ...allow })
    await vi.waitFor(() => expect(crashes).toBe(count), soon)
    expect(responses(client)).toHaveLength(count - 1)
    await server.close()
    server = await startServer({ stateFile, onCrash: () => void (crashes += 1) })
    client = join(server)
    await nextRequest(client, count)
    expect(await answer(client, correlationID)).toEqual({})
    await vi.waitFor(() => expect(results(client)).toHaveLength(count), soon)
    expect(responses(client)).toHaveLength(count)
    if (count === 1) correlationID = await nextRequest(client, 2)
  }
  const noted = JSON.parse(readFileSync(stateFile, 'utf8')).answers
  expect(noted.map((each: { correlationID: string }) => each.correlationID.replace(/^.{37}/, ''))).toEqual([
    'orders-approval',
    'orders-approval',
    'users-approval',
    'users-approval',
  ])
})
