/** The output of one tool as a terminal would show it, for a stream that only appends. */
export interface Log {
  /**
   * Adds a chunk, split wherever the sender liked. `position` puts it among the others; a late one is merged into its
   * place. Without it the chunk goes to the end. A chunk at or before `cut` is refused.
   */
  append(chunk: string, position?: number): void
  /** What is kept, as seen: without escapes, lines divided by "\n". */
  text(): string
  /** Lines that are kept. */
  readonly lineCount: number
  /** The line with that index among those kept. */
  line(index: number): LogLine
  /** Lines that were dropped from the top because a limit was reached (H3). */
  readonly droppedLines: number
  /** The greatest position of which nothing is left; -Infinity while everything is kept. */
  readonly cut: number
  /** Changes with every append. */
  readonly version: number
}

/** One line of a log. */
export interface LogLine {
  readonly text: string
}

/** What a log keeps at most. */
export interface LogOptions {
  /** Lines. Default 1,000,000. */
  readonly lines?: number
  /** UTF-16 code units. Default 128 Mi. */
  readonly length?: number
}

interface Chunk {
  readonly text: string
  readonly position: number
  /** The number of the line in which it begins, counted from the first line ever, and whether it begins that line. */
  startLine: number
  beginsLine: boolean
}

/**
 * Makes an empty log. Chunks are kept as they came and worked into lines when something is read: in order each chunk
 * once, after a late one all again. Line feed, carriage return, backspace and erase in line act as in a terminal;
 * every other escape sequence is swallowed.
 */
export function createLog({
  lines: maxLines = 1_000_000,
  length: maxLength = 128 * 1024 * 1024,
}: LogOptions = {}): Log {
  const chunks: Chunk[] = []
  /** Chunks that are worked into lines; -1 after a late one. */
  let worked = 0
  let lastPosition = -Number.MAX_VALUE
  let version = 0
  let cut = Number.NEGATIVE_INFINITY
  /** The number of the line in which the first chunk that is kept begins. */
  let startLine = 0
  let droppedLines = 0
  let terminal = createTerminal()

  const work = () => {
    if (worked < 0) {
      chunks.sort((a, b) => a.position - b.position)
      worked = 0
      droppedLines = startLine
      terminal = createTerminal()
    }
    for (; worked < chunks.length; worked++) {
      const chunk = chunks[worked] as Chunk
      chunk.startLine = droppedLines + terminal.lines.length - 1
      chunk.beginsLine = terminal.lines.at(-1) === ''
      terminal.write(chunk.text)
      if (terminal.lines.length > maxLines * 1.1) drop()
    }
    drop()
  }
  /** Drops the oldest lines over the limits, and the chunks that have no line left. */
  const drop = () => {
    const { lines } = terminal
    let excess = Math.max(0, lines.length - (lines.at(-1) === '' ? 1 : 0) - maxLines)
    let { length } = terminal
    for (let i = 0; i < excess; i++) length -= (lines[i] as string).length
    for (; length > maxLength && excess < lines.length - 1; excess++) length -= (lines[excess] as string).length
    if (excess === 0) return
    lines.splice(0, excess)
    terminal.length = length
    droppedLines += excess
    const kept = chunks.findIndex((_, i) => {
      const next = chunks[i + 1]
      if (next === undefined || i + 1 >= worked) return true
      return next.startLine > droppedLines || (next.startLine === droppedLines && !next.beginsLine)
    })
    if (kept <= 0) return
    cut = (chunks[kept - 1] as Chunk).position
    startLine = (chunks[kept] as Chunk).startLine
    chunks.splice(0, kept)
    worked -= kept
  }

  return {
    append(text, position = lastPosition) {
      if (position <= cut) return
      version += 1
      if (position < lastPosition) worked = -1
      else lastPosition = position
      chunks.push({ text, position, startLine: 0, beginsLine: false })
    },
    text() {
      work()
      return terminal.lines.join('\n')
    },
    get lineCount() {
      work()
      return terminal.lines.length - (terminal.lines.at(-1) === '' ? 1 : 0)
    },
    line(index) {
      work()
      return { text: terminal.lines[index] ?? '' }
    },
    get droppedLines() {
      work()
      return droppedLines
    },
    get cut() {
      return cut
    },
    get version() {
      return version
    },
  }
}

/** The lines of a terminal without a width, of which the last is open. */
interface Terminal {
  readonly lines: string[]
  /** Code units in all lines. */
  length: number
  write(chunk: string): void
}

// A whole escape sequence, or the beginning of one at the end of a chunk: CSI; OSC, DCS, APC, PM and SOS up to BEL or ST
// (given up at a line feed); and the short ones.
const escape =
  /\x1b(?:\[[0-?]*[ -/]*(?:[@-~]|$)|[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\|\x1b?$|(?=[\n\x1b]))|[ -/]*(?:[0-~]|$))/y
/** A sequence that has not ended within so many code units is swallowed so far and given up. */
const maxSequence = 4096
const plain = /[^\x00-\x08\x0a-\x1f\x7f]+/y

function createTerminal(): Terminal {
  const lines = ['']
  let open = ''
  let column = 0
  let rest = ''

  const put = (text: string) => {
    terminal.length -= open.length
    open =
      column === open.length
        ? open + text
        : open.padEnd(column).slice(0, column) + text + open.slice(column + text.length)
    column += text.length
    terminal.length += open.length
  }
  const erase = (how: string) => {
    terminal.length -= open.length
    if (how === '1') open = ' '.repeat(Math.min(column + 1, open.length)) + open.slice(column + 1)
    else open = how === '2' ? '' : open.slice(0, column)
    terminal.length += open.length
  }
  const endLine = () => {
    lines[lines.length - 1] = open
    lines.push('')
    open = ''
    column = 0
  }
  const terminal: Terminal = {
    lines,
    length: 0,
    write(chunk) {
      const input = rest + chunk
      rest = ''
      let i = 0
      while (i < input.length) {
        plain.lastIndex = i
        const text = plain.exec(input)?.[0]
        if (text !== undefined) {
          put(text)
          i += text.length
          continue
        }
        const character = input[i]
        if (character === '\x1b') {
          escape.lastIndex = i
          const sequence = escape.exec(input)?.[0] ?? '\x1b'
          if (i + sequence.length === input.length && !isWhole(sequence)) {
            if (sequence.length <= maxSequence) rest = sequence
            break
          }
          const eraseLine = /^\x1b\[([0-2]?)K$/.exec(sequence)
          if (eraseLine !== null) erase(eraseLine[1] as string)
          i += sequence.length
          continue
        }
        if (character === '\n') endLine()
        else if (character === '\r') column = 0
        else if (character === '\b') column = Math.max(0, column - 1)
        i += 1
      }
      lines[lines.length - 1] = open
    },
  }
  return terminal
}

const isWhole = (sequence: string) =>
  /^\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^]*(?:\x07|\x1b\\)|[ -/]*[0-OQ-WYZ`-~\\])$/.test(sequence)
