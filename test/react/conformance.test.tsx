import { render, screen } from '@testing-library/react'
import { type ComponentType, createRef, type ReactNode, type Ref, type RefCallback } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, test, vi } from 'vitest'
import { createLog, type ProcessItem, type Task } from '../../src/core/index.js'
import { ToolCall, ToolCallProvider } from '../../src/react/index.js'
import { overdue, parentUnknown, subAgents, waitingForYou } from '../../stories/fixtures/bus.js'
import { callId, ended, failed, incomplete, running } from '../../stories/fixtures/calls.js'
import { runCommitted, runCounting, runSampled, runWriting } from '../../stories/fixtures/runs.js'
import { type Fixture, storeOf } from '../../stories/fixtures/storeOf.js'
import { snapshot } from '../../stories/fixtures/wire.js'

interface Conformance {
  readonly fixture: Fixture
  /** What the part needs beside the contract. */
  readonly props?: (task: Task) => object
  readonly tag: string
  readonly slot: string
  /** The data attributes that its state gives it here, in the order of their names. */
  readonly attributes: Readonly<Record<string, string>>
  /** It is a root itself. */
  readonly standsAlone?: boolean
  /** It shows the time, which is not known on a server. */
  readonly needsTime?: boolean
}

const allParts = { ...ToolCall }

const item = (task: Task, kind: ProcessItem['kind']) => task.items.find((each) => each.kind === kind)

const log = createLog()
log.append('one\ntwo\n')

const parts: Readonly<Record<keyof typeof ToolCall, Conformance>> = {
  Absent: { fixture: { receives: [] }, tag: 'P', slot: 'absent', attributes: {} },
  Approval: {
    fixture: waitingForYou,
    props: () => ({ approval: storeOf(waitingForYou).getState().approvals.get('request-1') }),
    tag: 'DIV',
    slot: 'approval',
    attributes: { 'data-status': 'open' },
  },
  Arguments: { fixture: running, tag: 'DIV', slot: 'arguments', attributes: {} },
  Children: { fixture: subAgents, tag: 'DIV', slot: 'children', attributes: {} },
  Deadline: { fixture: overdue, tag: 'SPAN', slot: 'deadline', attributes: { 'data-overdue': '' }, needsTime: true },
  Artifacts: { fixture: runCommitted, tag: 'DIV', slot: 'artifacts', attributes: {} },
  Citations: { fixture: runCommitted, tag: 'DIV', slot: 'citations', attributes: {} },
  Contact: { fixture: runSampled, tag: 'SPAN', slot: 'contact', attributes: { 'data-contact': 'sampled' } },
  Elapsed: { fixture: ended, tag: 'SPAN', slot: 'elapsed', attributes: {} },
  Error: {
    fixture: failed,
    props: (task) => ({ item: item(task, 'error') }),
    tag: 'DIV',
    slot: 'error',
    attributes: {},
  },
  Header: { fixture: running, tag: 'HEADER', slot: 'header', attributes: { 'data-status': 'running' } },
  Log: {
    fixture: running,
    props: () => ({ log }),
    tag: 'DIV',
    slot: 'log',
    attributes: { 'data-following': '', 'data-numbers': '' },
  },
  Mark: { fixture: failed, tag: 'SPAN', slot: 'mark', attributes: { 'data-status': 'error' } },
  Mode: { fixture: running, tag: 'SPAN', slot: 'mode', attributes: { 'data-mode': 'live' } },
  Name: { fixture: running, tag: 'BDI', slot: 'name', attributes: {} },
  NewerMessages: {
    fixture: { receives: [{ protocol: 'tool_event_stream', at: 0, message: { v: 2, callId, taskId: 'task-1' } }] },
    tag: 'P',
    slot: 'newer-messages',
    attributes: {},
  },
  NoDetails: {
    fixture: { receives: [snapshot(callId, 0)] },
    tag: 'P',
    slot: 'no-details',
    attributes: { 'data-waiting': '' },
  },
  Note: {
    fixture: incomplete,
    props: (task) => ({ item: item(task, 'omitted') }),
    tag: 'DIV',
    slot: 'note',
    attributes: {},
  },
  Outcome: { fixture: ended, tag: 'DIV', slot: 'outcome', attributes: { 'data-status': 'done' } },
  Process: {
    fixture: running,
    props: (task) => ({ task }),
    tag: 'DIV',
    slot: 'process',
    attributes: { 'data-open': '' },
  },
  Progress: { fixture: runCounting, tag: 'DL', slot: 'progress', attributes: { 'data-effect': 'write' } },
  Root: {
    fixture: ended,
    props: () => ({ callId }),
    tag: 'SECTION',
    slot: 'root',
    attributes: { 'data-ended': '', 'data-status': 'done' },
    standsAlone: true,
  },
  StatusText: {
    fixture: { receives: [snapshot(callId, 0, { status: 'queued' })] },
    tag: 'BDI',
    slot: 'status-text',
    attributes: {},
  },
  Step: {
    fixture: runWriting,
    props: () => ({ step: storeOf(runWriting).getState().calls.get(callId)?.story?.current }),
    tag: 'DIV',
    slot: 'step',
    attributes: { 'data-effect': 'write', 'data-kind': 'tool', 'data-status': 'running' },
  },
  SubAgent: { fixture: parentUnknown, tag: 'BDI', slot: 'sub-agent', attributes: {} },
  Story: { fixture: runCommitted, tag: 'DIV', slot: 'story', attributes: { 'data-ended': '' } },
  Text: { fixture: running, props: (task) => ({ item: item(task, 'text') }), tag: 'DIV', slot: 'text', attributes: {} },
  Thinking: {
    fixture: running,
    props: (task) => ({ item: item(task, 'thinking'), taskId: 'task-1', live: true }),
    tag: 'DIV',
    slot: 'thinking',
    attributes: { 'data-live': '' },
  },
  Timings: { fixture: runCommitted, tag: 'P', slot: 'timings', attributes: {} },
  Title: {
    fixture: { receives: [snapshot(callId, 0)] },
    tag: 'BDI',
    slot: 'title',
    attributes: { 'data-calling': '' },
  },
  ToolLine: {
    fixture: running,
    props: (task) => ({ item: item(task, 'tool') }),
    tag: 'DIV',
    slot: 'tool-line',
    attributes: { 'data-status': 'done' },
  },
  Trigger: {
    fixture: running,
    props: () => ({ callId, defaultOpen: true, 'aria-controls': undefined }),
    tag: 'BUTTON',
    slot: 'trigger',
    attributes: { 'data-open': '', 'data-status': 'running' },
    standsAlone: true,
  },
}

type AnyPart = ComponentType<Record<string, unknown> & { ref?: Ref<HTMLElement> }>

describe.each(Object.entries(parts))(
  'ToolCall.%s',
  (name, { fixture, props, tag, slot, attributes, standsAlone, needsTime = false }) => {
    const Part = allParts[name as keyof typeof ToolCall] as unknown as AnyPart
    const place = (children: ReactNode) => {
      const store = storeOf(fixture)
      const page = standsAlone ? children : <ToolCall.Root callId={callId}>{children}</ToolCall.Root>
      return <ToolCallProvider store={store}>{page}</ToolCallProvider>
    }
    const own = () => {
      const task = storeOf(fixture).getState().calls.get(callId)?.tasks[0]
      return props?.(task as Task) ?? {}
    }

    test('[F2] renders one element, named by its slot, and forwards the ref to it', () => {
      const ref = createRef<HTMLElement>()

      render(place(<Part {...own()} ref={ref} data-testid="part" />))

      expect(ref.current).toBe(screen.getByTestId('part'))
      expect(ref.current?.tagName).toBe(tag)
      expect(ref.current).toHaveAttribute('data-slot', `tool-call-${slot}`)
    })

    test('[F2] calls what a ref returned to empty it, and not the ref itself', () => {
      const refs = [0, 1].map(() => {
        const end = vi.fn()
        return { end, fill: vi.fn<RefCallback<HTMLElement>>(() => end) }
      })
      const [own1, own2] = refs.map(({ fill }) => fill)
      const { unmount } = render(place(<Part {...own()} ref={own1} render={<article ref={own2} />} />))

      unmount()

      for (const { fill, end } of refs) {
        expect(fill.mock.calls.flat()).toEqual(Array.from(fill.mock.calls, () => expect.any(HTMLElement)))
        expect(end).toHaveBeenCalledTimes(fill.mock.calls.length)
      }
    })

    test('[F2] shows its state in the documented attributes and in no others', () => {
      render(place(<Part {...own()} id="part" />))

      const all = document.getElementById('part')?.attributes ?? []
      const found = [...all].filter((each) => each.name.startsWith('data-') && each.name !== 'data-slot')
      expect(Object.fromEntries(found.map((each) => [each.name, each.value]))).toEqual(attributes)
    })

    test('[F2] takes a class, a style and any other attribute', () => {
      render(place(<Part {...own()} className="mine" style={{ color: 'red' }} title="mine" data-testid="part" />))

      const part = screen.getByTestId('part')
      expect(part).toHaveClass('mine')
      expect(part).toHaveStyle({ color: 'rgb(255, 0, 0)' })
      expect(part).toHaveAttribute('title', 'mine')
    })

    test('[F2] lets a host put another element in its place, with all that it has', () => {
      const ref = createRef<HTMLElement>()
      const elementRef = createRef<HTMLElement>()

      render(
        place(<Part {...own()} ref={ref} className="mine" render={<article ref={elementRef} className="theirs" />} />),
      )

      expect(ref.current?.tagName).toBe('ARTICLE')
      expect(elementRef.current).toBe(ref.current)
      expect(ref.current).toHaveClass('mine', 'theirs')
      expect(ref.current).toHaveAttribute('data-slot', `tool-call-${slot}`)
    })

    test('[F2] gives its state to a function that renders it', () => {
      const renderPart = vi.fn((partProps: object, _state: object) => <article {...partProps} data-testid="part" />)

      render(place(<Part {...own()} render={renderPart} />))

      expect(screen.getByTestId('part')).toHaveAttribute('data-slot', `tool-call-${slot}`)
      const state = renderPart.mock.lastCall?.[1] as Record<string, unknown>
      for (const [attribute, value] of Object.entries(attributes)) {
        expect(state[attribute.slice('data-'.length)]).toBe(value === '' ? true : value)
      }
    })

    test('[F2] renders on a server', () => {
      const rendered = renderToString(place(<Part {...own()} />))

      expect(rendered.includes(`data-slot="tool-call-${slot}"`)).toBe(!needsTime)
    })

    test('[F2] throws outside of a provider, and says what to do', () => {
      vi.spyOn(console, 'error').mockImplementation(() => {})

      expect(() => render(<Part {...own()} />)).toThrow(/^tool-call-detail: .*Put /)
    })
  },
)

describe.each(Object.entries(parts).filter(([, { standsAlone }]) => !standsAlone))(
  'ToolCall.%s',
  (name, { fixture }) => {
    test('[F2] throws outside of a root, and says what to do', () => {
      vi.spyOn(console, 'error').mockImplementation(() => {})
      const Part = allParts[name as keyof typeof ToolCall] as unknown as AnyPart
      const alone = (
        <ToolCallProvider store={storeOf(fixture)}>
          <Part item={{}} task={{}} approval={{}} />
        </ToolCallProvider>
      )

      expect(() => render(alone)).toThrow(/^tool-call-detail: ToolCall\.\w+ stands alone here\. Put it inside/)
    })
  },
)
