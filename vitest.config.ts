import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { storybookTest } from '@storybook/addon-vitest/vitest-plugin'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'

const root = path.dirname(fileURLToPath(import.meta.url))

/** The machine's Chromium, without a window and without traffic of its own, drawing text the same way everywhere. */
const chromium = () => ({
  enabled: true,
  headless: true,
  instances: [{ browser: 'chromium' as const }],
  provider: playwright({
    launchOptions: {
      env: { ...process.env, FONTCONFIG_FILE: path.join(root, '.storybook/fonts.conf') },
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  }),
})

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'core',
          environment: 'node',
          include: ['test/{core,protocols,store,socket,server}/**/*.test.ts'],
          setupFiles: ['test/setup.ts'],
          restoreMocks: true,
          testTimeout: 20_000,
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
          testTimeout: 20_000,
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.tsx'],
          setupFiles: ['test/react/setup.ts'],
          restoreMocks: true,
          browser: chromium(),
        },
      },
      {
        plugins: [storybookTest({ configDir: path.join(root, '.storybook') })],
        test: { name: 'stories', browser: chromium() },
      },
    ],
  },
})
