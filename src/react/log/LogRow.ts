import { cellWidth, type LogLine, visibleText } from '../../core/index.js'
import type { CellFont } from './CellFont.js'
import { styleText } from './logStyle.js'

/** A stretch of a line that the reader searched for. */
export interface MatchedPart {
  readonly from: number
  readonly to: number
  readonly isCurrent: boolean
}

/** What a row shows. */
export interface RowContent {
  /** A part of the line: its text and styles from `from` on. */
  readonly line: LogLine
  readonly from: number
  /** In UTF-16 units of the whole line. */
  readonly matches: readonly MatchedPart[]
  /** Beside the line; absent while it is not known. */
  readonly number: number | undefined
  readonly time: string | undefined
  /** Says how much of the line is not shown, before and behind. */
  readonly hint: (count: number) => string
}

/** A text node of a row, and the stretch of the line that it stands for. */
interface Piece {
  readonly node: Text
  readonly from: number
  readonly to: number
}

/** UTF-16 units of a line that are mounted; laying out much more would stop the page (H1). */
export const maxLineLength = 10_000
/** Characters of one row that get a box, or a mark, of their own; more of them stand as they are. */
const maxBoxes = 2_000
const printable = /^[ -~]*$/

/**
 * The row of one line, filled by hand and used for one line after another: made of text nodes and elements, never of
 * markup. A `<div>`; inside a `<span>` for each style, an `<a>` for a link, a `<mark>` for what was searched.
 */
export class LogRow {
  readonly element: HTMLDivElement
  /** Its height in px, where it was measured; lines that wrap have several rows of text. */
  height = 0
  /** Between it and the row before, in px; -1 where it is pinned. */
  #room = 0
  #content: RowContent | undefined
  #pieces: Piece[] = []
  #boxes = 0

  constructor(document: Document) {
    this.element = document.createElement('div')
    this.element.dataset.slot = 'tool-call-log-line'
  }

  /** Has the next `write` fill it anew. Until then it shows what it did, and a selection in it can be read. */
  forget(): void {
    this.#content = undefined
    this.height = 0
  }

  /** Stands below the row before it, `room` px of a note between them. */
  flow(room: number): void {
    if (room === this.#room) return
    const { style } = this.element
    style.marginTop = room === 0 ? '' : `${room}px`
    if (this.#room < 0) style.position = style.top = ''
    this.#room = room
  }

  /** Stands so many px from the top of the first row that flows. */
  pin(top: number): void {
    const { style } = this.element
    style.position = 'absolute'
    style.top = `${top}px`
    this.#room = -1
  }

  /** Shows a line. Returns whether anything had to change. */
  write(content: RowContent, font: () => CellFont): boolean {
    const before = this.#content
    this.#content = content
    const { element } = this
    if (content.number !== before?.number) {
      if (content.number === undefined) delete element.dataset.number
      else element.dataset.number = String(content.number)
    }
    if (content.time !== before?.time) {
      if (content.time === undefined) delete element.dataset.time
      else element.dataset.time = content.time
    }
    if (before !== undefined && isSame(before, content)) return false
    const { line, from, matches } = content
    const [only] = this.#pieces
    const isBare = line.runs.length === 0 && matches.length === 0 && from + line.text.length === line.length
    if (isBare && from === 0 && line.text !== '' && printable.test(line.text)) {
      if (this.#pieces.length === 1 && only?.node.parentNode === element && element.childNodes.length === 1) {
        only.node.data = line.text
        this.#pieces = [{ node: only.node, from: 0, to: line.text.length }]
      } else {
        const node = document.createTextNode(line.text)
        element.replaceChildren(node)
        this.#pieces = [{ node, from: 0, to: line.text.length }]
      }
      return true
    }
    this.#pieces = []
    this.#boxes = 0
    element.replaceChildren(...this.#nodes(content, font))
    return true
  }

  /** The place in the line that a place in the DOM stands for; undefined if it is not in this row. */
  offsetOf(node: Node, offset: number): number | undefined {
    if (!this.element.contains(node)) return undefined
    if (node.nodeType === Node.TEXT_NODE) {
      const piece = this.#pieces.find((each) => each.node === node)
      if (piece !== undefined) {
        // A mark stands for one character, whatever it is made of.
        const isMark = piece.node.data.length !== piece.to - piece.from
        return isMark ? (offset === 0 ? piece.from : piece.to) : piece.from + offset
      }
    }
    const border = node.childNodes[offset]
    const next = this.#pieces.find(
      (each) =>
        border !== undefined && (border === each.node || border.contains(each.node) || isBehind(border, each.node)),
    )
    return next?.from ?? this.#pieces.at(-1)?.to ?? 0
  }

  /** The place in the DOM of a place in the line. */
  domOf(offset: number): readonly [Node, number] {
    const piece = this.#pieces.find(({ to }) => offset <= to) ?? this.#pieces.at(-1)
    if (piece === undefined) return [this.element, 0]
    return [piece.node, Math.max(0, Math.min(offset - piece.from, piece.node.data.length))]
  }

  #nodes({ line, from, matches, hint }: RowContent, font: () => CellFont): readonly Node[] {
    const nodes: Node[] = []
    if (from > 0) nodes.push(quiet(`${hint(from)} … `))
    const marks = marksOf(line.text)
    for (const { start, end, style, match } of segmentsOf(line, from, matches)) {
      const inside = this.#text(line.text, start, end, from, marks, font)
      const isPlain = style === undefined && match === undefined
      if (isPlain) nodes.push(...inside)
      else nodes.push(withMatch(match, withStyle(style, inside)))
    }
    const rest = line.length - from - line.text.length
    if (rest > 0) nodes.push(quiet(` … ${hint(rest)}`))
    return nodes
  }

  /** The nodes of a stretch of text in one style. */
  #text(
    text: string,
    start: number,
    end: number,
    shift: number,
    marks: ReadonlyMap<number, string>,
    font: () => CellFont,
  ): Node[] {
    const nodes: Node[] = []
    const push = (from: number, to: number, columns?: number) => {
      const node = document.createTextNode(text.slice(from, to))
      this.#pieces.push({ node, from: from + shift, to: to + shift })
      nodes.push(columns === undefined ? node : cell(node, columns))
    }
    let plain = start
    if (!printable.test(text.slice(start, end))) {
      for (let at = start; at < end && this.#boxes < maxBoxes; ) {
        const code = text.codePointAt(at) as number
        const length = code > 0xffff ? 2 : 1
        const mark = code < 0x7f ? undefined : marks.get(at)
        const columns = code < 0x7f ? 1 : cellWidth(code)
        if (mark === undefined && (code < 0x7f || columns === 0 || font().fits(text.slice(at, at + length), columns))) {
          at += length
          continue
        }
        let to = at + length
        // Marks that join the character go into its box.
        const last = mark === undefined ? end : to
        while (to < last && !marks.has(to)) {
          const next = text.codePointAt(to) as number
          if (next < 0x300 || cellWidth(next) > 0) break
          to += next > 0xffff ? 2 : 1
        }
        if (at > plain) push(plain, at)
        if (mark === undefined) push(at, to, columns)
        else {
          const node = document.createTextNode(mark)
          this.#pieces.push({ node, from: at + shift, to: to + shift })
          nodes.push(markElement(node, mark))
        }
        this.#boxes++
        at = plain = to
      }
    }
    if (end > plain) push(plain, end)
    return nodes
  }
}

interface Segment {
  readonly start: number
  readonly end: number
  readonly style: LogLine['runs'][number]['style'] | undefined
  readonly match: MatchedPart | undefined
}

/** The line cut wherever its style changes or a match begins or ends. */
function* segmentsOf({ text, runs }: LogLine, shift: number, matches: readonly MatchedPart[]): Iterable<Segment> {
  let run = 0
  let match = 0
  for (let at = 0; at < text.length; ) {
    while (run < runs.length && (runs[run]?.to as number) <= at) run++
    while (match < matches.length && (matches[match]?.to as number) - shift <= at) match++
    const style = runs[run]
    const found = matches[match]
    const isStyled = style !== undefined && style.from <= at
    const isFound = found !== undefined && found.from - shift <= at
    const end = Math.min(
      text.length,
      style === undefined ? Infinity : isStyled ? style.to : style.from,
      found === undefined ? Infinity : (isFound ? found.to : found.from) - shift,
    )
    yield { start: at, end, style: isStyled ? style.style : undefined, match: isFound ? found : undefined }
    at = end
  }
}

/** What stands for the characters that can not be seen and could deceive, by their place (H2). */
function marksOf(text: string): ReadonlyMap<number, string> {
  const marks = new Map<number, string>()
  if (printable.test(text)) return marks
  let at = 0
  for (const piece of visibleText(text)) {
    if (typeof piece === 'string') at += piece.length
    else {
      marks.set(at, piece.codePoint)
      at += piece.character.length
    }
  }
  return marks
}

function withStyle(style: Segment['style'], inside: readonly Node[]): readonly Node[] {
  if (style === undefined) return inside
  const element = document.createElement(style.link === undefined ? 'span' : 'a')
  if (element instanceof HTMLAnchorElement && style.link !== undefined) {
    element.href = style.link
    element.title = style.link
    element.target = '_blank'
    element.rel = 'noopener noreferrer nofollow'
    element.dataset.slot = 'tool-call-log-link'
  }
  element.style.cssText = styleText(style)
  element.append(...inside)
  return [element]
}

function withMatch(match: MatchedPart | undefined, inside: readonly Node[]): Node {
  if (match === undefined && inside.length === 1) return inside[0] as Node
  const element = document.createElement('mark')
  element.dataset.slot = 'tool-call-log-match'
  if (match?.isCurrent) element.dataset.current = ''
  element.append(...inside)
  return element
}

function cell(node: Text, columns: number): HTMLElement {
  const element = document.createElement('span')
  element.dataset.slot = 'tool-call-log-cell'
  element.dataset.columns = String(columns)
  element.append(node)
  return element
}

function markElement(node: Text, codePoint: string): HTMLElement {
  const element = document.createElement('span')
  element.dataset.slot = 'tool-call-mark-character'
  element.title = codePoint
  element.dir = 'ltr'
  element.append(node)
  return element
}

function quiet(text: string): HTMLElement {
  const element = document.createElement('span')
  element.dataset.slot = 'tool-call-log-hint'
  element.textContent = text
  return element
}

const isBehind = (node: Node, other: Node) =>
  (node.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0

function isSame(a: RowContent, b: RowContent): boolean {
  return (
    a.line.text === b.line.text &&
    a.line.length === b.line.length &&
    a.from === b.from &&
    a.hint === b.hint &&
    a.line.runs.length === b.line.runs.length &&
    a.line.runs.every((run, i) => {
      const other = b.line.runs[i]
      return run.from === other?.from && run.to === other.to && run.style === other.style
    }) &&
    a.matches.length === b.matches.length &&
    a.matches.every((match, i) => {
      const other = b.matches[i]
      return match.from === other?.from && match.to === other.to && match.isCurrent === other.isCurrent
    })
  )
}
