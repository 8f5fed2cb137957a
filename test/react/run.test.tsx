import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test, vi } from 'vitest'
import { ru } from '../../src/messages/index.js'
import { ToolCallDetail } from '../../src/react/index.js'
import { callId } from '../../stories/fixtures/calls.js'
import {
  runCommitted,
  runCounting,
  runEstimating,
  runEvent,
  runId,
  runLost,
  runPaused,
  runQuiet,
  runSampled,
  runUnknownReading,
  runWaiting,
  runWithoutReceipt,
  runWriting,
} from '../../stories/fixtures/runs.js'
import { showCall } from './showCall.js'

const area = <ToolCallDetail callId={callId} />
const slot = (name: string) => document.querySelector<HTMLElement>(`[data-slot="tool-call-${name}"]`)

describe('the story of a run', () => {
  test('[E4] has numbers and a bar where both counts are known, and never a percentage', () => {
    const { container } = showCall(runCounting)

    const bar = screen.getByRole('progressbar', { name: 'search_policy' })
    expect(bar).toHaveAttribute('aria-valuetext', '18/24')
    expect(bar.parentElement).toHaveTextContent('18/24')
    expect(container).not.toHaveTextContent('%')
  })

  test('[E4] has no numbers for an estimate', () => {
    const { container } = showCall(runEstimating)

    expect(screen.queryByRole('progressbar')).toBeNull()
    expect(container).not.toHaveTextContent('80')
    expect(slot('story')).toHaveTextContent('waiting for the provider')
    expect(slot('story')).toHaveTextContent('in progress')
  })

  test('[E1] names known stages in the language of the reader, others as they came', () => {
    const { receive } = showCall(runCounting, area, { locale: 'ru', messages: ru })
    expect(slot('story')).toHaveTextContent('ранжирование')

    receive(runEvent(2_400, 6, 'tool_progress', { stage: 'warming_up' }, { tool: 'search_policy' }))
    expect(slot('story')).toHaveTextContent('warming_up')
  })

  test('[E7] says how it is heard: sampled, paused, quiet; and nothing while all is well', () => {
    const said = [runSampled, runPaused, runQuiet, runCounting].map((fixture) => {
      const { unmount } = showCall(fixture)
      const text = slot('contact')?.textContent
      unmount()
      return text
    })

    expect(said).toEqual(['Progress sampled', 'Paused', 'Quiet for 1 min 0 s', undefined])
  })

  test('[E12] answers where it is, what is confirmed, and whether the next step changes data', () => {
    showCall(runWaiting)

    const line = within(slot('progress') as HTMLElement)
    expect(line.getByText('Now:').parentElement).toHaveTextContent('submit_claimWaiting for you')
    expect(line.getByText('Confirmed:').parentElement).toHaveTextContent('search_policy · draft_claim')
    expect(line.getByText('Next:').parentElement).toHaveTextContent('submit_claimchanges data')
  })

  test('[E12] marks a step that changes data from its request on, and says so where nothing is known', () => {
    const { receive } = showCall(runWriting)
    expect(slot('step')?.parentElement?.parentElement).toHaveTextContent('draft_claimchanges data')

    receive(runEvent(3_200, 8, 'tool_requested', {}, { tool: 'odd' }))
    expect(slot('progress')).toHaveTextContent('oddnot known whether it changes data')
  })

  test('[E3] nothing of what is not meant for the user is on the page', () => {
    const secret = 'sk-live-51H8'
    const hide = (seq: number, type: string, visibility: string) =>
      runEvent(
        seq * 100,
        seq,
        type,
        { stage: secret, message: secret, receipt_id: secret, text: secret },
        { visibility, tool: secret, message: secret },
      )
    const { container, receive } = showCall(runCounting)

    receive(
      ...['run_started', 'tool_requested', 'tool_progress', 'token_delta', 'committed', 'odd'].flatMap(
        (type, index) => [hide(20 + index, type, 'audit'), hide(40 + index, type, 'debug')],
      ),
    )

    expect(container.innerHTML).not.toContain(secret)
    expect(slot('root')).toHaveAttribute('data-status', 'running')
  })
})

describe('the outcome of a run', () => {
  test('[E5] shows its receipt, or that none was given', () => {
    const { unmount } = showCall(runCommitted)
    expect(screen.getByRole('group', { name: 'Final value' })).toHaveTextContent('Receipt rcp-2026-0042')
    unmount()

    showCall(runWithoutReceipt)
    expect(screen.getByRole('group', { name: 'Final value' })).toHaveTextContent('No receipt given')
  })

  test('[E5] that is not known says whether it may have happened, what is confirmed and since when', () => {
    const { unmount } = showCall(runLost)
    const outcome = screen.getByRole('group', { name: 'Outcome unknown' })
    expect(outcome).toHaveTextContent('It may or may not have happened: check before you try again.')
    expect(outcome).toHaveTextContent('Confirmed: search_policy · draft_claim')
    expect(outcome).toHaveTextContent('Not known since 12:03:18')
    expect(slot('mark')).toHaveAttribute('data-status', 'unknown')
    unmount()

    showCall(runUnknownReading)
    const reading = screen.getByRole('group', { name: 'Outcome unknown' })
    expect(reading).toHaveTextContent('We do not know how it ended.')
    expect(reading).not.toHaveTextContent('may or may not')
  })

  test('[E5] that is not known names the last ten confirmed steps, and says how many more there are', () => {
    const steps = Array.from({ length: 13 }, (_, i) => runEvent(i, i, 'tool_result', {}, { tool: `tool_${i}` }))
    showCall({ receives: [...steps, runEvent(20, 20, 'unknown')] })

    const outcome = screen.getByRole('group', { name: 'Outcome unknown' })
    expect(outcome).toHaveTextContent(/Confirmed: tool_3.*tool_12and 3 more/)
    expect(outcome).not.toHaveTextContent('tool_2')
  })

  test('[E5] is checked again by the host, once at a time; it offers no other way', async () => {
    const user = userEvent.setup()
    let finish = () => {}
    const onCheckAgain = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)))
    showCall(runLost, area, { onCheckAgain })

    await user.click(screen.getByRole('button', { name: 'Check again' }))
    await user.click(screen.getByRole('button', { name: 'Checking…' }))
    expect(onCheckAgain.mock.calls).toEqual([[runId]])
    await act(async () => finish())

    expect(screen.getByRole('button', { name: 'Check again' })).toBeVisible()
    expect(screen.queryByRole('button', { name: /retry|repeat|run/i })).toBeNull()
  })

  test('[E5] has no such button without the host, and says when the host could not check', async () => {
    const { unmount } = showCall(runLost)
    expect(screen.queryByRole('button', { name: 'Check again' })).toBeNull()
    unmount()

    const { store } = showCall(runLost, area, {
      onCheckAgain: () => {
        throw new Error('no')
      },
    })
    await userEvent.click(screen.getByRole('button', { name: 'Check again' }))
    expect(screen.getByText('Could not check')).toBeVisible()
    await waitFor(() => expect(document.querySelector('[aria-live="polite"]')).toHaveTextContent('Could not check'))
    act(() => store.flush())
    expect(store.getState().diagnostics.counts.host_callback_failed).toBe(1)
  })
})

describe('the files and sources of a run', () => {
  const opened = () => {
    const urls: string[] = []
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      urls.push(this.href)
    })
    return urls
  }
  const download = () => userEvent.click(screen.getByRole('button', { name: /down.*claim-d-42\.pdf$/i }))

  test('[E9] are there with name, size and digest, after the end of the stream', () => {
    showCall(runCommitted)

    const files = screen.getByRole('group', { name: 'Files' })
    expect(files).toHaveTextContent('claim-d-42.pdf48.2 kBSHA-256 9f2c4be01d7a…')
    const sources = screen.getByRole('group', { name: 'Sources' })
    expect(
      within(sources)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['travel-policyp4', 'travel-policyp9', 'Rules for expensessection 2https://example.org/rules'])
  })

  test('[E9] are downloaded from an address that the host is asked for each time', async () => {
    const urls = opened()
    let round = 0
    const resolveArtifact = vi.fn(async (id: string) => `https://files.example/${id}?signature=${++round}`)
    showCall(runCommitted, area, { resolveArtifact })

    await download()
    await download()

    expect(urls).toEqual([
      'https://files.example/report-018?signature=1',
      'https://files.example/report-018?signature=2',
    ])
    expect(resolveArtifact).toHaveBeenCalledWith('report-018', runId)
  })

  test('[H2] are not opened at an address that is none for a file', async () => {
    const urls = opened()
    const addresses = [
      'javascript:alert(1)',
      'data:text/html,x',
      'https://bank.example@evil.example/',
      '',
      'file:///etc',
    ]
    const { store } = showCall(runCommitted, area, {
      resolveArtifact: async () => {
        const address = addresses.shift()
        if (address === undefined) throw new Error('gone')
        return address
      },
    })

    for (let round = 0; round < 6; round++) await download()

    expect(urls).toEqual([])
    expect(screen.getByText('It can not be downloaded now')).toBeVisible()
    act(() => store.flush())
    expect(store.getState().diagnostics.counts.host_callback_failed).toBe(1)
  })

  test('[E9] say to a screen reader, too, that they can not be had now, each time', async () => {
    showCall(runCommitted, area, { resolveArtifact: () => Promise.reject(new Error('gone')) })
    const region = document.querySelector('[aria-live="polite"]') as HTMLElement

    await download()
    await waitFor(() => expect(region).toHaveTextContent(/^claim-d-42\.pdf: It can not be downloaded now$/))
    const [first] = region.children
    await userEvent.click(screen.getByRole('button', { name: 'It can not be downloaded now claim-d-42.pdf' }))
    await waitFor(() => expect(region.firstChild).not.toBe(first))
    expect(region).toHaveTextContent(/^claim-d-42\.pdf: It can not be downloaded now$/)

    await userEvent.click(screen.getByRole('button', { name: 'Preview receipt-scan.png' }))
    await waitFor(() => expect(region).toHaveTextContent(/^receipt-scan\.png: It can not be shown now$/))
  })

  test('[E9] are all to be had, however many a run makes', async () => {
    const made = Array.from({ length: 202 }, (_, index) =>
      runEvent(3_000 + index, 10 + index, 'artifact.ready', { artifact_id: `file-${index}` }),
    )
    showCall({ receives: [...runCounting.receives, ...made] })
    expect(screen.queryByText('file-201')).not.toBeInTheDocument()

    await userEvent.click(screen.getByText('Show 2 more'))

    expect(screen.getByText('file-201')).toBeVisible()
    expect(screen.queryByText(/^Show \d+ more$/)).not.toBeInTheDocument()
  })

  test('[E9] have no download where nobody knows an address', () => {
    showCall(runCommitted)

    expect(screen.queryByRole('button', { name: /Download/ })).toBeNull()
  })

  test('[E9] an image whose address has expired is asked for once more', async () => {
    let round = 0
    const resolveArtifact = vi.fn(async () => `https://files.example/${++round}.png`)
    showCall(runCommitted, area, { resolveArtifact })
    const fail = () =>
      act(async () => void screen.getByRole('img', { name: 'receipt-scan.png' }).dispatchEvent(new Event('error')))

    await userEvent.click(screen.getByRole('button', { name: 'Preview receipt-scan.png' }))
    expect(screen.getByRole('img', { name: 'receipt-scan.png' })).toHaveAttribute('src', 'https://files.example/1.png')
    await fail()
    expect(screen.getByRole('img', { name: 'receipt-scan.png' })).toHaveAttribute('src', 'https://files.example/2.png')
    await fail()

    expect(screen.queryByRole('img', { name: 'receipt-scan.png' })).toBeNull()
    expect(screen.getByText('It can not be shown now')).toBeVisible()
  })

  test('[G2] what was measured of the run stands below it once it has ended', () => {
    showCall(runCommitted)

    expect(slot('timings')).toHaveTextContent('First event 0.0 sFirst result 2.6 sEnd 13.4 s')
  })
})
