import { useMemo, useRef, useState } from 'react'
import { toPlainText } from '../../src/core/index.js'
import { messagesFor } from '../../src/messages/index.js'
import type { ProtocolContext, ProtocolName } from '../../src/protocols/index.js'
import { ToolCallDetail, ToolCallProvider, useDiagnostics, useStore } from '../../src/react/index.js'
import { createToolCallStore, type ToolCallState, type ToolCallStore } from '../../src/store/index.js'
import { createRandom } from '../../src/testing/random.js'
import { examples, protocolNames } from './examples.js'
import './playground.css'

interface Sent {
  readonly protocol: ProtocolName
  readonly message: unknown
  readonly context: ProtocolContext
}

const written = (messages: readonly unknown[]) => JSON.stringify(messages, undefined, 2)
const firstOf = (protocol: ProtocolName) => written(Object.values(examples[protocol])[0] ?? [])

/** Sends any message of any protocol to a store, and shows what comes of it. */
export function PlaygroundPage({ locale }: { readonly locale: string }) {
  const [protocol, setProtocol] = useState<ProtocolName>('tool_event_stream')
  const [json, setJson] = useState(() => firstOf('tool_event_stream'))
  const [scope, setScope] = useState('')
  const [conversationId, setConversationId] = useState('')
  const [store, setStore] = useState(() => createToolCallStore())
  const [said, say] = useState('Nothing has been sent.')
  const sent = useRef<readonly Sent[]>([])
  const shuffles = useRef(0)

  const deliver = (to: ToolCallStore, messages: readonly Sent[]) => {
    for (const each of messages) to.receive(each.protocol, each.message, each.context)
    to.flush()
  }
  const send = () => {
    let messages: unknown
    try {
      messages = JSON.parse(json)
    } catch (error) {
      say(`This is not JSON: ${(error as Error).message}`)
      return
    }
    const context = { ...(scope && { scope }), ...(conversationId && { conversationId }) }
    const list = (Array.isArray(messages) ? messages : [messages]).map((message) => ({ protocol, message, context }))
    sent.current = [...sent.current, ...list]
    deliver(store, list)
    say(`${list.length} sent.`)
  }
  const sendAgain = () => {
    const before = allText(store.getState())
    deliver(store, sent.current)
    say(`${sent.current.length} sent again: ${compared(before, allText(store.getState()))}`)
  }
  const shuffleAndResend = () => {
    shuffles.current += 1
    const fresh = createToolCallStore()
    deliver(fresh, shuffled(sent.current, shuffles.current))
    say(
      `${sent.current.length} sent in another order to an empty store: ${compared(
        allText(store.getState()),
        allText(fresh.getState()),
      )}`,
    )
    setStore(fresh)
  }
  const reset = () => {
    sent.current = []
    setStore(createToolCallStore())
    say('Nothing has been sent.')
  }
  const choose = (chosen: ProtocolName) => {
    setProtocol(chosen)
    setJson(firstOf(chosen))
  }

  return (
    <main className="playground">
      <h1>Playground</h1>
      <form
        className="playground-form"
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <label>
          Protocol
          <select value={protocol} onChange={({ target }) => choose(target.value as ProtocolName)}>
            {protocolNames.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          scope
          <input value={scope} onChange={({ target }) => setScope(target.value)} />
        </label>
        <label>
          conversationId
          <input value={conversationId} onChange={({ target }) => setConversationId(target.value)} />
        </label>
        <div className="playground-buttons">
          {Object.entries(examples[protocol]).map(([name, messages]) => (
            <button key={name} type="button" onClick={() => setJson(written(messages))}>
              {name}
            </button>
          ))}
        </div>
        <label className="playground-messages">
          A message, or a list of them, as JSON
          <textarea rows={16} spellCheck={false} value={json} onChange={({ target }) => setJson(target.value)} />
        </label>
        <div className="playground-buttons">
          <button type="submit">Send</button>
          <button type="button" onClick={sendAgain}>
            Send again
          </button>
          <button type="button" onClick={shuffleAndResend}>
            Shuffle and resend
          </button>
          <button type="button" onClick={reset}>
            Reset
          </button>
        </div>
        <p role="status">{said}</p>
      </form>
      <ToolCallProvider store={store} locale={locale} messages={messagesFor(locale)}>
        <Result />
      </ToolCallProvider>
    </main>
  )
}

/** The areas of all calls that are below none, what was wrong with the messages, and all of it as text. */
function Result() {
  const calls = useStore((state) => state.calls)
  const children = useStore((state) => state.children)
  const { counts } = useDiagnostics()
  const ids = useMemo(() => topIds({ calls, children }), [calls, children])
  const text = useMemo(() => allText({ calls, children }), [calls, children])
  return (
    <>
      <div className="playground-areas">
        {ids.map((id) => (
          <ToolCallDetail key={id} callId={id} />
        ))}
      </div>
      <section className="playground-text" aria-label="As text">
        <h2>Problems</h2>
        <ul>
          {Object.entries(counts).map(([kind, count]) => (
            <li key={kind}>
              {kind}: {count}
            </li>
          ))}
          {Object.keys(counts).length === 0 && <li>none</li>}
        </ul>
        <h2>As text</h2>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls it */}
        <pre tabIndex={0}>{text}</pre>
      </section>
    </>
  )
}

type Calls = Pick<ToolCallState, 'calls' | 'children'>

function topIds({ calls, children }: Calls): readonly string[] {
  const below = new Set([...children.values()].flat())
  return [...calls.keys()].filter((id) => !below.has(id))
}

/** Sorted, since the order of calls without a conversation is that of their coming. */
const allText = ({ calls, children }: Calls) =>
  [...calls.values()]
    .map((call) => toPlainText(call, children.get(call.id)))
    .sort()
    .join('\n')

const compared = (before: string, after: string) =>
  before === after ? 'what is shown is the same.' : 'what is shown is not the same.'

/** In an order of chance, which is the same for the same seed. */
function shuffled<Thing>(things: readonly Thing[], seed: number): readonly Thing[] {
  const random = createRandom(seed)
  return things
    .map((thing) => ({ thing, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ thing }) => thing)
}
