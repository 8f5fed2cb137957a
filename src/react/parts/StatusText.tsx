'use client'
import { maxNameLength } from '../foldText.js'
import { VisibleText } from '../VisibleText.js'
import { createPart, type PartProps, partElement } from './createPart.js'
import { useRootCall } from './rootContext.js'

/** What a status word takes. */
export type StatusTextProps = PartProps<'bdi', object>

/** The status word of a sender where it is none that is known; absent otherwise. Renders a `<bdi>`. */
export const StatusText = createPart<HTMLElement, StatusTextProps>('StatusText', (host, ref) => {
  const text = useRootCall('StatusText')?.statusText
  if (text === undefined) return null
  return partElement({
    tag: 'bdi',
    slot: 'tool-call-status-text',
    state: {},
    own: { children: <VisibleText text={text} maxLength={maxNameLength} /> },
    host,
    ref,
  })
})
