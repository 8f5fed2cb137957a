// @ts-check
import { runScenarios } from './runScenarios.mjs'

/** @typedef {import('../script.mjs').Run} Run */
/** @typedef {import('./runScenarios.mjs').RunStep} RunStep */
/** @typedef {import('./backpressure.mjs').RunEvent} RunEvent */

/**
 * Carries runs out, and knows nothing of who watches: all it knows stands in the log and the ledger, so that it goes on
 * where it was after it has been killed. A tool runs once, under the key of its run and step.
 * @param {object} parts
 * @param {ReturnType<typeof import('./runLog.mjs').createRunLog>} parts.log
 * @param {ReturnType<typeof import('./toolLedger.mjs').createToolLedger>} parts.ledger
 * @param {(file: import('./runScenarios.mjs').RunFile) => void} parts.save
 * @param {(run: Run, event: RunEvent & { seq: number }) => void} parts.onEvent Called with each event once it is logged.
 * @param {(run: Run, way: 'cut' | 'recycle') => void} parts.onWay
 * @param {(run: Run, event: RunEvent) => boolean} parts.admits Whether an event is let through at all.
 */
export function createExecutor({ log, ledger, save, onEvent, onWay, admits }) {
  /** @type {Map<string, { run: Run, timer?: NodeJS.Timeout, waitsAt?: number }>} */
  const running = new Map()

  return {
    /** Begins a run, or goes on with one that the log knows. @param {Run} run */
    carryOut(run) {
      const steps = runScenarios.find(({ name }) => name === run.scenario)?.write(run) ?? []
      const last = log.entries(run.runId).at(-1)
      running.set(run.runId, { run })
      goOn(run, steps, last ? last.step + 1 : 0, Date.now())
    },

    /** The runs that have not come to their end. */
    running: () => [...running.values()].map(({ run }) => run),

    /**
     * A person's answer to what a run waits for. False: it does not wait for that.
     * @param {string} runId @param {{ approved: boolean, scope?: unknown }} answer
     */
    answer(runId, { approved, scope }) {
      const entry = running.get(runId)
      if (entry?.waitsAt === undefined) return false
      const { run, waitsAt } = entry
      const steps = runScenarios.find(({ name }) => name === run.scenario)?.write(run) ?? []
      delete entry.waitsAt
      say(run, waitsAt, { type: 'approval_answered', visibility: 'audit', payload: { approved, scope } })
      if (approved) goOn(run, steps, waitsAt + 1, Date.now())
      else {
        say(run, steps.length, {
          type: 'failed',
          visibility: 'user',
          payload: { reason: 'You declined it. Nothing was submitted.' },
        })
        running.delete(runId)
      }
      return true
    },

    /** @param {string} runId */
    stop(runId) {
      clearTimeout(running.get(runId)?.timer)
      running.delete(runId)
    },

    close() {
      for (const { timer } of running.values()) clearTimeout(timer)
      running.clear()
    },
  }

  /** @param {Run} run @param {RunStep[]} steps @param {number} index @param {number} since */
  function goOn(run, steps, index, since) {
    const [step, entry] = [steps[index], running.get(run.runId)]
    if (!entry) return
    if (!step) {
      running.delete(run.runId)
      return
    }
    const dueAt = since + step.afterMs / (run.speed ?? 1)
    entry.timer = setTimeout(() => {
      if (step.waits) {
        entry.waitsAt = index
        return
      }
      carryOutStep(run, step, index)
      goOn(run, steps, index + 1, dueAt)
    }, dueAt - Date.now())
  }

  /** @param {Run} run @param {RunStep} step @param {number} index */
  function carryOutStep(run, { event, act, way }, index) {
    if (act) {
      ledger.runOnce(`${run.runId}/${index}`, act.tool, () => {
        if (act.file) save(act.file)
        return { at: Date.now() }
      })
    }
    if (way) onWay(run, way)
    if (event) say(run, index, event)
  }

  /** @param {Run} run @param {number} index @param {{ type: string } & Record<string, any>} event */
  function say(run, index, event) {
    const whole = { run_id: run.runId, ...event }
    if (admits(run, whole)) onEvent(run, log.append(run.runId, index, event))
  }
}
