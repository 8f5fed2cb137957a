import { hashText } from './hashText.js'

/** By what things are told apart, which nobody reads as a text: what is cut of it counts all the same. */
const identities: ReadonlySet<string> = new Set([
  'type',
  'kind',
  'status',
  'state',
  'outcome',
  'authority',
  'argsKind',
  'contact',
  'effect',
  'callId',
  'alias',
  'conversationId',
  'sessionId',
  'parentCallId',
  'subagentSessionId',
  'taskId',
  'streamKey',
  'messageId',
  'toolCallId',
  'artifactId',
  'newerMessage',
  'scope',
  'approvalId',
  'eventId',
  'id',
  'canonical',
])

/** An identity up to this length is never cut, whatever the limit. */
const leastIdentity = 1_000

/** So deep are the texts of events. */
const maxDepth = 4

/**
 * The event with each text in it held to `length` UTF-16 code units (H3); the same object where none is longer. What is
 * cut ends with "…", but for arguments, which are data, and are shown as cut off. Not held are a final value, whose texts
 * `plainValue` holds, and what is put together from pieces, which is held as a whole.
 */
export function holdTexts<Event extends { readonly type: string; readonly kind?: string }>(
  event: Event,
  length: number,
): Event {
  const isPiece = event.type === 'block' && (event.kind === 'output' || event.kind === 'artifact')
  return hold(event, length, isPiece ? 'text' : undefined, maxDepth) as Event
}

function hold(node: object, length: number, except: string | undefined, depth: number): object {
  let held: Record<string, unknown> | undefined
  for (const name of Object.keys(node)) {
    if (name === 'value' || name === 'argsDelta' || name === except) continue
    const value = (node as Readonly<Record<string, unknown>>)[name]
    let kept = value
    if (typeof value === 'string') kept = value.length > length ? cut(value, name, length) : value
    else if (typeof value === 'object' && value !== null && depth > 1) kept = hold(value, length, undefined, depth - 1)
    if (kept === value) continue
    held ??= (Array.isArray(node) ? [...node] : { ...node }) as Record<string, unknown>
    held[name] = kept
  }
  return held ?? node
}

function cut(text: string, name: string, length: number): string {
  if (name === 'args') return text.slice(0, length)
  if (!identities.has(name)) return `${text.slice(0, length)}…`
  if (text.length <= leastIdentity) return text
  const rest = `…${hashText(text)}`
  return text.slice(0, Math.max(length, leastIdentity) - rest.length) + rest
}
