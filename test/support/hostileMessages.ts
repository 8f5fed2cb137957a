import fc from 'fast-check'
import { readStream, taskAfter } from './a2a.js'
import { appendString, completed, newRunning, sessionEnded } from './bus.js'
import { busMessages } from './busConversation.js'
import { conversation } from './conversation.js'
import { type Family, fullMessages, type Received } from './fullMessages.js'
import { hostileStrings } from './hostileStrings.js'
import { runEvents } from './runs.js'

/** What an object of a hostile sender throws when it is read. */
export class Hostile extends Error {
  override readonly name = 'Hostile'
}

/** Ways to spoil a message. `trap` and `throwing` throw when they are read; all the others are data. */
const ways = ['drop', 'rename', 'retype', 'text', 'nest', 'cycle', 'repeat', 'borrow', 'trap', 'throwing'] as const

/** How one place of a message is spoiled: `at` chooses the place, `choice` what comes there. */
export interface Mutation {
  readonly way: (typeof ways)[number]
  readonly at: number
  readonly choice: number
}

/** A valid message, and what is done to it. The description prints and shrinks; `spoiled` makes the message. */
export interface Mutant extends Received {
  readonly mutations: readonly Mutation[]
}

const names = `
  __proto__ constructor prototype hasOwnProperty toString toJSON then length v type kind id seq ts status state
  payload data result message text callId taskId eventId toolReturn arguments args events snapshot visibility
  history parts artifact metadata tfrs display isError receipt_id toolCallID toolCallId
`.split(/\s+/)

function deep(depth: number): unknown {
  let value: unknown = 'bottom'
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { value }
  return value
}

const numbers = [0, -0, 1, -1, 3, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, -(2 ** 53) + 1, 1e308, 8.64e15]
const values: readonly (() => unknown)[] = [
  ...[null, undefined, true, false, '', 'NaN', ...numbers].map((value) => () => value),
  () => [],
  () => ({}),
  () => new Date(Number.NaN),
  () => new Map([['text', 1]]),
  () => new Uint8Array(8),
  () => Object.assign(Object.create(null), { text: 'no prototype', status: 'done' }),
  () => Object.create({ text: 'inherited', callId: 'inherited', status: 'done' }),
  () => JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toJSON":1}'),
  () => Symbol('symbol'),
  () => 10n,
  () => () => 'called',
  () => 'x'.repeat(70_000),
  () => '['.repeat(5_000),
  () => `{"a":${'['.repeat(500)}${']'.repeat(500)}}`,
  () => Array.from({ length: 300 }, (_, i) => i),
  () => deep(200),
  () => deep(9_000),
]
const words = [
  'done',
  'failed',
  'aborted',
  'running',
  'pending',
  'rejected',
  'odd',
  'user',
  'internal',
  'call-1',
  'run-1',
]

type Holder = Record<PropertyKey, unknown>

/** All places of a value that something else could stand in, its root's own included. */
function placesOf(root: Holder): { readonly holder: Holder; readonly key: string }[] {
  const places: { readonly holder: Holder; readonly key: string }[] = []
  const walk = (holder: Holder) => {
    for (const key of Object.keys(holder)) {
      places.push({ holder, key })
      const value = holder[key]
      if (typeof value === 'object' && value !== null) walk(value as Holder)
    }
  }
  walk(root)
  return places
}

const put = (holder: Holder, key: string, value: unknown) =>
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true })

const fail = () => {
  throw new Hostile()
}
const traps = { get: fail, getOwnPropertyDescriptor: fail, ownKeys: fail, has: fail, getPrototypeOf: fail }

/** The message as it is sent: a copy that nobody may write to, with everything done to it. */
export function spoiled({ message, mutations }: Mutant): unknown {
  const root: Holder = { message: structuredClone(message) }
  const places = placesOf(root)
  const whole = root.message
  const proxies = new WeakSet<object>()
  // What throws comes last: the others have to read what is there.
  const inOrder = mutations.toSorted((a, b) => Number(isThrowing(a)) - Number(isThrowing(b)))
  for (const { way, at, choice } of inOrder) {
    const { holder, key } = places[at % places.length] as (typeof places)[number]
    const value = isThrowing({ way }) ? undefined : holder[key]
    const pick = <Value>(list: readonly Value[]) => list[choice % list.length] as Value
    switch (way) {
      case 'drop':
        if (Array.isArray(holder)) put(holder, key, undefined)
        else delete holder[key]
        break
      case 'rename':
        if (Array.isArray(holder)) break
        delete holder[key]
        put(holder, pick(names), value)
        break
      case 'retype':
        put(holder, key, pick(values)())
        break
      case 'text':
        put(holder, key, choice % 2 === 0 ? pick(hostileStrings).text : pick(words))
        break
      case 'nest':
        put(holder, key, pick([[value], { value }, [value, value], { message: value }, { data: value }]))
        break
      case 'cycle':
        put(holder, key, pick([whole, holder]))
        break
      case 'repeat':
        put(holder, key, Array(1 + (choice % 40)).fill(value))
        break
      case 'borrow':
        put(holder, key, places[choice % places.length]?.holder[places[choice % places.length]?.key ?? ''])
        break
      case 'trap': {
        const proxy = new Proxy({}, traps)
        proxies.add(proxy)
        put(holder, key, proxy)
        break
      }
      case 'throwing':
        Object.defineProperty(holder, key, { get: fail, enumerable: true, configurable: true })
    }
  }
  freeze(root, proxies)
  return Object.getOwnPropertyDescriptor(root, 'message')?.get === undefined ? root.message : new Proxy({}, traps)
}

/** Makes writing to anything in it an error. */
function freeze(root: object, proxies: WeakSet<object>): void {
  const left = [root]
  const seen = new Set<object>()
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (seen.has(node) || proxies.has(node)) continue
    seen.add(node)
    if (!ArrayBuffer.isView(node)) Object.freeze(node)
    for (const { value } of Object.values(Object.getOwnPropertyDescriptors(node))) {
      if (typeof value === 'object' && value !== null) left.push(value)
    }
  }
}

/** Whether reading the message as it is sent may throw. */
export const throwsWhenRead = ({ mutations }: Mutant) => mutations.some(isThrowing)

const isThrowing = ({ way }: Pick<Mutation, 'way'>) => way === 'trap' || way === 'throwing'

const many = (protocol: Received['protocol'], messages: readonly unknown[]): Received[] =>
  messages.map((message) => ({ protocol, message }))

const terminal = fc.constantFrom(
  newRunning('ls'),
  newRunning('cat x', { description: 'reads' }),
  appendString('out\n'),
  completed(0),
  completed(1, { signal: 'SIGKILL' }),
)

/** Messages of one protocol in a valid order, of a few calls. */
const valid: Readonly<Record<Family, fc.Arbitrary<readonly Received[]>>> = {
  chat_event: conversation.map(({ snapshots }) => many('chat_event', [...snapshots, [...snapshots]])),
  tool_event_stream: conversation.map(({ frames }) => many('tool_event_stream', frames.slice(0, 12))),
  tool_call: fc
    .tuple(conversation, fc.boolean())
    .map(([{ toolCalls }, isWrapped]) =>
      toolCalls.map(({ event, message }) =>
        isWrapped
          ? { protocol: 'tool_call', message: { type: event, data: message } }
          : { protocol: event, message, context: { argumentsMode: event.length % 2 === 0 ? 'append' : 'whole' } },
      ),
    ),
  agent_bus: fc
    .tuple(busMessages(false), fc.array(terminal, { maxLength: 4 }), fc.boolean())
    .map(([messages, terminals, ends]) =>
      many('agent_bus', [...messages.slice(0, 12), ...terminals, ...(ends ? [sessionEnded()] : [])]),
    ),
  run_gateway: runEvents.map((events) => {
    const some = events.slice(0, 12)
    return many('run_gateway', [...some, { run_id: 'run-1', events: some, next_seq: 9 }, { snapshot: some.at(-1) }])
  }),
  a2a: fc
    .constantFrom(
      ...['a2a-samples_langgraph_v0.3', 'recorded-1x_tfrs-envelope.conn1-cut'].map((name) => readStream(name)),
    )
    .map((messages) => many('a2a', [...messages, taskAfter([])])),
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  way: fc.constantFrom(...ways),
  at: fc.nat(400),
  choice: fc.nat(400),
})

/**
 * Messages that a hostile or broken sender of a protocol sends: valid ones, of which some are left out, spoiled in one
 * place or several, repeated, and in any order.
 */
export function hostileMessages(family: Family): fc.Arbitrary<readonly Mutant[]> {
  const seeds = fc.oneof(valid[family], fc.constant(fullMessages[family]))
  const mutations = fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 5, arbitrary: fc.array(mutation, { minLength: 1, maxLength: 3 }) },
  )
  return seeds.chain((messages) => {
    const mutant = fc.record({ index: fc.nat(Math.max(0, messages.length - 1)), mutations })
    return fc
      .array(mutant, { minLength: 1, maxLength: 16 })
      .map((all) =>
        messages.length === 0
          ? []
          : all.map(({ index, mutations: own }) => ({ ...(messages[index] as Received), mutations: own })),
      )
  })
}
