import type { ChatEntry } from './chat.js'

/** One row of a conversation: a message, or calls that run side by side. */
export type ChatRow =
  | { readonly kind: 'message'; readonly entry: ChatEntry }
  | { readonly kind: 'calls'; readonly callIds: readonly string[] }

/** Gathers neighbouring calls in one row as long as each begins before all others of the row have ended. */
export function toRows(entries: readonly ChatEntry[]): readonly ChatRow[] {
  const rows: ChatRow[] = []
  let side: { readonly callIds: string[]; endsAt: number } | undefined
  for (const entry of entries) {
    if (entry.scene !== 'tool') {
      side = undefined
      rows.push({ kind: 'message', entry })
    } else if (side !== undefined && entry.ts < side.endsAt) {
      side.callIds.push(entry.eventId)
      side.endsAt = Math.max(side.endsAt, entry.endedAt)
    } else {
      side = { callIds: [entry.eventId], endsAt: entry.endedAt }
      rows.push({ kind: 'calls', callIds: side.callIds })
    }
  }
  return rows
}
