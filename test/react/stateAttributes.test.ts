import { describe, expect, test, vi } from 'vitest'
import { mergeProps } from '../../src/react/parts/mergeProps.js'
import { stateAttributes } from '../../src/react/parts/stateAttributes.js'

describe('stateAttributes', () => {
  test('[F2] makes true an attribute without a value, and false none', () => {
    expect(stateAttributes({ open: true, ended: false })).toEqual({ 'data-open': '' })
  })

  test('[F2] makes texts and numbers values, and what is absent nothing', () => {
    expect(stateAttributes({ status: 'done', count: 0, mode: undefined, name: null })).toEqual({
      'data-status': 'done',
      'data-count': '0',
    })
  })

  test('[F2] writes names with hyphens', () => {
    expect(stateAttributes({ timedOut: true })).toEqual({ 'data-timed-out': '' })
  })
})

describe('mergeProps', () => {
  test('[F2] lets the host win, also with nothing', () => {
    expect(mergeProps({ id: 'ours', role: 'group' }, { id: 'theirs', role: undefined })).toEqual({ id: 'theirs' })
  })

  test('[F2] joins class names and styles', () => {
    expect(mergeProps({ className: 'a', style: { color: 'red' } }, { className: 'b', style: { top: 0 } })).toEqual({
      className: 'a b',
      style: { color: 'red', top: 0 },
    })
  })

  test('[F2] runs both event handlers, the host first, who can keep ours from it', () => {
    const calls: string[] = []
    const ours = { onClick: () => calls.push('ours') }
    const theirs = { onClick: (event: { defaultPrevented: boolean }) => calls.push(`theirs ${event.defaultPrevented}`) }
    const { onClick } = mergeProps(ours, theirs) as { onClick: (event: object) => void }

    onClick({ defaultPrevented: false })
    onClick({ defaultPrevented: true })

    expect(calls).toEqual(['theirs false', 'ours', 'theirs true'])
  })

  test('[F2] takes a single handler as it is', () => {
    const handler = vi.fn()

    expect(mergeProps({}, { onClick: handler })).toEqual({ onClick: handler })
  })
})
