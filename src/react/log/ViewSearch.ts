import type { Log, LogSearch, SearchOptions } from '../../core/index.js'
import { type MatchedPart, maxLineLength } from './LogRow.js'

/** What was found. */
export interface LogSearchState {
  readonly count: number
  readonly isCapped: boolean
  readonly isWorking: boolean
  readonly error: string | null
  /** The match that the reader is at; -1 while there is none. */
  readonly current: number
}

/** So much text before a match far behind in a line is mounted with it, in UTF-16 units. */
const textBefore = 1_000
/** Matches that are marked in one line. */
const maxMarked = 1_000

const noMatches: readonly MatchedPart[] = []
const now = () => performance.now()

/**
 * What the reader searches a log for, and the match that the reader is at. That one is held by its line's number and its
 * place in the line: more may be found before it at any time.
 */
export class ViewSearch {
  readonly #log: Log
  #search: LogSearch | undefined
  #isWorking = false
  /** Something else may be looked for since: a search begins where the last one led to. */
  #current: { readonly number: number; readonly from: number } | undefined
  /** A part of a very long line that is mounted instead of its beginning. */
  #part = { number: -1, from: 0 }

  constructor(log: Log) {
    this.#log = log
  }

  /** There is something left to look through, as far as is known. */
  get isWorking(): boolean {
    return this.#isWorking
  }

  /** Undefined while nothing is searched for. */
  get state(): LogSearchState | undefined {
    if (this.#search === undefined) return undefined
    const { count, isCapped, error } = this.#search
    return { count, isCapped, isWorking: this.#isWorking, error, current: this.#currentIndex() ?? -1 }
  }

  /** The line of the match that the reader is at; undefined while there is none. */
  get line(): number | undefined {
    return this.#current && this.#current.number - this.#log.droppedLines
  }

  /** Begins to look for something, or ends it where the query is empty. Returns whether there is something to look for. */
  start(query: string, options: SearchOptions): boolean {
    this.#search = query === '' ? undefined : this.#log.search(query, options)
    if (query === '') this.#current = undefined
    this.#isWorking = false
    if (this.#search === undefined || this.#search.error !== null) return false
    this.#isWorking = this.#search.work(4, now)
    return true
  }

  /** Goes on looking for about so long. Returns whether something is left. */
  work(budgetMs: number): boolean {
    if (this.#search !== undefined) this.#isWorking = this.#search.work(budgetMs, now)
    return this.#isWorking
  }

  /** Looks through a page of what is new, if that was not known before: a frame has no time for more. */
  workInFrame(): void {
    if (!this.#isWorking) this.work(0)
  }

  /**
   * Goes to the first match at or behind the one of the search before, or the line if there was none; else to the first of
   * all. Returns whether there is one.
   */
  goFrom(line: number): boolean {
    const index = this.#search?.indexFrom(Math.max(0, this.line ?? line), this.#current?.from ?? 0) ?? 0
    return this.#goTo(this.#search?.match(index) ?? this.#search?.match(0))
  }

  /** Goes `by` matches on, around at the ends, from `line` if there is no current one. Returns whether there are any. */
  step(by: number, line: number): boolean {
    const search = this.#search
    if (search === undefined || search.count === 0) return false
    const from = this.#currentIndex() ?? search.indexFrom(line, 0) - (by > 0 ? 1 : 0)
    return this.#goTo(search.match((from + by + search.count) % search.count))
  }

  /** What of the line's mounted part has to be marked: up to some number of matches, around the current one. */
  matchesIn(line: number): readonly MatchedPart[] {
    const search = this.#search
    if (search === undefined || search.error !== null || search.count === 0) return noMatches
    const matches: MatchedPart[] = []
    const part = this.partOf(line)
    const current = this.#current?.number === line + this.#log.droppedLines ? this.#current.from : undefined
    const aroundCurrent = current === undefined ? 0 : search.indexFrom(line, current) - maxMarked / 2
    for (let i = Math.max(search.indexFrom(line, part), aroundCurrent); matches.length < maxMarked; i++) {
      const match = search.match(i)
      if (match?.line !== line || match.from >= part + maxLineLength) break
      matches.push({ from: match.from, to: match.to, isCurrent: current === match.from })
    }
    return matches.length > 0 ? matches : noMatches
  }

  /** Where the part of the line begins that is to be mounted: at 0, unless the reader is at a match far behind in it. */
  partOf(line: number): number {
    const { number, from } = this.#part
    if (number !== line + this.#log.droppedLines) return 0
    // The line may have become shorter.
    return from < (this.#log.line(line, 0, 0)?.length ?? 0) ? from : 0
  }

  /** Lines have other numbers now. */
  renumber(follow: (number: number) => number): void {
    if (this.#current !== undefined) this.#current = { ...this.#current, number: follow(this.#current.number) }
    if (this.#part.number >= 0) this.#part = { ...this.#part, number: follow(this.#part.number) }
  }

  #goTo(match: ReturnType<LogSearch['match']>): boolean {
    if (match === undefined) return false
    const number = match.line + this.#log.droppedLines
    this.#current = { number, from: match.from }
    this.#part = { number, from: match.to > maxLineLength ? Math.max(0, match.from - textBefore) : 0 }
    return true
  }

  #currentIndex(): number | undefined {
    if (this.#current === undefined || this.#search === undefined) return undefined
    const line = this.#current.number - this.#log.droppedLines
    const index = this.#search.indexFrom(line, this.#current.from)
    const match = this.#search.match(index)
    return match?.line === line && match.from === this.#current.from ? index : undefined
  }
}
