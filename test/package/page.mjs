import { chromium } from 'playwright'

/** Opens an address in real Chromium, hands the page to `look`, and throws if the page complained of anything. */
export async function visit(address, executablePath, look) {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const page = await browser.newPage()
    const complaints = []
    page.on('pageerror', (error) => complaints.push(error.stack ?? String(error)))
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    await page.goto(address)
    await look(page)
    if (complaints.length > 0) throw new Error(`the page complained: ${complaints.join('\n')}`)
  } finally {
    await browser.close()
  }
}

/** Waits until the page shows the call's area as its server told it. */
export async function seesTheCall(page) {
  const area = page.getByRole('region', { name: /read_file/ })
  await area.getByText('the file as it is').waitFor()
  const side = await area.evaluate((element) => getComputedStyle(element).borderTopWidth)
  if (side !== '1px') throw new Error('the style sheet is not there')
}
