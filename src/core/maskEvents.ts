import type { ToolEvent } from './events.js'
import { createPartialJson, type IsMasked } from './partialJson.js'
import { plainValue } from './plainValue.js'

/**
 * Makes what tells events without what the host masks in arguments, as they may leave the store: their values are plain
 * data, which `JSON.stringify` can write. `argsOf` is a call's arguments as they are shown, after the event was taken.
 */
export function createEventMask(
  isMasked: IsMasked | undefined,
  argsOf: (callId: string) => string | undefined,
): (event: ToolEvent) => ToolEvent {
  /** The masked arguments of calls that have increments, as they were last told. */
  const told = new Map<string, string>()
  let nextReview = 100
  /** Lets go of the calls that are no longer kept. */
  const review = () => {
    for (const callId of told.keys()) if (argsOf(callId) === undefined) told.delete(callId)
    nextReview = told.size * 2 + 100
  }

  return (event) => {
    if (event.type === 'outcome' && event.value !== undefined) {
      return { ...event, value: plainValue(event.value, Number.POSITIVE_INFINITY).value }
    }
    // Also the end of a run has a value.
    if (event.type === 'step') return plainValue(event, Number.POSITIVE_INFINITY).value as ToolEvent
    if (isMasked === undefined) return event
    if (event.type === 'approval' && event.request?.args !== undefined) {
      return { ...event, request: { ...event.request, args: maskText(event.request.args, isMasked) } }
    }
    if (event.type !== 'call') return event
    const { argsDelta, ...rest } = event
    const whole = rest.args === undefined ? rest : { ...rest, args: maskText(rest.args, isMasked) }
    if (argsDelta === undefined) return whole
    // An increment alone does not tell what it belongs to: what has become of the whole does.
    const before = told.get(event.callId) ?? ''
    const text = argsOf(event.callId) ?? ''
    told.set(event.callId, text)
    if (told.size > nextReview) review()
    return text.startsWith(before)
      ? { ...whole, argsDelta: text.slice(before.length) }
      : { ...whole, args: text, argsKind: 'partial' }
  }
}

function maskText(text: string, isMasked: IsMasked): string {
  const reader = createPartialJson(isMasked)
  reader.append(text)
  return reader.read().maskedText ?? text
}
