'use client'
import { maxNameLength } from '../foldText.js'
import { useMessages, useStore } from '../useStore.js'
import { VisibleText } from '../VisibleText.js'
import { createPart, type PartProps, partElement } from './createPart.js'
import { useRootCall } from './rootContext.js'

/** What the sub-agent of a call takes. */
export type SubAgentProps = PartProps<'bdi', object>

/**
 * Which sub-agent made the call, by its session, where the call that it belongs under is not known or not kept (D5);
 * absent otherwise. Renders a `<bdi>`.
 */
export const SubAgent = createPart<HTMLElement, SubAgentProps>('SubAgent', (host, ref) => {
  const { parentId, sessionId } = useRootCall('SubAgent') ?? {}
  const messages = useMessages()
  const hasParent = useStore(({ calls }) => parentId === undefined || calls.has(parentId))
  if (hasParent || sessionId === undefined) return null
  const children = (
    <>
      {messages.subAgent}{' '}
      <bdi>
        <VisibleText text={sessionId} maxLength={maxNameLength} />
      </bdi>
    </>
  )
  return partElement({ tag: 'bdi', slot: 'tool-call-sub-agent', state: {}, own: { children }, host, ref })
})
