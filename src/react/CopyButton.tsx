'use client'
import { useContext, useEffect, useState } from 'react'
import { defaultMessages, type Messages } from '../messages/messages.js'
import { ProviderContext } from './providerContext.js'

/** What a copy button takes. */
export interface CopyButtonProps {
  /** Gives the text when it is needed: the original, without the marks that stand for characters not seen. */
  readonly text: () => string
  /** What it copies: tells the buttons of a page apart for a screen reader. */
  readonly what: string
  /** Default: those of the nearest provider, else English. */
  readonly messages?: Messages
}

/** How long the button says what became of it, in ms. */
const answerMs = 2_000

/** Copies a text, and says for two seconds whether that went well. Renders a `<button>`. */
export function CopyButton({ text, what, messages: given }: CopyButtonProps) {
  const provider = useContext(ProviderContext)
  const messages = given ?? provider?.messages ?? defaultMessages
  const [answer, setAnswer] = useState<'copied' | 'failed'>()

  useEffect(() => {
    if (answer === undefined) return undefined
    const timer = setTimeout(() => setAnswer(undefined), answerMs)
    return () => clearTimeout(timer)
  }, [answer])

  // A window that does not have the focus may not write there: the button may be in another one than this script.
  const copy = async (window: Window | null) => {
    try {
      await (window ?? globalThis).navigator.clipboard.writeText(text())
      setAnswer('copied')
      provider?.announcer.say(messages.copied)
    } catch {
      // Without a secure context there is no clipboard, and a browser may refuse it.
      setAnswer('failed')
      provider?.announcer.say(messages.copyFailed)
    }
  }

  return (
    <button
      type="button"
      data-slot="tool-call-copy"
      data-answer={answer}
      aria-label={answer === undefined ? messages.copyOf(what) : undefined}
      onClick={({ currentTarget }) => void copy(currentTarget.ownerDocument.defaultView)}
    >
      {answer === undefined && messages.copy}
      {answer === 'copied' && messages.copied}
      {answer === 'failed' && messages.copyFailed}
    </button>
  )
}
