'use client'
import { useContext, useEffect, useState } from 'react'
import { defaultMessages, type Messages } from './messages/index.js'
import { ProviderContext } from './providerContext.js'

/** What a copy button takes. */
export interface CopyButtonProps {
  /** Gives the text when it is needed: the original, without the marks that stand for characters not seen. */
  readonly text: () => string
  /** Default: those of the nearest provider, else English. */
  readonly messages?: Messages
}

/** How long the button says what became of it, in ms. */
const answerMs = 2_000

/** Copies a text, and says for two seconds whether that went well. Renders a `<button>`. */
export function CopyButton({ text, messages: given }: CopyButtonProps) {
  const provided = useContext(ProviderContext)?.messages
  const messages = given ?? provided ?? defaultMessages
  const [answer, setAnswer] = useState<'copied' | 'failed'>()

  useEffect(() => {
    if (answer === undefined) return undefined
    const timer = setTimeout(() => setAnswer(undefined), answerMs)
    return () => clearTimeout(timer)
  }, [answer])

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text())
      setAnswer('copied')
    } catch {
      // Without a secure context there is no clipboard, and a browser may refuse it.
      setAnswer('failed')
    }
  }

  return (
    <button type="button" data-slot="tool-call-copy" data-answer={answer} onClick={() => void copy()}>
      {answer === undefined && messages.copy}
      {answer === 'copied' && messages.copied}
      {answer === 'failed' && messages.copyFailed}
    </button>
  )
}
