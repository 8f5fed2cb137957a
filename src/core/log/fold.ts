import type { Input } from './input.js'
import { Page } from './page.js'
import type { Row } from './row.js'
import { type RowsAbove, Screen, type ScreenOptions, type ScreenState } from './screen.js'
import { PLAIN, type Styles } from './style.js'

/** Input is worked off in parts of at most this length, so that a slice of time can end in between. */
const BLOCK = 1 << 15
/**
 * A page that never ends (an endless redraw) gives up its input when it is so many times as long as others, and at least
 * so long: its lines stay, and what belongs before them is refused from then on.
 */
const ENDLESS = 64
const ENDLESS_LENGTH = 1 << 16
/** What a carriage return, an escape sequence or half a surrogate pair may still become; see `#hold`. */
const MAX_HELD = 4_096

/** What makes text more than text and line feeds: every other control character but tab, CR and ESC. */
const controls = /[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f]/
const otherThanStyle = /\x1b(?!\[[\d;:]*m)/
const loneReturn = /\r(?![\r\n])/
const lineFeedWithoutReturn = /(?:^|[^\r\n])\n/
const unfinishedStyle = /^\x1b(?:\[[\d;:]*)?$/

const START: ScreenState = { style: PLAIN, origin: 0, saved: null, alternate: false }

/** How a fold reads its input, and when it begins a new page. */
export interface FoldOptions extends ScreenOptions {
  /** A page is closed when it has so much input, in UTF-16 units. */
  readonly pageLength: number
}

/**
 * Folds input into pages. Input goes to the page at `#at`: the last one, or, after a late chunk, the page that has to be
 * read again from its entry, and then those behind it until one begins with the state that it began with before.
 */
export class Fold {
  /** All pages in order; the last one is open. */
  readonly pages: Page[]
  /** Changes with everything about the pages but what the last one gets added. */
  version = 0
  readonly #styles: Styles
  readonly #options: FoldOptions
  #at = 0
  /** Whether the page at `#at` is being read again. */
  #isRefolding = false
  /** How many pages have changed input. */
  #changed = 0
  /** Line starts of an open page; grows, and serves one page after the other. */
  #starts = new Uint32Array(1 << 10)
  #startsOwner: Page | null = null
  /** The screen page closed last and its rows, which the cursor is likely to go up to. */
  #closed: { readonly page: Page; readonly rows: readonly Row[] } | null = null

  /** Begins with nothing, or in `state`. */
  constructor(styles: Styles, options: FoldOptions, state: ScreenState = START) {
    this.#styles = styles
    this.#options = options
    this.pages = [new Page(state, options.pageLength)]
  }

  /** The page that input goes to while nothing is stale. */
  get last(): Page {
    return this.pages.at(-1) as Page
  }

  /** Whether pages wait to be read again. */
  get isStale(): boolean {
    return this.#changed > 0 || this.#isRefolding
  }

  /** Notes a chunk whose text will be added `distance` units behind everything else. Only while nothing is stale. */
  addChunk(position: number, distance: number): void {
    const { input, rest } = this.last
    input.addChunk(position, input.length + rest.length + distance)
  }

  /** The first page that can change; those before have given up their input. */
  get firstChangeable(): number {
    const { pages } = this
    let index = pages.length - 1
    while (index > 0 && pages[index]?.base === null && pages[index - 1]?.isFinal === false) index--
    return index
  }

  /** Adds input behind everything else. Only while nothing is stale. */
  add(input: string): void {
    this.#feed(input)
  }

  /** The input of a page as it is to be, an unfinished sequence at its end included. */
  inputOf(page: Page): Input {
    if (page.changed !== null || page.rest === '') return page.changed ?? page.input
    const input = page.input.upTo(Infinity)
    input.add(page.rest)
    return input
  }

  /** Sets what the input of a page has become. Its lines change when it has been read again. */
  change(page: Page, input: Input): void {
    if (page.changed === null) this.#changed++
    page.changed = input
  }

  /** Takes all pages behind `page` away. */
  removeBehind(page: Page): void {
    const behind = this.pages.splice(this.pages.indexOf(page) + 1)
    this.version++
    this.#changed -= behind.filter((other) => other.changed !== null).length
    this.#at = Math.min(this.#at, this.pages.length - 1)
  }

  /** Forgets the first pages. Only while nothing is stale. */
  drop(count: number): readonly Page[] {
    this.#at -= count
    this.version++
    return this.pages.splice(0, count)
  }

  /** Gives up the input of a closed page; the lines stay. */
  release(page: Page): void {
    if (page.folded === null && !page.isText) page.setFolded(this.#screenOf(page, noRows).rows.slice(0, -1))
    page.isFinal = true
    this.version++
    if (page.folded !== null) page.input = page.input.withoutText()
  }

  /** The line of `page` in which the input at `offset` begins. */
  lineAt(page: Page, offset: number): number {
    if (page.folded === null && page.screen === null) {
      let line = 0
      for (let to = page.lines - 1; line < to; ) {
        const middle = (line + to + 1) >> 1
        if ((page.starts[middle] as number) <= offset) line = middle
        else to = middle - 1
      }
      return line
    }
    const screen = this.#screenOf(page, noRows, offset)
    return Math.min(screen.row, Math.max(0, page.lines - 1))
  }

  /** Reads one page again. */
  refold(): void {
    const { pages } = this
    this.version++
    if (this.#isRefolding) this.#again(pages.splice(this.#at + 1, 1)[0] as Page)
    else {
      this.#isRefolding = true
      this.#at = pages.findIndex((page) => page.changed !== null)
      const page = pages[this.#at] as Page
      const fresh = new Page(page.entry, Math.max(this.#options.pageLength, page.limit))
      fresh.base = page.base
      pages[this.#at] = fresh
      this.#again(page)
    }
    const current = pages[this.#at] as Page
    const next = pages[this.#at + 1]
    if (next === undefined) this.#isRefolding = false
    else if (next.changed === null) {
      const state = current.rest === '' ? stateOf(current, this.#options) : null
      if (state === null || !sameState(state, next.entry)) return
      if (current.input.length > 0 || current.base !== null) current.close(state)
      else pages.splice(this.#at, 1)
      this.#at = pages.length - 1
      this.#isRefolding = false
    }
  }

  /** Feeds the input of `page` to the current one. */
  #again(page: Page): void {
    if (page.changed !== null) this.#changed--
    const input = page.changed ?? page.input
    const current = this.pages[this.#at] as Page
    current.input.addChunksOf(input, current.input.length + current.rest.length)
    for (const piece of input.pieces) this.#feed(piece)
    if (page.changed === null && page.rest !== '') this.#feed(page.rest)
  }

  #feed(input: string): void {
    for (let from = 0; from < input.length; from += BLOCK) {
      const page = this.pages[this.#at] as Page
      const block = input.length > BLOCK ? input.slice(from, from + BLOCK) : input
      const { rest } = page
      page.rest = ''
      this.#block(rest === '' ? block : rest + block)
    }
  }

  /** Works off a part of the input, and closes the page behind its last line feed if it has become long. */
  #block(input: string): void {
    const page = this.pages[this.#at] as Page
    const end = page.input.length + input.length < page.limit ? 0 : input.lastIndexOf('\n') + 1
    if (end === 0) {
      this.#read(page, input)
      return
    }
    this.#read(page, input.slice(0, end))
    const endless = Math.max(this.#options.pageLength * ENDLESS, ENDLESS_LENGTH)
    if (page.screen !== null && page.input.length > endless) this.#giveUpInput(page)
    const state = page.rest === '' && page.input.length > 0 ? stateOf(page, this.#options) : null
    if (state !== null) {
      const next = new Page(state, this.#options.pageLength)
      next.input = page.input.takeChunksBehind()
      this.#closed = page.screen && { page, rows: page.screen.rows.slice(0, -1) }
      page.close(state)
      this.pages.splice(++this.#at, 0, next)
      this.version++
    }
    const current = this.pages[this.#at] as Page
    const { rest } = current
    current.rest = ''
    if (rest !== '' || end < input.length) this.#read(current, rest + input.slice(end))
  }

  /** Puts the rows above the screen of an endless page into a page of their own, and begins with the screen. */
  #giveUpInput(page: Page): void {
    const screen = page.screen as Screen
    const above = new Page(page.entry, 0)
    const behind = page.input.takeChunksBehind()
    above.input = page.input.withoutText()
    above.isOpen = false
    above.isFinal = true
    above.setFolded(screen.takeRowsAbove())
    page.base = screen.copy(noRows)
    page.input = behind
    page.lines = screen.rows.length
    page.limit = this.#options.pageLength
    this.pages.splice(this.#at++, 0, above)
    this.version++
  }

  #read(page: Page, input: string): void {
    if (page.screen === null && page.base === null && !page.entry.alternate) {
      const end = this.#hold(input)
      if (end >= 0) {
        this.#scan(page, end === input.length ? input : input.slice(0, end))
        page.rest = input.slice(end)
        return
      }
    }
    if (page.screen === null) this.#toScreen(page)
    const screen = page.screen as unknown as Screen
    const understood = screen.write(input)
    page.input.add(input.slice(0, understood))
    page.rest = input.slice(understood)
    page.lines = screen.rows.length
  }

  /**
   * How much of the input is text, line ends and styles; -1 if there is anything else. What may become a line end, a
   * style or a character with the input to come is left out.
   */
  #hold(input: string): number {
    if (controls.test(input)) return -1
    let end = input.length
    const last = input.charCodeAt(end - 1)
    if (last === 0x0d) {
      while (end > 0 && input.charCodeAt(end - 1) === 0x0d) end--
    } else if ((last & 0xfc00) === 0xd800) end--
    // Looking for something that is not there is much faster forwards.
    if (input.includes('\x1b')) {
      const escape = input.lastIndexOf('\x1b')
      if (input.length - escape <= MAX_HELD && unfinishedStyle.test(input.slice(escape, end))) end = escape
      if (otherThanStyle.test(end < input.length ? input.slice(0, end) : input)) return -1
    }
    if (input.includes('\r') && loneReturn.test(input.slice(0, end))) return -1
    if (!this.#options.lfImpliesCr && lineFeedWithoutReturn.test(input)) return -1
    return input.length - end > MAX_HELD ? -1 : end
  }

  /** Takes input that is text, line ends and styles. */
  #scan(page: Page, input: string): void {
    let { lines } = page
    if (page.starts !== this.#starts) this.#startsFor(page)
    for (let at = input.indexOf('\n'); at >= 0; at = input.indexOf('\n', at + 1)) {
      if (lines === this.#starts.length) this.#longerStarts(page)
      this.#starts[lines++] = page.input.length + at + 1
    }
    page.lines = lines
    if (input.includes('\x1b')) {
      page.isMarked = true
      page.state = { ...page.state, style: styleBehind(input, page.state.style, this.#styles) }
    } else page.isMarked ||= input.includes('\r')
    page.input.add(input)
  }

  #startsFor(page: Page): void {
    const owner = this.#startsOwner
    if (owner?.starts === this.#starts) owner.starts = this.#starts.slice(0, owner.lines)
    this.#startsOwner = page
    while (this.#starts.length < page.lines) this.#starts = new Uint32Array(this.#starts.length * 2)
    this.#starts.set(page.starts.subarray(0, page.lines))
    page.starts = this.#starts
  }

  #longerStarts(page: Page): void {
    const longer = new Uint32Array(this.#starts.length * 2)
    longer.set(this.#starts)
    page.starts = this.#starts = longer
  }

  /** Reads the page again, cell by cell. */
  #toScreen(page: Page): void {
    const screen = this.#screenOf(page, () => this.#takeAbove(page))
    page.screen = screen
    page.isMarked = false
    page.starts = new Uint32Array(0)
  }

  /** The page read cell by cell, up to `end` in its input. */
  #screenOf(page: Page, above: RowsAbove, end = Infinity): Screen {
    const screen = page.base?.copy(above) ?? new Screen(page.entry, this.#styles, this.#options, above)
    let rest = ''
    let begin = 0
    for (const piece of page.input.pieces) {
      if (begin >= end) break
      const input = rest + (begin + piece.length > end ? piece.slice(0, end - begin) : piece)
      rest = input.slice(screen.write(input))
      begin += piece.length
    }
    return screen
  }

  /** Makes one page of `page` and the one before it, whose rows are returned. */
  #takeAbove(page: Page): readonly Row[] | null {
    const before = this.pages[this.#at - 1]
    if (page.base !== null || before === undefined || before.isFinal) return null
    this.pages.splice(--this.#at, 1)
    this.version++
    const rows = this.#closed?.page === before ? this.#closed.rows : this.#screenOf(before, noRows).rows.slice(0, -1)
    this.#closed = null
    page.entry = before.entry
    page.base = before.base
    page.input = page.input.after(before.input)
    // Twice as long each time, so that a page that is joined again and again is not read again and again.
    page.limit = Math.max(this.#options.pageLength, page.input.length * 2)
    if (page.screen !== null) page.screen.alternateLength += before.alternateLength
    return rows
  }
}

const noRows = () => null

/** The style behind the input. What stands before the last complete reset does not matter. */
function styleBehind(input: string, before: number, styles: Styles): number {
  let reset = input.lastIndexOf('\x1b[0m')
  for (let at = input.indexOf('\x1b[m', reset + 1); at >= 0; at = input.indexOf('\x1b[m', at + 1)) reset = at
  let style = before
  for (let at = input.indexOf('\x1b', Math.max(0, reset)); at >= 0; ) {
    const end = input.indexOf('m', at)
    style = styles.select(style, input, at + 2, end)
    at = input.indexOf('\x1b', end)
  }
  return style
}

/** The state behind an open page, if a page can begin there. */
function stateOf(page: Page, { rows }: ScreenOptions): ScreenState | null {
  if (page.screen !== null) return page.screen.state
  if (page.starts[page.lines - 1] !== page.input.length) return null
  const { style, origin, saved, alternate } = page.state
  const last = page.lines - 1
  return {
    style,
    alternate,
    origin: Math.max(origin - last, 1 - rows),
    saved: saved && { ...saved, row: Math.max(saved.row - last, -rows) },
  }
}

function sameState(a: ScreenState, b: ScreenState): boolean {
  return (
    a.style === b.style &&
    a.origin === b.origin &&
    a.alternate === b.alternate &&
    a.saved?.row === b.saved?.row &&
    a.saved?.column === b.saved?.column &&
    a.saved?.style === b.saved?.style
  )
}
