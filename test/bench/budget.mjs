// How the benchmarks measure, and the budgets that they fail by.

/** CPU time of this process in ms: on a busy machine it says more than the time on the wall. */
export const cpuMs = () => process.cpuUsage().user / 1_000

/** CPU time in ms that the work takes, after what was left by others is collected. */
export function timed(work) {
  globalThis.gc?.()
  const before = cpuMs()
  work()
  return cpuMs() - before
}

/** CPU time in ms that the work takes for each half of the list, one after the other. */
export function timedHalves(list, work) {
  globalThis.gc?.()
  const middle = list.length / 2
  return [list.slice(0, middle), list.slice(middle)].map((half) => {
    const before = cpuMs()
    half.forEach(work)
    return cpuMs() - before
  })
}

export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]

const over = []

/**
 * The median of ratios, one a round, as text with the most that it may be. When it is more, the process fails in the end
 * and names the workload. A ratio holds on any machine; its budget leaves room for a busy one, and none for work that
 * grows with what came before: the second half of that takes up to three times as long as the first.
 *
 * @param {string} workload
 * @param {readonly number[]} ratios
 * @param {number} most
 * @param {string} what What it is a multiple of.
 * @param {string} [part] What of the workload is meant.
 */
export function within(workload, ratios, most, what, part = '') {
  const ratio = median(ratios)
  const said = `${part && `${part} `}${ratio.toFixed(2)} x ${what} (at most ${most})`
  if (!(ratio <= most)) over.push(`${workload}: ${said}`)
  return said
}

/** The same of the second halves beside the first ones. */
export const growthWithin = (workload, halves, most) =>
  within(
    workload,
    halves.map(([first, second]) => second / first),
    most,
    'the first',
    'second half',
  )

export const sum = (values) => values.reduce((a, b) => a + b)

process.on('exit', () => {
  if (over.length === 0) return
  for (const line of over) console.error(`over budget: ${line}`)
  process.exitCode = 1
})
