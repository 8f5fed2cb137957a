import type { CallStatus, ToolCall } from '../core/index.js'
import type { Messages } from '../messages/messages.js'
import type { ToolCallStore } from '../store/index.js'
import { cutText, maxNameLength } from './foldText.js'

/** Tells a screen reader when calls that are on the page start, wait for a person and end, and nothing in between. */
export interface Announcer {
  /** Says that a call is on the page. Returns the function that takes it back. */
  watch(callId: string): () => void
  /** Has a sentence spoken that is about no call on the page: once, whoever says it, where it is about the same thing. */
  say(words: string, about?: string): void
  /**
   * Follows the store from now on, and hands over what is to be spoken: at most one list of sentences in 250 ms, in the
   * words of that moment. What had started or ended before is not told. Returns the function that ends it.
   */
  start(store: ToolCallStore, words: () => Messages, speak: (sentences: readonly string[]) => void): () => void
}

/** How long sentences are gathered, in ms. The components of a new call mount within this time. */
const gatherMs = 250
/** More sentences at once help nobody: the last ones are spoken. */
const maxSentences = 5

/** Makes an announcer. */
export function createAnnouncer(): Announcer {
  const watched = new Map<string, number>()
  let said: { readonly words: string; readonly about: string | undefined }[] = []
  let tellSoon = () => {}
  return {
    say(words, about) {
      if (about !== undefined && said.some((each) => each.about === about)) return
      said.push({ words, about })
      tellSoon()
    },
    watch(callId) {
      watched.set(callId, (watched.get(callId) ?? 0) + 1)
      return () => {
        const left = (watched.get(callId) ?? 1) - 1
        if (left > 0) watched.set(callId, left)
        else watched.delete(callId)
      }
    },
    start(store, words, speak) {
      let { calls } = store.getState()
      let changes = new Map<string, ToolCall>()
      let timer: ReturnType<typeof setTimeout> | undefined
      // What was answered within that time, by a policy for instance, needs nobody.
      const isStillSo = ({ id, status }: ToolCall) => status !== 'waiting' || calls.get(id)?.status === 'waiting'
      const tell = () => {
        timer = undefined
        const { aliases } = store.getState()
        const onPage = new Set([...watched.keys()].map((id) => aliases.get(id) ?? id))
        const told = [...changes.values()].filter((call) => onPage.has(call.id) && isStillSo(call))
        const sentences = [...told.map((call) => sentence(call, words())), ...said.map((each) => each.words)]
        changes = new Map()
        said = []
        if (sentences.length > 0) speak(sentences.slice(-maxSentences))
      }
      tellSoon = () => {
        timer ??= setTimeout(tell, gatherMs)
      }
      if (said.length > 0) tellSoon()
      const end = store.subscribe(() => {
        const before = calls
        calls = store.getState().calls
        if (calls === before) return
        for (const [id, call] of calls) {
          if (isBoundary(before.get(id)?.status, call.status)) changes.set(id, call)
        }
        if (changes.size > 0) tellSoon()
      })
      return () => {
        end()
        clearTimeout(timer)
        tellSoon = () => {}
      }
    },
  }
}

/** A call that is ended when it is first seen is history; one that is pending has not begun. */
function isBoundary(before: CallStatus | undefined, after: CallStatus): boolean {
  switch (after) {
    case 'pending':
      return false
    case 'waiting':
      return before !== 'waiting'
    case 'running':
      return before === undefined || before === 'pending'
    default:
      return before === 'pending' || before === 'waiting' || before === 'running'
  }
}

function sentence(call: ToolCall, messages: Messages): string {
  const name = cutText(call.toolName ?? messages.toolCall, maxNameLength)
  if (call.status === 'waiting') return messages.needsYou(name)
  if (call.status === 'running') return messages.started(name)
  return messages.ended(name, call.outcome?.unspecific ? messages.endedWithoutResult : messages.status[call.status])
}
