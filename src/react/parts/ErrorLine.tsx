'use client'
import type { ErrorItem } from '../../core/index.js'
import { FoldedText } from '../FoldedText.js'
import { Shape } from '../Shape.js'
import { useMessages } from '../useStore.js'
import { createPart, type PartProps, partElement } from './createPart.js'
import { useRoot } from './rootContext.js'

/** What an error takes. */
export interface ErrorLineProps extends PartProps<'div', object> {
  readonly item: ErrorItem
}

/** An error that the process met; it says nothing about how the call ends (B6). Renders a `<div>`. */
export const ErrorLine = createPart<HTMLDivElement, ErrorLineProps>('Error', ({ item, ...host }, ref) => {
  useRoot('Error')
  const messages = useMessages()
  const children = (
    <>
      <span data-slot="tool-call-item-mark" role="img" aria-label={messages.errorLine}>
        <Shape name="warning" />
      </span>
      <div data-slot="tool-call-item-content">
        <FoldedText text={item.text} />
      </div>
    </>
  )
  return partElement({ tag: 'div', slot: 'tool-call-error', state: {}, own: { children }, host, ref })
})
