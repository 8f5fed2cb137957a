import { Fold } from './fold.js'
import type { Chunk } from './input.js'
import type { Page } from './page.js'
import { Pending } from './pending.js'
import { createSearch, type LogSearch, type SearchOptions } from './search.js'
import { PLAIN, type StyleRun, Styles } from './style.js'

/** What a log keeps, and how it reads its input. */
export interface LogOptions {
  /** Lines kept at most: the newest. Default 1,000,000. */
  readonly lines?: number
  /** UTF-16 units kept at most, a line feed for each line included; the last line is kept whatever its length. Default 128 Mi. */
  readonly length?: number
  /** How many rows up from the lowest line the cursor can go: the height of the terminal. Default 1,000. */
  readonly rows?: number
  /** How much input makes a page, in UTF-16 units: a matter of speed, nothing to be seen depends on it. Default 65,536. */
  readonly pageLength?: number
  /** What an earlier log of the same output has dropped: such chunks are refused, and such lines counted. Default nothing. */
  readonly dropped?: DroppedPart | undefined
  /** Whether a line feed returns to the first column, as the terminal driver does it for programs. Default true. */
  readonly lfImpliesCr?: boolean
}

/** The beginning of a log that nothing is left of in memory. */
export interface DroppedPart {
  /** The greatest position in it; -Infinity while there is none. */
  readonly position: number
  /** How many lines begin in it. */
  readonly lines: number
}

/** A line, or the part of it that was asked for. */
export interface LogLine {
  /** Without escape sequences; tabs are blanks up to the next multiple of 8 columns. */
  readonly text: string
  /** In order, none for plain stretches; counted from the beginning of `text`. */
  readonly runs: readonly StyleRun[]
  /** The length of the whole line. */
  readonly length: number
}

/** A known hole in the output (A13). */
export interface LogGap {
  /** It is before the chunks of that position. */
  readonly before: number
  /** How many numbers are skipped, if that is known. */
  readonly count?: number
  /** Not to be said before this time, in ms: it may still fill. Absent: at once. */
  readonly visibleAt?: number
}

/** Where a gap is to be shown. */
export interface PlacedGap<Gap extends LogGap = LogGap> {
  /** Above the line with this index. */
  readonly line: number
  readonly gap: Gap
}

/** The last lines of a log. */
export interface LogTail {
  readonly lines: readonly LogLine[]
  /**
   * The lines are read out of what is pending, before all of it is worked off: their numbers are not known yet. There may
   * be fewer than asked for.
   */
  readonly isAhead: boolean
}

/**
 * The output of one tool as a terminal would show it, for a stream that only appends: see `Screen` for what is
 * understood. The lines depend on the chunks and their positions, not on how the text was divided into them nor on the
 * order in which they came (up to what the limits have dropped).
 */
export interface Log {
  /**
   * Adds a chunk, divided wherever the sender liked. `position`, any finite number, puts it among the others, behind
   * those of the same position; without one the chunk goes behind everything so far. What belongs before the oldest
   * input that is kept is refused and counted. Costs no work but for the chunk to be kept; `work` does the rest.
   */
  append(chunk: string, position?: number): void
  /**
   * Works off what is pending for about `budgetMs` milliseconds, at least 32 kB. `now` tells the time, in milliseconds,
   * and is read between parts. Returns whether something is left.
   */
  work(budgetMs: number, now: () => number): boolean
  /** Works off all that is pending. */
  finish(): void
  /** UTF-16 units that wait to be worked off, late chunks aside. `lineCount` and `line` do not know of them. */
  readonly pendingLength: number
  /** The last `count` lines, ahead of the work where that is certain to be right. */
  tail(count: number): LogTail
  /** Lines that are kept and worked off. One that has begun counts when there is something in it. */
  readonly lineCount: number
  /** The line with that index among those kept, or its part from `from` up to before `to`; undefined if there is none. */
  line(index: number, from?: number, to?: number): LogLine | undefined
  /** All lines that are kept, as seen, a line feed behind each that has ended. Finishes pending work first. */
  text(): string
  /** The same in pieces that need not be joined: a `Blob` can be made of them. Finishes pending work first. */
  textParts(): readonly string[]
  /** Begins a search, which works by itself: see there. */
  search(query: string, options?: SearchOptions): LogSearch
  /** Lines that were dropped from the top because a limit was reached (H3). */
  readonly droppedLines: number
  /** The chunks of which nothing is left in memory. */
  readonly dropped: DroppedPart
  /** Chunks that were refused because they belong before the oldest input that is kept. */
  readonly refusedChunks: number
  /** UTF-16 units drawn by full-screen programs on the alternate screen, which is not part of a log. */
  readonly alternateLength: number
  /** Takes everything with a greater position away. Chunks that are added later are not held back. */
  removeAfter(position: number): void
  /** Says which holes are known. They are no lines: nothing but `gaps` changes. */
  setGaps(gaps: readonly LogGap[]): void
  /** The known holes that have their place among the lines worked off, in order. */
  gaps(): readonly PlacedGap[]
  /**
   * Where a line has gone that had this number in an earlier version, while late chunks were put in above it (the last 256
   * of them are known; in lines that are drawn again, to about the page). The number of a line is its index plus
   * `droppedLines`.
   */
  follow(lineNumber: number, version: number): number
  /** Changes with every change of what there is to see. */
  readonly version: number
  /**
   * Calls `listener` whenever something was added or taken away, at once and often: it should only note that. Returns
   * what ends it.
   */
  subscribe(listener: () => void): () => void
}

/** One step of work, in UTF-16 units. */
const STEP = 1 << 15
/** What is pending is looked ahead into up to so far from its end, and at first so far. */
const AHEAD = 1 << 17
const NEAR_AHEAD = 1 << 13
/** Moves of lines that are remembered for `follow`. */
const MOVES = 256

/** Lines from this number on have moved by so many. */
interface Move {
  readonly version: number
  readonly line: number
  readonly by: number
}

/** Sums over all pages but the last. */
interface Counted {
  /** Of the fold. */
  readonly version: number
  /** The index of the first line of each page, hidden ones included. */
  readonly starts: readonly number[]
  /** UTF-16 units of text at most, and of input. */
  readonly textLength: number
  readonly inputLength: number
}

/** Makes an empty log. */
export function createLog({
  lines: maxLines = 1_000_000,
  length: maxLength = 128 * 1024 * 1024,
  rows = 1_000,
  lfImpliesCr = true,
  pageLength = 1 << 16,
  dropped: droppedBefore = { position: -Infinity, lines: 0 },
}: LogOptions = {}): Log {
  const foldOptions = { rows, lfImpliesCr, pageLength }
  const styles = new Styles()
  const fold = new Fold(styles, foldOptions)
  const pending = new Pending()
  const { pages } = fold
  let version = 0
  /** Changes when pages do. */
  let foldVersion = 0
  /** The greatest position received, and the greatest that the pages know. */
  let lastPosition = droppedBefore.position
  let takenPosition = droppedBefore.position
  /** Chunks that belong into pages. */
  let late: Chunk[] = []
  let dropped = droppedBefore
  let refusedChunks = 0
  /** Lines of pages that are gone, and lines of the first pages that are not kept. */
  let goneLines = dropped.lines
  let goneAlternateLength = 0
  let hiddenLines = 0
  /** Moves by late chunks that are being read, and the lines that there were before. */
  let comingMoves: Move[] = []
  let linesBefore = 0
  let moves: Move[] = []
  let knownGaps: readonly LogGap[] = []
  let placed: { readonly foldVersion: number; readonly gaps: readonly PlacedGap[] } | null = null
  const listeners = new Set<() => void>()
  let counted: Counted = { version: -1, starts: [], textLength: 0, inputLength: 0 }

  const changed = () => {
    version++
    for (const listener of listeners) listener()
  }

  const count = (): Counted => {
    if (counted.version === fold.version) return counted
    const starts: number[] = []
    let lines = 0
    let textLength = 0
    let inputLength = 0
    for (const page of pages) {
      starts.push(lines)
      if (page === fold.last) break
      lines += visibleLines(page)
      textLength += page.maxTextLength
      inputLength += page.input.length
    }
    return (counted = { version: fold.version, starts, textLength, inputLength })
  }

  /** All lines, hidden ones included. */
  const total = () => (count().starts.at(-1) as number) + visibleLines(fold.last)

  /** The page that holds chunks of that position; -1 if it is before all. */
  const pageAt = (position: number) =>
    lastIndex(pages.length, (i) => (pages[i] as Page).input.firstPosition <= position)

  const insertLate = () => {
    const chunks = late.sort((a, b) => a.position - b.position)
    late = []
    linesBefore = total()
    const first = fold.firstChangeable
    for (let i = 0; i < chunks.length; ) {
      const index = pageAt((chunks[i] as Chunk).position)
      const next = pages[index + 1]?.input.firstPosition ?? Infinity
      let to = i + 1
      while (to < chunks.length && (chunks[to] as Chunk).position < next) to++
      const group = chunks.slice(i, to)
      i = to
      if (index < first && !(index < 0 && first === 0 && dropped.position === -Infinity && goneLines === 0)) {
        refusedChunks += group.length
        continue
      }
      const page = pages[Math.max(0, index)] as Page
      for (const chunk of group) noteMove(page, Math.max(0, index), chunk)
      fold.change(page, fold.inputOf(page).with(group))
    }
  }

  const noteMove = (page: Page, index: number, { position, text }: Chunk) => {
    let line = 0
    if (page.folded === null && page.screen === null) {
      const offset = page.input.offsetAfter(position)
      line = fold.lineAt(page, offset)
      // A line that has begun before stays where it is.
      if ((page.starts[line] as number) < offset) line++
    }
    const by = text.split('\n').length - 1
    comingMoves.push({ version, line: goneLines + (count().starts[index] as number) + line, by })
  }

  /** Moves are told when all is read again; what the line feeds did not tell goes to the last. */
  const tellMoves = () => {
    const last = comingMoves.pop()
    if (last === undefined) return
    const by = total() - linesBefore - comingMoves.reduce((sum, move) => sum + move.by, 0)
    moves = [...moves, ...comingMoves, { ...last, by }]
      .map((move, i) => (i < moves.length ? move : { ...move, version }))
      .slice(-MOVES)
    comingMoves = []
  }

  /** Works off a part of what is pending, late chunks first. Returns whether there was any. */
  const step = () => {
    if (late.length > 0 && !fold.isStale) insertLate()
    if (fold.isStale) fold.refold()
    else if (!pending.isEmpty) {
      const input = pending.take(STEP, (position, offset) => {
        fold.addChunk(position, offset)
        takenPosition = position
      })
      fold.add(input)
    } else return false
    version++
    foldVersion++
    if (!fold.isStale) {
      tellMoves()
      trim()
    }
    return true
  }

  const finish = () => {
    while (step());
  }

  /** Applies the limits. */
  const trim = () => {
    const { starts, textLength, inputLength } = count()
    hiddenLines = Math.max(0, total() - maxLines)
    if (textLength + fold.last.maxTextLength > maxLength) hideByLength()
    // Lines above the screen are final; those in it may still go, and others be shown instead of them. Only when they are
    // very long are they not waited for.
    let gone = 0
    for (let kept = textLength; gone < pages.length - 1; gone++) {
      const end = starts[gone + 1] as number
      if (end > hiddenLines || (end > hiddenLines - rows && kept <= 2 * maxLength)) break
      kept -= (pages[gone] as Page).maxTextLength
    }
    if (gone > 0) forget(gone)
    // The text that is kept is not longer than its limit, but what it was made of may be.
    if (inputLength > 2 * maxLength) giveUpInput(inputLength - 2 * maxLength)
  }

  const giveUpInput = (length: number) => {
    let left = length
    for (const page of pages) {
      if (left <= 0 || page.isOpen) return
      if (page.isFinal) continue
      left -= page.input.length
      fold.release(page)
      left += page.input.length
    }
  }

  const hideByLength = () => {
    const { starts } = count()
    let left = maxLength
    for (let i = pages.length - 1; i >= 0; i--) {
      const page = pages[i] as Page
      left -= page.textLength
      if (left >= 0) continue
      // Lines of this page are hidden until the rest of it is short enough.
      let hidden = 0
      for (const lines = visibleLines(page); left < 0 && hidden < lines; hidden++) {
        left += page.line(hidden, styles).text.length + 1
      }
      const last = total() - 1
      hiddenLines = Math.max(hiddenLines, Math.min((starts[i] as number) + hidden, last))
      return
    }
  }

  const forget = (gone: number) => {
    const lines = count().starts[gone] as number
    const { firstPosition } = (pages[gone] as Page).input
    goneLines += lines
    // Lines of a chunk that goes on in what is kept are dropped, but not with all of their chunk.
    let position = -Infinity
    let ofChunk = 0
    for (let i = gone - 1; i >= 0 && position === -Infinity; i--) {
      const page = pages[i] as Page
      position = page.input.lastPositionBelow(firstPosition)
      ofChunk += page.lines - (position === -Infinity ? 0 : fold.lineAt(page, page.input.offsetAfter(position)))
    }
    if (position > dropped.position) dropped = { position, lines: Math.max(dropped.lines, goneLines - ofChunk) }
    for (const page of fold.drop(gone)) goneAlternateLength += page.alternateLength
    hiddenLines = Math.max(0, hiddenLines - lines)
    foldVersion++
  }

  const lineCount = () => total() - hiddenLines

  const line = (index: number, from = 0, to = Infinity): LogLine | undefined => {
    if (!(Number.isInteger(index) && index >= 0 && index < lineCount())) return undefined
    const { starts } = count()
    const at = lastIndex(pages.length, (i) => (starts[i] as number) <= index + hiddenLines)
    const { text, runs, length } = (pages[at] as Page).part(
      index + hiddenLines - (starts[at] as number),
      from,
      to,
      styles,
    )
    return { text, length, runs: toRuns(text.length, runs, styles) }
  }

  /** The end of what is pending, if what comes before it can have no influence but on the number of lines. */
  const readAhead = (lines: number): LogTail | null => {
    const { last } = fold
    if (fold.isStale || late.length > 0 || last.rest !== '' || last.screen !== null || last.entry.alternate) return null
    return readEnd(lines, pending.end(NEAR_AHEAD), true) ?? readEnd(lines, pending.end(AHEAD), false)
  }

  /** The same out of the end of what is pending; null also if `isAll` is asked for and the lines are not all in it. */
  const readEnd = (lines: number, end: string, isAll: boolean): LogTail | null => {
    let start = end.length
    for (let i = 0; i <= lines && start > 0; i++) start = end.lastIndexOf('\n', start - 2) + 1
    if (start <= 0 && !isAll) start = end.indexOf('\n') + 1
    if (start <= 0 || !pending.isTameBut(end.length - start)) return null
    // The style there is known from the last reset on.
    let from = start
    if (pending.hasStyles) from = Math.max(end.lastIndexOf('\x1b[0m', start), end.lastIndexOf('\x1b[m', start))
    if (from < 0) return null
    const ahead = new Fold(styles, foldOptions, fold.last.state)
    ahead.add(end.slice(from))
    let before = 0
    for (let at = end.indexOf('\n', from); at >= 0 && at < start; at = end.indexOf('\n', at + 1)) before++
    if (ahead.pages.some((page) => page.screen !== null || page.folded !== null)) return null
    const found: LogLine[] = []
    for (const page of ahead.pages) {
      for (let i = 0; i < visibleLines(page); i++) {
        const { text, runs } = page.line(i, styles)
        found.push({ text, length: text.length, runs: toRuns(text.length, runs, styles) })
      }
    }
    return { lines: found.slice(before).slice(-lines), isAhead: true }
  }

  const textParts = () => {
    finish()
    const { starts } = count()
    return pages.flatMap((page, i) => {
      const hidden = hiddenLines - (starts[i] as number)
      if (hidden <= 0) return page.isText ? page.input.pieces : page.text()
      if (hidden >= visibleLines(page)) return []
      const text = page.text()
      let at = 0
      for (let k = 0; k < hidden; k++) at = text.indexOf('\n', at) + 1
      return text.slice(at)
    })
  }

  const placeGaps = (): readonly PlacedGap[] => {
    const { starts } = count()
    const gaps: PlacedGap[] = []
    for (const gap of knownGaps) {
      const before = lastIndex(pages.length, (i) => (pages[i] as Page).input.firstPosition < gap.before)
      let index = Math.max(0, before)
      let offset = (pages[index] as Page).input.offsetOf(gap.before)
      if (offset >= (pages[index] as Page).input.length) {
        index++
        offset = 0
      }
      const page = pages[index]
      // Nothing behind it has been worked off, or nothing before it is kept.
      if (page === undefined || before < 0 || takenPosition < gap.before) continue
      const at = (starts[index] as number) + fold.lineAt(page, offset) - hiddenLines
      if (at > 0 && at < lineCount()) gaps.push({ line: at, gap })
    }
    return gaps
  }

  return {
    append(chunk, given) {
      if (chunk === '') return
      const position = Number.isFinite(given) ? (given as number) : lastPosition
      if (position <= dropped.position && position < lastPosition) {
        refusedChunks++
        changed()
        return
      }
      if (position < takenPosition) late.push({ position, text: chunk })
      else pending.add(chunk, position)
      lastPosition = Math.max(lastPosition, position)
      changed()
    },
    work(budgetMs, now) {
      const until = now() + budgetMs
      while (step()) {
        if (now() >= until) return late.length > 0 || fold.isStale || !pending.isEmpty
      }
      return false
    },
    finish,
    get pendingLength() {
      return pending.length
    },
    tail(lines) {
      // So little is worked off at once.
      if (pending.length <= AHEAD) while (!fold.isStale && late.length === 0 && step());
      const ahead = pending.isEmpty ? null : readAhead(lines)
      if (ahead !== null) return ahead
      const all = lineCount()
      const first = Math.max(0, all - lines)
      return { lines: Array.from({ length: all - first }, (_, i) => line(first + i) as LogLine), isAhead: false }
    },
    get lineCount() {
      return lineCount()
    },
    line,
    text: () => textParts().join(''),
    textParts,
    search: (query, options) =>
      createSearch(
        {
          pages,
          get hiddenLines() {
            return hiddenLines
          },
          get version() {
            return foldVersion
          },
          work: (budgetMs, now) => {
            const until = now() + budgetMs
            while (step()) if (now() >= until) return true
            return false
          },
        },
        query,
        options,
      ),
    get droppedLines() {
      return goneLines + hiddenLines
    },
    get dropped() {
      return dropped
    },
    get refusedChunks() {
      return refusedChunks
    },
    get alternateLength() {
      return pages.reduce((sum, page) => sum + page.alternateLength, goneAlternateLength)
    },
    removeAfter(position) {
      pending.removeAfter(position)
      late = late.filter((chunk) => chunk.position <= position)
      lastPosition = Math.min(lastPosition, position)
      if (takenPosition > position) {
        while (fold.isStale) fold.refold()
        const index = Math.max(pageAt(position), fold.firstChangeable)
        const page = pages[index] as Page
        fold.removeBehind(page)
        fold.change(page, fold.inputOf(page).upTo(position))
        takenPosition = position
        foldVersion++
      }
      changed()
    },
    setGaps(gaps) {
      knownGaps = [...gaps].sort((a, b) => a.before - b.before)
      placed = null
      changed()
    },
    gaps() {
      if (placed?.foldVersion !== foldVersion) placed = { foldVersion, gaps: placeGaps() }
      return placed.gaps
    },
    follow(lineNumber, since) {
      let now = lineNumber
      let before = lineNumber
      let of = since
      for (const move of moves) {
        if (move.version <= since) continue
        // Moves of one version all tell lines by the numbers that they had before it.
        if (move.version !== of) before = now
        of = move.version
        if (before >= move.line) now += move.by
      }
      return now
    },
    get version() {
      return version
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The last index below `length` for which it holds, if it holds for none behind the first for which it does not; else -1. */
function lastIndex(length: number, holds: (index: number) => boolean): number {
  let index = -1
  for (let to = length - 1; index < to; ) {
    const middle = (index + to + 1) >> 1
    if (holds(middle)) index = middle
    else to = middle - 1
  }
  return index
}

const visibleLines = (page: Page) => page.lines - (page.isOpen && page.endsEmpty ? 1 : 0)

function toRuns(length: number, pairs: readonly number[], styles: Styles): readonly StyleRun[] {
  const runs: StyleRun[] = []
  for (let i = 0; i < pairs.length; i += 2) {
    const from = pairs[i] as number
    const to = Math.min(pairs[i + 2] ?? length, length)
    const id = pairs[i + 1] as number
    if (from >= to || id === PLAIN) continue
    const style = styles.style(id)
    const last = runs.at(-1)
    if (last !== undefined && last.style === style && last.to === from) runs[runs.length - 1] = { ...last, to }
    else runs.push({ from, to, style })
  }
  return runs
}
