'use client'
import type { TextItem } from '../../core/index.js'
import { FoldedText } from '../FoldedText.js'
import { Shape } from '../Shape.js'
import { createPart, type PartProps, partElement } from './createPart.js'
import { useRoot } from './rootContext.js'

/** What a text takes. */
export interface TextProps extends PartProps<'div', object> {
  readonly item: TextItem
}

/** A line of progress. Renders a `<div>`. */
export const Text = createPart<HTMLDivElement, TextProps>('Text', ({ item, ...host }, ref) => {
  useRoot('Text')
  const children = (
    <>
      <Shape name="dot" />
      <div data-slot="tool-call-item-content">
        <FoldedText text={item.text} />
      </div>
    </>
  )
  return partElement({ tag: 'div', slot: 'tool-call-text', state: {}, own: { children }, host, ref })
})
