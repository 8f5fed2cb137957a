/** How a log is shown. */
export interface LogViewOptions {
  /** The height of a row of text in px. */
  readonly lineHeight: number
  /** Rows seen at once where there is no layout to tell. */
  readonly maxLines: number
  readonly isWrapped: boolean
  /** Beside the line with that number, which counts from 1. */
  readonly timeOf: ((lineNumber: number) => string | undefined) | undefined
  /** Holes with a later `visibleAt` are not told yet. */
  readonly gapsUntil: number
  readonly words: LogWords
}

/** What stands among the lines. */
export interface LogWords {
  readonly lines: (count: number) => string
  readonly droppedLines: (count: number) => string
  readonly numberingSkips: (count: number) => string
  readonly moreCharacters: (count: number) => string
}
