import { screen, waitFor } from '@testing-library/react'
import { expect } from 'vitest'
import { ru } from '../../src/messages/index.js'
import { ApprovalQueue, ToolCallDetail, ToolCallGroup, ToolCallNode } from '../../src/react/index.js'
import {
  deniedWithReason,
  manyRequests,
  requestExpiring,
  sideBySide,
  sideBySideIds,
  subAgents,
  terminals,
  waitingCommand,
} from '../../stories/fixtures/bus.js'
import { callId, ended, failed, incomplete, overLimits, running, severalTasks } from '../../stories/fixtures/calls.js'
import { runCommitted, runUnknown, runWaiting } from '../../stories/fixtures/runs.js'
import { showCall } from '../react/showCall.js'

const fixtures = {
  running,
  ended,
  failed,
  incomplete,
  overLimits,
  severalTasks,
  deniedWithReason,
  requestExpiring,
  waitingCommand,
  subAgents,
  terminals,
  runCommitted,
  runUnknown,
  runWaiting,
}

/** Everything there is, with all that folds open. */
export async function showAll(): Promise<void> {
  for (const fixture of Object.values(fixtures)) showCall(fixture)
  showCall(sideBySide, <ToolCallGroup callIds={sideBySideIds} defaultOpen />)
  showCall(manyRequests(3), <ApprovalQueue autoFocus={false} />)
  showCall(running, <ToolCallNode callId={callId} />)
  showCall(ended, <ToolCallDetail callId={callId} />, { locale: 'ru', messages: ru })
  // What opens may hold more that does.
  for (let folded = closed(); folded.length > 0; folded = closed()) {
    for (const toggle of folded) toggle.click()
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
  for (const search of screen.getAllByRole('button', { name: 'Search' })) search.click()
  await waitFor(() => expect(screen.getAllByRole('search').length).toBeGreaterThan(0))
  await document.fonts.ready
}

const closed = () =>
  [...document.querySelectorAll<HTMLElement>('[aria-expanded="false"]')].filter(
    ({ dataset }) => !['tool-call-trigger', 'tool-call-log-action', 'tool-call-more'].includes(dataset.slot ?? ''),
  )
