'use client'
import { maxNameLength } from '../foldText.js'
import { useMessages } from '../useStore.js'
import { VisibleText } from '../VisibleText.js'
import { createPart, type PartProps, partElement } from './createPart.js'
import { useRoot, useRootCall } from './rootContext.js'

/** The state of a name. */
export interface NameState {
  /** `data-unnamed`: the tool is not known, and a general word stands for it. */
  readonly unnamed: boolean
}

/** What a name takes. */
export type NameProps = PartProps<'bdi', NameState>

/** The name of the call's tool. Renders a `<bdi>`. */
export const Name = createPart<HTMLElement, NameProps>('Name', (host, ref) => {
  const { nameId } = useRoot('Name')
  const call = useRootCall('Name')
  const messages = useMessages()
  const name = call?.toolName
  const own = {
    id: nameId,
    children: name === undefined ? messages.toolCall : <VisibleText text={name} maxLength={maxNameLength} />,
  }
  return partElement({ tag: 'bdi', slot: 'tool-call-name', state: { unnamed: name === undefined }, own, host, ref })
})
