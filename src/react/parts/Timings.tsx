'use client'
import { useProvider } from '../providerContext.js'
import { createPart, type PartProps, partElement } from './createPart.js'
import { useRootCall } from './rootContext.js'

/** What timings take. */
export type TimingsProps = PartProps<'p', object>

/**
 * What was measured of a call since it was first heard of: the first event, the first usable result, the end, and how often
 * the connection was lost and its run resumed (G2). Nothing before there is anything to tell. Renders a `<p>`.
 */
export const Timings = createPart<HTMLParagraphElement, TimingsProps>('Timings', (host, ref) => {
  const { messages, formatter } = useProvider('ToolCall.Timings')
  const timings = useRootCall('Timings')?.timings
  if (timings === undefined) return null
  const { firstEventMs, firstResultMs, endedMs, disconnects, resumes } = timings
  const words = messages.run
  const times = [
    [words.firstEvent, firstEventMs],
    [words.firstResult, firstResultMs],
    [words.ended, endedMs],
  ] as const
  const counts = [
    [words.disconnects, disconnects],
    [words.resumes, resumes],
  ] as const
  const told = [
    ...times.flatMap(([label, ms]) => (ms === undefined ? [] : [`${label} ${formatter.duration(ms, 'tenths')}`])),
    ...counts.flatMap(([label, count]) => (count > 0 ? [label(count)] : [])),
  ]
  if (told.length === 0) return null
  const own = { children: told.map((text) => <span key={text}>{text}</span>) }
  return partElement({ tag: 'p', slot: 'tool-call-timings', state: {}, own, host, ref })
})
