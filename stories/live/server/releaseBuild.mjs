// @ts-check
// What a release build prints: colours, progress bars that overwrite themselves, and a few hundred lines of tests.

/** @param {string} code */
const paint = (code) => (/** @type {string | number} */ text) => `\x1b[${code}m${text}\x1b[0m`
const bold = paint('1')
const dim = paint('2')
const red = paint('31')
const green = paint('32')
const yellow = paint('33')
const blue = paint('34')
const magenta = paint('35')
const cyan = paint('36')
const onRed = paint('1;37;41')
const onGreen = paint('1;30;42')

/** @param {string} command */
const prompt = (command) => `${dim('$')} ${bold(command)}\n`

/** A bar of 24 cells, drawn over the line that is there. @param {number} count @param {number} total */
function bar(count, total) {
  const full = Math.round((count / total) * 24)
  return `${magenta('━'.repeat(full))}${dim('━'.repeat(24 - full))}`
}

/** @param {number} length @param {(index: number) => string} make */
const times = (length, make) => Array.from({ length }, (_, index) => make(index))

/** Lines put together by twos, as a sender does that has to send less often. @param {readonly string[]} lines */
const inPairs = (lines) => times(Math.ceil(lines.length / 2), (i) => lines.slice(i * 2, i * 2 + 2).join(''))

export const gitStatus = [
  prompt('git status --short --branch'),
  `## ${green('release/4.2')}...${red('origin/release/4.2')}\n`,
]

export const install = [
  prompt('npm ci'),
  ...times(28, (i) => {
    const spinner = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'[i % 10]
    const count = Math.round(((i + 1) / 28) * 412)
    return `\r${cyan(spinner ?? '')} ${bar(count, 412)} ${String(count).padStart(3)}/412 ${dim('packages')}\x1b[K`
  }),
  `\r\x1b[K\nadded ${bold(412)} packages in 6s\n`,
  `\n${dim('97 packages are looking for funding')}\n`,
]

const chunkNames =
  'index board-view card-editor comments search inbox settings billing onboarding activity charts calendar attachments shortcuts markdown emoji-picker mentions notifications presence sync-worker offline-cache vendor-react vendor-charts polyfills'.split(
    ' ',
  )

export const bundle = [
  prompt('npm run build'),
  `\n${dim('> board@4.2.0 build')}\n${dim('> tsc -b && vite build')}\n\n`,
  `${cyan('vite v8.3.8')} ${green('building for production…')}\n`,
  ...times(22, (i) => `\rtransforming ${bar(i + 1, 22)} ${dim(`${Math.round(((i + 1) / 22) * 1204)} modules`)}\x1b[K`),
  `\r\x1b[K${green('✓')} 1204 modules transformed.\n`,
  `${yellow('▲ [warn]')} "use client" is ignored in ${blue('src/panel/Log.tsx:1:0')}\n`,
  `${yellow('▲ [warn]')} "@charset" must be the first rule in ${blue('src/styles/print.css:3:0')}\n`,
  ...times(12, (i) => `\rrendering chunks ${bar(i * 2 + 2, 24)} ${dim(`${i * 2 + 2}/24`)}\x1b[K`),
  `\r\x1b[K${dim('computing gzip size…')}\n`,
  ...inPairs(
    chunkNames.map((name, i) => {
      const kB = 6 + ((i * 37 + 11) % 91) + ((i * 13) % 100) / 100
      const file = `${name}-${(0x9e3779b1 * (i + 1)).toString(36).slice(0, 8)}.js`
      const gzip = (kB * 0.34).toFixed(2).padStart(6)
      return `${dim('dist/assets/')}${cyan(file.padEnd(34))}${bold(kB.toFixed(2).padStart(7))} kB ${dim(`│ gzip: ${gzip} kB`)}\n`
    }),
  ),
  `${green('✓ built in 7.31s')}\n`,
]

/** @type {readonly [file: string, ...tests: string[]][]} */
const suites = [
  [
    'board/columns',
    'keeps the order of columns after a reload',
    'moves a card by keyboard',
    'moves a card across the edge of a collapsed column',
    'does not lose the focus when a column is deleted',
    'limits work in progress and says by how much',
    'undoes a move within ten seconds',
    'draws 2,000 cards without a long task',
  ],
  [
    'board/filters',
    'combines labels with "and" inside a group',
    'keeps a filter in the address',
    'finds umlauts typed without them',
    'shows how many cards a filter hides',
    'clears one condition and leaves the rest',
  ],
  [
    'editor/markdown',
    'pastes a table from a spreadsheet',
    'leaves code fences alone',
    'escapes what was typed as text',
    'turns an address into a link once',
    'keeps the selection when a heading is made',
    'undoes a paste in one step',
    'counts characters, not code units',
    'reads a list that is indented by tabs',
  ],
  [
    'editor/mentions',
    'offers people of this board first',
    'closes on Escape and keeps the text',
    'does not mention in a code span',
    'works with names that have two words',
  ],
  [
    'sync/merge',
    'merges two edits of one card',
    'takes the same change once',
    'puts late changes in their place',
    'survives a clock that runs backwards',
    'keeps both versions when a title conflicts',
    'catches up after a week offline',
    'does not grow with what was merged before',
  ],
  [
    'sync/offline',
    'queues changes without a connection',
    'sends the queue in order',
    'says when it was last in contact',
    'asks before it drops a change',
    'resumes after the page was closed',
  ],
  [
    'inbox/rules',
    'groups what belongs to one card',
    'stays quiet during focus time',
    'sends one summary at eight',
    'respects a muted board',
    'marks as read what was read elsewhere',
  ],
  [
    'search/index',
    'ranks a title above a comment',
    'finds a phrase in quotes',
    'leaves out archived boards',
    'updates while it is being typed',
    'answers within 50 ms for 100,000 cards',
  ],
  [
    'billing/seats',
    'counts a guest on two boards once',
    'prorates a seat that is added mid-month',
    'rounds half a cent to even',
    'shows prices in the currency of the account',
    'never charges for a deactivated person',
  ],
  [
    'calendar/dates',
    'shows a due date in the reader’s time zone',
    'handles the hour that does not exist',
    'handles the hour that exists twice',
    'starts the week where the language does',
    'repeats on the last day of each month',
  ],
  [
    'files/upload',
    'resumes an upload at the byte where it broke',
    'shows a preview before the upload ends',
    'refuses a file that is too large, with the limit',
    'keeps names that are not ASCII',
  ],
  [
    'access/roles',
    'lets a viewer read and nothing else',
    'hides a private board from search',
    'ends sessions when a password changes',
    'records who changed a role',
    'does not show a name to whom it is not shared',
  ],
  [
    'export/csv',
    'quotes what a spreadsheet would run as a formula',
    'writes dates as ISO 8601',
    'streams a board of 100,000 cards',
    'adds a byte order mark for Excel',
  ],
  [
    'a11y/board',
    'names each column and its count',
    'announces a move once',
    'has no trap for the focus',
    'reads in order in a right-to-left language',
    'keeps 4.5:1 in both themes',
  ],
]

const testLines = suites.flatMap(([file, ...tests], i) => {
  const ms = tests.map((_, j) => 3 + ((i * 31 + j * 17) % 88))
  const total = ms.reduce((sum, each) => sum + each, 0)
  return [
    ` ${green('✓')} ${dim('test/')}${file}.test.ts ${dim(`(${tests.length} tests)`)} ${dim(`${total}ms`)}\n`,
    ...tests.map(
      (name, j) => `   ${green('✓')} ${dim(name)} ${(ms[j] ?? 0) > 70 ? yellow(`${ms[j]}ms`) : dim(`${ms[j]}ms`)}\n`,
    ),
  ]
})

const failure = [
  `\n${red('⎯⎯⎯⎯⎯⎯⎯')} ${onRed(' Failed Tests 2 ')} ${red('⎯⎯⎯⎯⎯⎯⎯')}\n\n`,
  `${onRed(' FAIL ')} test/exports.test-d.ts ${dim('>')} the public entry ${dim('>')} names every component\n`,
  `${red("TypeError: Module '\"board\"' has no exported member 'CardPanel'.")}\n`,
  ` ${cyan('❯')} test/exports.test-d.ts:${yellow('14:10')}\n`,
  `    ${dim('12|')} ${magenta('import')} { expectTypeOf, test } ${magenta('from')} ${green("'vitest'")}\n`,
  `    ${dim('13|')} ${magenta('import type')} {\n`,
  `    ${dim('14|')}   CardPanel,\n`,
  `    ${dim('  |')}   ${red('^^^^^^^^^')}\n`,
  `    ${dim('15|')}   CardEditor,\n\n`,
  `${onRed(' FAIL ')} test/exports.test-d.ts ${dim('>')} the public entry ${dim('>')} keeps the props of CardPanel\n`,
  `${red('AssertionError: expected CardDetailProps to equal CardPanelProps')}\n`,
  `${green('- Expected')}\n${red('+ Received')}\n\n  {\n${green('-   panel: boolean')}\n${red('+   detail: boolean')}\n    card: Card\n  }\n`,
]

const testCount = suites.reduce((sum, [, ...tests]) => sum + tests.length, 0)

export const tests = [
  prompt('npm test'),
  `\n ${onGreen(' RUN ')} ${cyan('v4.1.12')} ${dim('board')}\n\n`,
  ...inPairs(testLines),
  ...failure,
  `\n${dim(' Test Files')}  ${red('1 failed')} ${dim('|')} ${green(`${suites.length} passed`)} ${dim(`(${suites.length + 1})`)}\n`,
  `${dim('      Tests')}  ${red('2 failed')} ${dim('|')} ${green(`${testCount} passed`)} ${dim(`(${testCount + 2})`)}\n`,
  `${dim('   Duration')}  21.84s\n`,
]

export const exportsFile = [
  prompt('git log --oneline -3 -- src/index.ts'),
  `${yellow('8c1f0de')} Rename CardPanel to CardDetail\n${yellow('51b7a90')} Export the card's own hooks\n${yellow('e02d6c4')} Drop the default export\n`,
]

const packedFiles = times(96, (i) => {
  const folder = ['dist/components', 'dist/hooks', 'dist/sync', 'dist/styles'][i % 4]
  const name = chunkNames[i % chunkNames.length]
  return `${dim('npm notice')} ${String(((i * 719) % 9000) + 400).padStart(6)} B ${folder}/${name}-${Math.floor(i / 24) + 1}${i % 4 === 3 ? '.css' : '.js'}\n`
})

export const pack = [
  prompt('npm pack --dry-run'),
  `${dim('npm notice')} ${cyan('board@4.2.0')}\n${dim('npm notice')} ${bold('Tarball contents')}\n`,
  ...inPairs(packedFiles),
  `${dim('npm notice')} total files: ${packedFiles.length}\n${dim('npm notice')} package size: ${bold('212.4 kB')}\n`,
]

/** How many tests the printed run says have passed, and how many there were. */
export const testTotals = { passed: testCount, all: testCount + 2 }
