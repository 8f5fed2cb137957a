import { cdp } from 'vitest/browser'

/** What a screen reader is given of one element. */
export interface AccessibleNode {
  readonly role: string
  readonly name: string
  readonly description: string
  /** Of what opens and closes. */
  readonly expanded: boolean | undefined
}

interface ProtocolNode {
  readonly ignored: boolean
  readonly role?: { readonly value: string }
  readonly name?: { readonly value: string }
  readonly description?: { readonly value: string }
  readonly properties?: readonly { readonly name: string; readonly value: { readonly value: unknown } }[]
}

interface Frame {
  readonly frame: { readonly id: string; readonly url: string }
  readonly childFrames?: readonly Frame[]
}

interface Session {
  send(method: 'Page.getFrameTree'): Promise<{ readonly frameTree: Frame }>
  send(
    method: 'Accessibility.getFullAXTree',
    params: { readonly frameId: string },
  ): Promise<{ readonly nodes: readonly ProtocolNode[] }>
}

/** The accessibility tree of this page as the browser computes it, flat and in order, without what is ignored in it. */
export async function accessibilityTree(): Promise<readonly AccessibleNode[]> {
  const session = cdp() as unknown as Session
  const { frameTree } = await session.send('Page.getFrameTree')
  const here = allFrames(frameTree).find(({ url }) => url === location.href)
  if (here === undefined) throw new Error(`no frame is at ${location.href}`)
  const { nodes } = await session.send('Accessibility.getFullAXTree', { frameId: here.id })
  return nodes
    .filter(({ ignored }) => !ignored)
    .map(({ role, name, description, properties }) => ({
      role: role?.value ?? '',
      name: name?.value ?? '',
      description: description?.value ?? '',
      expanded: properties?.find((property) => property.name === 'expanded')?.value.value as boolean | undefined,
    }))
}

const allFrames = ({ frame, childFrames = [] }: Frame): readonly Frame['frame'][] => [
  frame,
  ...childFrames.flatMap(allFrames),
]
