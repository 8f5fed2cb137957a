import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { storybookTest } from '@storybook/addon-vitest/vitest-plugin'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { chromiumArgs } from './.ci/setup.mjs'
import { browserVersion } from './test/visual/browserVersion.mjs'
import { comparePictures } from './test/visual/comparePictures.js'

const root = path.dirname(fileURLToPath(import.meta.url))

const chromiumPath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

/** The machine's Chromium, without a window and without traffic of its own, drawing text the same way everywhere. */
const chromium = (contextOptions = {}) => ({
  enabled: true,
  headless: true,
  screenshotFailures: false,
  // The panel around the page would shrink it.
  ui: false,
  instances: [{ browser: 'chromium' as const }],
  provider: playwright({
    contextOptions,
    launchOptions: {
      env: { ...process.env, TZ: 'UTC', FONTCONFIG_FILE: path.join(root, '.storybook/fonts.conf') },
      executablePath: chromiumPath,
      args: [
        ...chromiumArgs,
        '--disable-quic',
        // The edge of a corner would be drawn by what was on the screen before.
        '--disable-partial-raster',
      ],
    },
  }),
})

/** The share of a picture's pixels that may differ: none in the browser that it was taken with, 0.1 % in another. */
function allowedRatio() {
  const taken = readFileSync(path.join(root, 'test/visual/baselines/browser.txt'), 'utf8').trim()
  const here = browserVersion(chromiumPath)
  if (here === taken) return 0
  console.log(`The pictures were taken with ${taken}; with ${here || 'this browser'} 0.1 % of the pixels may differ.`)
  return 0.001
}

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'core',
          environment: 'node',
          include: ['test/{core,protocols,store,socket,server,replay,testing,styles,package,visual}/**/*.test.ts'],
          setupFiles: ['test/setup.ts'],
          // A style sheet that is imported as text would be empty.
          css: true,
          restoreMocks: true,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'react',
          environment: 'jsdom',
          include: ['test/react/**/*.test.{ts,tsx}'],
          setupFiles: ['test/setup.ts', 'test/react/setup.ts'],
          restoreMocks: true,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.tsx'],
          setupFiles: ['test/react/setup.ts'],
          restoreMocks: true,
          testTimeout: 60_000,
          browser: chromium(),
        },
      },
      {
        test: {
          name: 'live',
          environment: 'node',
          include: ['test/live/**/*.test.ts'],
          globalSetup: ['test/live/setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        plugins: [storybookTest({ configDir: path.join(root, '.storybook') })],
        test: { name: 'stories', testTimeout: 60_000, browser: chromium() },
      },
      {
        plugins: [react()],
        test: {
          name: 'visual',
          include: ['test/visual/**/*.test.tsx'],
          setupFiles: ['test/visual/setup.ts'],
          testTimeout: 60_000,
          browser: {
            // What is larger than the window would be shrunk to it.
            ...chromium({ viewport: { width: 800, height: 16_000 } }),
            expect: {
              toMatchScreenshot: {
                comparators: { comparePictures },
                comparatorName: 'comparePictures',
                comparatorOptions: { allowedRatio: allowedRatio() },
                timeout: 20_000,
                resolveScreenshotPath: ({ arg, ext }) => path.join(root, 'test/visual/baselines', `${arg}${ext}`),
                resolveDiffPath: ({ arg, ext }) => path.join(root, 'test/visual/differences', `${arg}${ext}`),
              },
            },
          },
        },
      },
    ],
  },
})
