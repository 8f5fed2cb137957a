// @ts-check
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** @typedef {import('./script.mjs').Run} Run */
/** @typedef {Record<string, any> & { eventId: string, conversationId: string, updatedAt: number }} Snapshot */

const dayMs = 24 * 60 * 60 * 1000

/**
 * What outlives the server's process: the newest snapshot of each event, and the runs that go on; never a frame (A14).
 * Every change is in the file before it is told to anyone. Conversations that nothing has happened in for a day are left
 * out when the file is read again, and so is a file that can not be read.
 * @param {string} file
 */
export function createState(file, now = Date.now()) {
  /** @type {Map<string, Map<string, Snapshot>>} */
  const conversations = new Map()
  /** @type {Map<string, Run>} */
  const runs = new Map()

  const kept = read(file)
  for (const snapshot of kept.snapshots) remember(snapshot)
  for (const run of kept.runs) runs.set(run.runId, run)
  for (const [conversationId, events] of conversations) {
    if ([...events.values()].every(({ updatedAt }) => updatedAt < now - dayMs)) clear(conversationId)
  }

  return {
    /** The runs that have not come to their end. */
    runs: () => [...runs.values()],

    /** The snapshots of a conversation, in the order in which their events began. @param {string} conversationId */
    snapshots: (conversationId) => [...(conversations.get(conversationId)?.values() ?? [])],

    /** @param {Snapshot} snapshot */
    put(snapshot) {
      remember(snapshot)
      write()
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

    /** Forgets a conversation and its runs. @param {string} conversationId */
    clear(conversationId) {
      clear(conversationId)
      write()
    },
  }

  /** @param {Snapshot} snapshot */
  function remember(snapshot) {
    const events = conversations.get(snapshot.conversationId) ?? new Map()
    conversations.set(snapshot.conversationId, events.set(snapshot.eventId, snapshot))
  }

  /** @param {string} conversationId */
  function clear(conversationId) {
    conversations.delete(conversationId)
    for (const run of runs.values()) if (run.conversationId === conversationId) runs.delete(run.runId)
  }

  function write() {
    const snapshots = [...conversations.values()].flatMap((events) => [...events.values()])
    mkdirSync(path.dirname(file), { recursive: true })
    // Renamed into place, so that a process that is killed while writing leaves the file as it was.
    writeFileSync(`${file}.new`, JSON.stringify({ snapshots, runs: [...runs.values()] }))
    renameSync(`${file}.new`, file)
  }
}

/** @param {string} file @returns {{ snapshots: Snapshot[], runs: Run[] }} */
function read(file) {
  try {
    const { snapshots = [], runs = [] } = JSON.parse(readFileSync(file, 'utf8'))
    return { snapshots, runs }
  } catch {
    return { snapshots: [], runs: [] }
  }
}
