import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'vite'

/**
 * What each way to use the package costs a host, and the most that it may: bytes, minified and compressed with brotli,
 * without React, zustand and socket.io-client. What is imported later, as `./area.mjs` is, does not count.
 */
const budgets = JSON.parse(readFileSync(new URL('./sizes.json', import.meta.url), 'utf8'))

/** Bundles each line of the table from the installed package. @throws when one is over its budget. Returns the table. */
export async function measure(host) {
  const lines = []
  const over = []
  for (const [name, { code, bytes }] of Object.entries(budgets)) {
    const text = await bundle(host, code)
    const size = brotliCompressSync(text).length
    lines.push(`  ${name.padEnd(44)} ${(size / 1000).toFixed(1).padStart(6)} kB of ${(bytes / 1000).toFixed(1)} kB`)
    if (size > bytes) over.push(name)
  }
  const store = await bundle(host, "export { createToolCallStore } from 'tool-call-detail'")
  if (store.includes('tool-call-root')) over.push('the store alone, which brings components')
  if (over.length > 0) throw new Error(`over budget: ${over.join(', ')}\n${lines.join('\n')}`)
  return lines.join('\n')
}

async function bundle(host, code) {
  const entry = path.join(host, 'entry.mjs')
  writeFileSync(entry, code)
  writeFileSync(path.join(host, 'area.mjs'), "export { ToolCallDetail as default } from 'tool-call-detail'")
  const result = await build({
    root: host,
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      rolldownOptions: {
        input: entry,
        preserveEntrySignatures: 'strict',
        external: [/^react(-dom)?($|\/)/, /^zustand($|\/)/, 'socket.io-client'],
        output: { minify: true },
      },
    },
  })
  const chunks = new Map([result].flat()[0].output.map((chunk) => [chunk.fileName, chunk]))
  const loaded = new Set([...chunks.values()].filter(({ isEntry }) => isEntry))
  for (const { imports } of loaded) for (const name of imports) if (chunks.has(name)) loaded.add(chunks.get(name))
  return Array.from(loaded, (chunk) => chunk.code).join('')
}
