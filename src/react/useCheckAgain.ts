'use client'
import { useEffect, useRef, useState } from 'react'
import { useProvider } from './providerContext.js'

/**
 * The host's way to find out how a call stands whose outcome is not known (E5). `check` is undefined where the host has
 * none, and does nothing while it is being checked. What the host throws is reported as `host_callback_failed`.
 */
export function useCheckAgain(callId: string) {
  const { onCheckAgain, store } = useProvider('ToolCall.Outcome')
  const [status, setStatus] = useState<'idle' | 'checking' | 'failed'>('idle')
  const isMounted = useRef(false)

  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])

  const run = async (ask: NonNullable<typeof onCheckAgain>) => {
    setStatus('checking')
    let next: typeof status = 'idle'
    try {
      await ask(callId)
    } catch {
      store.report({ kind: 'host_callback_failed', callId, detail: 'onCheckAgain' })
      next = 'failed'
    }
    if (isMounted.current) setStatus(next)
  }

  return {
    status,
    check:
      onCheckAgain === undefined
        ? undefined
        : () => {
            if (status !== 'checking') void run(onCheckAgain)
          },
  }
}
