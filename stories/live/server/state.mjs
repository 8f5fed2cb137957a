// @ts-check
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** @typedef {import('./script.mjs').Run} Run */
/** @typedef {import('./script.mjs').Step} Step */

/** What is kept of a message: the newest of each key. @typedef {{ conversationId: string, key: string } & Step} Kept */

/** An answer as it came in. @typedef {{ conversationId: string, correlationID: string, approved: boolean }} NotedAnswer */

const dayMs = 24 * 60 * 60 * 1000

/**
 * What outlives the server's process: the newest snapshot of each event, what the bus says of calls and requests, and the
 * runs that go on; never a frame, and never a terminal's output (A14). All answers that came in are noted, too. Every
 * change is in the file before it is told to anyone. Conversations that nothing has happened in for a day are left out
 * when the file is read again, and so is a file that can not be read.
 * @param {string} file
 */
export function createState(file, now = Date.now()) {
  /** @type {Map<string, Map<string, Kept>>} */
  const conversations = new Map()
  /** @type {Map<string, Run>} */
  const runs = new Map()
  /** @type {NotedAnswer[]} */
  let answers = []

  const before = read(file)
  for (const kept of before.kept) remember(kept)
  for (const run of before.runs) runs.set(run.runId, run)
  answers = before.answers
  for (const [conversationId, kept] of conversations) {
    if ([...kept.values()].every(({ message }) => timeOf(message) < now - dayMs)) clear(conversationId)
  }

  return {
    /** The runs that have not come to their end. */
    runs: () => [...runs.values()],

    /** What is kept of a conversation, in the order in which it was first told. @param {string} conversationId */
    kept: (conversationId) => [...(conversations.get(conversationId)?.values() ?? [])],

    /** Keeps what is to be kept of these. @param {string} conversationId @param {readonly Step[]} steps */
    keep(conversationId, steps) {
      const kept = steps.flatMap((step) => {
        const key = keyOf(step)
        return key === undefined ? [] : [{ conversationId, key, ...step }]
      })
      for (const each of kept) remember(each)
      if (kept.length > 0) write()
    },

    /** @param {Run} run */
    begin(run) {
      runs.set(run.runId, run)
      write()
    },

    /** @param {Run} run */
    end(run) {
      runs.delete(run.runId)
      write()
    },

    /** @param {string} conversationId @param {Omit<NotedAnswer, 'conversationId'>} answer */
    noteAnswer(conversationId, answer) {
      answers.push({ conversationId, ...answer })
      write()
    },

    /** What the bus has said to be the answer to a request. @param {string} conversationId @param {string} id */
    answerOf(conversationId, id) {
      return conversations.get(conversationId)?.get(`ToolApprovalResponseEvent ${id}`)?.message
    },

    /** Forgets a conversation and its runs. @param {string} conversationId */
    clear(conversationId) {
      clear(conversationId)
      write()
    },
  }

  /** @param {Kept} kept */
  function remember(kept) {
    const known = conversations.get(kept.conversationId) ?? new Map()
    conversations.set(kept.conversationId, known.set(kept.key, kept))
  }

  /** @param {string} conversationId */
  function clear(conversationId) {
    conversations.delete(conversationId)
    for (const run of runs.values()) if (run.conversationId === conversationId) runs.delete(run.runId)
    answers = answers.filter((answer) => answer.conversationId !== conversationId)
  }

  function write() {
    const kept = [...conversations.values()].flatMap((messages) => [...messages.values()])
    mkdirSync(path.dirname(file), { recursive: true })
    // Renamed into place, so that a process that is killed while writing leaves the file as it was.
    writeFileSync(`${file}.new`, JSON.stringify({ kept, runs: [...runs.values()], answers }))
    renameSync(`${file}.new`, file)
  }
}

/** Messages of one key replace each other; those without are not kept. @param {Step} step */
function keyOf({ event, message }) {
  if (event === 'chat_event') return `chat_event ${message.eventId}`
  if (event !== 'agent_event' || message.topic) return undefined
  return `${message.type} ${message.correlationID ?? message.toolCallID ?? message.sessionID}`
}

/** When a message was sent. @param {Record<string, any>} message */
const timeOf = ({ updatedAt, ts }) => updatedAt ?? ts ?? 0

/** @param {string} file @returns {{ kept: Kept[], runs: Run[], answers: NotedAnswer[] }} */
function read(file) {
  try {
    const { kept = [], runs = [], answers = [] } = JSON.parse(readFileSync(file, 'utf8'))
    return { kept, runs, answers }
  } catch {
    return { kept: [], runs: [], answers: [] }
  }
}
