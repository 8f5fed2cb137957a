'use client'
import { type ReactNode, useState } from 'react'
import { ShowMore, type ShowMoreProps } from './ShowMore.js'

/**
 * The newest entries of a list, `step` at first and as many more each time that the reader asks for earlier ones, and the
 * button for that. `slot` as of `ShowMore`.
 */
export function useNewest<Entry>(
  list: readonly Entry[],
  step: number,
  slot?: ShowMoreProps['slot'],
): { readonly newest: readonly Entry[]; readonly showEarlier: ReactNode } {
  const [limit, setLimit] = useState(step)
  return {
    newest: list.slice(-limit),
    showEarlier: (
      <ShowMore
        where="before"
        {...(slot !== undefined && { slot })}
        left={list.length - limit}
        step={step}
        onShow={() => setLimit(limit + step)}
      />
    ),
  }
}
