import type { Received } from './fullMessages.js'
import { hostileStrings } from './hostileStrings.js'

/** Fields whose words are read by the library; another word there changes what the message is. */
const readWords = new Set(
  `
  type topic kind state status eventScene visibility role $case jsonrpc effect created_at createdAt timestamp
  expires_at expiresAt
`.split(/\s+/),
)

/** What is to stand instead of a text, given the field that it is in. */
type Replace = (text: string, field: string) => string

function replaced(value: unknown, field: string, replace: Replace): unknown {
  if (typeof value === 'string') return isJson(field, value) ? inJson(value, field, replace) : replace(value, field)
  if (Array.isArray(value)) return value.map((entry) => replaced(entry, field, replace))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replaced(each, name, replace)]))
}

const isJson = (field: string, text: string) => /^(tfrs|arguments|args)$/.test(field) && text.startsWith('{')

const inJson = (text: string, field: string, replace: Replace) =>
  JSON.stringify(replaced(JSON.parse(text), field, replace))

/** The messages with each text in them replaced, also in JSON texts. */
const withTexts = (messages: readonly Received[], replace: Replace): readonly Received[] =>
  messages.map((received) => ({ ...received, message: replaced(received.message, '', replace) }))

/** The messages with a text before all that is free text, ids included, so that what belongs together still does. */
export const withTextBefore = (messages: readonly Received[], text: string): readonly Received[] =>
  withTexts(messages, (own, field) => (readWords.has(field) ? own : `${text}${own}`))

/**
 * The messages with another hostile string before each free text: with the shifts from 0 to one less than there are
 * strings, each string stands once in each field.
 */
export function withHostileStrings(messages: readonly Received[], shift: number): readonly Received[] {
  const indexes = new Map<string, number>()
  return withTexts(messages, (own, field) => {
    if (readWords.has(field)) return own
    const index = indexes.get(own) ?? indexes.size
    indexes.set(own, index)
    return `${hostileStrings[(index + shift) % hostileStrings.length]?.text}${own}`
  })
}

/** The messages with one text in them replaced, whichever `chosen` stands for, words that are read included. */
export function withOneText(messages: readonly Received[], chosen: number, text: string): readonly Received[] {
  let count = 0
  withTexts(messages, (own) => {
    count += 1
    return own
  })
  let at = 0
  return withTexts(messages, (own) => (at++ === chosen % count ? text : own))
}
