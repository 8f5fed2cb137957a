import type { CSSProperties } from 'react'

type Props = Readonly<Record<string, unknown>>

/**
 * Attributes of a part with those of the host, which win. Class names and styles are joined; of two event handlers the
 * host's runs first, and ours only if it did not call `preventDefault`.
 */
export function mergeProps(ours: Props, hosts: Props): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...ours }
  for (const [name, theirs] of Object.entries(hosts)) {
    const own = ours[name]
    if (name === 'className' && own && theirs) merged[name] = `${own as string} ${theirs as string}`
    else if (name === 'style' && own && theirs) merged[name] = { ...own, ...(theirs as CSSProperties) }
    else if (/^on[A-Z]/.test(name) && isEventListener(own) && isEventListener(theirs)) {
      merged[name] = (event: { defaultPrevented?: boolean }) => {
        theirs(event)
        if (!event.defaultPrevented) own(event)
      }
    } else merged[name] = theirs
  }
  return merged
}

const isEventListener = (value: unknown): value is (event: object) => void => typeof value === 'function'
