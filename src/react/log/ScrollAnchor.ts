import type { Log } from '../../core/index.js'
import type { LineHeights } from './LineHeights.js'
import type { TextGrid } from './TextGrid.js'

/** Browsers make no element higher than some millions of px: above this, large jumps are mapped. */
export const maxHeight = 8_000_000

/**
 * Where the reader is in a log: at its end, which is followed, or at a line. That line, the anchor, and how far the top of
 * what is in sight is below its top, stay the same whatever comes or goes above it, which a distance from the top does not:
 * what CSS calls scroll anchoring, https://drafts.csswg.org/css-scroll-anchoring/, for lines that are not mounted.
 *
 * The scroller knows a distance only. While the whole height is known and an element can have it, both say the same. Else
 * (more lines, or lines that wrap) scrolling by little moves the anchor by as much, a long jump goes to the same fraction of
 * the lines, and near an end the two are made to agree.
 */
export class ScrollAnchor {
  readonly #log: Log
  readonly #scroller: HTMLElement
  readonly #space: HTMLElement
  readonly #grid: TextGrid
  readonly #heights: LineHeights
  #line = 0
  #offset = 0
  /** The same as a share of the anchor's height, while that may be another now. */
  #share: number | undefined
  #isFollowing = true
  #isHeld = false
  #isGliding = false
  /** Lines that there were when the reader left the end. */
  #leftAt = 0
  /** Of the space; -1 where it has to be set again. */
  #height = -1
  /** Where the scroller is, or is to be when `isScrollDue`. */
  #scrollTop = 0
  #isScrollDue = false

  constructor(log: Log, scroller: HTMLElement, space: HTMLElement, grid: TextGrid, heights: LineHeights) {
    this.#log = log
    this.#scroller = scroller
    this.#space = space
    this.#grid = grid
    this.#heights = heights
  }

  /** The anchor's index. */
  get line(): number {
    return this.#line
  }

  /** So far is the top of what is in sight below the top of the anchor and its note, in px. */
  get offset(): number {
    return this.#offset
  }

  /** In px from the top of the space. */
  get scrollTop(): number {
    return this.#scrollTop
  }

  /** The height of the space, in px. */
  get height(): number {
    return this.#height
  }

  /** The reader is at the end, and kept there. */
  get isFollowing(): boolean {
    return this.#isFollowing
  }

  /** The end is to be shown, whatever comes. */
  get isAtEnd(): boolean {
    return this.#isFollowing && !this.#isHeld
  }

  /** Lines that have come since the reader left the end. */
  get newLines(): number {
    const { lineCount, droppedLines } = this.#log
    return this.#isFollowing ? 0 : Math.max(0, lineCount + droppedLines - this.#leftAt)
  }

  /** The first line in sight. */
  get topLine(): number {
    if (!this.#isFollowing) return this.#line
    return Math.max(0, this.#heights.lineAt(this.#heights.total - this.#grid.viewHeight))
  }

  /** Keeps to the end from now on. */
  follow(): void {
    this.#isFollowing = true
  }

  /** Keeps to the anchor from now on. Returns whether that is new. */
  leave(): boolean {
    if (!this.#isFollowing) return false
    this.#isFollowing = false
    this.#leftAt = this.#log.lineCount + this.#log.droppedLines
    return true
  }

  /** Whether nothing may move, be the end followed or not: the pointer is down on the lines. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld
  }

  /**
   * Whether the browser may be scrolling for the reader, smoothly as a rule. Until it has ended the scroller is left alone:
   * Firefox and Safari end what they scroll as soon as `scrollTop` is set, so that with much output a turn of the wheel came
   * to nothing. The lines are placed around where it is, and it is made to agree with them later.
   */
  glide(): void {
    this.#isGliding = true
  }

  /** The browser has ended what it scrolled, unless it has begun anew and not told yet. */
  endGlide(): void {
    this.readScroll()
    this.#isGliding = false
  }

  /** Goes to where another one is. */
  resume(other: ScrollAnchor): void {
    this.set(other.#line, other.#offset)
    this.#isFollowing = other.#isFollowing
    this.#leftAt = other.#leftAt
  }

  /** Goes to the first line, and keeps to it. */
  goToStart(): void {
    this.leave()
    this.set(0, 0)
    this.settle(true)
  }

  /** Goes to where the line is in the middle of what is in sight, and keeps to it. */
  goToLine(line: number): void {
    this.leave()
    this.set(Math.max(0, Math.min(line, this.#log.lineCount - 1)), 0)
    this.#move(-(this.#grid.viewHeight - this.#grid.lineHeight) / 2)
    this.settle(true)
  }

  /** Has another anchor for where the reader is. */
  set(line: number, offset: number): void {
    this.#line = line
    this.#offset = offset
    this.#share = undefined
  }

  /** The lines are about to have other heights: what of the anchor is at the top of what is in sight is to stay there. */
  holdPlace(): void {
    this.#share ??= this.#offset / this.#heights.of(this.#line)
  }

  /** The place is held until the anchor is measured. */
  get isPlaceHeld(): boolean {
    return this.#share !== undefined
  }

  /** The anchor is measured. */
  releasePlace(): void {
    if (this.#share !== undefined) this.set(this.#line, this.#share * this.#heights.of(this.#line))
  }

  /** Lines have other numbers now; `droppedLines` were dropped when the anchor had its index. */
  renumber(follow: (number: number) => number, droppedLines: number): void {
    const line = follow(this.#line + droppedLines) - this.#log.droppedLines
    if (line < 0) this.set(0, 0)
    else if (line !== this.#line) this.#line = Math.min(line, Math.max(0, this.#log.lineCount - 1))
  }

  /** Learns where the browser has scrolled to. Returns whether something has to be drawn for it. */
  readScroll(): boolean {
    const { scrollTop } = this.#scroller
    const by = scrollTop - this.#scrollTop
    if (Math.abs(by) < 1) return false
    const { lineHeight, isWrapped, viewHeight: view } = this.#grid
    const isAtEnd = scrollTop + view >= this.#height - 2
    // The browser itself moves it when the box grows.
    if (this.#isFollowing && isAtEnd) {
      this.#scrollTop = scrollTop
      return false
    }
    if (by < 0) this.leave()
    this.#scrollTop = scrollTop
    const { total } = this.#heights
    if (!isWrapped && total <= maxHeight && !this.#isGliding) this.#setTop(scrollTop)
    else if (Math.abs(by) <= 3 * view) this.#move(by)
    else {
      this.#setTop((scrollTop / Math.max(1, this.#height - view)) * Math.max(0, total - view))
      if (isWrapped) this.#offset = 0
    }
    const isEnd = (isAtEnd && !this.#isGliding) || this.#distances().below - view <= lineHeight / 2
    if (by > 0 && isEnd) this.#isFollowing = true
    return true
  }

  /**
   * Has the browser end what it scrolls smoothly, after a key or a turn of the wheel, where it is in two frames. Chromium
   * scrolls the rest of that way from wherever `scrollTop` is set to, and ends it for another smooth way only, be it none.
   */
  stop(): void {
    // Where there is no layout, in tests, elements do not scroll.
    this.#scroller.scrollBy?.({ top: 0, behavior: 'smooth' })
  }

  /** Scrolls to where the reader is. */
  scroll(): void {
    if (!this.#isScrollDue) return
    this.#isScrollDue = false
    // The end is where the browser says, should the box have another height than it had.
    this.#scroller.scrollTop = this.isAtEnd ? this.#height : this.#scrollTop
  }

  /** The space is to be set anew: lines have other heights. */
  forgetHeight(): void {
    this.#height = -1
  }

  /** Has the end in sight, of lines that are so high together; not higher than an element can be. */
  settleAtEnd(height: number): void {
    this.#scrollTo(height, Math.max(0, height - this.#grid.viewHeight))
  }

  /**
   * Works out the height of the space and where in it the anchor is; `isJump` where that may be anywhere. Returns how far
   * the top of what is in sight is from the top of the space.
   */
  settle(isJump: boolean): number {
    const view = this.#grid.viewHeight
    let { above, below } = this.#distances()
    if (below < view && above > 0) {
      this.#move(Math.max(-above, below - view))
      ;({ above, below } = this.#distances())
    }
    const total = above + below
    if (this.#isGliding && !isJump && this.#height >= 0) {
      // What has come below can be scrolled to at once. Where there is no room to scroll on, the reader would be stuck.
      const height = Math.min(Math.max(this.#height, this.#scrollTop + below), maxHeight)
      const room = height - view - this.#scrollTop
      const hasRoom = this.#scrollTop >= Math.min(above, view) && room >= Math.min(below - view, view)
      if (hasRoom) return this.#scrollTo(height, this.#scrollTop)
    }
    const isExact = !this.#grid.isWrapped && total <= maxHeight
    const isNearTop = above < 3 * view
    const isNearEnd = below < 4 * view
    if (isExact || (isNearTop && isNearEnd)) return this.#scrollTo(total, above)
    const height = Math.min(Math.max(total, 12 * view), maxHeight)
    const range = height - view
    let scrollTop = this.#scrollTop
    if (isNearTop) scrollTop = above
    else if (isNearEnd) scrollTop = height - below
    else if (isJump || scrollTop < view || scrollTop > range - view) {
      scrollTop = Math.min(Math.max((above / Math.max(1, total - view)) * range, 1.5 * view), range - 1.5 * view)
    }
    return this.#scrollTo(height, scrollTop)
  }

  #scrollTo(height: number, scrollTop: number): number {
    if (height !== this.#height) {
      this.#height = height
      this.#space.style.height = `${height}px`
    }
    if (Math.abs(scrollTop - this.#scrollTop) >= 0.5) {
      this.#scrollTop = Math.max(0, Math.min(scrollTop, height - this.#grid.viewHeight))
      this.#isScrollDue = true
    }
    return scrollTop
  }

  /** What is above and below the top of what is in sight; near an end, or where no line wraps, exactly. */
  #distances(): { readonly above: number; readonly below: number } {
    const line = this.#line
    const offset = this.#offset
    const heights = this.#heights
    const { lineCount } = this.#log
    const { total } = heights
    if (!this.#grid.isWrapped) {
      const above = heights.topOf(line) + offset
      return { above, below: total - above }
    }
    const near = 4 * this.#grid.rowsInSight
    let above = offset
    let below = -offset
    if (line <= near) for (let i = 0; i < line; i++) above += heights.of(i)
    else above = heights.topOf(line) + offset
    if (lineCount - line <= near) for (let i = line; i < lineCount; i++) below += heights.of(i)
    else below = total - heights.topOf(line) - offset
    return { above, below }
  }

  /** Goes so many px on, or back. */
  #move(by: number): void {
    const heights = this.#heights
    if (!this.#grid.isWrapped) {
      this.#setTop(Math.max(0, heights.topOf(this.#line) + this.#offset + by))
      return
    }
    let line = this.#line
    let offset = this.#offset + by
    while (offset < 0 && line > 0) offset += heights.of(--line)
    const last = this.#log.lineCount - 1
    for (let height = heights.of(line); offset >= height && line < last; height = heights.of(line)) {
      offset -= height
      line++
    }
    this.set(line, Math.max(0, offset))
  }

  /** Goes to so many px from the top of all lines. */
  #setTop(top: number): void {
    const line = this.#heights.lineAt(top)
    this.set(line, top - this.#heights.topOf(line))
  }
}
