import type { Page } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Live, openLive, type Tab } from './openLive.js'

let live: Live

beforeAll(async () => {
  live = await openLive({ speed: 2 })
})
afterAll(() => live.close())
afterEach(async () => expect(await live.closeTabs()).toEqual([]))

const queueOf = (page: Page) => page.getByRole('region', { name: 'Requests' })
const areaOf = (page: Page) => page.getByRole('complementary', { name: 'Opened tool call' })
const historyOf = (page: Page) => page.getByRole('main').getByRole('list').first()
const allowIn = (page: Page) => queueOf(page).getByRole('button', { name: 'Allow once' })

/** After an answer, presses are not taken for half a second: they were meant for what was there before. */
const letHoldPass = (page: Page) => page.waitForTimeout(600)

/** Which request each answer that reached the server was for, as the scenario names its call. */
const answered = ({ conversationId }: Tab) =>
  live.answers(conversationId).map(({ correlationID }) => correlationID.replace(/^[\da-f-]{36}-|-approval$/g, ''))

/** Writes down each state of the opened call's request, and whether "Allowed" was to be read anywhere. */
async function record(page: Page) {
  await page.evaluate(() => {
    const seen: { status: string; saysAllowed: boolean }[] = []
    const note = () => {
      const request = document.querySelector('aside [data-slot="tool-call-approval"]')
      const status = request?.getAttribute('data-status') ?? ''
      const saysAllowed = [...document.querySelectorAll('[data-slot]')].some((part) => /Allowed/.test(part.textContent))
      seen.push({ status, saysAllowed })
    }
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, attributes: true })
    note()
    Object.assign(window, { seen })
  })
  return async () => {
    const seen = await page.evaluate(
      () => (window as unknown as { seen: { status: string; saysAllowed: boolean }[] }).seen,
    )
    const statuses = seen.map(({ status }) => status).filter((status, i, all) => status !== '' && status !== all[i - 1])
    return { statuses, saidAllowedIn: [...new Set(seen.flatMap((each) => (each.saysAllowed ? each.status : [])))] }
  }
}

test('[D4] allowed, the server goes on; the answer is sent once however often it is clicked, and stays to be read', async () => {
  const tab = await live.open()
  const { page } = tab
  await tab.start('Ask before it runs')
  await historyOf(page).getByRole('button', { name: 'npm publish' }).click()
  const recorded = await record(page)
  await allowIn(page).evaluate((button: HTMLElement) => {
    for (let times = 0; times < 5; times++) button.click()
  })
  await page.getByText('It is out, as tool-shelf@next.').waitFor()
  expect(answered(tab)).toEqual(['publish'])
  expect(live.answers(tab.conversationId)).toMatchObject([{ approved: true, scope: 'once' }])
  const { statuses, saidAllowedIn } = await recorded()
  expect(saidAllowedIn).toEqual(['allowed'])
  expect(statuses[0]).toBe('open')
  expect(statuses.at(-1)).toBe('allowed')
  await expect.poll(() => areaOf(page).innerText()).toMatch(/Allowed once\s+\d?\d:\d\d/)
  expect(await areaOf(page).innerText()).toContain('exit code 0')
  expect(await queueOf(page).count()).toBe(0)
})

test('[D4] a refused answer gives the buttons back with the reason; the next is "sent" until it is confirmed', async () => {
  const tab = await live.open()
  const { page } = tab
  await tab.start('An answer that is refused')
  await historyOf(page).getByRole('button', { name: 'rotate' }).click()
  await allowIn(page).click()
  await queueOf(page)
    .getByText('Your answer was not sent: the policy service did not answer, please try again')
    .waitFor()
  await letHoldPass(page)
  const recorded = await record(page)
  await queueOf(page).getByRole('button', { name: 'Allow for this session' }).click()
  await areaOf(page).getByText('sent, waiting for confirmation').waitFor()
  await areaOf(page).getByText('Allowed for this session').waitFor()
  expect(await recorded()).toEqual({
    statuses: expect.arrayContaining(['open', 'sent', 'allowed']),
    saidAllowedIn: ['allowed'],
  })
  expect(live.answers(tab.conversationId).map(({ scope }) => scope)).toEqual(['once', 'session'])
})

test('[D4] two tabs: an answer in one clears the other, which says so', async () => {
  const first = await live.open()
  const second = await first.second()
  await first.start('Ask before it runs')
  await allowIn(second.page).waitFor()
  await queueOf(first.page).getByRole('button', { name: 'Add a reason' }).click()
  await queueOf(first.page).getByRole('textbox', { name: 'Reason for denying' }).fill('not on a Friday')
  await queueOf(first.page).getByRole('button', { name: 'Deny' }).click()
  await queueOf(second.page).getByText('Denied · answered elsewhere').waitFor()
  expect(await allowIn(second.page).count()).toBe(0)
  for (const { page } of [first, second]) {
    await page.getByText('All right, nothing was published.').waitFor()
    await historyOf(page).getByRole('button', { name: 'npm publish' }).click()
    await expect
      .poll(() => areaOf(page).innerText())
      .toMatch(/Denied( · answered elsewhere)?\s+\d?\d:\d\d[^]*not on a Friday/)
  }
  expect(await queueOf(first.page).count()).toBe(0)
  expect(live.answers(first.conversationId)).toHaveLength(1)
})

test('[D4] requests of one tool never mix, and a press of a key reaches exactly one of them', async () => {
  const tab = await live.open()
  const { page } = tab
  await tab.start('Three requests for one tool')
  await queueOf(page).getByText('1 of 3').waitFor()
  // The last of them asks for the same as the first.
  for (const position of ['2 of 3', '3 of 3']) {
    await queueOf(page).getByRole('button', { name: 'Next request' }).click()
    await queueOf(page).getByText(position).waitFor()
  }
  await allowIn(page).focus()
  // Held down, and pressed again at once.
  for (let times = 0; times < 5; times++) await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await page.keyboard.press('Enter')
  await queueOf(page).getByText('2 of 2').waitFor()
  await letHoldPass(page)
  await queueOf(page).getByRole('button', { name: 'Previous request' }).click()
  await queueOf(page).getByText('1 of 2').waitFor()
  await queueOf(page).getByRole('button', { name: 'Deny' }).press('Enter')
  await queueOf(page).getByText('The agent wants to run').waitFor()
  await expect.poll(() => answered(tab)).toEqual(['restart-3', 'restart-1'])
  await letHoldPass(page)
  await allowIn(page).press('Space')
  await page.getByText('That is all of them.').waitFor()
  expect(answered(tab)).toEqual(['restart-3', 'restart-1', 'restart-2'])
  await page.getByRole('button', { name: /^3 calls/ }).click()
  const calls = page.getByRole('group', { name: '3 calls' }).locator('[data-slot="tool-call-trigger"]')
  const statuses = await calls.evaluateAll((all) =>
    all.map((call) => [call.textContent, call.getAttribute('data-status')]),
  )
  expect(statuses).toEqual([
    [expect.stringContaining('restart api'), 'denied'],
    [expect.stringContaining('restart worker'), 'done'],
    [expect.stringContaining('restart api'), 'done'],
  ])
})

test('[D4] the focus comes to the question once, and never to that of somebody who is typing', async () => {
  const reader = await live.open()
  const typist = await reader.second()
  const message = typist.page.getByRole('textbox', { name: 'Message' })
  await message.pressSequentially('Wait, ')
  await reader.start('Three requests for one tool')
  await queueOf(typist.page).getByText('1 of 3').waitFor()
  await queueOf(reader.page).getByText('1 of 3').waitFor()
  const hasFocus = (page: Page) => queueOf(page).evaluate((queue) => queue.contains(document.activeElement))
  await expect.poll(() => hasFocus(reader.page)).toBe(true)
  await typist.page.keyboard.type('not yet')
  expect(await message.inputValue()).toBe('Wait, not yet')

  // It has come once: who goes on to write is left alone when the next question takes the place of this one.
  await reader.page.getByRole('textbox', { name: 'Message' }).focus()
  await allowIn(typist.page).click()
  await queueOf(reader.page).getByText('1 of 2').waitFor()
  await reader.page.keyboard.type('Hello')
  expect(await reader.page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('Hello')
  expect(answered(reader)).toEqual(['restart-1'])
})

test('[D4] expired and withdrawn requests leave the queue, and say why', async () => {
  const tab = await live.open()
  const { page } = tab
  await tab.start('A question with a time limit')
  await allowIn(page).waitFor()
  await queueOf(page)
    .getByText(/expires in/)
    .waitFor()
  await tab.start('The session ends in between')
  await queueOf(page).getByText('1 of 2').waitFor()
  await allowIn(page).waitFor({ state: 'detached' })
  expect(
    await queueOf(page)
      .getByText(/Expired without an answer|Withdrawn, no answer/)
      .count(),
  ).toBe(1)
  await historyOf(page).getByRole('button', { name: 'open a window' }).click()
  await areaOf(page).getByText('Expired without an answer').waitFor()
  await historyOf(page).getByRole('button', { name: 'delete tmp/*' }).click()
  await historyOf(page).getByText('Withdrawn, no answer is needed any more').waitFor()
  expect(answered(tab)).toEqual([])
})

test('[D4] a thousand requests: what is mounted is bounded, and answering works', async () => {
  const tab = await live.open()
  const { page } = tab
  await tab.start('1,000 requests at once')
  await queueOf(page).getByText('1 of 1,000').waitFor()
  const mounted = () => page.evaluate(() => document.querySelectorAll('*').length)
  expect(await mounted()).toBeLessThan(1_500)
  for (const left of [999, 998, 997]) {
    await allowIn(page).click()
    await queueOf(page).getByText(`1 of ${left}`).waitFor()
    await letHoldPass(page)
  }
  await expect.poll(() => answered(tab)).toEqual(['move-1', 'move-2', 'move-3'])
  await page.getByText('3 done').waitFor()
  expect(await mounted()).toBeLessThan(1_500)
})

test('[D4] a server killed between answer and confirmation gets the same answer once more, and only then it is "allowed"', async () => {
  const tab = await live.open()
  const { page } = tab
  await tab.start('The server dies with your answer')
  // The first answer is lost with it, the second was noted and not confirmed.
  for (const name of ['orders', 'users']) {
    await historyOf(page)
      .getByRole('button', { name: `restart the database ${name}` })
      .click()
    const recorded = await record(page)
    await allowIn(page).click()
    await live.died()
    await page.getByText('Connection lost').first().waitFor()
    await areaOf(page).getByText('Allow once · sending…').waitFor()
    expect((await recorded()).saidAllowedIn).toEqual([])
    await live.restart()
    await areaOf(page).getByText(`The database ${name} is back.`).waitFor()
    expect((await recorded()).saidAllowedIn).toEqual(['allowed'])
  }
  expect(answered(tab)).toEqual(['orders', 'orders', 'users', 'users'])
  const decisions = live.answers(tab.conversationId).map(({ approved, scope }) => [approved, scope])
  expect(decisions).toEqual(Array.from({ length: 4 }, () => [true, 'once']))
})

test('[D5] a sub-agent’s call is under its parent’s and not in the conversation; its request leads to it', async () => {
  const tab = await live.open()
  const { page } = tab
  await tab.start('A sub-agent asks')
  await queueOf(page)
    .getByText(/The sub-agent deployer-\w+ wants to run apply_manifest through kubernetes/)
    .waitFor()
  expect(await historyOf(page).locator('[data-slot="tool-call-trigger"]').allInnerTexts()).toEqual([
    expect.stringContaining('delegate'),
  ])
  await queueOf(page).getByRole('button', { name: 'Show the call' }).click()
  const area = areaOf(page).getByRole('region', { name: /apply_manifest/ })
  await area.waitFor()
  await expect.poll(() => area.evaluate((element) => element === document.activeElement)).toBe(true)
  await allowIn(page).click()
  await area.getByText('deployment.apps/tool-shelf configured').waitFor()
})

test('[D4] calls in parallel are one row, in which the failure and the question stay visible', async () => {
  const tab = await live.open()
  const { page } = tab
  await tab.start('Eight calls at a time')
  const group = page.getByRole('group', { name: '9 calls' })
  await group.getByText('7 done').waitFor()
  const shown = () => group.locator('[data-slot="tool-call-trigger"]').allInnerTexts()
  expect(await shown()).toEqual([expect.stringContaining('packages/mail'), expect.stringContaining('GET allowed.json')])
  await queueOf(page).getByRole('button', { name: 'Show the call' }).click()
  await group.getByRole('region', { name: /http_get/ }).waitFor()
  await allowIn(page).click()
  await group.getByText('8 done').waitFor()
})
