import type { ArgumentsEvidence, ToldArguments } from './argumentsEvidence.js'
import type { ToolEvent } from './events.js'
import { createPartialJson, type IsMasked } from './partialJson.js'
import { plainValue } from './plainValue.js'

/**
 * Makes what tells events without what the host masks in arguments, as they may leave the store: their values are plain
 * data, which `JSON.stringify` can write. `argsOf` is what is known of a call's arguments, after the event was taken.
 */
export function createEventMask(
  isMasked: IsMasked | undefined,
  argsOf: (callId: string) => ArgumentsEvidence | undefined,
): (event: ToolEvent) => ToolEvent {
  /** How far the masked arguments of calls that have increments were told. */
  const told = new Map<string, ToldArguments>()
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
    // An increment alone does not tell what it belongs to: what has become of all of them does.
    const news = argsOf(event.callId)?.tell(told.get(event.callId))
    if (news === undefined) return whole
    told.set(event.callId, news.told)
    if (told.size > nextReview) review()
    return { ...whole, argsDelta: news.added }
  }
}

function maskText(text: string, isMasked: IsMasked): string {
  const reader = createPartialJson(isMasked)
  reader.append(text)
  return reader.read().maskedText ?? text
}
