import type { Page } from './page.js'

/** How to look for something. */
export interface SearchOptions {
  /** The query is a regular expression, matched within each line. Default false. */
  readonly regex?: boolean
  /** Default false. */
  readonly caseSensitive?: boolean
  /** Matches counted at most. Default 100,000. */
  readonly limit?: number
}

/** A match: its line, as an index among the lines that are kept, and where it begins and ends in UTF-16 units of it. */
export interface LogMatch {
  readonly line: number
  readonly from: number
  readonly to: number
}

/**
 * A search over a whole log. It keeps what it has found in pages that did not change since: after more output only that
 * is looked through.
 */
export interface LogSearch {
  /** Why the query is no regular expression, in the engine's words; null if it is one or need not be. */
  readonly error: string | null
  /** Matches found so far. */
  readonly count: number
  /** The limit was reached: there may be more matches than `count`. */
  readonly isCapped: boolean
  /**
   * Looks through the log, what is pending in it included, for about so many milliseconds, at least one page. `now` is
   * read in between. Returns whether there is something left to look through.
   */
  work(budgetMs: number, now: () => number): boolean
  /** Looks through all that is left. Returns this search. */
  finish(): LogSearch
  /** The match with that index, in the order of the log. */
  match(index: number): LogMatch | undefined
  /** The index of the first match that begins there or later; `count` if there is none. */
  indexFrom(line: number, from: number): number
}

/** What a search reads of a log. */
export interface SearchedLog {
  readonly pages: readonly Page[]
  /** Lines of the first page that are not kept. */
  readonly hiddenLines: number
  /** Changes when pages do. */
  readonly version: number
  /** Works off what is pending, as `Log.work`. */
  work(budgetMs: number, now: () => number): boolean
}

/** Matches of one page: line in the page, begin and end for each. */
type Found = Uint32Array

const NOTHING: Found = new Uint32Array(0)

/** Begins a search. Nothing is looked through yet. */
export function createSearch(
  log: SearchedLog,
  query: string,
  { regex = false, caseSensitive = false, limit = 100_000 }: SearchOptions = {},
): LogSearch {
  let pattern: RegExp | null = null
  let error: string | null = null
  try {
    const source = regex ? query : query.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    if (query !== '') pattern = new RegExp(source, caseSensitive ? 'gm' : 'gim')
  } catch (problem) {
    error = (problem as Error).message
  }
  const known = new WeakMap<Page, Found>()
  /** Found in each page so far, the number of the page's first line, and how many matches there are before it. */
  let found: Found[] = []
  let firstLines: number[] = []
  let before: number[] = []
  let count = 0
  let isCapped = false
  let version = -1

  const isLeft = () => found.length < log.pages.length && !isCapped
  const begin = () => {
    found = []
    firstLines = []
    before = []
    count = 0
    isCapped = false
    version = log.version
  }
  const step = () => {
    const index = found.length
    const page = log.pages[index] as Page
    let matches = known.get(page)
    if (matches === undefined) {
      matches = findIn(page, pattern as RegExp, limit)
      if (!page.isOpen) known.set(page, matches)
    }
    if (index === 0) matches = matches.subarray(firstAtOrAfter(matches, log.hiddenLines, 0) * 3)
    if (matches.length / 3 > limit - count) {
      matches = matches.subarray(0, (limit - count) * 3)
      isCapped = true
    }
    firstLines.push(
      index === 0 ? -log.hiddenLines : (firstLines[index - 1] as number) + (log.pages[index - 1] as Page).lines,
    )
    before.push(count)
    found.push(matches)
    count += matches.length / 3
  }
  const search: LogSearch = {
    get error() {
      return error
    },
    get count() {
      return count
    },
    get isCapped() {
      return isCapped
    },
    work(budgetMs, now) {
      if (pattern === null) return false
      const until = now() + budgetMs
      if (log.work(budgetMs, now)) return true
      if (version !== log.version) begin()
      while (isLeft()) {
        step()
        if (now() >= until) break
      }
      return isLeft()
    },
    finish() {
      while (search.work(Infinity, () => 0));
      return search
    },
    match(index) {
      if (!(index >= 0 && index < count)) return undefined
      let page = 0
      for (let to = found.length - 1; page < to; ) {
        const middle = (page + to + 1) >> 1
        if ((before[middle] as number) <= index) page = middle
        else to = middle - 1
      }
      const at = (index - (before[page] as number)) * 3
      const [line = 0, from = 0, to = 0] = (found[page] as Found).subarray(at, at + 3)
      return { line: (firstLines[page] as number) + line, from, to }
    },
    indexFrom(line, from) {
      let page = 0
      while (page + 1 < found.length && (firstLines[page + 1] as number) <= line) page++
      if (page >= found.length) return 0
      return (before[page] as number) + firstAtOrAfter(found[page] as Found, line - (firstLines[page] as number), from)
    },
  }
  return search
}

function findIn(page: Page, pattern: RegExp, limit: number): Found {
  const text = page.text()
  const matches: number[] = []
  let line = 0
  let start = 0
  let end = text.indexOf('\n')
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    if (match[0] === '') {
      pattern.lastIndex++
      continue
    }
    while (end >= 0 && match.index > end) {
      line++
      start = end + 1
      end = text.indexOf('\n', start)
    }
    // A match ends with its line.
    const to = Math.min(match.index + match[0].length, end < 0 ? text.length : end)
    if (to > match.index) matches.push(line, match.index - start, to - start)
    if (matches.length > limit * 3) break
  }
  return matches.length > 0 ? Uint32Array.from(matches) : NOTHING
}

function firstAtOrAfter(found: Found, line: number, from: number): number {
  let low = 0
  let high = found.length / 3
  while (low < high) {
    const middle = (low + high) >> 1
    const other = found[middle * 3] as number
    if (other < line || (other === line && (found[middle * 3 + 1] as number) < from)) low = middle + 1
    else high = middle
  }
  return low
}
