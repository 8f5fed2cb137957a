'use client'
import { Fragment } from 'react'
import type { CallStatus } from '../core/index.js'
import { useMessages } from './useStore.js'

/** In this order they are counted; what needs somebody stands last, where a line ends. */
const order: readonly CallStatus[] = ['done', 'running', 'pending', 'denied', 'aborted', 'unknown', 'error', 'waiting']

/** How many of several calls are done, failed, wait and so on. Renders a `<span>` for each status that occurs. */
export function CallCounts({ statuses }: { readonly statuses: readonly (CallStatus | undefined)[] }) {
  const messages = useMessages()
  return order.map((status) => {
    const count = statuses.filter((each) => each === status).length
    return (
      count > 0 && (
        // The space keeps the counts apart where they are read as text.
        <Fragment key={status}>
          <span data-slot="tool-call-count" data-status={status}>
            {messages.callsByStatus[status](count)}
          </span>{' '}
        </Fragment>
      )
    )
  })
}
