'use client'
import {
  type CSSProperties,
  type ForwardedRef,
  forwardRef,
  type KeyboardEvent,
  type ReactNode,
  type SyntheticEvent,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { type Log, visibleString } from '../core/index.js'
import { defaultMessages, type Messages } from '../messages/messages.js'
import { CopyButton } from './CopyButton.js'
import { LogSearchBar } from './log/LogSearchBar.js'
import { initialState, LogView } from './log/LogView.js'
import type { LogViewOptions } from './log/logViewOptions.js'
import { saveText } from './log/saveText.js'
import { type PartProps, partElement } from './parts/createPart.js'
import { ProviderContext } from './providerContext.js'
import { useBrowserLayoutEffect } from './useNow.js'

/** The state of a log. */
export interface AppendLogState {
  /** `data-following`: it shows its end, and keeps to it. */
  readonly following: boolean
  /** `data-wrapped`: lines wrap. */
  readonly wrapped: boolean
  /** `data-numbers`: lines have their numbers beside them. */
  readonly numbers: boolean
  /** `data-times`: and times. */
  readonly times: boolean
}

/** What a log takes. */
export interface AppendLogProps extends PartProps<'div', AppendLogState> {
  /** The log, which grows in place: made by `createLog`. */
  readonly log: Log
  /** What it is the output of: the name for screen readers, and of the file when it is saved. */
  readonly name?: string | undefined
  /** Begins the bar: the command, as a rule. Default: how many lines there are. */
  readonly heading?: ReactNode
  /** The height of a row of text in px; the text itself is at most 0.8 times as high. Default 18. */
  readonly lineHeight?: number
  /** Rows that are seen at once, above which it scrolls; `Infinity` where the host sets the height. Default 18. */
  readonly maxLines?: number
  /** Whether long lines wrap until the reader chooses. Default false. */
  readonly defaultWrapped?: boolean
  /** Whether lines have their numbers beside them. Default true. */
  readonly lineNumbers?: boolean
  /**
   * What stands between a line's number, which counts from 1, and its text: the time, as a rule. Keep it the same; where
   * it throws, nothing does.
   */
  readonly timeOf?: (lineNumber: number) => string | undefined
  /** Holes with a later `visibleAt` are not told yet (A13). In ms; default: all are told. */
  readonly gapsUntil?: number
  /** The words, where they are not those of the nearest provider. Default English. */
  readonly messages?: Messages
}

/**
 * Output as it comes, as a terminal would show it. It follows its end until the reader scrolls up, and nothing that is
 * read ever moves; what is mounted does not grow with the log. It can be searched (also by Ctrl+F inside), wrapped, copied
 * and saved, whole or what is selected. Works alone, or inside a provider, whose words it takes. Renders a `<div>` around a
 * scrolling `role="log"`, which is silent for screen readers.
 */
export const AppendLog = forwardRef<HTMLDivElement, AppendLogProps>(function AppendLog(
  { defaultWrapped = false, ...props },
  ref,
) {
  const [isWrapped, setWrapped] = useState(defaultWrapped)
  return <LogBox {...props} isWrapped={isWrapped} onWrap={setWrapped} forwardedRef={ref} />
})

interface LogBoxProps extends Omit<AppendLogProps, 'defaultWrapped'> {
  readonly isWrapped: boolean
  readonly onWrap: (isWrapped: boolean) => void
  readonly forwardedRef: ForwardedRef<HTMLDivElement>
}

function LogBox({
  log,
  name,
  heading,
  lineHeight = 18,
  maxLines = 18,
  lineNumbers = true,
  timeOf,
  gapsUntil = Number.POSITIVE_INFINITY,
  messages: givenMessages,
  isWrapped,
  onWrap,
  forwardedRef,
  ...host
}: LogBoxProps) {
  const provided = useContext(ProviderContext)?.messages
  const messages = givenMessages ?? provided ?? defaultMessages
  const scroller = useRef<HTMLDivElement>(null)
  const space = useRef<HTMLDivElement>(null)
  const numbers = useRef<HTMLDivElement>(null)
  const lines = useRef<HTMLDivElement>(null)
  const count = useRef<HTMLSpanElement>(null)
  const target = useRef<HTMLDivElement>(null)
  const [view, setView] = useState<LogView>()
  const [searched, setSearched] = useState<LogView>()
  // With another view the search is over.
  const isSearching = view !== undefined && searched === view
  const options = useMemo<LogViewOptions>(
    () => ({ lineHeight, maxLines, isWrapped, timeOf, gapsUntil, words: messages }),
    [lineHeight, maxLines, isWrapped, timeOf, gapsUntil, messages],
  )
  const lastOptions = useRef(options)
  const last = useRef<LogView>(undefined)
  const hasHeading = heading !== undefined

  useBrowserLayoutEffect(() => {
    lastOptions.current = options
    view?.setOptions(options)
  }, [view, options])

  useBrowserLayoutEffect(() => {
    if (scroller.current === null || space.current === null || lines.current === null) return undefined
    const elements = {
      scroller: scroller.current,
      space: space.current,
      numbers: numbers.current,
      lines: lines.current,
      count: count.current,
    }
    const created = new LogView(log, elements, lastOptions.current, last.current)
    last.current = created
    setView(created)
    return () => {
      created.end()
      setView(undefined)
    }
    // What it writes into comes and goes with these.
  }, [log, lineNumbers, hasHeading])

  const state = useSyncExternalStore(
    view?.subscribe ?? subscribeToNothing,
    () => view?.state ?? initialState,
    () => initialState,
  )

  const focusLines = () => scroller.current?.focus({ preventScroll: true })
  const hadFocus = useRef(false)
  const noteFocus = useCallback((hasFocus: boolean) => {
    hadFocus.current = hasFocus
  }, [])
  useEffect(() => {
    if (!isSearching && hadFocus.current) scroller.current?.focus({ preventScroll: true })
    hadFocus.current = false
  }, [isSearching])

  const closeSearch = () => {
    view?.search('', {})
    setSearched(undefined)
    focusLines()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.shiftKey) return
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f') {
      event.preventDefault()
      setSearched(view)
      // It is open already: back to what was typed.
      event.currentTarget.querySelector<HTMLInputElement>('[data-slot="tool-call-log-query"]')?.select()
    } else if (event.key === 'Escape' && isSearching && !event.nativeEvent.isComposing) {
      event.preventDefault()
      event.stopPropagation()
      closeSearch()
    }
  }
  const toEnd = () => {
    view?.follow()
    // The button goes, and must not take the focus with it.
    focusLines()
  }
  const showTarget = ({ target: element, type }: SyntheticEvent) => {
    if (target.current === null) return
    const link = (element as Element).closest('[data-slot="tool-call-log-link"]')
    const isGone = link === null || type === 'blur' || type === 'mouseout'
    target.current.textContent = isGone ? '' : visibleString(link.getAttribute('href') ?? '')
  }
  const notes = [
    state.alternateLength > 0 && messages.fullScreenOutput(state.alternateLength),
    state.refusedChunks > 0 && messages.refusedChunks(state.refusedChunks),
  ].filter((note) => note !== false)

  const children = (
    <>
      <div data-slot="tool-call-log-bar" role="group" aria-label={messages.outputOf(name)}>
        <span data-slot="tool-call-log-title">
          {heading === undefined ? <span ref={count} data-slot="tool-call-log-count" /> : <bdi>{heading}</bdi>}
        </span>
        <button
          type="button"
          data-slot="tool-call-log-action"
          aria-expanded={isSearching}
          onClick={() => (isSearching ? closeSearch() : setSearched(view))}
        >
          {messages.search}
        </button>
        <button
          type="button"
          data-slot="tool-call-log-action"
          aria-pressed={isWrapped}
          onClick={() => onWrap(!isWrapped)}
        >
          {messages.wrap}
        </button>
        <CopyButton what={messages.outputOf(name)} text={() => log.text()} messages={messages} />
        <button
          type="button"
          data-slot="tool-call-log-action"
          onClick={() => saveText(log.textParts(), `${name ?? 'output'}.txt`)}
        >
          {messages.save}
        </button>
      </div>
      {isSearching && (
        <LogSearchBar
          messages={messages}
          state={state.search}
          onSearch={(query, how) => view?.search(query, how)}
          onStep={(by) => view?.step(by)}
          onClose={closeSearch}
          onGone={noteFocus}
        />
      )}
      {/* The pointer does nothing here but show where a link leads, which the focus does, too. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        ref={scroller}
        data-slot="tool-call-log-scroller"
        dir="ltr"
        role="log"
        aria-live="off"
        aria-label={messages.outputOf(name)}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls it
        tabIndex={0}
        onFocus={showTarget}
        onBlur={showTarget}
        onMouseOver={showTarget}
        onMouseOut={showTarget}
      >
        <div ref={space} data-slot="tool-call-log-space">
          {lineNumbers && <div ref={numbers} data-slot="tool-call-log-numbers" aria-hidden="true" />}
          <div ref={lines} data-slot="tool-call-log-lines" />
        </div>
      </div>
      {notes.length > 0 && <div data-slot="tool-call-log-said">{notes.join(' · ')}</div>}
      <div ref={target} data-slot="tool-call-log-target" dir="ltr" aria-hidden="true" />
      {state.newLines > 0 && (
        <button type="button" data-slot="tool-call-log-jump" onClick={toEnd}>
          ↓ {messages.newLines(state.newLines)}
        </button>
      )}
    </>
  )
  const style = {
    '--tcd-log-line-height': `${lineHeight}px`,
    '--tcd-log-view-height': Number.isFinite(maxLines) ? `${maxLines * lineHeight}px` : 'none',
  } as CSSProperties
  const own = {
    style,
    onKeyDown,
    children,
  }
  // What reads refs among these are listeners, which run later.
  // oxlint-disable-next-line react/refs
  return partElement({
    tag: 'div',
    slot: 'tool-call-log',
    state: { following: state.isFollowing, wrapped: isWrapped, numbers: lineNumbers, times: timeOf !== undefined },
    own,
    host,
    ref: forwardedRef,
  })
}

const subscribeToNothing = () => () => {}
