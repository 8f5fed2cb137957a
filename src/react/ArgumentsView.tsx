'use client'
import { memo, useState } from 'react'
import { JsonContainer, type JsonNode, type PartialJson } from '../core/index.js'
import { maxNameLength } from './foldText.js'
import { GrowingText } from './GrowingText.js'
import { Shape } from './Shape.js'
import { ShowMore } from './ShowMore.js'
import { useMessages } from './useStore.js'
import { ValueView } from './ValueView.js'
import { VisibleText } from './VisibleText.js'

/** What a view of arguments takes. */
export interface ArgumentsViewProps {
  readonly text: string
  readonly json: PartialJson | undefined
  /** More of them may arrive. Default false. */
  readonly isGrowing?: boolean
  /** A key that is shown elsewhere. */
  readonly except?: string | undefined
  /** What lists and objects hold is shown at once, too. Default false. */
  readonly isExpanded?: boolean
}

/** Rows that are shown at first, and added by each "show more". */
const stepRows = 100

/** Arguments: a row for each key of a JSON object, else the value or the text. Renders a `<dl>`, or a `<div>`. */
export function ArgumentsView({
  text,
  json,
  isGrowing: streaming = false,
  except,
  isExpanded = false,
}: ArgumentsViewProps) {
  const messages = useMessages()
  if (json === undefined) return null
  if (streaming && isBlank(json)) {
    return (
      <p data-slot="tool-call-loading">
        <Shape name="running" />
        {messages.loadingArguments}
      </p>
    )
  }
  const object = json.root instanceof JsonContainer && json.root.kind === 'object' ? json.root : undefined
  return (
    <>
      {json.root === undefined && <GrowingText text={text} isGrowing={streaming} />}
      {object !== undefined && <Rows object={object} isGrowing={streaming} except={except} isExpanded={isExpanded} />}
      {json.root !== undefined && object === undefined && (
        <div data-slot="tool-call-arguments-value">
          <ValueView value={json.root} isWhole isGrowing={streaming} />
        </div>
      )}
      {!streaming && <Remark json={json} text={text} />}
    </>
  )
}

/** What has to be said of arguments that are not what they seemed to become. */
function Remark({ json, text }: { readonly json: PartialJson; readonly text: string }) {
  const messages = useMessages()
  const { brokenAt, complete } = json
  if (complete || (brokenAt !== undefined && !/^\s*[{[]/.test(text.slice(0, 100)))) return null
  return (
    <div data-slot="tool-call-arguments-note">
      {brokenAt === undefined ? messages.argumentsCutOff : messages.argumentsBroken(brokenAt + 1)}
    </div>
  )
}

interface RowsProps {
  readonly object: JsonContainer
  readonly isGrowing: boolean
  readonly except: string | undefined
  readonly isExpanded: boolean
}

function Rows({ object, isGrowing, except, isExpanded }: RowsProps) {
  const [limit, setLimit] = useState(stepRows)
  return (
    <>
      <dl data-slot="tool-call-rows" aria-busy={isGrowing || undefined}>
        {Array.from({ length: Math.min(limit, object.length) }, (_, index) => {
          const name = object.keyAt(index)
          if (name === except) return null
          const value = object.valueAt(index)
          return (
            <Row
              key={name}
              name={name}
              value={value}
              isGrowing={isGrowing && index === object.length - 1}
              isWhole={isExpanded && value instanceof JsonContainer}
            />
          )
        })}
      </dl>
      <ShowMore left={object.length - limit} step={stepRows} onShow={() => setLimit(limit + stepRows)} />
    </>
  )
}

interface RowProps {
  readonly name: string
  readonly value: JsonNode
  readonly isGrowing: boolean
  readonly isWhole: boolean
}

const Row = memo(function Row({ name, value, isGrowing, isWhole }: RowProps) {
  return (
    <div data-slot="tool-call-row">
      <dt>
        <bdi data-slot="tool-call-key">
          <VisibleText text={name} maxLength={maxNameLength} />
        </bdi>
      </dt>
      <dd data-slot="tool-call-row-value">
        <ValueView value={value} isGrowing={isGrowing} isWhole={isWhole} />
      </dd>
    </div>
  )
})

/** Whether nothing of the arguments can be shown yet (C4). */
const isBlank = ({ root, brokenAt }: PartialJson) =>
  brokenAt === undefined && (root === undefined || (root instanceof JsonContainer && root.length === 0))
