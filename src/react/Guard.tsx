'use client'
import { Component, type ReactNode } from 'react'

/** What a guard takes. */
export interface GuardProps {
  /** What the children are made of: after they have thrown they are tried again when any of it is another. */
  readonly inputs: readonly unknown[]
  /** Called each time that something inside has thrown. */
  readonly onError: (error: unknown) => void
  readonly children: ReactNode
}

interface GuardState {
  readonly hasFailed: boolean
  readonly inputs: readonly unknown[]
}

/** Keeps what a host's own component throws away from the rest. Renders its children; nothing after they have thrown. */
export class Guard extends Component<GuardProps, GuardState> {
  override state: GuardState = { hasFailed: false, inputs: this.props.inputs }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  static getDerivedStateFromProps({ inputs }: GuardProps, state: GuardState) {
    const isSame = inputs.length === state.inputs.length && inputs.every((each, i) => Object.is(each, state.inputs[i]))
    return isSame ? null : { hasFailed: false, inputs }
  }

  override componentDidCatch(error: unknown) {
    this.props.onError(error)
  }

  override render() {
    return this.state.hasFailed ? null : this.props.children
  }
}
