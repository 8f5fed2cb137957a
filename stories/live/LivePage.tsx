import { type FormEvent, type ReactNode, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import {
  ApprovalQueue,
  ToolCallDetail,
  ToolCallGroup,
  ToolCallNode,
  ToolCallProvider,
  useConnection,
  useDiagnostics,
} from '../../src/index.js'
import { messagesFor } from '../../src/messages/index.js'
import { type Chat, type ChatEntry, createChat } from './chat.js'
import './live.css'
import { busScenarios } from './server/busScenarios.mjs'
import { runScenarios } from './server/gateway/runScenarios.mjs'
import { chainScenario, scenarios } from './server/scenarios.mjs'
import { toRows } from './toRows.js'

/** A small chat front end on a real Socket.IO server. `url` is the server's namespace; absent where there is none. */
export function LivePage({ url, locale }: { readonly url: string | undefined; readonly locale: string }) {
  const [conversationId, beginConversation] = useConversationId()
  if (!url) return <NoServer />
  return (
    <Conversation
      key={conversationId}
      url={url}
      conversationId={conversationId}
      locale={locale}
      onEnd={beginConversation}
    />
  )
}

function NoServer() {
  return (
    <main className="live-absent">
      <h1>The live page needs its server</h1>
      <p>
        Here you would start calls on a real Socket.IO server and watch them happen. This Storybook runs without one:{' '}
        <code>npm start</code>, in a clone of the repository, starts both.
      </p>
    </main>
  )
}

interface ConversationProps {
  readonly url: string
  readonly conversationId: string
  readonly locale: string
  readonly onEnd: () => void
}

function Conversation({ url, conversationId, locale, onEnd }: ConversationProps) {
  const [chat] = useState(() => createChat(url, conversationId))
  useEffect(() => chat.open(), [chat])
  const end = () => {
    putInAddress('call', undefined)
    chat.clear()
    onEnd()
  }
  return (
    <ToolCallProvider
      store={chat.store}
      locale={locale}
      messages={messagesFor(locale)}
      resolveArtifact={chat.resolveArtifact}
      onCheckAgain={chat.checkRun}
    >
      <Page chat={chat} onEnd={end} />
    </ToolCallProvider>
  )
}

function Page({ chat, onEnd }: { readonly chat: Chat; readonly onEnd: () => void }) {
  const { connected } = useConnection()
  const entries = useSyncExternalStore(chat.onEntriesChange, chat.entries)
  const [openCall, setOpenCall] = useOpenCall()
  return (
    <div className="live" data-open={openCall !== undefined || undefined}>
      <header className="live-bar">
        <h1>Live chat</h1>
        <p className="live-connection" data-connected={connected} role="status">
          {connected === undefined ? 'Connecting…' : connected ? 'Connected' : 'Connection lost'}
        </p>
        <button type="button" className="live-button" disabled={!connected} onClick={chat.crashServer}>
          Kill and restart the server
        </button>
        {/* The new tab comes with this one's conversation. */}
        <button type="button" className="live-button" onClick={() => void window.open(location.href)}>
          Open a second tab
        </button>
        <button type="button" className="live-button" onClick={() => save(chat.recording())}>
          Save recording
        </button>
        <button type="button" className="live-button" disabled={!connected} onClick={onEnd}>
          New conversation
        </button>
      </header>
      <nav className="live-scenarios" aria-label="Scenarios">
        <Scenarios title="Ask a colleague" of={colleagues} chat={chat} disabled={!connected} />
        <Scenarios title="Use tools" of={busScenarios} chat={chat} disabled={!connected} />
        <Scenarios title="Run a task" of={runScenarios} chat={chat} disabled={!connected} />
      </nav>
      <main className="live-conversation">
        <div className="live-history">
          {entries.length === 0 && <p className="live-hint">Choose what the agent is to be asked.</p>}
          <Entries entries={entries} openCall={openCall} onOpenCall={setOpenCall} />
          <Problems />
        </div>
        <ApprovalQueue className="live-queue" conversationId={chat.conversationId} />
        <Composer chat={chat} disabled={!connected} />
      </main>
      <aside className="live-detail" aria-label="Opened tool call">
        {openCall === undefined ? (
          <p className="live-hint">Open a call in the conversation to see what happens inside it.</p>
        ) : (
          <ToolCallDetail key={openCall} callId={openCall} />
        )}
      </aside>
    </div>
  )
}

const colleagues = [...scenarios, chainScenario]

interface ScenariosProps {
  readonly title: string
  readonly of: readonly Pick<typeof chainScenario, 'name' | 'title' | 'description'>[]
  readonly chat: Chat
  readonly disabled: boolean
}

function Scenarios({ title, of, chat, disabled }: ScenariosProps) {
  return (
    <section>
      <h2>{title}</h2>
      <ul>
        {of.map(({ name, title: words, description }) => (
          <li key={name}>
            <button type="button" disabled={disabled} onClick={() => chat.startScenario(name)}>
              <b>{words}</b>
              <span>{description}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Composer({ chat, disabled }: { readonly chat: Chat; readonly disabled: boolean }) {
  const [text, setText] = useState('')
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (disabled || text.trim() === '') return
    chat.say(text.trim())
    setText('')
  }
  return (
    <form className="live-composer" onSubmit={send}>
      <input
        aria-label="Message"
        placeholder="Write a message"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <button type="submit" className="live-button" disabled={disabled}>
        Send
      </button>
    </form>
  )
}

interface EntriesProps {
  readonly entries: readonly ChatEntry[]
  readonly openCall: string | undefined
  readonly onOpenCall: (callId: string | undefined) => void
}

function Entries({ entries, openCall, onOpenCall }: EntriesProps) {
  const rows = useMemo(() => toRows(entries), [entries])
  return (
    <ol className="live-entries">
      {rows.map((row) => {
        if (row.kind === 'message') {
          return (
            <Entry key={row.entry.eventId} scene={row.entry.scene}>
              <p>{row.entry.text}</p>
            </Entry>
          )
        }
        const [callId = ''] = row.callIds
        return (
          <Entry key={callId} scene={row.callIds.length > 1 ? 'tools' : 'tool'}>
            {row.callIds.length > 1 ? (
              <SideBySide ids={row.callIds.join(' ')} />
            ) : (
              <ToolCallNode
                callId={callId}
                open={openCall === callId}
                onOpenChange={(open) => onOpenCall(open ? callId : undefined)}
              />
            )}
          </Entry>
        )
      })}
    </ol>
  )
}

/** `ids` as one text, so that the list stays the same as long as they do. */
function SideBySide({ ids }: { readonly ids: string }) {
  const callIds = useMemo(() => ids.split(' '), [ids])
  return <ToolCallGroup callIds={callIds} />
}

/** Comes into view when it is new. */
function Entry({ scene, children }: { readonly scene: string; readonly children: ReactNode }) {
  const item = useRef<HTMLLIElement>(null)
  useEffect(() => {
    // Not returned: in newer browsers it is a promise, which an effect may not return.
    item.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <li ref={item} data-scene={scene}>
      {children}
    </li>
  )
}

function save(recording: Blob) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(recording)
  link.download = 'recording.jsonl'
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 1_000)
}

/** What the store had to complain about, by kind. */
function Problems() {
  const counts = Object.entries(useDiagnostics().counts)
  if (counts.length === 0) return null
  return <p className="live-problems">Counted: {counts.map(([kind, count]) => `${kind} × ${count}`).join(', ')}</p>
}

/**
 * The conversation's id. It stands in the page's address, so that a page that was left can be opened again from that
 * alone (E11), and is kept for as long as the tab is open.
 */
function useConversationId() {
  const key = 'tool-call-detail.conversation'
  const [id, setId] = useState(() => inAddress('conversation') ?? sessionStorage.getItem(key) ?? crypto.randomUUID())
  useEffect(() => {
    sessionStorage.setItem(key, id)
    putInAddress('conversation', id)
  }, [id])
  return [id, () => setId(crypto.randomUUID())] as const
}

/** The call whose area is open; in the page's address, too. */
function useOpenCall() {
  const [id, setId] = useState(() => inAddress('call'))
  useEffect(() => putInAddress('call', id), [id])
  return [id, setId] as const
}

function inAddress(name: string): string | undefined {
  return new URLSearchParams(location.hash.slice(1)).get(name) ?? undefined
}

function putInAddress(name: string, value: string | undefined) {
  const parameters = new URLSearchParams(location.hash.slice(1))
  if (value === undefined) parameters.delete(name)
  else parameters.set(name, value)
  history.replaceState(history.state, '', `#${parameters}`)
}
