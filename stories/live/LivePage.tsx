import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { ToolCallDetail, ToolCallNode, ToolCallProvider, useConnection, useDiagnostics } from '../../src/index.js'
import { type Chat, type ChatEntry, createChat } from './chat.js'
import './live.css'
import { chainScenario, scenarios } from './server/scenarios.mjs'

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
    chat.clear()
    onEnd()
  }
  return (
    <ToolCallProvider store={chat.store} locale={locale}>
      <Page chat={chat} onEnd={end} />
    </ToolCallProvider>
  )
}

function Page({ chat, onEnd }: { readonly chat: Chat; readonly onEnd: () => void }) {
  const { connected } = useConnection()
  const entries = useSyncExternalStore(chat.onEntriesChange, chat.entries)
  const [openCall, setOpenCall] = useState<string>()
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
        <button type="button" className="live-button" disabled={!connected} onClick={onEnd}>
          New conversation
        </button>
      </header>
      <nav className="live-scenarios" aria-label="Scenarios">
        <ul>
          {[...scenarios, chainScenario].map(({ name, title, description }) => (
            <li key={name}>
              <button type="button" disabled={!connected} onClick={() => chat.startScenario(name)}>
                <b>{title}</b>
                <span>{description}</span>
              </button>
            </li>
          ))}
        </ul>
      </nav>
      <main className="live-conversation">
        {entries.length === 0 && <p className="live-hint">Choose what the agent is to be asked.</p>}
        <Entries entries={entries} openCall={openCall} onOpenCall={setOpenCall} />
        <Problems />
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

interface EntriesProps {
  readonly entries: readonly ChatEntry[]
  readonly openCall: string | undefined
  readonly onOpenCall: (callId: string | undefined) => void
}

function Entries({ entries, openCall, onOpenCall }: EntriesProps) {
  return (
    <ol className="live-entries">
      {entries.map(({ eventId, scene, text }) => (
        <Entry key={eventId} scene={scene}>
          {scene === 'tool' ? (
            <ToolCallNode
              callId={eventId}
              open={openCall === eventId}
              onOpenChange={(open) => onOpenCall(open ? eventId : undefined)}
            />
          ) : (
            <p>{text}</p>
          )}
        </Entry>
      ))}
    </ol>
  )
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

/** What the store had to complain about, by kind. */
function Problems() {
  const counts = Object.entries(useDiagnostics().counts)
  if (counts.length === 0) return null
  return <p className="live-problems">Counted: {counts.map(([kind, count]) => `${kind} × ${count}`).join(', ')}</p>
}

/** The conversation's id, kept for as long as the tab is open, so that a reload comes back to the same conversation. */
function useConversationId() {
  const key = 'tool-call-detail.conversation'
  const [id, setId] = useState(() => sessionStorage.getItem(key) ?? crypto.randomUUID())
  useEffect(() => sessionStorage.setItem(key, id), [id])
  return [id, () => setId(crypto.randomUUID())] as const
}
