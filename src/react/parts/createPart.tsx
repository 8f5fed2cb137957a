'use client'
import {
  type ComponentPropsWithoutRef,
  cloneElement,
  createElement,
  type ForwardedRef,
  type ForwardRefExoticComponent,
  forwardRef,
  isValidElement,
  type JSX,
  type PropsWithoutRef,
  type ReactElement,
  type Ref,
  type RefAttributes,
  version,
} from 'react'
import { mergeProps } from './mergeProps.js'
import { mergeRefs } from './mergeRefs.js'
import { type PartState, stateAttributes } from './stateAttributes.js'

/** The attributes of a part's element, for a `render` function to spread on its own element. */
export type PartElementProps = Record<string, unknown> & RefAttributes<never>

/** What every part takes: the attributes of its element, and `render`. */
export type PartProps<
  Tag extends keyof JSX.IntrinsicElements,
  State extends PartState,
> = ComponentPropsWithoutRef<Tag> & {
  /** Replaces the part's element: by an element, which is given the part's attributes, or by what a function returns. */
  readonly render?: ReactElement | ((props: PartElementProps, state: State) => ReactElement)
}

/** What a part hands over to be rendered. */
export interface PartElement<Instance, State extends PartState> {
  readonly tag: keyof JSX.IntrinsicElements
  /** The part's name in `data-slot`. */
  readonly slot: `tool-call-${string}`
  readonly state: State
  /** What the part itself sets; the host's attributes win. */
  readonly own?: object
  /** What the host gave, `render` included. */
  readonly host: object & { readonly render?: ReactElement | ((props: PartElementProps, state: State) => ReactElement) }
  readonly ref: Ref<Instance>
}

/** Makes a part: a component that forwards its ref, with its name in the namespace for tools to show. */
export function createPart<Instance, Props>(
  name: string,
  renderPart: (props: PropsWithoutRef<Props>, ref: ForwardedRef<Instance>) => ReactElement | null,
): ForwardRefExoticComponent<PropsWithoutRef<Props> & RefAttributes<Instance>> {
  const part = forwardRef<Instance, Props>(renderPart)
  part.displayName = `ToolCall.${name}`
  return part
}

/** The element of a part: named by `data-slot`, its state as data attributes, the host's attributes over its own. */
export function partElement<Instance, State extends PartState>(part: PartElement<Instance, State>): ReactElement {
  const { render, ...host } = part.host
  const own = { 'data-slot': part.slot, ...stateAttributes(part.state), ...part.own }
  const props = { ...mergeProps(own, host), ref: part.ref } as PartElementProps
  if (typeof render === 'function') return render(props, part.state)
  if (!isValidElement<Record<string, unknown>>(render)) return createElement(part.tag, props)
  const elementRef = refOf(render)
  const ref = elementRef ? mergeRefs(part.ref, elementRef as Ref<Instance>) : part.ref
  return cloneElement(render, { ...mergeProps(props, render.props), ref })
}

/** Until React 18 an element's ref stands beside its props, and reading either place in the other version warns. */
function refOf(element: ReactElement<Record<string, unknown>>): Ref<unknown> | undefined {
  const holder = Number.parseInt(version, 10) >= 19 ? element.props : element
  return (holder as { ref?: Ref<unknown> }).ref
}
