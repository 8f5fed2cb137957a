import { describe, expect, test } from 'vitest'
import type { ToolEvent } from '../../src/core/index.js'
import {
  appendString,
  approvalRequest,
  approvalResponse,
  completed,
  newRunning,
  sessionEnded,
  toolCall,
  toolResult,
  toolStatus,
} from '../support/bus.js'
import { makeTestStore, type TestStore } from '../support/wire.js'

/** How a call comes to a status. `sent` is waiting, too: its answer is given and not confirmed. */
const waysTo: Readonly<Record<string, readonly (object | ((store: TestStore) => void))[]>> = {
  nothing: [],
  pending: [toolCall()],
  waiting: [toolCall(), approvalRequest()],
  sent: [toolCall(), approvalRequest(), (store) => store.ingest(sent)],
  allowed: [toolCall(), approvalRequest(), approvalResponse(true)],
  refused: [toolCall(), approvalRequest(), approvalResponse(false)],
  running: [toolCall(), toolStatus('running')],
  asking: [toolCall(), toolStatus('running'), approvalRequest()],
  done: [toolCall(), toolResult('ready')],
  error: [toolCall(), toolResult('no', { isError: true })],
  denied: [toolCall(), approvalRequest(), approvalResponse(false), toolResult('no', { isError: true })],
  aborted: [toolCall(), toolStatus('cancelled')],
  ended: [toolCall(), sessionEnded()],
  closed: [toolCall(), (store) => store.ingest({ type: 'contact', contact: 'closed', conversationId: 'c-1' })],
}

const sent: ToolEvent = {
  type: 'approval',
  approvalId: 'r-1',
  sent: { answer: { approved: true }, state: 'sent' },
}

const contact = (word: 'lost' | 'back' | 'closed') => (store: TestStore) =>
  store.ingest({ type: 'contact', contact: word, conversationId: 'c-1' })

const events: Readonly<Record<string, object | ((store: TestStore) => void)>> = {
  ToolCall: toolCall(),
  'Status pending': toolStatus('pending'),
  'Status running': toolStatus('running'),
  'Status done': toolStatus('done'),
  'Status error': toolStatus('error'),
  'Status odd': toolStatus('odd'),
  Request: approvalRequest(),
  Allow: approvalResponse(true),
  Deny: approvalResponse(false),
  'Result ok': toolResult('later'),
  'Result error': toolResult('later', { isError: true }),
  NewRunning: newRunning('make'),
  Append: appendString('text'),
  Completed: completed(0),
  SessionEnded: sessionEnded(),
  lost: contact('lost'),
  back: contact('back'),
  closed: contact('closed'),
}

/**
 * What a call's status is after each event, by the status before. Read: what says more counts, whatever came first; an
 * outcome is never undone but by one that knows better; `unknown` of an ended session or a closed connection goes as soon
 * as the truth comes; a mere loss of the connection changes nothing.
 *
 * - A request says nothing about a call that has ended; an answer to it is news of a request, not of the call.
 * - Allowed, a call is pending until something says that it runs.
 * - Of two results that disagree the failure counts.
 * - What a terminal puts out says that the call runs, and not that it has ended, with whatever code it exits.
 */
const table = `
                 nothing  pending  waiting  sent     allowed  refused  running  asking   done     error    denied   aborted  ended    closed
ToolCall         pending  pending  waiting  waiting  pending  pending  running  waiting  done     error    denied   aborted  unknown  unknown
Status pending   pending  pending  waiting  waiting  pending  pending  running  waiting  done     error    denied   aborted  unknown  unknown
Status running   running  running  waiting  running  running  running  running  waiting  done     error    denied   aborted  unknown  unknown
Status done      done     done     done     done     done     done     done     done     done     error    denied   aborted  done     done
Status error     error    error    error    error    error    denied   error    error    done     error    denied   error    error    error
Status odd       running  pending  waiting  waiting  pending  pending  running  waiting  done     error    denied   aborted  unknown  unknown
Request          -        waiting  waiting  waiting  pending  pending  waiting  waiting  done     error    denied   aborted  unknown  unknown
Allow            -        pending  pending  pending  pending  pending  running  running  done     error    error    aborted  unknown  unknown
Deny             -        pending  pending  pending  pending  pending  running  running  done     error    denied   aborted  unknown  unknown
Result ok        done     done     done     done     done     done     done     done     done     error    denied   done     done     done
Result error     error    error    error    error    error    denied   error    error    error    error    denied   error    error    error
NewRunning       running  running  waiting  running  running  running  running  waiting  done     error    denied   aborted  unknown  unknown
Append           running  running  waiting  running  running  running  running  waiting  done     error    denied   aborted  unknown  unknown
Completed        running  running  waiting  running  running  running  running  waiting  done     error    denied   aborted  unknown  unknown
SessionEnded     -        unknown  unknown  unknown  unknown  denied   unknown  unknown  done     error    denied   aborted  unknown  unknown
lost             -        pending  waiting  waiting  pending  pending  running  waiting  done     error    denied   aborted  unknown  unknown
back             -        pending  waiting  waiting  pending  pending  running  waiting  done     error    denied   aborted  unknown  pending
closed           -        unknown  unknown  unknown  unknown  denied   unknown  unknown  done     error    denied   aborted  unknown  unknown
`

function play(store: TestStore, event: object | ((store: TestStore) => void)) {
  if (typeof event === 'function') event(store)
  else store.receive('agent_bus', event, { conversationId: 'c-1' })
  store.flush()
}

describe('the life cycle', () => {
  const [head, ...rows] = table.trim().split('\n')
  const columns = (head ?? '').trim().split(/\s+/)
  const cases = rows.flatMap((row) => {
    const [name, ...statuses] = row.trim().split(/\s{2,}/)
    return columns.map((before, i) => [before, name as string, statuses[i] as string] as const)
  })

  test('[D2] the table has every status and every event', () => {
    expect(columns).toEqual(Object.keys(waysTo))
    expect(rows.map((row) => row.slice(0, 17).trim())).toEqual(Object.keys(events))
  })

  test.each(cases)('[D2] %s, then %s: %s', (before, name, expected) => {
    const store = makeTestStore()
    for (const event of waysTo[before] ?? []) play(store, event)

    play(store, events[name] as object)

    expect(store.getState().calls.get('call-1')?.status ?? '-').toBe(expected)
  })
})
