'use client'
import { useId, useState } from 'react'
import { type Citation, checkedLink } from '../../core/index.js'
import { maxNameLength } from '../foldText.js'
import { ShowMore } from '../ShowMore.js'
import { useMessages } from '../useStore.js'
import { VisibleText } from '../VisibleText.js'
import { createPart, type PartProps, partElement } from './createPart.js'
import { useRootCall } from './rootContext.js'

/** What a list of sources takes. */
export type CitationsProps = PartProps<'div', object>

/** Sources that are shown at first, and added by each "show more". */
const stepCitations = 20

/**
 * What a run read, with the places (E9). A source is a link only where its address may be one, and the address is shown
 * with it (H2). Nothing while there are none. Renders a `<div role="group">`.
 */
export const Citations = createPart<HTMLDivElement, CitationsProps>('Citations', (host, ref) => {
  const call = useRootCall('Citations')
  const messages = useMessages()
  const id = useId()
  const [limit, setLimit] = useState(stepCitations)
  const citations = call?.story?.citations ?? []
  if (citations.length === 0) return null
  const children = (
    <>
      <span id={id} data-slot="tool-call-label">
        {messages.run.sources}
      </span>
      <ul data-slot="tool-call-citation-list">
        {citations.slice(0, limit).map((citation) => (
          <li key={JSON.stringify([citation.source, citation.place])} data-slot="tool-call-citation">
            <Source citation={citation} />
          </li>
        ))}
      </ul>
      <ShowMore left={citations.length - limit} step={stepCitations} onShow={() => setLimit(limit + stepCitations)} />
    </>
  )
  const own = { role: 'group', 'aria-labelledby': id, children }
  return partElement({ tag: 'div', slot: 'tool-call-citations', state: {}, own, host, ref })
})

function Source({ citation: { source, place, title, url } }: { readonly citation: Citation }) {
  const link = url === undefined ? '' : checkedLink(url)
  const text = <VisibleText text={title ?? source} maxLength={maxNameLength} />
  return (
    <>
      {link === '' ? (
        <bdi data-slot="tool-call-source">{text}</bdi>
      ) : (
        <a data-slot="tool-call-source" href={link} target="_blank" rel="noopener noreferrer">
          <bdi>{text}</bdi>
        </a>
      )}
      {place !== undefined && (
        <bdi data-slot="tool-call-place">
          <VisibleText text={place} maxLength={maxNameLength} />
        </bdi>
      )}
      {url !== undefined && (
        <bdi data-slot="tool-call-target">
          <VisibleText text={url} maxLength={maxNameLength} />
        </bdi>
      )}
    </>
  )
}
