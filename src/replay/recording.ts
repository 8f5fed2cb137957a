import type { Received } from '../store/index.js'

/** What a recording says of itself in its first line. */
export const recordingFormat = 'tool-call-detail/recording'

/** The version of the format that is written, and the newest that is read. */
export const recordingVersion = 1

/** The version of this library, as it is written into recordings. */
export const libraryVersion = '0.1.0'

/** The first line of a recording: what it is, and what it was made with. */
export interface RecordingHeader {
  readonly format: typeof recordingFormat
  readonly version: number
  /** The version of this library that wrote it. */
  readonly library: string
  /** When the recording began, in ms on the store's clock. */
  readonly createdAt: number
  /** The size of the window in CSS px; absent where there was no window, as the following are. */
  readonly viewport?: { readonly width: number; readonly height: number; readonly pixelRatio: number }
  /** The page's language, else the browser's, as a BCP 47 tag. */
  readonly language?: string
  /** Whether the reader had asked for less motion. */
  readonly reducedMotion?: boolean
}

/**
 * A recording: a header and what a store took, in the order in which it did. As a file it is JSON Lines: the header in
 * the first line, a receipt in each other one (G1).
 */
export interface Recording {
  /** Absent where the first line was not readable as one. */
  readonly header: RecordingHeader | undefined
  readonly receipts: readonly Received[]
  /** What of it could not be read. */
  readonly problems: readonly RecordingProblem[]
}

/**
 * What is wrong with a recording. Everything else of it is played.
 *
 * - `missing_header`: the first line is no header; the recording is read as one of this version.
 * - `newer_version`: it was written by a newer version of the library; what is known of it is played.
 * - `unreadable_line`: a line that is not JSON, or no receipt; it is left out.
 * - `cut_off`: the last line breaks off, as when the page was closed while it was written; it is left out.
 * - `invalid_event`: an event whose fields are not what they have to be; it is left out, the rest of its line is not.
 */
export type RecordingProblemKind = 'missing_header' | 'newer_version' | 'unreadable_line' | 'cut_off' | 'invalid_event'

/** Something wrong with a recording. */
export interface RecordingProblem {
  readonly kind: RecordingProblemKind
  /** The line it was found in; the first is 1. */
  readonly line: number
}
