'use client'
import { useId, useState } from 'react'
import { type Artifact, visibleString } from '../../core/index.js'
import { CopyButton } from '../CopyButton.js'
import { maxNameLength, plainName } from '../foldText.js'
import { useProvider } from '../providerContext.js'
import { ShowMore } from '../ShowMore.js'
import { useArtifactUrl } from '../useArtifactUrl.js'
import { useSaid } from '../useSaid.js'
import { useMessages } from '../useStore.js'
import { VisibleText } from '../VisibleText.js'
import { createPart, type PartProps, partElement } from './createPart.js'
import { useRootCall } from './rootContext.js'

/** What a list of files takes. */
export type ArtifactsProps = PartProps<'div', object>

/** Files that are shown at first, and added by each "show more". */
const stepArtifacts = 200
/** Characters of a digest that are shown; all of it is copied. */
const digestLength = 12

/**
 * The files that a run has made: name or id, size, digest, a download and, of images, a preview, each at an address that
 * the host is asked for when it is wanted (E9). Nothing while there are none. Renders a `<div role="group">`.
 */
export const Artifacts = createPart<HTMLDivElement, ArtifactsProps>('Artifacts', (host, ref) => {
  const call = useRootCall('Artifacts')
  const messages = useMessages()
  const id = useId()
  const [limit, setLimit] = useState(stepArtifacts)
  const artifacts = call?.story?.artifacts ?? []
  if (call === undefined || artifacts.length === 0) return null
  const children = (
    <>
      <span id={id} data-slot="tool-call-label">
        {messages.run.files}
      </span>
      <ul data-slot="tool-call-artifact-list">
        {artifacts.slice(0, limit).map((artifact) => (
          <li key={artifact.id} data-slot="tool-call-artifact">
            <ArtifactLine artifact={artifact} callId={call.id} />
          </li>
        ))}
      </ul>
      <ShowMore left={artifacts.length - limit} step={stepArtifacts} onShow={() => setLimit(limit + stepArtifacts)} />
    </>
  )
  const own = { role: 'group', 'aria-labelledby': id, children }
  return partElement({ tag: 'div', slot: 'tool-call-artifacts', state: {}, own, host, ref })
})

interface ArtifactLineProps {
  readonly artifact: Artifact
  readonly callId: string
}

function ArtifactLine({ artifact, callId }: ArtifactLineProps) {
  const { messages, formatter } = useProvider('ToolCall.Artifacts')
  const { id, name, size, sha256, mediaType } = artifact
  return (
    <>
      <div data-slot="tool-call-artifact-line">
        <bdi data-slot="tool-call-artifact-name">
          <VisibleText text={name ?? id} maxLength={maxNameLength} />
        </bdi>
        {size !== undefined && <span data-slot="tool-call-quiet">{formatter.bytes(size)}</span>}
        {sha256 !== undefined && (
          <span data-slot="tool-call-digest">
            {messages.run.sha256}{' '}
            <bdi>
              <VisibleText text={sha256} maxLength={digestLength} />
            </bdi>{' '}
            <CopyButton text={() => sha256} what={`${messages.run.sha256} ${visibleString(name ?? id)}`} />
          </span>
        )}
        <Download artifact={artifact} callId={callId} />
      </div>
      {mediaType?.startsWith('image/') && <Preview artifact={artifact} callId={callId} />}
    </>
  )
}

function Download({ artifact, callId }: ArtifactLineProps) {
  const { run: words } = useMessages()
  const { status, ask } = useArtifactUrl(artifact, callId)
  const name = plainName(artifact.name ?? artifact.id)
  const label = status === 'failed' ? words.noDownload : words.download
  useSaid(status === 'failed' && `${name}: ${label}`)
  if (ask === undefined) return null
  return (
    <button
      type="button"
      data-slot="tool-call-download"
      data-status={status}
      aria-label={`${label} ${name}`}
      aria-disabled={status === 'asking' || undefined}
      onClick={({ currentTarget: { ownerDocument } }) => {
        if (status !== 'asking') void ask((url) => download(ownerDocument, url, artifact.name ?? artifact.id))
      }}
    >
      {label}
    </button>
  )
}

/**
 * Of an address on another origin the browser decides itself whether it is shown or saved; and only in the window that was
 * clicked in.
 */
function download(document: Document, url: string, name: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = plainName(name)
  link.target = '_blank'
  link.rel = 'noopener noreferrer'
  link.click()
}

function Preview({ artifact, callId }: ArtifactLineProps) {
  const messages = useMessages()
  const { status, ask } = useArtifactUrl(artifact, callId)
  const [image, setImage] = useState<{ readonly url: string; readonly tries: number }>()
  const [isBroken, setIsBroken] = useState(false)
  const name = plainName(artifact.name ?? artifact.id)
  const hasFailed = isBroken || status === 'failed'
  useSaid(hasFailed && `${name}: ${messages.run.noPreview}`)
  if (ask === undefined) return null
  const show = (tries: number) => void ask((url) => setImage({ url, tries }))
  const toggle = () => {
    setIsBroken(false)
    if (image === undefined) show(1)
    else setImage(undefined)
  }
  const fail = () => {
    // It may have expired since it was given.
    if (image?.tries === 1) show(2)
    else {
      setImage(undefined)
      setIsBroken(true)
    }
  }
  return (
    <>
      <button
        type="button"
        data-slot="tool-call-preview-toggle"
        aria-label={`${image === undefined ? messages.run.preview : messages.run.closePreview} ${name}`}
        aria-expanded={image !== undefined}
        onClick={toggle}
      >
        {image === undefined ? messages.run.preview : messages.run.closePreview}
      </button>
      {hasFailed && <span data-slot="tool-call-quiet">{messages.run.noPreview}</span>}
      {image !== undefined && (
        <img
          key={image.tries}
          data-slot="tool-call-image"
          src={image.url}
          alt={name}
          referrerPolicy="no-referrer"
          onError={fail}
        />
      )}
    </>
  )
}
