'use client'
import { createContext, useCallback, useContext, useReducer } from 'react'
import type { ToolCall } from '../../core/index.js'
import { useToolCall } from '../useStore.js'

/** What the parts of one area share. It never changes, so that a part renders again only for what it reads itself. */
export interface RootContextValue {
  readonly callId: string
  /** Ids for the elements that name the area; absent where nothing is named by them. */
  readonly nameId: string | undefined
  readonly titleId: string | undefined
  /** The tasks that had ended when the area was mounted, or all that were there if the call had. */
  readonly endedAtMount: ReadonlySet<string>
  /** What the reader has opened (true) and closed (false), by the key of the fold. */
  readonly folds: Map<string, boolean>
  /** The request that had the focus when it left its place: it gets it back in the next one. */
  readonly focusedRequest: { current: string | undefined }
}

/** Holds what the parts of the nearest area share. */
export const RootContext = createContext<RootContextValue | undefined>(undefined)

/** What the parts of the nearest area share. @throws outside of one; `part` names the part in the error. */
export function useRoot(part: string): RootContextValue {
  const value = useContext(RootContext)
  if (value === undefined) {
    throw new Error(`tool-call-detail: ToolCall.${part} stands alone here. Put it inside a <ToolCall.Root callId={…}>.`)
  }
  return value
}

/** The call of the nearest area; `undefined` while nothing is known of it. */
export function useRootCall(part: string): ToolCall | undefined {
  return useToolCall(useRoot(part).callId)
}

/**
 * Whether a fold is open, and the function that the reader's toggle calls. What the reader chose always wins over
 * `openByDefault`, and is kept for as long as the area is mounted, also while the fold itself is not.
 */
export function useFold(
  part: string,
  key: string,
  openByDefault: boolean,
): readonly [boolean, (open: boolean) => void] {
  const { folds } = useRoot(part)
  const [, renderAgain] = useReducer((count: number) => count + 1, 0)
  const choose = useCallback(
    (open: boolean) => {
      folds.set(key, open)
      renderAgain()
    },
    [folds, key],
  )
  return [folds.get(key) ?? openByDefault, choose]
}
