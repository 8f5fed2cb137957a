'use client'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Artifact } from '../core/index.js'
import { useProvider } from './providerContext.js'
import { safeUrl } from './safeUrl.js'

/** Whether an address is being asked for, or none that may be opened was to be had. */
export type ArtifactUrlStatus = 'idle' | 'asking' | 'failed'

/**
 * How a file's address is had: the host is asked for a fresh one each time, since those that are signed expire (E9);
 * without a host's `resolveArtifact` it is the one that came with the file. `ask` is undefined where neither is there. What
 * the host throws is reported as `host_callback_failed`.
 */
export function useArtifactUrl(artifact: Artifact, callId: string) {
  const { resolveArtifact, store } = useProvider('ToolCall.Artifacts')
  const [status, setStatus] = useState<ArtifactUrlStatus>('idle')
  const round = useRef(0)

  useEffect(() => () => void (round.current += 1), [])

  const ask = useCallback(
    async (use: (url: string) => void) => {
      round.current += 1
      const own = round.current
      setStatus('asking')
      let url: string | undefined
      try {
        url = safeUrl(resolveArtifact === undefined ? artifact.url : await resolveArtifact(artifact.id, callId))
      } catch {
        store.report({ kind: 'host_callback_failed', callId, detail: 'resolveArtifact' })
      }
      // Asked again meanwhile, or gone from the page.
      if (round.current !== own) return
      setStatus(url === undefined ? 'failed' : 'idle')
      if (url !== undefined) use(url)
    },
    [resolveArtifact, artifact, callId, store],
  )

  return { status, ask: resolveArtifact === undefined && artifact.url === undefined ? undefined : ask }
}
