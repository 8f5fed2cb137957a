import { composeStories } from '@storybook/react-vite'
import axe from 'axe-core'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'

const standard = { theme: 'light', contrast: 'standard', density: 'comfortable', direction: 'ltr', locale: 'en' }

/** How a story is looked at: the toolbar's settings where they are not the standard, and the width it has, in px. */
const looks = {
  light: { width: 720, globals: {} },
  dark: { width: 720, globals: { theme: 'dark' } },
  contrast: { width: 720, globals: { contrast: 'more' } },
  rtl: { width: 720, globals: { direction: 'rtl', locale: 'ar' } },
  narrow: { width: 320, globals: {} },
} as const

/** The rules that colours have to keep, in each theme. */
const colourRules: Readonly<Record<string, string[]>> = {
  light: ['color-contrast'],
  dark: ['color-contrast'],
  contrast: ['color-contrast', 'color-contrast-enhanced'],
}

interface Composed {
  /** `visual`: whether the story has its pictures taken. Default: only the one named Matrix. */
  readonly parameters: { readonly visual?: boolean }
  readonly tags: readonly string[]
  readonly run: (context: { canvasElement: HTMLElement; globals: Readonly<Record<string, string>> }) => Promise<void>
}

const files = import.meta.glob<Parameters<typeof composeStories>[0]>('../../stories/**/*.stories.tsx', { eager: true })
const stories = Object.entries(files).flatMap(([file, module]) =>
  Object.entries(composeStories(module) as unknown as Readonly<Record<string, Composed>>)
    .filter(([story, { parameters }]) => parameters.visual ?? story === 'Matrix')
    .map(([story, composed]) => ({
      name: `${/([^/]+)\.stories\.tsx$/.exec(file)?.[1]}${story === 'Matrix' ? '' : `-${story}`}`,
      composed,
    })),
)

describe.each(stories)('$name', ({ name, composed }) => {
  test.each(Object.entries(looks))('[F4] looks as it did: %s', async (look, { width, globals }) => {
    await page.viewport(width, 900)
    const canvas = document.createElement('div')
    canvas.dataset.testid = 'canvas'
    canvas.style.cssText = `box-sizing: border-box; inline-size: ${width}px; padding: 12px; background: var(--tcd-color-page)`
    document.body.style.margin = '0'
    document.body.append(canvas)
    await composed.run({ canvasElement: canvas, globals: { ...standard, ...globals } })
    await fontsLoaded()
    await fitWindow(canvas, width)
    // Also at 400 %, which 320 px stand for: nobody has to scroll sideways.
    expect(canvas.scrollWidth).toBe(width)
    await expectContrast(canvas, look)
    await expect.element(page.getByTestId('canvas')).toMatchScreenshot(`${name}-${look}`)
  })
})

// Pictures that are taken now are not in the list of files.
test.skipIf(import.meta.env.VITE_TAKES_PICTURES)('[F4] every picture belongs to a story', () => {
  const pictures = Object.keys(import.meta.glob('./baselines/*.png')).map((file) =>
    file.slice('./baselines/'.length, -4),
  )
  const expected = stories.flatMap(({ name }) => Object.keys(looks).map((look) => `${name}-${look}`))
  expect(pictures.toSorted()).toEqual(expected.toSorted())
})

async function expectContrast(canvas: HTMLElement, look: string) {
  const rules = colourRules[look]
  if (rules === undefined) return
  const { violations } = await axe.run(canvas, { runOnly: rules })
  expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))).toEqual([])
}

/** Makes the window as high as the canvas: what is outside of it is not in the picture. */
async function fitWindow(canvas: HTMLElement, width: number) {
  do {
    await page.viewport(width, canvas.offsetHeight)
    // A log lays itself out anew in the frame after its room has changed.
    for (let i = 0; i < 2; i++) await new Promise((resolve) => requestAnimationFrame(resolve))
  } while (canvas.offsetHeight !== window.innerHeight)
}

/** Waits for the fonts that the page has asked for, until it asks for no more. */
async function fontsLoaded() {
  do await document.fonts.ready
  while (document.fonts.status === 'loading')
  const failed = [...document.fonts].filter(({ status }) => status === 'error')
  expect(failed.map(({ family }) => family)).toEqual([])
}
