import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { connectSocket } from '../../src/socket/index.js'
import { createToolCallStore } from '../../src/store/index.js'
import {
  argsDelta,
  busApprovalRequest,
  busApprovalResponse,
  busCall,
  busResult,
  busStatus,
  busTerminalOutput,
  createFakeSocket,
  createFixedClock,
  disturb,
  done,
  expectSameOutcome,
  type Faults,
  output,
  result,
  runEvent,
  snapshot,
  start,
  startedAt,
  text,
  thinking,
  tool,
  type WireMessage,
} from '../../src/testing/index.js'

function received(messages: readonly WireMessage[]) {
  const clock = createFixedClock(startedAt)
  const store = createToolCallStore({ now: clock.now, schedule: () => () => {} })
  for (const { protocol, at, message, context } of messages) {
    clock.set(startedAt + at)
    store.receive(protocol, message, context)
  }
  store.flush()
  return store
}

const framed = [
  snapshot('c', 0, { args: '{"message":"go"}' }),
  thinking('c', 100, 1, 'hm'),
  text('c', 200, 2, 'building'),
  tool('c', 300, 3, 'shell'),
  output('c', 400, 4, 'shell', 'one\n'),
  output('c', 500, 5, 'shell', 'two\n'),
  tool('c', 600, 6, 'shell', 'done'),
  done('c', 700, 7, 'built'),
  snapshot('c', 800, { status: 'completed', toolReturn: 'built' }),
]
const streamed = [
  start('c', 0, 'write'),
  argsDelta('c', 100, '{"path":'),
  argsDelta('c', 200, '{"path":"a"}'),
  result('c', 300, { result: 'ok', status: 'success', summary: 'wrote a' }),
]
const bus = [
  busCall('c', 0, 'shell'),
  busApprovalRequest('r', 100, 'shell'),
  busApprovalResponse('r', 200, true),
  busStatus('c', 300, 'running'),
  busResult('c', 400, 'done'),
]

const ms = fc.integer({ min: 1, max: 2_000 })
const chance = fc.double({ min: 0, max: 1, noNaN: true })
const any = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
const faults = fc.record({
  delay: any(fc.record({ ms })),
  reorder: any(fc.record({ ms })),
  duplicate: any(fc.record({ chance, ms })),
  lose: any(fc.record({ chance })),
  cut: any(fc.record({ from: fc.integer({ min: 0, max: 800 }), ms })),
  slow: any(fc.record({ ms })),
})
const withoutMissing = (given: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(given).filter(([, fault]) => fault !== undefined)) as Faults
const without = (given: Record<string, unknown>, ...names: string[]) =>
  withoutMissing(Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name))))

describe('faults', () => {
  property.prop([faults, fc.integer()])('[E10] frames and snapshots end the same under all of them', (given, seed) => {
    expectSameOutcome(received(disturb(framed, withoutMissing(given), seed)), received(framed))
  })

  property.prop([faults, fc.integer()])('[E10] streamed arguments end the same without a cut', (given, seed) => {
    const disturbed = disturb(streamed, without(given, 'cut'), seed)
    expectSameOutcome(received(disturbed), received(streamed), { process: true })
  })

  property.prop([faults, fc.integer()])('[D6] the bus ends the same late, mixed and repeated', (given, seed) => {
    const disturbed = disturb(bus, without(given, 'cut', 'lose'), seed)
    expectSameOutcome(received(disturbed), received(bus), { process: true })
  })

  property.prop([faults, fc.integer()])('[E10] are the same for the same seed', (given, seed) => {
    expect(disturb(framed, withoutMissing(given), seed)).toEqual(disturb(framed, withoutMissing(given), seed))
  })

  test('[D6] that a protocol does not bear are refused, and those that it bears are named', () => {
    const terminal = [busCall('c', 0, 'shell'), busTerminalOutput('c', 1, 'x')]
    expect(() => disturb(terminal, { reorder: { ms: 1 } }, 1)).toThrow(
      'output of agent_bus does not bear "reorder"; it bears delay, slow.',
    )
    expect(() => disturb(bus, { lose: { chance: 1 } }, 1)).toThrow('agent_bus does not bear "lose"')
    expect(() => disturb(streamed, { cut: { from: 0, ms: 1 } }, 1)).toThrow('tool_call_start does not bear "cut"')
    expect(disturb(terminal, { delay: { ms: 9 }, slow: { ms: 5 } }, 1).map(({ message }) => message)).toEqual(
      terminal.map(({ message }) => message),
    )
  })

  test('[A13] lose only what may be lost; a cut has the rest come when it is over', () => {
    expect(disturb(framed, { lose: { chance: 1 } }, 1).map(({ at }) => at)).toEqual([0, 700, 800])
    expect(
      disturb(framed, { cut: { from: 650, ms: 1_000 } }, 1)
        .map(({ at }) => at)
        .slice(-2),
    ).toEqual([1_650, 1_650])
    expect(disturb([runEvent('r', 0, 1, 'heartbeat')], { lose: { chance: 1 } }, 1)).toEqual([])
    expect(disturb(framed, { slow: { ms: 300 } }, 1).map(({ at }) => at)[8]).toBe(2_400)
  })
})

describe('expectSameOutcome', () => {
  test('[E10] names what differs', () => {
    const [a, b] = [received(framed), received(framed.slice(0, -2))]
    expect(() => expectSameOutcome(b, a)).toThrow(
      /call c\n {2}actual: {3}.*"running".*\n {2}expected: .*"done".*"built"/,
    )
    expect(() => expectSameOutcome(received([]), a)).toThrow('actual:   not there')
    const shorter = framed.filter(({ at }) => at !== 200)
    expectSameOutcome(received(shorter), a)
    expect(() => expectSameOutcome(received(shorter), a, { process: true })).toThrow('building')
  })
})

describe('the fake socket', () => {
  test('[A2] joins, loses and recovers a conversation as a real one does', () => {
    const socket = createFakeSocket()
    const store = createToolCallStore({ schedule: () => () => {} })
    const connection = connectSocket(store, { socket, conversationId: 'v' })
    expect([connection.status, socket.active]).toEqual(['connecting', false])
    socket.connect()
    const join = { event: 'join_conversation', args: [{ conversation_id: 'v' }] }
    expect(socket.server.received).toEqual([join])
    socket.server.emit('chat_event', framed[0]?.message)
    socket.server.lose()
    socket.server.emit('chat_event', framed[8]?.message)
    store.flush()
    expect([connection.status, socket.active, store.getState().calls.get('c')?.status]).toEqual([
      'lost',
      true,
      'running',
    ])
    socket.server.restore({ recovered: true })
    expect([socket.recovered, socket.server.received]).toEqual([true, [join]])
    socket.server.lose()
    socket.server.restore()
    expect([socket.recovered, socket.server.received]).toEqual([false, [join, join]])
    connection.close()
  })

  test('[A2] keeps what is emitted without a connection, and acknowledges', () => {
    const socket = createFakeSocket()
    const replies: unknown[] = []
    const reasons: unknown[] = []
    socket.server.onMessage('ask', (question) => `${question}!`)
    socket.on('disconnect', (reason) => reasons.push(reason))
    socket.emit('ask', 'why', (reply: unknown) => replies.push(reply))
    expect([replies, socket.id]).toEqual([[], undefined])
    socket.connect()
    expect([replies, socket.server.received]).toEqual([['why!'], [{ event: 'ask', args: ['why'] }]])
    const first = socket.id
    socket.server.disconnect()
    socket.server.restore()
    expect([socket.connected, socket.active]).toEqual([false, false])
    socket.connect().disconnect()
    socket.server.refuse('not you')
    socket.once('connect_error', (error: Error) => replies.push(error.message)).connect()
    socket.connect()
    expect([reasons, replies.at(-1), socket.connected]).toEqual([
      ['io server disconnect', 'io client disconnect'],
      'not you',
      true,
    ])
    expect(socket.id).not.toBe(first)
  })
})
