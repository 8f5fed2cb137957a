'use client'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import type { SearchOptions } from '../../core/index.js'
import type { Messages } from '../../messages/messages.js'
import { focusedFrom } from '../focusedFrom.js'
import { useBrowserLayoutEffect } from '../useNow.js'
import type { LogSearchState } from './ViewSearch.js'

/** What a search bar takes. */
export interface LogSearchBarProps {
  readonly messages: Messages
  readonly state: LogSearchState | undefined
  readonly onSearch: (query: string, options: SearchOptions) => void
  /** Goes to the next match (1) or the previous one (-1). */
  readonly onStep: (by: number) => void
  readonly onClose: () => void
  /** Told whether the focus is in it when it goes. Keep it the same. */
  readonly onGone: (hasFocus: boolean) => void
}

/** The field to search a log, with how many matches there are. Enter goes on, with Shift back. Renders a `<div>`. */
export function LogSearchBar({ messages, state, onSearch, onStep, onClose, onGone }: LogSearchBarProps) {
  const input = useRef<HTMLInputElement>(null)
  const bar = useRef<HTMLDivElement>(null)
  const [query, setQuery] = useState('')
  const [options, setOptions] = useState<SearchOptions>({ regex: false, caseSensitive: false })

  useEffect(() => input.current?.focus({ preventScroll: true }), [])

  // Another log ends the search, too.
  useBrowserLayoutEffect(() => {
    const own = bar.current
    return () => onGone(own?.contains(focusedFrom(own)) === true)
  }, [onGone])

  const change = (nextQuery: string, nextOptions: SearchOptions) => {
    setQuery(nextQuery)
    setOptions(nextOptions)
    onSearch(nextQuery, nextOptions)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    onStep(event.shiftKey ? -1 : 1)
  }
  const isInvalid = state !== undefined && state.error !== null
  let text = ''
  if (isInvalid) text = messages.invalidExpression
  else if (state !== undefined && (state.count > 0 || !state.isWorking)) {
    text = messages.matches(state.current + 1, state.count, state.isCapped || state.isWorking)
  }
  // A screen reader is told what the reader's own search found, and not each match that comes in with the output.
  // oxlint-disable-next-line react/exhaustive-deps -- what is found is told when something else is looked for, or gone to
  const told = useMemo(() => text, [query, options, state?.current, text === ''])
  return (
    <div ref={bar} data-slot="tool-call-log-search" role="search">
      <input
        ref={input}
        data-slot="tool-call-log-query"
        type="text"
        value={query}
        aria-label={messages.searchFor}
        aria-invalid={isInvalid}
        placeholder={messages.searchFor}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => change(target.value, options)}
        onKeyDown={onKeyDown}
      />
      <span data-slot="tool-call-log-matches" dir="auto">
        {text}
      </span>
      <span data-slot="tool-call-announcements" role="status">
        {told === text && text}
      </span>
      <button
        type="button"
        data-slot="tool-call-log-option"
        aria-pressed={options.caseSensitive}
        aria-label={messages.caseSensitive}
        title={messages.caseSensitive}
        onClick={() => change(query, { ...options, caseSensitive: options.caseSensitive !== true })}
      >
        Aa
      </button>
      <button
        type="button"
        data-slot="tool-call-log-option"
        aria-pressed={options.regex}
        aria-label={messages.regularExpression}
        title={messages.regularExpression}
        onClick={() => change(query, { ...options, regex: options.regex !== true })}
      >
        .*
      </button>
      <button
        type="button"
        data-slot="tool-call-log-option"
        aria-label={messages.previousMatch}
        title={messages.previousMatch}
        onClick={() => onStep(-1)}
      >
        ↑
      </button>
      <button
        type="button"
        data-slot="tool-call-log-option"
        aria-label={messages.nextMatch}
        title={messages.nextMatch}
        onClick={() => onStep(1)}
      >
        ↓
      </button>
      <button
        type="button"
        data-slot="tool-call-log-option"
        aria-label={messages.closeSearch}
        title={messages.closeSearch}
        onClick={onClose}
      >
        ×
      </button>
    </div>
  )
}
