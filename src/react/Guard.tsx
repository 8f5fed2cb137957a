'use client'
import { Component, type ReactNode } from 'react'

/** What a guard takes. */
export interface GuardProps {
  /** What is shown instead after something inside has thrown. */
  readonly fallback: ReactNode
  /** With another one the children are tried again. */
  readonly attempt: unknown
  readonly onError: () => void
  readonly children: ReactNode
}

/** Keeps what a host's own component throws away from the rest. Renders its children, or the fallback. */
export class Guard extends Component<GuardProps, { readonly hasFailed: boolean; readonly attempt: unknown }> {
  override state = { hasFailed: false, attempt: this.props.attempt }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  static getDerivedStateFromProps(props: GuardProps, state: { readonly attempt: unknown }) {
    return props.attempt === state.attempt ? null : { hasFailed: false, attempt: props.attempt }
  }

  override componentDidCatch() {
    this.props.onError()
  }

  override render() {
    return this.state.hasFailed ? this.props.fallback : this.props.children
  }
}
