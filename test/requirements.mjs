// Which requirement each test is for: its name begins with the ids of those that it would show to be broken, as in
// `[A7] the terminal frame pins the final value`. What they are is in requirements.json.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../.ci/setup.mjs'

const requirements = JSON.parse(readFileSync(new URL('requirements.json', import.meta.url), 'utf8'))

/**
 * What is wrong with the names of the tests that ran, a line each: no id, one that no requirement has and, when all tests
 * ran, a requirement without a test. Stories are named for what they show, and need no id.
 *
 * @param {readonly { readonly name: string, readonly assertionResults: readonly { readonly title: string }[] }[]} files
 * @param {{ readonly isAll: boolean }} options
 * @returns {string[]}
 */
export function wrongNames(files, { isAll }) {
  const tests = files
    .map(({ name, assertionResults }) => ({ file: path.relative(root, name), assertionResults }))
    .filter(({ file }) => file.startsWith(`test${path.sep}`))
    .flatMap(({ file, assertionResults }) => assertionResults.map(({ title }) => ({ file, title, ids: idsOf(title) })))
  const tested = new Set(tests.flatMap(({ ids }) => ids))
  const untested = isAll ? Object.entries(requirements).filter(([id]) => !tested.has(id)) : []
  return [
    ...tests
      .filter(({ ids }) => ids.length === 0)
      .map(({ file, title }) => `${file}: no requirement's id begins the name "${title}"`),
    ...tests.flatMap(({ file, title, ids }) =>
      ids.filter((id) => !Object.hasOwn(requirements, id)).map((id) => `${file}: there is no ${id}: "${title}"`),
    ),
    ...untested.map(([id, what]) => `${id} has no test: ${what}`),
  ]
}

function idsOf(title) {
  const [prefix] = /^(?:\[[A-Z]\d+\] ?)+(?<= )/.exec(title) ?? ['']
  return [...prefix.matchAll(/[A-Z]\d+/g)].map(([id]) => id)
}
