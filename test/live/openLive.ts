import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright'
import { inject } from 'vitest'
import { createToolLedger } from '../../stories/live/server/gateway/toolLedger.mjs'
import { startLiveServer } from '../../stories/live/server/watch.mjs'

/** The live page on its server, which is a process of its own, in a real browser. */
export interface Live {
  /** Opens the page in a tab of its own. Default: on a new conversation. */
  readonly open: (conversationId?: string) => Promise<Tab>
  /** Closes all tabs; resolves to what their pages complained about on their consoles. */
  readonly closeTabs: () => Promise<readonly string[]>
  /** Kills the server; resolves once it is dead. */
  readonly kill: () => Promise<void>
  /** Resolves once the server has died. */
  readonly died: () => Promise<void>
  /** Starts the dead server again, on the same port and with what it had written down. */
  readonly restart: () => Promise<void>
  /** The answers that reached the server in a conversation, as they came in, those before a restart included. */
  readonly answers: (conversationId: string) => readonly Answer[]
  /** How often the tools of a gateway's run really ran, by tool, as the server's ledger has it. */
  readonly executions: (runId: string) => Readonly<Record<string, number>>
  readonly close: () => Promise<void>
}

interface Answer {
  readonly conversationId: string
  readonly correlationID: string
  readonly approved: boolean
  readonly scope?: string
  readonly reason?: string
}

/** One tab on the live page. */
export interface Tab {
  readonly page: Page
  readonly conversationId: string
  /** Has the server play the scenario of that title. */
  readonly start: (title: string) => Promise<void>
  /** Another tab on the same conversation, opened from this one. */
  readonly second: () => Promise<Tab>
}

const sessionKey = 'tool-call-detail.conversation'

/** Generous, for slow machines: nothing waits for it when all is well. */
const timeoutMs = 30_000

const connected = (page: Page) => page.getByText('Connected', { exact: true }).waitFor()

function tabOn(page: Page, conversationId: string, complaints: string[]): Tab {
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    // The browser itself tells of connections to a server that is dead.
    if (message.type() === 'error' && !message.text().includes('ERR_CONNECTION')) complaints.push(message.text())
  })
  return {
    page,
    conversationId,
    start: (title) => page.getByRole('navigation').getByRole('button', { name: title }).click(),
    async second() {
      const [popup] = await Promise.all([
        page.waitForEvent('popup'),
        page.getByRole('button', { name: 'Open a second tab' }).click(),
      ])
      await connected(popup)
      return tabOn(popup, conversationId, complaints)
    },
  }
}

/** Starts a server that plays `speed` times faster than written, and connects to the browser. */
export async function openLive({ speed = 1 } = {}): Promise<Live> {
  const folder = mkdtempSync(path.join(tmpdir(), 'live-'))
  const stateFile = path.join(folder, 'state.json')
  const env = { ...process.env, LIVE_SPEED: String(speed), LIVE_STATE_FILE: stateFile }
  const [browser, first] = await Promise.all([chromium.connect(inject('browserUrl')), startLiveServer(env)])
  const { url } = first
  let server = first.server
  const contexts: BrowserContext[] = []
  const complaints: string[] = []

  const died = () =>
    new Promise<void>((resolve) => {
      if (server.exitCode !== null || server.signalCode !== null) resolve()
      else server.once('exit', () => resolve())
    })

  return {
    died,
    async open(conversationId = randomUUID()) {
      // Tabs share nothing but the server, unless one opens the other.
      const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } })
      contexts.push(context)
      context.setDefaultTimeout(timeoutMs)
      const page = await context.newPage()
      await page.addInitScript(
        ([key, id]) => sessionStorage.setItem(key as string, id as string),
        [sessionKey, conversationId],
      )
      const tab = tabOn(page, conversationId, complaints)
      await page.goto(`${inject('pageUrl')}?server=${encodeURIComponent(url)}`)
      await connected(page)
      return tab
    },
    async closeTabs() {
      const heard = [...complaints]
      await Promise.all(contexts.splice(0).map((context) => context.close()))
      // A page that is taken away may complain about that.
      complaints.length = 0
      return heard
    },
    async kill() {
      server.kill('SIGKILL')
      await died()
    },
    async restart() {
      ;({ server } = await startLiveServer({ ...env, LIVE_PORT: new URL(url).port }))
    },
    answers: (conversationId) =>
      (JSON.parse(readFileSync(stateFile, 'utf8')).answers as Answer[]).filter(
        (answer) => answer.conversationId === conversationId,
      ),
    executions: (runId) => createToolLedger(path.join(`${stateFile}.gateway`, 'tools.jsonl')).executions(runId),
    async close() {
      await Promise.all(contexts.map((context) => context.close()))
      await browser.close()
      server.kill()
      await died()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
