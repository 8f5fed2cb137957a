import { counted } from './counted.js'
import type { Messages } from './messages.js'

const count = counted('en')
const kilobytes = count({ other: 'a block of # KB was left out' })

const number = count({ other: '#' })

/** The words in English. */
export const en: Messages = {
  toolCall: 'Tool call',
  status: {
    pending: 'Pending',
    waiting: 'Waiting for you',
    running: 'Running',
    done: 'Done',
    error: 'Failed',
    aborted: 'Aborted',
    denied: 'Denied',
    unknown: 'Unknown',
  },
  calling: 'Calling…',
  loadingArguments: 'loading arguments…',
  titleRunning: {
    command: (argument) => `Running ${argument}`,
    query: (argument) => `Searching for ${argument}`,
    url: (argument) => `Opening ${argument}`,
  },
  titleEnded: {
    command: (argument) => `Ran ${argument}`,
    query: (argument) => `Searched for ${argument}`,
    url: (argument) => `Opened ${argument}`,
  },
  modeLive: 'Live',
  modeReplay: 'Replay',

  outcome: {
    done: 'Final value',
    error: 'Failed',
    aborted: 'Aborted',
    denied: 'Denied',
    unknown: 'Outcome unknown',
  },
  endedWithoutResult: 'Ended without a result',
  outcomeUnknownHint: 'We do not know how it ended.',
  noValue: 'No value was given',
  emptyText: '(empty text)',
  callerRecorded: 'The caller recorded:',

  arguments: 'Arguments',
  argumentsCutOff: 'The arguments break off here',
  argumentsBroken: count({ other: 'Not JSON from character # on, so it is shown as it came' }),
  masked: 'masked',
  process: (position) => (position === undefined ? 'Process' : `Process ${position}`),
  processEnded: (position) => (position === undefined ? 'Process ended' : `Process ${position} ended`),
  blocks: count({ one: '# block', other: '# blocks' }),
  noEndReported: 'no end reported',
  droppedBlocks: count({ one: '# earlier block was dropped', other: '# earlier blocks were dropped' }),
  numberingSkips: count({ other: 'numbering skips #' }),
  interruption: (lost, back) =>
    back === undefined
      ? `connection lost since ${lost}, blocks may be missing`
      : `connection lost ${lost}–${back}, blocks may be missing`,
  newerMessages: count({ one: '# message is of a newer version', other: '# messages are of a newer version' }),
  waiting: 'Waiting for the first block…',
  noDetails: 'No process details',
  nothingKnown: 'Nothing is known about this call yet',
  noLongerKept: 'This call is no longer kept',

  thinking: 'Thinking…',
  thought: 'Thought',
  thoughtFor: (duration) => `Thought for ${duration}`,
  errorLine: 'Error',
  blockLeftOut: (size) => kilobytes(Math.ceil(size / 1024)),
  unnamedTool: 'tool',

  outputOf: (tool) => (tool === undefined ? 'Output' : `Output of ${tool}`),
  lines: count({ one: '# line', other: '# lines' }),
  newLines: count({ one: '# new line', other: '# new lines' }),
  droppedLines: count({ one: '# earlier line was dropped', other: '# earlier lines were dropped' }),
  moreCharacters: count({ one: '# more character', other: '# more characters' }),
  fullScreenOutput: count({
    one: 'a full-screen program drew # character, which is not shown',
    other: 'a full-screen program drew # characters, which are not shown',
  }),
  refusedChunks: count({
    one: '# piece of output came too late to be shown',
    other: '# pieces of output came too late to be shown',
  }),
  search: 'Search',
  searchFor: 'Search the output',
  wrap: 'Wrap',
  save: 'Save',
  previousMatch: 'Previous match',
  nextMatch: 'Next match',
  closeSearch: 'Close search',
  caseSensitive: 'Match case',
  regularExpression: 'Regular expression',
  invalidExpression: 'Not a regular expression',
  matches: (current, found, isCapped) =>
    found === 0 ? 'No matches' : `${current > 0 ? number(current) : '–'} of ${number(found)}${isCapped ? '+' : ''}`,

  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Not copied',
  showAllLines: count({ one: 'Show all (# line)', other: 'Show all (# lines)' }),
  showAllCharacters: count({ one: 'Show all (# character)', other: 'Show all (# characters)' }),
  showMore: count({ other: 'Show # more' }),
  showEarlier: count({ other: 'Show # earlier' }),
  showLess: 'Show less',
  entries: count({ one: '# entry', other: '# entries' }),

  started: (name) => `${name}: started`,
  ended: (name, outcome) => `${name}: ${outcome}`,

  seconds: (seconds) => `${seconds} s`,
  minutesSeconds: (minutes, seconds) => `${minutes} min ${seconds} s`,
  hoursMinutes: (hours, minutes) => `${hours} h ${minutes} min`,
}
