import { expect, test, vi } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { parseRecording, recordTo } from '../../src/replay/index.js'
import { createToolCallStore } from '../../src/store/index.js'

test('[G1] the header tells which library recorded, and how the page was looked at', () => {
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: query === '(prefers-reduced-motion: reduce)' }))
  document.documentElement.lang = 'ru'
  const lines: string[] = []
  recordTo(createToolCallStore({ now: () => 7_000, schedule: () => () => {} }), (line) => void lines.push(line))

  expect(parseRecording(lines.join('')).header).toEqual({
    format: 'tool-call-detail/recording',
    version: 1,
    library: manifest.version,
    createdAt: 7_000,
    viewport: { width: innerWidth, height: innerHeight, pixelRatio: devicePixelRatio },
    language: 'ru',
    reducedMotion: true,
  })
})
