'use client'
import type { ReactNode } from 'react'
import type { Approval } from '../core/index.js'
import { maxNameLength } from './foldText.js'
import { useMessages } from './useStore.js'
import { VisibleText } from './VisibleText.js'

/** Stand for the names while their places in the sentence are found, so that each can have an element of its own. */
const [toolPlace, agentPlace, serverPlace] = ['\uE000', '\uE001', '\uE002'] as const

/** Who asks to run what, with each name kept apart from the sentence. Renders text nodes, and a `<bdi>` for each name. */
export function ApprovalQuestion({ approval }: { readonly approval: Approval }) {
  const messages = useMessages()
  const { toolName, subagentSessionId, serverName } = approval
  const sentence = messages.wantsToRun(
    toolPlace,
    subagentSessionId === undefined ? undefined : agentPlace,
    serverName === undefined ? undefined : serverPlace,
  )
  const names: Readonly<Record<string, ReactNode>> = {
    [toolPlace]:
      toolName === undefined ? (
        messages.unnamedTool
      ) : (
        <Name key="tool" slot="tool-call-approval-tool" name={toolName} />
      ),
    [agentPlace]: subagentSessionId && <Name key="agent" slot="tool-call-approval-name" name={subagentSessionId} />,
    [serverPlace]: serverName && <Name key="server" slot="tool-call-approval-name" name={serverName} />,
  }
  return sentence.split(/([\uE000-\uE002])/).map((piece) => names[piece] ?? piece)
}

interface NameProps {
  readonly slot: string
  readonly name: string
}

function Name({ slot, name }: NameProps) {
  return (
    <bdi data-slot={slot}>
      <VisibleText text={name} maxLength={maxNameLength} />
    </bdi>
  )
}
