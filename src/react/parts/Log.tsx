'use client'
import { type CSSProperties, type UIEvent, useEffect, useRef, useState } from 'react'
import { type Log as LogText, visibleString } from '../../core/index.js'
import { CopyButton } from '../CopyButton.js'
import { cutText, maxNameLength } from '../foldText.js'
import { useBrowserLayoutEffect } from '../useNow.js'
import { useMessages } from '../useStore.js'
import { VisibleText } from '../VisibleText.js'
import { createPart, type PartProps, partElement } from './createPart.js'
import { useRoot } from './rootContext.js'

/** The state of a log. */
export interface LogState {
  /** `data-following`: it shows its end, and keeps to it. */
  readonly following: boolean
}

/** What a log takes. */
export interface LogProps extends PartProps<'div', LogState> {
  readonly log: LogText
  /** `log.version` when it was last read: the log grows in place, and this says that it did. */
  readonly version: number
  /** The tool whose output it is. */
  readonly name?: string | undefined
  /** The height of a line in px. Default 18. */
  readonly lineHeight?: number
  /** Lines that are seen at once. Default 18. */
  readonly maxLines?: number
}

/** Lines that are mounted above and below those that are seen. */
const overscanLines = 10
/** UTF-16 code units of a line that are mounted. */
const maxLineLength = 10_000
/** Browsers do not make elements higher than some millions of px; above this a scrolled px is more than one px of text. */
const maxHeight = 8_000_000

/**
 * A tool's output. It follows its end until the reader scrolls up, and again when they come back to it; what is mounted
 * does not grow with it. Renders a `<div>` around a scrolling `role="log"`, which is silent for screen readers.
 */
export const Log = createPart<HTMLDivElement, LogProps>(
  'Log',
  ({ log, version, name, lineHeight = 18, maxLines = 18, ...host }, ref) => {
    useRoot('Log')
    const messages = useMessages()
    const scroller = useRef<HTMLDivElement>(null)
    const lastTop = useRef(0)
    const lastDropped = useRef(log.droppedLines)
    const [top, setTop] = useState(0)
    /** Lines there were when the reader left the end; `undefined` while it is followed. */
    const [leftAt, setLeftAt] = useState<number>()
    const { lineCount, droppedLines } = log
    const following = leftAt === undefined
    const view = windowOf({ top: following ? Number.POSITIVE_INFINITY : top, lineCount, lineHeight, maxLines })

    useBrowserLayoutEffect(() => {
      const element = scroller.current
      if (element === null) return
      if (following) element.scrollTop = element.scrollHeight
      // Lines went from above what is being read: it must not move.
      else element.scrollTop -= (droppedLines - lastDropped.current) * lineHeight
      lastDropped.current = droppedLines
      lastTop.current = element.scrollTop
    }, [version, following, view.height, droppedLines, lineHeight])

    // A log that was folded away has no height, and can not be scrolled until it has.
    useEffect(() => {
      const element = scroller.current
      if (element === null || !following || typeof ResizeObserver === 'undefined') return undefined
      const observer = new ResizeObserver(() => {
        element.scrollTop = element.scrollHeight
      })
      observer.observe(element)
      return () => observer.disconnect()
    }, [following])

    const onScroll = ({ currentTarget: { scrollTop, scrollHeight, clientHeight } }: UIEvent<HTMLElement>) => {
      const isAtEnd = scrollTop + clientHeight >= scrollHeight - lineHeight / 2
      if (isAtEnd) setLeftAt(undefined)
      else if (scrollTop < lastTop.current) setLeftAt((before) => before ?? lineCount + droppedLines)
      lastTop.current = scrollTop
      setTop(scrollTop)
    }
    const toEnd = () => {
      setLeftAt(undefined)
      // The button goes, and must not take the focus with it.
      scroller.current?.focus({ preventScroll: true })
    }

    const newLines = following ? 0 : lineCount + droppedLines - leftAt
    const children = (
      <>
        <div data-slot="tool-call-log-bar">
          <span data-slot="tool-call-log-count">{messages.lines(lineCount + droppedLines)}</span>
          <CopyButton text={() => log.text()} />
        </div>
        {droppedLines > 0 && <div data-slot="tool-call-log-dropped">{messages.droppedLines(droppedLines)}</div>}
        <div
          ref={scroller}
          data-slot="tool-call-log-scroller"
          dir="ltr"
          role="log"
          aria-live="off"
          aria-label={messages.outputOf(name === undefined ? undefined : visibleString(cutText(name, maxNameLength)))}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls it
          tabIndex={0}
          onScroll={onScroll}
        >
          <div data-slot="tool-call-log-space" style={{ blockSize: view.height }}>
            <div data-slot="tool-call-log-lines" style={{ insetBlockStart: view.offset }}>
              {Array.from({ length: view.end - view.start }, (_, row) => (
                <Line
                  key={droppedLines + view.start + row}
                  number={droppedLines + view.start + row + 1}
                  text={log.line(view.start + row).text}
                />
              ))}
            </div>
          </div>
        </div>
        {newLines > 0 && (
          <button type="button" data-slot="tool-call-log-jump" onClick={toEnd}>
            ↓ {messages.newLines(newLines)}
          </button>
        )}
      </>
    )
    const style = {
      '--tcd-log-line-height': `${lineHeight}px`,
      '--tcd-log-view-height': `${Math.min(lineCount, maxLines) * lineHeight}px`,
      '--tcd-log-number-width': `${String(lineCount + droppedLines).length}ch`,
    } as CSSProperties
    return partElement({ tag: 'div', slot: 'tool-call-log', state: { following }, own: { style, children }, host, ref })
  },
)

function Line({ number, text }: { readonly number: number; readonly text: string }) {
  const messages = useMessages()
  const shown = cutText(text, maxLineLength)
  return (
    <div data-slot="tool-call-log-line" data-number={number}>
      <VisibleText text={shown} />
      {shown.length < text.length && (
        <span data-slot="tool-call-quiet"> … {messages.moreCharacters(text.length - shown.length)}</span>
      )}
    </div>
  )
}

interface Viewed {
  /** How far it is scrolled, in px; infinite at the end. */
  readonly top: number
  readonly lineCount: number
  readonly lineHeight: number
  readonly maxLines: number
}

/** Which lines to mount and where. Up to `maxHeight` a scrolled px is a px of text, above it is in proportion more. */
function windowOf({ top, lineCount, lineHeight, maxLines }: Viewed) {
  const textHeight = lineCount * lineHeight
  const height = Math.min(textHeight, maxHeight)
  const seen = Math.min(lineCount, maxLines) * lineHeight
  const scrolled = Math.min(top, height - seen)
  const textTop = height === textHeight ? scrolled : (scrolled * (textHeight - seen)) / (height - seen)
  const first = Math.floor(textTop / lineHeight)
  const start = Math.max(0, first - overscanLines)
  const end = Math.min(lineCount, first + maxLines + 1 + overscanLines)
  return { start, end, height, offset: scrolled - textTop + start * lineHeight }
}
