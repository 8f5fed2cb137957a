'use client'
import type { GapItem, OmittedItem } from '../../core/index.js'
import { useMessages } from '../useStore.js'
import { createPart, type PartProps, partElement } from './createPart.js'
import { useRoot } from './rootContext.js'

/** What a note takes. */
export interface NoteProps extends PartProps<'div', object> {
  readonly item: GapItem | OmittedItem
}

/**
 * A quiet line in the place of what is not there: skipped numbers (A13), a block left out for its size (B5). Renders a
 * `<div>`.
 */
export const Note = createPart<HTMLDivElement, NoteProps>('Note', ({ item, ...host }, ref) => {
  useRoot('Note')
  const messages = useMessages()
  const children = item.kind === 'gap' ? messages.numberingSkips(item.count) : messages.blockLeftOut(item.bytes)
  return partElement({ tag: 'div', slot: 'tool-call-note', state: {}, own: { children }, host, ref })
})
