// @ts-check
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * The executor's own book of what its tools have done, one line of JSON for each time that a tool really ran. A tool runs
 * once under one idempotency key, whoever asks for it again and however often the server died in between.
 * @param {string} file
 */
export function createToolLedger(file) {
  mkdirSync(path.dirname(file), { recursive: true })
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  /** @type {{ key: string, tool: string, result: any }[]} */
  const done = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

  return {
    /**
     * Runs a tool, unless it ran under that key: then what it gave back is given again.
     * @template Result @param {string} key @param {string} tool @param {() => Result} execute @returns {Result}
     */
    runOnce(key, tool, execute) {
      const known = done.find((entry) => entry.key === key)
      if (known) return known.result
      const entry = { key, tool, result: execute() }
      appendFileSync(file, `${JSON.stringify(entry)}\n`)
      done.push(entry)
      return entry.result
    },

    /** How often the tools of a run really ran, by tool. @param {string} runId @returns {Record<string, number>} */
    executions(runId) {
      /** @type {Record<string, number>} */
      const counts = {}
      for (const { key, tool } of done) if (key.startsWith(`${runId}/`)) counts[tool] = (counts[tool] ?? 0) + 1
      return counts
    },
  }
}
