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
  unknownCause: {
    connection_closed: 'The connection was closed before an outcome came.',
    session_ended: 'The session ended before an outcome came.',
  },
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

  wantsToRun: (tool, agent, server) =>
    `${agent === undefined ? 'The agent' : `The sub-agent ${agent}`} wants to run ${tool}${
      server === undefined ? '' : ` through ${server}`
    }.`,
  changesData: 'changes data',
  argumentsDiffer: 'These are not the arguments that the call showed',
  argumentsPending: 'The arguments are still arriving',
  allow: {
    any: 'Allow',
    once: 'Allow once',
    session: 'Allow for this session',
    always: 'Always allow',
    other: (scope) => `Allow: ${scope}`,
  },
  deny: 'Deny',
  addReason: 'Add a reason',
  reasonForDenying: 'Reason for denying',
  allowed: {
    any: 'Allowed',
    once: 'Allowed once',
    session: 'Allowed for this session',
    always: 'Always allowed',
    other: (scope) => `Allowed: ${scope}`,
  },
  answerSending: 'sending…',
  answerSent: 'sent, waiting for confirmation',
  answerFailed: 'Your answer was not sent',
  answeredElsewhere: 'answered elsewhere',
  answersConflict: 'Two different answers were given',
  requestWithdrawn: 'Withdrawn, no answer is needed any more',
  requestExpired: 'Expired without an answer',
  expiresIn: (time) => `expires in ${time}`,
  requests: 'Requests',
  position: (position, total) => `${number(position)} of ${number(total)}`,
  previousRequest: 'Previous request',
  nextRequest: 'Next request',
  showRequest: 'Show the request',
  showCall: 'Show the call',
  dismiss: 'Dismiss',

  timeLeft: (time) => `time left ${time}`,
  overdue: (time) => `overdue ${time}`,

  exitCode: (code) => `exit code ${code}`,
  endedBySignal: (signal) => `ended by ${signal}`,

  subAgentCalls: 'Sub-agent calls',
  calls: count({ one: '# call', other: '# calls' }),
  callsByStatus: {
    pending: count({ other: '# pending' }),
    waiting: count({ other: '# waiting for you' }),
    running: count({ other: '# running' }),
    done: count({ other: '# done' }),
    error: count({ other: '# failed' }),
    aborted: count({ other: '# aborted' }),
    denied: count({ other: '# denied' }),
    unknown: count({ other: '# unknown' }),
  },

  needsYou: (name) => `${name}: needs your decision`,
  started: (name) => `${name}: started`,
  ended: (name, outcome) => `${name}: ${outcome}`,

  seconds: (seconds) => `${seconds} s`,
  minutesSeconds: (minutes, seconds) => `${minutes} min ${seconds} s`,
  hoursMinutes: (hours, minutes) => `${hours} h ${minutes} min`,
}
