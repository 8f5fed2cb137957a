import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { toPlainText } from '../../src/core/index.js'
import { protocols } from '../../src/protocols/index.js'
import { connectSocket } from '../../src/socket/index.js'
import { createToolCallStore, type ToolCallStore } from '../../src/store/index.js'
import { createRandom } from '../../src/testing/random.js'
import { createCluster, type Delivery, hasRedis, startRedis } from './cluster.js'
import { doneFrame, snapshot, textFrame } from './messages.js'

const faults = 50

/** What a conversation says of three calls that overlap, in the order in which it is said. */
function conversation(): Delivery[] {
  const calls = ['evt-1', 'evt-2', 'evt-3']
  const said: Delivery[] = calls.map((eventId) => ['chat_event', snapshot({ eventId })])
  for (let seq = 1; seq <= 60; seq++) {
    for (const callId of calls) said.push(['tool_event_stream', textFrame(seq, `${callId} step ${seq}`, { callId })])
  }
  for (const callId of calls) said.push(['tool_event_stream', { ...doneFrame(61, `${callId} is done`), callId }])
  said.push([
    'chat_event',
    snapshot({ eventId: 'evt-2', status: 'done', updatedAt: 9_000, toolReturn: 'evt-2 is done' }),
  ])
  return said
}

/** All calls as text, without the lines about connections that were lost: those tell of the way, not of the calls. */
function shown(store: ToolCallStore): string {
  store.flush()
  const calls = [...store.getState().calls.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
  return calls
    .map((call) => toPlainText(call))
    .join('\n')
    .replace(/^the connection was lost.*\n/gm, '')
}

describe.skipIf(!hasRedis)('[A14] two nodes behind Redis Streams (needs redis-server)', () => {
  let redis: Awaited<ReturnType<typeof startRedis>>
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(async () => redis.stop())

  test.each([1, 2])(
    `[E10] ${faults} kills, cuts, delays and silences: the state of an undisturbed run (seed %i)`,
    { timeout: 180_000 },
    async (seed) => {
      const chance = createRandom(seed)
      const cluster = await createCluster(redis.socketPath, 2)
      const store = createToolCallStore()
      const ioOptions = { transports: ['websocket'], reconnectionDelay: 20, reconnectionDelayMax: 60, forceNew: true }
      const connection = connectSocket(store, { url: cluster.url, conversationId: 'c-1', ioOptions })
      const isBack = () => vi.waitFor(() => expect(connection.status).toBe('connected'), { timeout: 30_000 })
      try {
        await isBack()
        const said = conversation()
        const perFault = Math.ceil(said.length / faults)
        const done: Record<string, number> = {}
        for (let fault = 0; fault < faults; fault++) {
          for (const delivery of said.splice(0, perFault)) cluster.deliver(delivery, chance() < 0.5 ? 0 : 1)
          const { proxy } = cluster
          const here = proxy.target
          const kind = (['kill', 'throw', 'cut', 'quiet', 'delay'] as const)[Math.floor(chance() * 5)] ?? 'kill'
          done[kind] = (done[kind] ?? 0) + 1
          if (kind === 'kill') {
            await cluster.kill(here)
            await cluster.start(here)
          } else if (kind === 'throw') {
            // The node that the client is on goes for good, and the other one takes over.
            proxy.target = 1 - here
            await cluster.kill(here)
            await cluster.start(here)
          } else if (kind === 'cut') proxy.cut()
          else if (kind === 'quiet') proxy.goQuiet()
          else proxy.setDelay(Math.floor(chance() * 30))
          // Half of the time the next fault comes before it is back.
          if (chance() < 0.5) await isBack()
        }
        for (const delivery of said) cluster.deliver(delivery, 0)
        cluster.proxy.setDelay(0)
        cluster.proxy.cut()

        const undisturbed = createToolCallStore()
        for (const [event, message] of cluster.log) undisturbed.receive(event as keyof typeof protocols, message)
        await vi.waitFor(() => expect(shown(store)).toBe(shown(undisturbed)), { timeout: 60_000, interval: 200 })
        expect(Object.keys(done)).toHaveLength(5)
        expect(store.getState().calls.get('evt-1')?.outcome?.value).toBe('evt-1 is done')
        expect(store.getState().diagnostics.total).toBe(0)
      } finally {
        connection.close()
        await cluster.stop()
      }
    },
  )
})
