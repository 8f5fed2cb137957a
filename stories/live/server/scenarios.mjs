// @ts-check
import { busScenarios } from './busScenarios.mjs'
import { disturb } from './disturb.mjs'
import * as build from './releaseBuild.mjs'
import { createScript } from './script.mjs'

/** @typedef {import('./script.mjs').Run} Run */
/** @typedef {import('./script.mjs').Step} Step */
/** @typedef {ReturnType<typeof createScript>} Script */

/**
 * Something that can happen between an agent and its colleagues.
 * @typedef {object} Scenario
 * @property {string} name
 * @property {string} title
 * @property {string} description What there is to see.
 * @property {(script: Script) => void} write
 * @property {(steps: Step[]) => Step[]} [onTheWay] What happens to the messages on their way.
 */

/** What can happen between agents: snapshots and frames (A, B, C). @type {readonly Scenario[]} */
export const scenarios = [
  {
    name: 'release-build',
    title: 'Build a release',
    description: 'Over a minute of thinking, tools and coloured output with progress bars; two tests fail.',
    write: writeReleaseBuild,
  },
  {
    name: 'thinking',
    title: 'Think it through',
    description: 'A colleague weighs a question; neighbouring thoughts fold into one line.',
    write(script) {
      script.say('user', 'Should we cache the exchange rates on the device?')
      script.wait(400)
      const call = script.call('ask', {
        peer: 'architect',
        message: 'Should we cache the exchange rates on the device?',
      })
      const task = script.task(call, 'task')
      for (const thought of [
        'The rates change once a day at 16:00 CET, when the European Central Bank publishes them.',
        'An invoice has to use the rate of its own date, so a stale rate is wrong only for invoices of today.',
        'Offline, the app shows totals in the home currency. Without any rate it could show nothing at all.',
      ]) {
        script.wait(900)
        script.thinking(task, thought)
      }
      script.wait(900)
      script.text(task, 'Looking up how often people are offline at all.')
      const query = script.tool(task, 'query_metrics')
      script.wait(600)
      script.output(task, query, ['sessions_offline_share  28 days\n', 'median 3.1 %   p95 22.4 %\n'], 300)
      script.toolEnds(task, query)
      script.wait(700)
      script.thinking(
        task,
        'One session in thirty starts without a connection: worth a few hundred bytes on the device.',
      )
      script.wait(900)
      script.thinking(
        task,
        'The risk is an old rate that looks new. The date of the rate has to stand beside the total.',
      )
      script.wait(1200)
      const answer =
        'Yes, for one day. Keep the last published table on the device, show its date beside every converted total, and fetch the rate again before an invoice is sent.'
      script.done(task, answer)
      script.wait(150)
      script.returns(call, answer)
      script.wait(300)
      script.say(
        'agent',
        'The architect is for it, with one condition: every converted total shows the date of its rate.',
      )
    },
  },
  {
    name: 'parallel-calls',
    title: 'Ask three colleagues at once',
    description: 'Three calls side by side, each with a process of its own, ending one after the other.',
    write(script) {
      script.say('user', 'Can we move the picnic to Saturday? Check weather, trains and the budget.')
      script.wait(400)
      const asks = [
        {
          peer: 'weather-desk',
          message: 'Weather in Potsdam on Saturday, 11:00 to 18:00?',
          tool: 'forecast',
          chunks: [
            '11:00  17 °C  cloudy\n',
            '14:00  21 °C  sunny\n',
            '17:00  20 °C  sunny, light wind from the west\n',
          ],
          everyMs: 700,
          answer: 'Dry, 17 to 21 °C, sunny from noon on. Chance of rain 10 %.',
        },
        {
          peer: 'travel-desk',
          message: 'Trains from Berlin Hbf to Potsdam on Saturday morning for 14 people?',
          tool: 'timetable',
          chunks: ['RE1  09:32 → 09:56\n', 'RE1  10:02 → 10:26\n', 'S7   every 10 min, 43 min\n'],
          everyMs: 1500,
          answer: 'The RE1 at 10:02 suits best, 24 minutes. Three group day tickets cover all 14.',
        },
        {
          peer: 'finance',
          message: 'Is there 250 € left in the team budget?',
          tool: 'ledger',
          chunks: ['team-events 2026-Q2\n', 'planned 1,200.00   spent 861.40\n', 'open      338.60\n'],
          everyMs: 2400,
          answer: 'Yes: 338.60 € are open in this quarter, so 88.60 € would remain.',
        },
      ]
      const pens = asks.map(({ peer, message, tool, chunks, everyMs, answer }) => {
        const pen = script.fork()
        const call = pen.call(peer, { peer, message })
        const task = pen.task(call, 'task')
        pen.wait(500)
        pen.thinking(task, `One question only; the ${tool} has the answer.`)
        pen.wait(300)
        const stream = pen.tool(task, tool)
        pen.output(task, stream, chunks, everyMs)
        pen.toolEnds(task, stream)
        pen.wait(400)
        pen.done(task, answer)
        pen.wait(100)
        pen.returns(call, answer)
        return pen
      })
      script.join(...pens)
      script.wait(400)
      script.say(
        'agent',
        'Saturday works: dry weather, the RE1 at 10:02, and the budget covers it with 88.60 € to spare.',
      )
    },
  },
  {
    name: 'several-tasks',
    title: 'Go back with a question',
    description: 'Two tasks under one call: the first ends with a question, the second with the answer.',
    write(script) {
      script.say('user', 'Get the launch text translated into Japanese.')
      script.wait(400)
      const call = script.call('ask', { peer: 'translator', message: 'Translate the launch text into Japanese.' })
      const first = script.task(call, 'first')
      script.wait(600)
      script.thinking(first, 'The text addresses the reader directly. Japanese needs a level of politeness for that.')
      script.wait(800)
      const read = script.tool(first, 'read_document')
      script.output(first, read, ['launch.md, 214 words\n', 'glossary.csv, 36 terms\n'], 500)
      script.toolEnds(first, read)
      script.wait(900)
      script.done(
        first,
        'Before I begin: is this for people who know the product (です・ます), or for the press (である)?',
      )
      script.wait(1600)
      // A remote agent numbers each task anew, from wherever it likes.
      const second = script.task(call, 'second', { nextSeq: 40 })
      script.text(second, 'For people who know the product. Translating.')
      script.wait(500)
      const translate = script.tool(second, 'translate')
      script.output(
        second,
        translate,
        [
          '1/4  見出し\n',
          '2/4  新しい「詳細」パネルで、エージェントの作業がそのまま見えます。\n',
          '3/4  作業の記録は、あとから何度でも見直せます。\n',
          '4/4  今日からすべてのプランで使えます。\n',
        ],
        800,
      )
      script.toolEnds(second, translate)
      script.wait(500)
      script.text(second, 'Checked against the glossary: 36 of 36 terms.')
      script.wait(700)
      const answer =
        '新しい「詳細」パネルで、エージェントの作業がそのまま見えます。\n作業の記録は、あとから何度でも見直せます。\n今日からすべてのプランで使えます。'
      script.done(second, answer)
      script.wait(150)
      script.returns(call, answer)
      script.wait(300)
      script.say('agent', 'Done, in the polite form. The translator checked it against our glossary.')
    },
  },
  {
    name: 'interleaved-streams',
    title: 'Two tools at the same time',
    description: 'The blocks of two tools take turns on the wire; each keeps a log of its own.',
    write(script) {
      script.say('user', 'Run the load test and watch the database meanwhile.')
      script.wait(400)
      const call = script.call('ask', {
        peer: 'load-tester',
        message: 'Run the checkout load test against staging, and watch the database while it runs.',
      })
      const task = script.task(call, 'task')
      script.wait(500)
      script.text(task, 'Starting 400 virtual users on staging.')
      script.wait(200)
      const load = script.fork()
      const database = script.fork()
      const k6 = load.tool(task, 'k6', 'load')
      const seconds = Array.from({ length: 24 }, (_, i) => i + 1)
      load.output(
        task,
        k6,
        seconds.map((s) => {
          const p95 = 180 + Math.round(60 * Math.sin(s / 3)) + (s > 14 ? 190 : 0)
          const colour = p95 > 350 ? '33' : '32'
          return `\x1b[2m${String(s * 5).padStart(3)}s\x1b[0m  ${String(Math.min(400, s * 40)).padStart(3)} users  ${1180 + ((s * 97) % 240)} req/s  p95 \x1b[${colour}m${p95} ms\x1b[0m\n`
        }),
        400,
      )
      load.toolEnds(task, k6)
      database.wait(200)
      const postgres = database.tool(task, 'pg_stat', 'database')
      database.output(
        task,
        postgres,
        seconds.slice(0, 20).map((s) => {
          const waiting = s > 11 ? 14 + ((s * 7) % 9) : (s * 3) % 4
          return `connections ${String(38 + s * 3).padStart(3)}/100  waiting ${waiting > 9 ? `\x1b[31m${waiting}\x1b[0m` : waiting}  cache hit 99.${(s * 3) % 10} %\n`
        }),
        480,
      )
      database.toolEnds(task, postgres)
      script.join(load, database)
      script.wait(500)
      script.thinking(task, 'Latency doubles at the moment when the pool runs out: the two belong together.')
      script.wait(800)
      const answer =
        'The checkout holds 400 users: p95 stays under 450 ms. From the 14th sample on, connections wait for the pool. A pool of 140 should remove the step.'
      script.done(task, answer)
      script.wait(150)
      script.returns(call, answer)
      script.wait(300)
      script.say('agent', 'It holds, but the connection pool is the bottleneck. Shall I raise it to 140 and run again?')
    },
  },
  {
    name: 'aborted',
    title: 'Ended without a result',
    description: 'The colleague is stopped in the middle; the reason is pinned, the caller says it failed.',
    write(script) {
      script.say('user', 'Recompute the yearly usage report.')
      script.wait(400)
      const call = script.call('ask', { peer: 'data-analyst', message: 'Recompute the usage report for 2025.' })
      const task = script.task(call, 'task')
      script.wait(600)
      script.thinking(task, 'Twelve months of events are 1.4 billion rows; a month at a time fits into the quota.')
      script.wait(600)
      const query = script.tool(task, 'run_query')
      script.output(
        task,
        query,
        ['January', 'February', 'March', 'April', 'May'].map(
          (month, i) => `${month.padEnd(9)} ${112 + i * 7}.${i}M rows  done\n`,
        ),
        900,
      )
      script.error(task, 'The warehouse answered slowly and was asked again (1 of 3).')
      script.output(task, query, ['June      '], 1500)
      script.toolEnds(task, query, 'aborted')
      script.wait(500)
      const reason = 'The daily query quota of the analytics project is used up. It is renewed at 00:00 UTC.'
      script.aborted(task, reason)
      script.wait(150)
      script.fails(call)
      script.wait(300)
      script.say('agent', 'The report got as far as May. I will go on with June when the quota is renewed at midnight.')
    },
  },
  {
    name: 'silent',
    title: 'A silent colleague',
    description: 'No process at all: after 10 seconds the area says so, after 14 the final value is there.',
    write(script) {
      script.say('user', 'Ask legal whether we may use the photo from the summer party.')
      script.wait(400)
      const call = script.call('ask', {
        peer: 'legal',
        message: 'May we publish the photo summer-party-17.jpg on our careers page?',
      })
      script.wait(14_000)
      script.returns(
        call,
        'Yes: everyone in the picture has signed the release of 2026-05-12. Please do not crop the photographer’s name.',
      )
      script.wait(300)
      script.say('agent', 'Legal agrees. The photographer’s name has to stay in the picture.')
    },
  },
  {
    name: 'no-call-id',
    title: 'Frames without a call',
    description: 'Two calls run and the sender cannot tell them apart: no process is shown, only the final values.',
    write(script) {
      script.say('user', 'Ask both warehouses how many chairs they have.')
      script.wait(400)
      const calls = ['north', 'south'].map((name) =>
        script.call(name, { peer: `warehouse-${name}`, message: 'How many chairs of type C-12 are in stock?' }),
      )
      const tasks = calls.map((call) => script.task(call, 'task', { named: false }))
      for (const [i, task] of tasks.entries()) {
        script.wait(700)
        script.text(task, `Counting aisle ${i + 1}.`)
        script.output(task, script.tool(task, 'scan_shelf'), ['C-12 x 16\n', 'C-12 x 8\n'], 600)
      }
      for (const [i, task] of tasks.entries()) {
        const answer =
          i === 0 ? '142 chairs in the north, 20 of them reserved.' : 'No chair in the south before Thursday.'
        script.wait(900)
        script.done(task, answer)
        script.wait(150)
        script.returns(task.call, answer)
      }
      script.wait(300)
      script.say('agent', '122 chairs are free in the north; the south gets new ones on Thursday.')
    },
  },
  {
    name: 'third-party',
    title: 'A colleague from elsewhere',
    description: 'A peer that knows nothing of the envelope: plain lines without numbers, placed by their time.',
    write(script) {
      script.say('user', 'Book a table for Friday at seven, for four.')
      script.wait(400)
      const call = script.call('ask', { peer: 'bistro-lumen', message: 'A table for four on Friday at 19:00, please.' })
      const task = script.task(call, 'task', { numbered: false })
      for (const line of [
        'Looking at Friday evening.',
        '19:00 is taken; 18:30 and 19:45 are free.',
        'Asking the house whether table 6 can be joined with table 7.',
        'The house agrees.',
      ]) {
        script.wait(1300)
        script.text(task, line)
      }
      script.wait(1500)
      const answer = 'Booked: Friday, 19:00, four people, tables 6 and 7, by the window.'
      script.done(task, answer)
      script.wait(150)
      script.returns(call, answer)
      script.wait(300)
      script.say('agent', 'You have a table at Bistro Lumen on Friday at seven.')
    },
  },
  {
    name: 'asynchronous',
    title: 'Answered later',
    description: 'The call ends at once with a handle: its area shows that, and no process.',
    write(script) {
      script.say('user', 'Have the archive of 2019 checked for broken files.')
      script.wait(400)
      const call = script.call('ask', {
        peer: 'archivist',
        message: 'Check the archive of 2019 for broken files.',
        wait: false,
      })
      script.wait(350)
      script.returns(call, { handle: 'job-2019-07', state: 'accepted', expected: 'tomorrow morning' })
      script.wait(300)
      script.say('agent', 'The archivist has taken it on as job-2019-07. I will look again tomorrow morning.')
    },
  },
  {
    name: 'large-file',
    title: 'Write a file of 1 MB',
    description: 'Arguments stream in for 20 seconds; the area follows their end and stays smooth.',
    write(script) {
      script.say('user', 'Write out the first prime numbers, a megabyte of them.')
      script.wait(300)
      const call = script.starts('write', 'write_file')
      script.streams(call, JSON.stringify({ path: 'primes.txt', content: largeText() }), 5_000, 100)
      script.wait(400)
      script.results(call, { path: 'primes.txt', bytes: largeText().length }, 'success', 'Wrote primes.txt, 1 MB')
      script.wait(300)
      script.say('agent', 'The file is there: primes.txt.')
    },
  },
  {
    name: 'arguments-cut-off',
    title: 'Arguments that break off',
    description: 'The connection to the model breaks in the middle of the arguments: what came stays in view.',
    write(script) {
      script.say('user', 'Put the meeting notes into a file.')
      script.wait(300)
      const call = script.starts('notes', 'write_file')
      script.streams(call, '{"path":"notes/monday.md","content":"# Monday\\n\\n- The release moves to Thurs')
      script.wait(1_500)
      script.results(call, 'The model stopped answering in the middle of the call.', 'error')
      script.wait(300)
      script.say('agent', 'That call did not get through; I will try once more.')
    },
  },
  {
    name: 'result-without-start',
    title: 'A result without a start',
    description: 'The start was missed: the call shows with its result, and no name.',
    write(script) {
      script.say('user', 'How many open issues are there?')
      script.wait(500)
      script.results({ callId: script.id('count') }, '37 open issues')
      script.wait(300)
      script.say('agent', 'There are 37.')
    },
  },
  {
    name: 'twenty-calls',
    title: 'Twenty calls at once',
    description: 'Twenty searches side by side, each with arguments that stream in and a result of its own.',
    write(script) {
      script.say('user', 'Where are the twenty oldest functions of the code base used?')
      script.wait(300)
      const pens = Array.from({ length: 20 }, (_, i) => {
        const pen = script.fork()
        pen.wait(i * 40)
        const call = pen.starts(`search-${i}`, 'search_code')
        pen.streams(call, JSON.stringify({ query: `legacy_function_${i + 1}(`, path: 'src', limit: 50 }), 4, 80)
        pen.wait(600 + ((i * 7) % 20) * 150)
        const hits = (i * 13) % 29
        pen.results(call, `${hits} hits`, 'success', `${hits} hits for legacy_function_${i + 1}`)
        return pen
      })
      script.join(...pens)
      script.wait(300)
      script.say('agent', 'Three of them are used nowhere any more.')
    },
  },
  {
    name: 'error-result',
    title: 'A tool that fails',
    description: 'The arguments arrive, the command runs, and its result is an error.',
    write(script) {
      script.say('user', 'Run the tests.')
      script.wait(300)
      const call = script.starts('tests', 'shell')
      script.streams(call, '{"command":"npm test -- --run","timeout":120000}')
      script.wait(2_000)
      script.results(call, 'npm error Missing script: "test"', 'error', 'npm test failed: there is no such script')
      script.wait(300)
      script.say('agent', 'There is no test script in this package.')
    },
  },
  {
    name: 'falsy-results',
    title: 'Results that are next to nothing',
    description: 'Four calls return 0, false, an empty text and null: each of them is a final value.',
    write(script) {
      script.say('user', 'Check the queue, the lock, the motto and the owner.')
      for (const [name, result] of /** @type {const} */ ([
        ['queue', 0],
        ['lock', false],
        ['motto', ''],
        ['owner', null],
      ])) {
        script.wait(300)
        const call = script.starts(name, `get_${name}`)
        script.streams(call, JSON.stringify({ name }), 4)
        script.wait(500)
        script.results(call, result)
      }
      script.wait(300)
      script.say('agent', 'The queue is empty, nothing is locked, there is no motto, and nobody owns it.')
    },
  },
  {
    name: 'disturbed',
    title: 'The same build on a bad line',
    description: 'Blocks are lost, overtake each other, come twice, or come after the end.',
    write: writeReleaseBuild,
    onTheWay: (steps) => disturb(steps, 7),
  },
]

/** Not written, but played by a real agent (chain.mjs). */
export const chainScenario = {
  name: 'a2a-agent',
  title: 'A real A2A agent',
  description: 'An agent of the official SDK, its line cut once, then two calls to it that nobody can tell apart.',
}

/** All that is written. @type {readonly Scenario[]} */
export const allScenarios = [...scenarios, ...busScenarios]

/**
 * All that a run sends, in its order (A13: never more than 10 blocks a second for one task, but for those that were held
 * up on the way), and what it asks: both as far as they are known by the answers that the run holds.
 * @param {Run} run @returns {{ steps: Step[], requests: import('./script.mjs').Request[] }}
 * @throws when there is no scenario of that name
 */
export function scriptOf(run) {
  const scenario = allScenarios.find(({ name }) => name === run.scenario)
  if (!scenario) throw new Error(`There is no scenario "${run.scenario}".`)
  const script = createScript(run)
  scenario.write(script)
  const steps = script.steps()
  return { steps: scenario.onTheWay?.(steps) ?? steps, requests: script.requests() }
}

/** What a run sends, without what it asks. @param {Run} run */
export const stepsOf = (run) => scriptOf(run).steps

/** A text of one million characters, the same each time. */
function largeText() {
  const sieve = new Uint8Array(2_000_000)
  const lines = []
  let line = []
  let length = 0
  for (let n = 2; length < 1_000_000; n++) {
    if (sieve[n]) continue
    for (let multiple = n * n; multiple < sieve.length; multiple += n) sieve[multiple] = 1
    line.push(n)
    length += String(n).length + 1
    if (line.length < 12) continue
    lines.push(line.join(' '))
    line = []
  }
  return `${lines.join('\n')}\n`
}

/** @param {Script} script */
function writeReleaseBuild(script) {
  script.say('user', 'Build the 4.2 release and tell me what fails.')
  script.wait(400)
  const call = script.call('build', { peer: 'release-bot', message: 'Build the release and report what fails.' })
  const task = script.task(call, 'task')
  script.wait(700)
  script.thinking(
    task,
    'The release script needs a clean tree first, so I will check that before anything is installed.',
  )
  script.wait(1100)
  script.thinking(
    task,
    'If it is clean: install, bundle, test, then a dry run of the package. Stop only where going on makes no sense.',
  )
  script.wait(900)
  const status = script.tool(task, 'git_status')
  script.output(task, status, build.gitStatus)
  script.toolEnds(task, status)
  script.wait(300)
  const install = script.tool(task, 'shell')
  script.output(task, install, build.install, 200)
  script.toolEnds(task, install)
  script.text(task, 'The tree is clean and everything is installed; bundling now.')
  script.wait(400)
  const bundle = script.tool(task, 'shell')
  script.output(task, bundle, build.bundle, 220)
  script.toolEnds(task, bundle)
  script.text(task, 'The bundle is built; running the tests next.')
  script.wait(400)
  const tests = script.tool(task, 'shell')
  script.output(task, tests, build.tests, 400)
  script.toolEnds(task, tests, 'aborted')
  script.error(task, 'npm test ended with exit code 1.')
  script.wait(800)
  script.thinking(
    task,
    'Both failures are in one file and name CardPanel. That looks like a rename that the type tests have missed.',
  )
  script.wait(900)
  const log = script.tool(task, 'shell')
  script.output(task, log, build.exportsFile, 400)
  script.toolEnds(task, log)
  script.text(
    task,
    'Confirmed: 8c1f0de renamed CardPanel to CardDetail. The package itself is not touched by it; packing.',
  )
  script.wait(400)
  const pack = script.tool(task, 'shell')
  script.output(task, pack, build.pack, 240)
  script.toolEnds(task, pack)
  script.wait(900)
  const { passed, all } = build.testTotals
  const answer = [
    `The release builds, and ${passed} of ${all} tests pass.`,
    'Two type tests fail in test/exports.test-d.ts: both expect CardPanel, which 8c1f0de renamed to CardDetail.',
    'The package would be 212.4 kB. Nothing was published.',
  ].join('\n')
  script.done(task, answer)
  script.wait(150)
  script.returns(call, answer)
  script.wait(300)
  script.say(
    'agent',
    'The release builds. Two type tests still expect the old name CardPanel; shall I rename it there?',
  )
}
