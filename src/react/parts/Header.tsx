'use client'
import type { ReactNode } from 'react'
import type { CallStatus } from '../../core/index.js'
import { useShownStatus } from '../useShownStatus.js'
import { Contact } from './Contact.js'
import { createPart, type PartProps, partElement } from './createPart.js'
import { Deadline } from './Deadline.js'
import { Elapsed } from './Elapsed.js'
import { Mark } from './Mark.js'
import { Mode } from './Mode.js'
import { Name } from './Name.js'
import { useRootCall } from './rootContext.js'
import { StatusText } from './StatusText.js'
import { SubAgent } from './SubAgent.js'
import { Title } from './Title.js'

/** The state of a header. */
export interface HeaderState {
  /** `data-status`; absent while nothing is known of the call. */
  readonly status: CallStatus | undefined
}

/** What a header takes. */
export interface HeaderProps extends PartProps<'header', HeaderState> {
  /** What stands in the place of `ToolCall.Mode` (A12). */
  readonly mode?: ReactNode
}

/**
 * The area's first line: mark, name, title, sub-agent, status in words, contact, mode, time left and elapsed time, or its
 * children instead. Renders a `<header>`.
 */
export const Header = createPart<HTMLElement, HeaderProps>('Header', ({ mode = <Mode />, ...host }, ref) => {
  const status = useShownStatus(useRootCall('Header'))
  const children = (
    <>
      <Mark />
      <Name />
      <Title />
      <span data-slot="tool-call-meta">
        <SubAgent />
        <StatusText />
        <Contact />
        {mode}
        <Deadline />
        <Elapsed />
      </span>
    </>
  )
  return partElement({
    tag: 'header',
    slot: 'tool-call-header',
    state: { status },
    own: { children },
    host,
    ref,
  })
})
