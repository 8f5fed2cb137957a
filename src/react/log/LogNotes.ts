import type { Log } from '../../core/index.js'
import type { LogViewOptions } from './logViewOptions.js'
import type { PlacedLine } from './placedLine.js'

/**
 * The notes among the lines of a log, each a row above a line: what was dropped above the first (H3), and holes where they
 * are (A13). Their elements are `<div>`s beside the rows.
 */
export class LogNotes {
  readonly #space: HTMLElement
  /** The lines that have a note above them, in order, and what it says. */
  #lines: readonly number[] = []
  #texts: readonly string[] = []
  /** By line number. */
  #elements = new Map<number, HTMLElement>()

  constructor(space: HTMLElement) {
    this.#space = space
  }

  get count(): number {
    return this.#lines.length
  }

  /** Learns which notes there are now. */
  read(log: Log, { words, gapsUntil }: LogViewOptions): void {
    const texts = new Map<number, string>()
    const { droppedLines } = log
    if (droppedLines > 0) texts.set(0, words.droppedLines(droppedLines))
    const counts = new Map<number, number>()
    for (const { line, gap } of log.gaps()) {
      if ((gap.visibleAt ?? -Infinity) <= gapsUntil) counts.set(line, (counts.get(line) ?? 0) + (gap.count ?? 1))
    }
    for (const [line, count] of counts) {
      const said = texts.get(line)
      texts.set(line, said === undefined ? words.numberingSkips(count) : `${said}, ${words.numberingSkips(count)}`)
    }
    this.#lines = [...texts.keys()].sort((a, b) => a - b)
    this.#texts = this.#lines.map((line) => texts.get(line) as string)
  }

  /** How many notes are above the line, its own aside. */
  before(line: number): number {
    let low = 0
    let high = this.#lines.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#lines[middle] as number) < line) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Whether the line has a note of its own. */
  has(line: number): boolean {
    return this.#lines.length > 0 && this.#lines[this.before(line)] === line
  }

  /** Shows the notes of these lines, and no others. */
  place(placed: readonly PlacedLine[], droppedLines: number, lineHeight: number): void {
    const elements = new Map<number, HTMLElement>()
    for (const { line, top, hasNote } of placed) {
      if (!hasNote) continue
      const number = line + droppedLines
      const element = this.#elements.get(number) ?? document.createElement('div')
      const text = this.#texts[this.before(line)] ?? ''
      element.dataset.slot = 'tool-call-log-note'
      if (element.textContent !== text) element.textContent = text
      element.style.top = `${top - lineHeight}px`
      if (element.parentNode === null) this.#space.append(element)
      elements.set(number, element)
    }
    for (const [number, element] of this.#elements) if (!elements.has(number)) element.remove()
    this.#elements = elements
  }
}
