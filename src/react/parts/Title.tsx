'use client'
import { useMessages } from '../useStore.js'
import { VisibleText } from '../VisibleText.js'
import { createPart, type PartProps, partElement } from './createPart.js'
import { useRoot, useRootCall } from './rootContext.js'

/** The state of a title. */
export interface TitleState {
  /** `data-calling`: there is no title, and the call is under way. */
  readonly calling: boolean
}

/** What a title takes. */
export type TitleProps = PartProps<'bdi', TitleState>

/** UTF-16 code units that are shown. */
const maxTitleLength = 1_000

/** The line that says what the call does, or while it runs without one, that it is being called. Renders a `<bdi>`. */
export const Title = createPart<HTMLElement, TitleProps>('Title', (host, ref) => {
  const { titleId } = useRoot('Title')
  const call = useRootCall('Title')
  const messages = useMessages()
  const title = call?.title
  const calling = title === undefined && call?.status === 'running' && call.statusText === undefined
  if (title === undefined && !calling) return null
  const own = {
    id: titleId,
    children: title === undefined ? messages.calling : <VisibleText text={title} maxLength={maxTitleLength} />,
  }
  return partElement({ tag: 'bdi', slot: 'tool-call-title', state: { calling }, own, host, ref })
})
