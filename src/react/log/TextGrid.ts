import { type CellFont, fontOf } from './CellFont.js'
import type { LogViewOptions } from './logViewOptions.js'
import { observeSize } from './sharedObservers.js'

/**
 * The grid that the text of a log stands in: how large its cells are, and how many of them are in sight. The size of the
 * box is read by `readSize` only, so that asking costs no layout.
 */
export class TextGrid {
  readonly #scroller: HTMLElement
  readonly #lines: HTMLElement
  #options: LogViewOptions
  #viewHeight = 0
  #viewWidth = 0
  /** Of the greatest number that was beside a line. */
  #digits = 0
  #font: CellFont | undefined

  constructor(scroller: HTMLElement, lines: HTMLElement, options: LogViewOptions) {
    this.#scroller = scroller
    this.#lines = lines
    this.#options = options
  }

  /** The height of a row of text in px. */
  get lineHeight(): number {
    return this.#options.lineHeight
  }

  /** A line that is longer than there are columns goes on in the next row. */
  get isWrapped(): boolean {
    return this.#options.isWrapped
  }

  /** What is in sight, in px; more where the box may still grow. */
  get viewHeight(): number {
    return this.#viewHeight
  }

  /** What is in sight, in px. */
  get viewWidth(): number {
    return this.#viewWidth
  }

  /** The font of the lines, looked up once. */
  get font(): CellFont {
    return (this.#font ??= fontOf(this.#lines))
  }

  /** Columns of text beside the numbers. */
  get columns(): number {
    const gutter = Math.max(5, this.#digits) + 2
    return Math.max(8, Math.floor(this.#viewWidth / this.font.columnWidth) - gutter)
  }

  /** Rows of text that are in sight, in part at least. */
  get rowsInSight(): number {
    return Math.ceil(this.#viewHeight / this.lineHeight) + 1
  }

  setOptions(options: LogViewOptions): void {
    this.#options = options
  }

  /** Learns how large the box is around content of this height. Returns whether it is as wide as it was. */
  readSize(contentHeight: number): boolean {
    const { clientHeight, clientWidth } = this.#scroller
    const { lineHeight, maxLines } = this.#options
    const width = clientWidth || 640
    // While all of it fits, the box may still grow with it.
    const canGrow = Number.isFinite(maxLines) && clientHeight >= contentHeight - 1
    this.#viewHeight = canGrow ? Math.max(clientHeight, Math.min(maxLines, 200) * lineHeight) : clientHeight
    const isSameWidth = width === this.#viewWidth
    this.#viewWidth = width
    return isSameWidth
  }

  /** Has the lines leave room for a number beside them; it is not taken back. */
  makeRoomFor(number: number): void {
    const digits = String(number).length
    if (digits <= this.#digits) return
    this.#digits = digits
    this.#scroller.style.setProperty('--tcd-log-number-width', `${digits}ch`)
  }

  /** Calls `listener` when the lines have got another font. Returns what ends it. */
  observeFont(listener: () => void): () => void {
    const probe = document.createElement('div')
    probe.dataset.slot = 'tool-call-log-probe'
    this.#scroller.append(probe)
    const endSize = observeSize(probe, () => {
      const before = this.#font
      // Nobody has asked for it yet.
      if (before === undefined) return
      this.#font = fontOf(this.#lines)
      if (before !== this.#font) listener()
    })
    return () => {
      endSize()
      probe.remove()
    }
  }

  /** Has the font looked up anew. */
  forgetFont(): void {
    this.#font = undefined
  }
}
