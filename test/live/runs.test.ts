import { text } from 'node:stream/consumers'
import type { Browser, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Live, openLive, type Tab } from './openLive.js'

let live: Live

beforeAll(async () => {
  live = await openLive({ speed: 2 })
})
afterAll(() => live.close())
afterEach(async () => expect(await live.closeTabs()).toEqual([]))

const areaOf = (page: Page) => page.getByRole('complementary')

/** Leaves the page, and opens its address where nothing else is known of it. */
async function comeBack({ page }: Tab): Promise<Page> {
  const address = page.url()
  await page.close()
  const context = await (page.context().browser() as Browser).newContext()
  context.setDefaultTimeout(15_000)
  const again = await context.newPage()
  await again.goto(address)
  return again
}

async function open() {
  const tab = await live.open()
  const area = areaOf(tab.page)
  const openRun = () => tab.page.locator('[data-scene=tool] button').last().click()
  const runId = () => new URLSearchParams(new URL(tab.page.url()).hash.slice(1)).get('call') as string
  return { ...tab, area, openRun, runId }
}

test('[E5][E6] cut between the write and its receipt: the page says unknown, then the truth; the tool ran once', async () => {
  const { start, area, openRun, runId } = await open()
  await start('Lose the receipt')
  await openRun()
  await area.getByText('It may or may not have happened').waitFor()
  expect(await area.getByText('Failed').count()).toBe(0)
  await area.getByRole('button', { name: 'Check again' }).click()
  await area.getByText('The invoice is paid.').first().waitFor()
  await area
    .getByText(/Confirmation/)
    .first()
    .waitFor()
  expect(await area.getByText('It may or may not have happened').count()).toBe(0)
  expect(live.executions(runId())).toEqual({ pay_invoice: 1 })
})

test('[E11] a run that was left is opened again from its address: where it is, its file, its sources', async () => {
  const tab = await open()
  await tab.start('Export an audit report')
  await tab.openRun()
  await tab.area
    .getByText(/\d+\/24/)
    .first()
    .waitFor()
  const page = await comeBack(tab)
  const area = areaOf(page)
  await area.getByText('read_documents').first().waitFor()
  await area.getByText('doc-17').first().waitFor()
  const downloading = page.waitForEvent('download')
  await area.getByRole('button', { name: /Download/ }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('audit-report-q2.csv')
  expect(await text(await download.createReadStream())).toContain('doc-22,7,89.90,yes')
})

test('[E11][E12][D4] a write asks first, also on a page that was left and opened again; it is answered there', async () => {
  const tab = await open()
  const allow = (page: Page) => page.getByRole('button', { name: /^Allow/ }).first()
  await tab.start('File an expense')
  await tab.openRun()
  await allow(tab.page).waitFor()
  const runId = tab.runId()
  const page = await comeBack(tab)
  const area = areaOf(page)
  await allow(page).waitFor()
  await area.getByText('search_policy').first().waitFor()
  expect(await area.getByText('changes data').count()).toBeGreaterThan(0)
  expect(live.executions(runId)).toEqual({ create_draft: 1 })
  await allow(page).click()
  await area.getByText('The expense is filed.').first().waitFor()
  expect(live.executions(runId)).toEqual({ create_draft: 1, submit_expense: 1 })
})

test('[E6][E11] the server is killed while a run goes on: it comes back and ends, and each tool ran once', async () => {
  const { start, area, openRun, runId } = await open()
  await start('Export an audit report')
  await openRun()
  await area
    .getByText(/\d+\/24/)
    .first()
    .waitFor()
  await live.kill()
  await live.restart()
  await area.getByText('doc-17').first().waitFor({ timeout: 30_000 })
  expect(live.executions(runId())).toEqual({ write_report: 1 })
})

test('[E3] what is logged for audits is nowhere on the page', async () => {
  const { page, start, openRun } = await open()
  await start('File an expense')
  await openRun()
  await page
    .getByRole('button', { name: /^Allow/ })
    .first()
    .waitFor()
  const html = await page.evaluate(() => document.documentElement.outerHTML)
  for (const word of ['sk-live', 'secret_note', 'internal planner']) expect(html).not.toContain(word)
})
