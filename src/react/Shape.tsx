import type { ReactElement } from 'react'

/** The names of the shapes that stand beside a line. */
export type ShapeName =
  | 'pending'
  | 'waiting'
  | 'running'
  | 'done'
  | 'error'
  | 'aborted'
  | 'denied'
  | 'unknown'
  | 'unreported'
  | 'fold'
  | 'dot'
  | 'warning'

/** A shape of 16 by 16 px in the colour of the text around it, hidden from screen readers. Renders an `<svg>`. */
export function Shape({ name }: { readonly name: ShapeName }) {
  return (
    <svg data-slot="tool-call-shape" data-shape={name} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      {shapes[name]}
    </svg>
  )
}

const circle = <circle cx="8" cy="8" r="6" />

const shapes: Readonly<Record<ShapeName, ReactElement>> = {
  pending: circle,
  waiting: (
    <>
      <path d="M8 4.8v6.4" />
      {circle}
    </>
  ),
  running: <path d="M8 2a6 6 0 1 1-6 6" />,
  done: <path d="m3.5 8.5 3 3 6-7" />,
  error: (
    <>
      <path d="m6 6 4 4M10 6l-4 4" />
      {circle}
    </>
  ),
  aborted: <path d="m4.5 4.5 7 7M11.5 4.5l-7 7" />,
  denied: (
    <>
      <path d="m3.8 12.2 8.4-8.4" />
      {circle}
    </>
  ),
  unknown: (
    <>
      <path d="M6.2 6.4a1.8 1.8 0 1 1 2.5 1.7c-.5.2-.7.5-.7.9v.2M8 11.4v.1" />
      {circle}
    </>
  ),
  unreported: <path d="M4.5 8h7" />,
  fold: <path d="m6 4 4 4-4 4" />,
  dot: <circle cx="8" cy="8" r="1.2" />,
  warning: (
    <>
      <path d="M8 4.8V8.6M8 11v.1" />
      {circle}
    </>
  ),
}
