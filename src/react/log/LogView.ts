import type { Log, SearchOptions } from '../../core/index.js'
import { forgetFonts } from './CellFont.js'
import { LineHeights } from './LineHeights.js'
import { LogNotes } from './LogNotes.js'
import { LogSelection } from './LogSelection.js'
import { LogWindow } from './LogWindow.js'
import { drawFirst, noteChange, requestDraw, requestWork, type Scheduled, unschedule } from './logScheduler.js'
import type { LogViewOptions } from './logViewOptions.js'
import { MountedRows } from './MountedRows.js'
import { ScrollAnchor } from './ScrollAnchor.js'
import { observeElement } from './sharedObservers.js'
import { TextGrid } from './TextGrid.js'
import { type LogSearchState, ViewSearch } from './ViewSearch.js'

/** What the box around a log shows of it. */
export interface LogViewState {
  /** The end is shown, and kept to. */
  readonly isFollowing: boolean
  /** Lines that have come since the reader left the end. */
  readonly newLines: number
  readonly alternateLength: number
  readonly refusedChunks: number
  /** Absent while nothing is searched for. */
  readonly search: LogSearchState | undefined
}

/** What a box shows before there is a view, on a server too. */
export const initialState: LogViewState = {
  isFollowing: true,
  newLines: 0,
  alternateLength: 0,
  refusedChunks: 0,
  search: undefined,
}

/** The elements that a log is shown in. */
interface LogViewElements {
  readonly scroller: HTMLElement
  /** As high as all lines together, or as can be. */
  readonly space: HTMLElement
  readonly numbers: HTMLElement | null
  readonly lines: HTMLElement
  /** Says how many lines there are. */
  readonly count: HTMLElement | null
}

/** So much pending output, in UTF-16 units, is shown before it is worked off. */
const muchPending = 1 << 17
/** Output whose end can not be told ahead is worked off for so many times the work of a frame. */
const patience = 3
/** While more than can be shown comes in, what has been worked off is shown this often, in ms. */
const hurriedMs = 100
/** So long after the last sign of it the browser has ended what it scrolls for the reader, in ms. */
const glideMs = 150

/** With these the browser scrolls. */
const scrollKeys = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', ' '])

const now = () => performance.now()

/**
 * Shows a log in a scrolling element: mounts the rows in sight, follows the end until the reader leaves it, and keeps in
 * place what is read, whatever comes or goes above it. How that is done is told in its parts; here is when: what the log and
 * the reader do reaches the parts, they are drawn once a frame, and the box around them is told what it shows.
 */
export class LogView implements Scheduled {
  isNear = false
  readonly #log: Log
  readonly #scroller: HTMLElement
  readonly #lines: HTMLElement
  readonly #count: HTMLElement | null
  readonly #grid: TextGrid
  readonly #notes: LogNotes
  readonly #search: ViewSearch
  readonly #rows: MountedRows
  readonly #anchor: ScrollAnchor
  readonly #selection: LogSelection
  readonly #window: LogWindow
  readonly #ends: (() => void)[] = []
  readonly #listeners = new Set<() => void>()
  #options: LogViewOptions
  #state = initialState
  /** The log's as it was when lines were last given their numbers. */
  #version = -1
  #droppedLines = 0
  /** The number of lines that is said; -1 where it has to be said anew. */
  #counted = -1
  #drawnAt = -Infinity
  #hasEnded = false
  #gliding: ReturnType<typeof setTimeout> | undefined
  #hasGlided = false

  /** Where `before` showed the same log, it goes on there. */
  constructor(
    log: Log,
    { scroller, space, numbers, lines, count }: LogViewElements,
    options: LogViewOptions,
    before?: LogView,
  ) {
    this.#log = log
    this.#scroller = scroller
    this.#lines = lines
    this.#count = count
    this.#options = options
    const grid = new TextGrid(scroller, lines, options)
    const notes = new LogNotes(space)
    const search = new ViewSearch(log)
    const rows = new MountedRows(log, space, lines, grid, search)
    const heights = new LineHeights(log, grid, notes, (line) => rows.heightOf(line + this.#droppedLines))
    const anchor = new ScrollAnchor(log, scroller, space, grid, heights)
    const selection = new LogSelection(log, scroller, lines, rows, () => this.leave())
    this.#window = new LogWindow(log, { grid, notes, rows, heights, anchor, selection, numbers, lines })
    this.#grid = grid
    this.#notes = notes
    if (before && before.#log === log) {
      anchor.resume(before.#anchor)
      this.#version = before.#version
      this.#droppedLines = before.#droppedLines
    } else if (before) scroller.scrollLeft = 0
    this.#search = search
    this.#rows = rows
    this.#anchor = anchor
    this.#selection = selection
    this.#listen()
    this.#ends.push(
      log.subscribe(() => noteChange(this)),
      observeElement(scroller, ({ isNear = this.isNear }) => {
        this.isNear = isNear
        this.readSize()
        if (isNear) requestDraw(this)
      }),
      () => selection.end(),
    )
    // What there is already is shown with the first frame.
    if (log.lineCount > 0 || log.pendingLength > 0) {
      this.isNear = true
      drawFirst(this)
    }
  }

  /** Lets everything go. */
  end(): void {
    this.#hasEnded = true
    for (const end of this.#ends) end()
    unschedule(this)
    this.#listeners.clear()
    this.#lines.replaceChildren()
    this.#notes.place([], 0, 0)
  }

  /** What the box shows; another object whenever it changes. */
  get state(): LogViewState {
    return this.#state
  }

  /** Calls `listener` when `state` has changed. Returns what ends it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  setOptions(options: LogViewOptions): void {
    if (options === this.#options) return
    const { isWrapped, lineHeight } = this.#options
    if (options.isWrapped !== isWrapped || options.lineHeight !== lineHeight) {
      this.#forgetHeights()
      this.#anchor.forgetHeight()
    }
    if (options.isWrapped !== isWrapped) this.#rows.forgetWidth()
    this.#options = options
    this.#grid.setOptions(options)
    this.#counted = -1
    this.#drawNow()
  }

  /** Goes to the end and stays there. */
  follow(): void {
    this.#jump(() => this.#anchor.follow())
  }

  /** Stays with what is in sight. */
  leave(): void {
    if (this.#anchor.leave()) requestDraw(this)
  }

  /** Shows the first line. */
  goToStart(): void {
    // What comes until it is there is new.
    this.leave()
    this.#jump(() => this.#anchor.goToStart())
  }

  /** Selects everything, mounted or not. */
  selectAll(): void {
    this.#log.finish()
    this.leave()
    this.#selection.selectAll()
  }

  /** Looks for something in the whole log, and goes to the first match from the last one, or what is in sight, on. */
  search(query: string, options: SearchOptions): void {
    const isFound = this.#search.start(query, options) && this.#search.goFrom(this.#anchor.topLine)
    requestWork(this)
    this.#drawNow()
    if (isFound) this.#jumpToMatch()
  }

  /** Goes `by` matches on, around at the ends. */
  step(by: number): void {
    if (!this.#search.step(by, this.#anchor.topLine)) return
    this.#drawNow()
    this.#jumpToMatch()
  }

  get pendingLength(): number {
    return this.#log.pendingLength
  }

  readSize(): void {
    const isSameWidth = this.#grid.readSize(this.#anchor.height)
    if (!isSameWidth && this.#options.isWrapped) this.#forgetHeights()
  }

  work(budgetMs: number): boolean {
    const until = now() + budgetMs
    return this.#log.work(budgetMs, now) || this.#search.work(Math.max(1, until - now()))
  }

  draw(budgetMs: number): boolean {
    if (this.#hasEnded) return false
    if (this.#hasGlided) this.#anchor.endGlide()
    this.#hasGlided = false
    const log = this.#log
    const { isAtEnd } = this.#anchor
    // While much is pending its end is shown at once, where that is sure to be right, and the work left to idle times.
    let tail = isAtEnd && log.pendingLength > muchPending ? this.#window.tail() : undefined
    // Where it is not, there is nothing to be shown without some more work.
    const budget = tail?.isAhead === false ? budgetMs * patience : budgetMs
    const isLeft = tail?.isAhead === true || (budget > 0 ? log.work(budget, now) : log.pendingLength > 0)
    if (isLeft && isAtEnd && tail?.isAhead !== true) {
      // What is shown here is gone with the next frame: more work does more for the reader.
      if (budgetMs > 0 && now() - this.#drawnAt < hurriedMs) return true
      tail ??= this.#window.tail()
    }
    this.#drawnAt = now()
    if (!isLeft) this.#search.workInFrame()
    this.#selection.read()
    this.#renumber()
    this.#notes.read(log, this.#options)
    if (isAtEnd) this.#window.showEnd(tail?.isAhead ? tail.lines : undefined, this.#options)
    else this.#window.showAnchor(this.#options)
    this.#selection.restore()
    this.#tell()
    return isLeft || this.#search.isWorking
  }

  scroll(): void {
    this.#anchor.scroll()
  }

  #drawNow(): void {
    this.draw(0)
    this.scroll()
  }

  #forgetHeights(): void {
    this.#anchor.holdPlace()
    this.#rows.forgetHeights()
  }

  /**
   * Goes somewhere else, whatever the browser still scrolls: the first frame ends that, the next knows where it ended. The
   * only way to go anywhere.
   */
  #jump(go: () => void): void {
    this.#anchor.stop()
    const jump = () => {
      if (this.#hasEnded) return
      // Lines may have other numbers than when they were drawn last.
      this.draw(0)
      go()
      this.#drawNow()
    }
    requestAnimationFrame(() => requestAnimationFrame(jump))
  }

  #jumpToMatch(): void {
    this.leave()
    this.#jump(() => {
      const { line } = this.#search
      if (line === undefined) return
      this.#anchor.goToLine(line)
      this.#drawNow()
      this.#showMatch()
    })
  }

  /** Brings the match that the reader is at into sight sideways, too. */
  #showMatch(): void {
    const match = this.#lines.querySelector('[data-current]')
    if (match === null) return
    const { left, right } = match.getBoundingClientRect()
    const box = this.#scroller.getBoundingClientRect()
    if (left >= box.left && right <= box.right) return
    // A host may show all of it larger or smaller than it is.
    const scale = box.width / this.#scroller.offsetWidth
    this.#scroller.scrollLeft += (left - box.left) / scale - this.#grid.viewWidth / 2
  }

  /** Has all that is held by a line's number follow it, after lines were dropped or put in above. */
  #renumber(): void {
    const { droppedLines, version } = this.#log
    if (this.#version === version && droppedLines === this.#droppedLines) return
    const before = this.#version
    const follow = (number: number) => (before < 0 ? number : this.#log.follow(number, before))
    this.#anchor.renumber(follow, this.#droppedLines)
    this.#search.renumber(follow)
    this.#selection.renumber(follow)
    this.#droppedLines = droppedLines
    this.#version = version
  }

  #tell(): void {
    const { lineCount, droppedLines, alternateLength, refusedChunks } = this.#log
    // By hand: it changes with nearly every frame, and nothing else around the lines does.
    if (this.#count !== null && this.#counted !== lineCount + droppedLines) {
      this.#counted = lineCount + droppedLines
      this.#count.textContent = this.#options.words.lines(this.#counted)
    }
    const { isFollowing, newLines } = this.#anchor
    const next = { isFollowing, newLines, alternateLength, refusedChunks, search: this.#search.state }
    if (JSON.stringify(next) === JSON.stringify(this.#state)) return
    this.#state = next
    for (const listener of this.#listeners) listener()
  }

  #listen(): void {
    const listen = <Name extends keyof HTMLElementEventMap>(
      name: Name,
      act: (event: HTMLElementEventMap[Name]) => void,
    ) => {
      this.#scroller.addEventListener(name, act, { passive: name !== 'keydown' })
      this.#ends.push(() => this.#scroller.removeEventListener(name, act))
    }
    const document = this.#scroller.ownerDocument
    const release = () => {
      this.#anchor.hold(false)
      document.removeEventListener('pointerup', release)
      document.removeEventListener('pointercancel', release)
      requestDraw(this)
    }
    this.#ends.push(release)
    this.#ends.push(() => clearTimeout(this.#gliding))
    listen('scroll', () => {
      if (!this.#anchor.readScroll()) return
      this.#glide()
      requestDraw(this)
    })
    listen('wheel', ({ deltaY, ctrlKey }) => {
      if (ctrlKey) return
      this.#glide()
      if (deltaY < 0 && this.#anchor.scrollTop > 0) this.leave()
    })
    // While something is being selected, or a finger is on it, nothing moves.
    listen('pointerdown', ({ button, target }) => {
      if (button !== 0 || target === this.#scroller) return
      this.#anchor.hold(true)
      document.addEventListener('pointerup', release)
      document.addEventListener('pointercancel', release)
    })
    listen('keydown', (event) => this.#onKey(event))
    const onFont = () => {
      this.#anchor.holdPlace()
      this.#rows.forgetContent()
      requestDraw(this)
    }
    const onLoad = () => {
      forgetFonts()
      this.#grid.forgetFont()
      onFont()
    }
    document.fonts?.addEventListener('loadingdone', onLoad)
    this.#ends.push(() => document.fonts?.removeEventListener('loadingdone', onLoad), this.#grid.observeFont(onFont))
  }

  /** The browser scrolls, or is about to. Not all tell when they have ended: `scrollend` is new in Safari. */
  #glide(): void {
    this.#anchor.glide()
    this.#hasGlided = false
    clearTimeout(this.#gliding)
    this.#gliding = setTimeout(() => {
      this.#hasGlided = true
      requestDraw(this)
    }, glideMs)
  }

  #onKey(event: KeyboardEvent): void {
    const { key, altKey, shiftKey } = event
    const isCommand = event.ctrlKey || event.metaKey
    if (altKey || shiftKey || event.defaultPrevented) return
    if (key === 'Home') this.goToStart()
    else if (key === 'End') this.follow()
    else if (isCommand && key.toLowerCase() === 'a') this.selectAll()
    else {
      if (scrollKeys.has(key)) this.#glide()
      if ((key === 'ArrowUp' || key === 'PageUp') && this.#anchor.scrollTop > 0) this.leave()
      return
    }
    event.preventDefault()
  }
}
