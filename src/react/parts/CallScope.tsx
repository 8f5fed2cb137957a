'use client'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import type { ToolCall } from '../../core/index.js'
import { useProvider } from '../providerContext.js'
import { useToolCall } from '../useStore.js'
import { RootContext, type RootContextValue } from './rootContext.js'

/** What a scope takes. */
export interface CallScopeProps {
  readonly callId: string
  /** Ids for the elements that name the area. */
  readonly nameId?: string | undefined
  readonly titleId?: string | undefined
  readonly children: ReactNode
}

/**
 * Tells the parts inside which call they show, and remembers what the reader folds. Give it the call's id as its key:
 * another call begins with nothing remembered. Renders its children only.
 */
export function CallScope({ callId, nameId, titleId, children }: CallScopeProps) {
  const { announcer } = useProvider('ToolCall.Root')
  const call = useToolCall(callId)
  const [endedAtMount] = useState(() => new Set(endedTasks(call)))
  const [folds] = useState(() => new Map<string, boolean>())
  const focusedRequest = useRef<string>(undefined)
  const value = useMemo<RootContextValue>(
    () => ({ callId, nameId, titleId, endedAtMount, folds, focusedRequest }),
    [callId, nameId, titleId, endedAtMount, folds, focusedRequest],
  )

  useEffect(() => announcer.watch(callId), [announcer, callId])

  return <RootContext.Provider value={value}>{children}</RootContext.Provider>
}

function endedTasks(call: ToolCall | undefined): readonly string[] {
  if (call === undefined) return []
  return call.tasks.filter((task) => task.outcome ?? call.outcome).map((task) => task.taskId)
}
