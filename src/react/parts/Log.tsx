'use client'
import { AppendLog, type AppendLogProps, type AppendLogState } from '../AppendLog.js'
import { plainName } from '../foldText.js'
import { createPart } from './createPart.js'
import { useRoot } from './rootContext.js'

/** The state of a log. */
export type LogState = AppendLogState

/** What a log takes. */
export type LogProps = AppendLogProps

/** A tool's output: an `AppendLog` inside an area. Renders its `<div>`. */
export const Log = createPart<HTMLDivElement, LogProps>('Log', ({ name, ...props }, ref) => {
  useRoot('Log')
  return <AppendLog {...props} name={name && plainName(name)} ref={ref} />
})
