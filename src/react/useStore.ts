'use client'
import { useCallback, useSyncExternalStore } from 'react'
import type { ToolCall } from '../core/index.js'
import type { Messages } from '../messages/messages.js'
import type { Connection, Diagnostics, Mode, ToolCallState } from '../store/index.js'
import { useProvider } from './providerContext.js'

/**
 * What `select` finds in the state of the nearest provider's store; renders again when that is another value. On the
 * server it is what the store holds then. `user` names the caller in the error that is thrown outside a provider.
 */
export function useStore<Selected>(select: (state: ToolCallState) => Selected, user = 'useStore'): Selected {
  const { store } = useProvider(user)
  const get = () => select(store.getState())
  const subscribe = useCallback((listener: () => void) => store.subscribe(listener), [store])
  return useSyncExternalStore(subscribe, get, get)
}

/** The call with that id, or with that other id (A17). `undefined` while nothing is known of it. */
export function useToolCall(callId: string): ToolCall | undefined {
  return useStore(({ calls, aliases }) => calls.get(aliases.get(callId) ?? callId), 'useToolCall')
}

/** The ids of a conversation's calls in their order. */
export function useConversationCalls(conversationId: string): readonly string[] {
  return useStore(({ conversations }) => conversations.get(conversationId) ?? noCalls, 'useConversationCalls')
}

const noCalls: readonly string[] = []

/** What was wrong with the messages that came in, by kind. */
export function useDiagnostics(): Diagnostics {
  return useStore(({ diagnostics }) => diagnostics, 'useDiagnostics')
}

/** Whether the store's source is connected. */
export function useConnection(): Connection {
  return useStore(({ connection }) => connection, 'useConnection')
}

/** Whether calls are heard as they happen, or a recording is played (A12). */
export function useMode(): Mode {
  return useStore(({ mode }) => mode, 'useMode')
}

/** The words of the nearest provider's language. */
export function useMessages(): Messages {
  return useProvider('useMessages').messages
}
