// @ts-check

/** @typedef {import('../script.mjs').Run} Run */

/**
 * What an executor does next, so many ms after the step before: says something, runs a tool under the step's own
 * idempotency key, or waits for a person.
 * @typedef {object} RunStep
 * @property {number} afterMs
 * @property {{ type: string, visibility: string } & Record<string, any>} [event] Said, and written down.
 * @property {{ tool: string, file?: RunFile }} [act] A tool that really does something, once.
 * @property {'answer'} [waits] For the answer to the approval before it; one that is declined ends the run.
 * @property {'cut' | 'recycle'} [way] What happens to the connection: broken, the first resume refused; or paused and
 * closed in an orderly way.
 */

/** @typedef {{ id: string, name: string, mediaType: string, text: string }} RunFile */

/**
 * A run that the gateway can carry out.
 * @typedef {object} RunScenario
 * @property {string} name
 * @property {string} title
 * @property {string} description What there is to see.
 * @property {string} request What the user says.
 * @property {number} [readerMs] The reader takes one event in so many ms, as over a bad network.
 * @property {(run: Run) => RunStep[]} write
 */

/** What the live page can have the gateway run. @type {readonly RunScenario[]} */
export const runScenarios = [
  {
    name: 'expense-draft',
    title: 'File an expense',
    description: 'Checks the policy, writes a draft, asks you, then commits it with a receipt.',
    request: 'File the train ticket to Leipzig, 89.90 €, as a travel expense.',
    write: (run) => [
      said(300, 'run_started', { payload: { title: 'File a travel expense' } }),
      said(400, 'plan_ready', {
        payload: {
          steps: [
            { tool: 'search_policy', title: 'Read the travel policy', effect: 'read' },
            { tool: 'create_draft', title: 'Write the draft', effect: 'write' },
            { tool: 'submit_expense', title: 'Submit it', effect: 'write' },
          ],
        },
      }),
      said(500, 'tool_requested', { tool: 'search_policy', payload: { effect: 'read' } }),
      ...secrets('search_policy'),
      said(400, 'tool_progress', { tool: 'search_policy', payload: { stage: 'retrieving' } }),
      ...[2, 4, 6, 8].map((completed) =>
        said(500, 'tool_progress', { tool: 'search_policy', payload: { stage: 'reranking', completed, total: 8 } }),
      ),
      said(400, 'tool_result', {
        tool: 'search_policy',
        payload: {
          message: 'Train tickets up to 150 € need no second signature.',
          evidence_ids: ['travel-policy#p4', 'travel-policy#p9'],
        },
      }),
      said(500, 'tool_requested', { tool: 'create_draft', payload: { effect: 'write' } }),
      { afterMs: 700, act: { tool: 'create_draft' } },
      said(100, 'tool_result', { tool: 'create_draft', payload: { draft_id: draftOf(run) } }),
      said(400, 'approval_required', {
        tool: 'submit_expense',
        payload: {
          effect: 'write',
          message: 'Submit the expense of 89.90 €?',
          draft_id: draftOf(run),
          arguments: { draft_id: draftOf(run), amount: '89.90 EUR', cost_center: 'travel' },
        },
      }),
      { afterMs: 0, waits: 'answer' },
      said(300, 'tool_requested', { tool: 'submit_expense', payload: { effect: 'write' } }),
      { afterMs: 900, act: { tool: 'submit_expense' } },
      said(200, 'tool_result', { tool: 'submit_expense', payload: {} }),
      said(300, 'committed', {
        status: 'ok',
        payload: { receipt_id: receiptOf(run), message: 'The expense is filed.' },
      }),
    ],
  },
  {
    name: 'audit-report',
    title: 'Export an audit report',
    description: 'Counts what is read, writes a report to download, and cites its sources.',
    request: 'Export the audit report of the second quarter, with its sources.',
    write: (run) => [
      said(300, 'run_started', { payload: { title: 'Export an audit report' } }),
      said(300, 'plan_ready', {
        payload: {
          steps: [
            { tool: 'read_documents', effect: 'read' },
            { tool: 'write_report', effect: 'write' },
          ],
        },
      }),
      said(300, 'tool_requested', { tool: 'read_documents', payload: { effect: 'read' } }),
      ...secrets('read_documents'),
      ...Array.from({ length: 8 }, (_, i) => 3 * (i + 1)).map((done) =>
        said(600, 'tool_progress', {
          tool: 'read_documents',
          phase: 'retrieving',
          message: `${done} of 24 documents read`,
          progress: { done, total: 24 },
          artifact: null,
          replayable: true,
        }),
      ),
      said(300, 'tool_result', { tool: 'read_documents', message: '24 documents agree with the ledger.' }),
      said(300, 'tool_requested', { tool: 'write_report', effect: 'write' }),
      said(300, 'tool_progress', { tool: 'write_report', phase: 'reconciling', is_estimate: true }),
      { afterMs: 1_500, act: { tool: 'write_report', file: reportOf(run) } },
      said(100, 'tool_result', { tool: 'write_report' }),
      said(300, 'committed', {
        status: 'ok',
        artifact: { id: reportOf(run).id, name: reportOf(run).name, size: reportOf(run).text.length },
        citations: ['doc-17#p4', 'doc-22#p7'],
      }),
    ],
  },
  {
    name: 'cut-at-the-write',
    title: 'Lose the receipt',
    description: 'The connection breaks after the payment and before its receipt, and the first question is refused.',
    request: 'Pay the invoice of the caterer.',
    write: (run) => [
      said(300, 'run_started', { payload: { title: 'Pay an invoice' } }),
      said(400, 'tool_requested', { tool: 'pay_invoice', payload: { effect: 'write' } }),
      said(400, 'tool_progress', { tool: 'pay_invoice', payload: { stage: 'waiting_provider' } }),
      { afterMs: 800, act: { tool: 'pay_invoice' } },
      { afterMs: 0, way: 'cut' },
      said(100, 'tool_result', { tool: 'pay_invoice', payload: {} }),
      said(10, 'committed', {
        status: 'ok',
        payload: { confirmation_id: receiptOf(run), message: 'The invoice is paid.' },
      }),
    ],
  },
  {
    name: 'connection-limit',
    title: 'Reach the connection limit',
    description: 'The gateway pauses the stream and closes the connection; the page comes back by itself.',
    request: 'Compare the offers of the three printers.',
    write: () => [
      said(300, 'run_started', { payload: { title: 'Compare offers' } }),
      said(300, 'tool_requested', { tool: 'compare_offers', payload: { effect: 'read' } }),
      ...[1, 2].map((completed) =>
        said(500, 'tool_progress', { tool: 'compare_offers', payload: { stage: 'retrieving', completed, total: 3 } }),
      ),
      { afterMs: 200, way: 'recycle' },
      said(100, 'tool_progress', { tool: 'compare_offers', payload: { stage: 'retrieving', completed: 3, total: 3 } }),
      said(1_500, 'tool_result', {
        tool: 'compare_offers',
        payload: { message: 'The second one is cheapest from 500 copies on.' },
      }),
      said(400, 'failed', { payload: { reason: 'The third printer gave no price for 2,000 copies.' } }),
    ],
  },
  {
    name: 'slow-reader',
    title: 'Read slowly',
    description: 'More progress than the reader can take: it is sampled, and nothing that matters is lost.',
    request: 'Index the archive.',
    readerMs: 150,
    write: (run) => [
      said(200, 'run_started', { payload: { title: 'Index the archive' } }),
      said(100, 'tool_requested', { tool: 'index_archive', payload: { effect: 'read' } }),
      ...['retrieving', 'reranking', 'reconciling'].flatMap((stage) =>
        Array.from({ length: 120 }, (_, i) =>
          said(15, 'tool_progress', { tool: 'index_archive', payload: { stage, completed: i + 1, total: 120 } }),
        ),
      ),
      said(100, 'tool_result', { tool: 'index_archive', payload: {} }),
      said(200, 'committed', {
        status: 'ok',
        payload: { receipt_id: receiptOf(run), message: 'The archive is indexed.' },
      }),
    ],
  },
]

/** What no reader may ever see: it is logged for audits and debugging, among the events for the user (E3). */
export const secretWords = ['sk-live-51Hx', 'SELECT secret_note', 'You are the internal planner']

/** @param {string} tool @returns {RunStep[]} */
function secrets(tool) {
  const [token, query, prompt] = secretWords
  return [
    { afterMs: 20, event: { type: 'tool_progress', tool, visibility: 'audit', payload: { stage: query, token } } },
    { afterMs: 20, event: { type: 'token_delta', visibility: 'debug', payload: { text: prompt }, message: token } },
    { afterMs: 20, event: { type: 'internal_trace', visibility: 'internal', payload: { prompt, query } } },
  ]
}

/** @param {number} afterMs @param {string} type @param {Record<string, any>} fields @returns {RunStep} */
function said(afterMs, type, fields) {
  return { afterMs, event: { type, visibility: 'user', ...fields } }
}

/** @param {Run} run */
const draftOf = ({ runId }) => `d-${runId.slice(0, 8)}`

/** @param {Run} run */
const receiptOf = ({ runId }) => `r-${runId.slice(0, 8)}`

/** @param {Run} run @returns {RunFile} */
function reportOf({ runId }) {
  const lines = ['document,page,amount,agrees', 'doc-17,4,1204.00,yes', 'doc-22,7,89.90,yes']
  return {
    id: `report-${runId.slice(0, 8)}`,
    name: 'audit-report-q2.csv',
    mediaType: 'text/csv',
    text: `${lines.join('\n')}\n`,
  }
}
