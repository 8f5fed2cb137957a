'use client'
import { useMessages } from './useStore.js'

/** What the button that shows more of a list takes. */
export interface ShowMoreProps {
  /** Where the entries that it shows stand. Default: `after`. */
  readonly where?: 'before' | 'after'
  /** Its `data-slot`. Default: `tool-call-more`. */
  readonly slot?: `tool-call-${string}`
  /** Entries that are not shown. */
  readonly left: number
  /** How many of them it shows at most. */
  readonly step: number
  readonly onShow: () => void
}

/** Says how many more entries of a list can be shown, and shows them; nothing where none is left. Renders a `<button>`. */
export function ShowMore({ where = 'after', slot = 'tool-call-more', left, step, onShow }: ShowMoreProps) {
  const messages = useMessages()
  if (left <= 0) return null
  const count = Math.min(step, left)
  return (
    <button type="button" data-slot={slot} onClick={onShow}>
      {where === 'before' ? messages.showEarlier(count) : messages.showMore(count)}
    </button>
  )
}
