'use client'
import { isCallOpen } from '../../core/index.js'
import type { Mode as StoreMode } from '../../store/index.js'
import { useMessages, useMode } from '../useStore.js'
import { createPart, type PartProps, partElement } from './createPart.js'
import { useRootCall } from './rootContext.js'

/** The state of a mode. */
export interface ModeState {
  /** `data-mode` */
  readonly mode: StoreMode
}

/** What a mode takes. */
export type ModeProps = PartProps<'span', ModeState>

/**
 * Says "Live" while the call or one of its processes goes on and is heard as it happens, and "Replay" whenever a recording
 * is played (A12). Its children replace the word. Renders a `<span>`.
 */
export const Mode = createPart<HTMLSpanElement, ModeProps>('Mode', (host, ref) => {
  const call = useRootCall('Mode')
  const mode = useMode()
  const messages = useMessages()
  if (call === undefined || (mode === 'live' && !isCallOpen(call))) return null
  const own = { children: mode === 'live' ? messages.modeLive : messages.modeReplay }
  return partElement({ tag: 'span', slot: 'tool-call-mode', state: { mode }, own, host, ref })
})
