import type { Problem, ToolEvent } from '../core/index.js'
import type { Received, ToolCallStore } from '../store/index.js'
import { libraryVersion, type RecordingHeader, recordingFormat, recordingVersion } from './recording.js'

/**
 * Where a recording goes, line by line: a function, or a stream of texts, such as that of a file which the user chose,
 * or the writable end of a `TextEncoderStream`.
 */
export type RecordingSink = ((line: string) => void) | WritableStream<string>

/** How a recording is made. */
export interface RecordOptions {
  /**
   * Sees each event before it is written, and returns what is to be written in its place: the event, one with less in
   * it, or undefined for none. When it throws, the event is left out, and `host_callback_failed` is counted.
   */
  readonly redact?: (event: ToolEvent) => ToolEvent | undefined
}

/** A recording that is being made. */
export interface Recorder {
  /** Ends the recording. Resolves once all of it is written; a stream is closed then. */
  stop(): Promise<void>
}

/**
 * Writes what the store takes from now on as JSON Lines (G1): a header, then a line for each receipt, as it comes and
 * without holding any of it. Begin it when the store is made, since what the store knew before is not in it.
 *
 * What is written has been through the protocols, so that nothing is in it that is not meant for the user (E3), and
 * through the store's `maskArguments` and then `redact`. Each line ends with a line feed. A sink that fails ends the
 * recording, and is counted as `host_callback_failed` in the store's diagnostics.
 */
export function recordTo(store: ToolCallStore, sink: RecordingSink, options: RecordOptions = {}): Recorder {
  const writer = typeof sink === 'function' ? undefined : sink.getWriter()
  let written = Promise.resolve()
  let isStopped = false

  const fail = (what: string, error: unknown) =>
    store.report({
      kind: 'host_callback_failed',
      detail: `${what}: ${error instanceof Error ? error.name : typeof error}`,
    })
  const end = () => {
    isStopped = true
    stopHearing()
  }
  const write = (value: unknown) => {
    const line = `${JSON.stringify(value)}\n`
    if (writer === undefined) {
      try {
        ;(sink as (line: string) => void)(line)
      } catch (error) {
        end()
        fail('recording', error)
      }
      return
    }
    written = writer.write(line).catch((error: unknown) => {
      if (isStopped) return
      end()
      fail('recording', error)
    })
  }
  const redacted = (event: ToolEvent): readonly ToolEvent[] => {
    try {
      return options.redact === undefined ? [event] : listOf(options.redact(event))
    } catch (error) {
      fail('redact', error)
      return []
    }
  }
  const hear = ({ receivedAt, events, problems }: Received) => {
    if (isStopped) return
    const kept = events.flatMap(redacted)
    if (kept.length === 0 && problems.length === 0) return
    write({ receivedAt, events: kept, ...(problems.length > 0 && { problems: problems.map(withoutDetail) }) })
  }

  // Its own failures are not part of what it records.
  let stopHearing = () => {}
  write(headerOf(store))
  if (!isStopped) stopHearing = store.onReceived(hear)
  return {
    async stop() {
      if (isStopped) return
      end()
      await written
      await writer?.close().catch((error: unknown) => fail('recording', error))
    },
  }
}

const listOf = <Value>(value: Value | undefined): readonly Value[] => (value === undefined ? [] : [value])

/** A detail may hold what a host's error or another server said, which nobody has redacted. */
const withoutDetail = ({ kind, callId }: Problem): Problem => ({ kind, ...(callId !== undefined && { callId }) })

function headerOf(store: ToolCallStore): RecordingHeader {
  const header = {
    format: recordingFormat,
    version: recordingVersion,
    library: libraryVersion,
    createdAt: store.now(),
  } as const
  if (typeof window === 'undefined') return header
  const { innerWidth: width, innerHeight: height, devicePixelRatio: pixelRatio } = window
  return {
    ...header,
    viewport: { width, height, pixelRatio },
    language: document.documentElement.lang || navigator.language,
    reducedMotion: typeof matchMedia === 'function' && matchMedia('(prefers-reduced-motion: reduce)').matches,
  }
}
