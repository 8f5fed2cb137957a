import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import react from '@vitejs/plugin-react'
import { chromium } from 'playwright'
import { build, type InlineConfig, preview } from 'vite'
import type { TestProject } from 'vitest/node'
import { chromiumArgs } from '../../.ci/setup.mjs'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the live page. */
    readonly pageUrl: string
    /** Where Playwright reaches the browser that all tests share. */
    readonly browserUrl: string
  }
}

/** Once for all files: builds and serves the live page, and starts the browser. Returns what ends them. */
export default async function setup({ provide }: TestProject) {
  const outDir = mkdtempSync(path.join(tmpdir(), 'live-page-'))
  const root = path.resolve('test/live/page')
  const options = {
    configFile: false,
    root,
    logLevel: 'warn',
    plugins: [react()],
  } satisfies InlineConfig
  const [browser] = await Promise.all([
    chromium.launchServer({
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: chromiumArgs,
    }),
    build({ ...options, build: { outDir, emptyOutDir: true, minify: false } }),
  ])
  const server = await preview({ ...options, build: { outDir }, preview: { host: '127.0.0.1', port: 0 } })
  provide('pageUrl', server.resolvedUrls?.local[0] as string)
  provide('browserUrl', browser.wsEndpoint())
  return async () => {
    await Promise.all([browser.close(), server.close()])
    rmSync(outDir, { recursive: true, force: true })
  }
}
