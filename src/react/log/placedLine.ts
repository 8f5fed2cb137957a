/** Where a line of a log stands. */
export interface PlacedLine {
  /** Its index. */
  readonly line: number
  /** Of the line, below its note if it has one; in px from the top of the space. */
  readonly top: number
  /** A row above it is taken by a note. */
  readonly hasNote: boolean
}
