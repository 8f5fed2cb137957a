import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { build } from 'vite'
import { root } from '../../.ci/setup.mjs'
import { startServer } from './hostServer.mjs'
import { seesTheCall, visit } from './page.mjs'

/** The first example of the README, as it stands there, mounted into a page: built by Vite and looked at. */
export async function browserHost(host, chromium) {
  writeFileSync(path.join(host, 'area.jsx'), readmeExample())
  writeFileSync(
    path.join(host, 'main.jsx'),
    "import { createRoot } from 'react-dom/client'\nimport { Area } from './area.jsx'\ncreateRoot(document.body.firstElementChild).render(<Area />)\n",
  )
  writeFileSync(
    path.join(host, 'index.html'),
    '<!doctype html><html lang="en"><title>Host</title><body><main></main><script type="module" src="/main.jsx"></script>',
  )
  await build({ root: host, configFile: false, logLevel: 'error', oxc: { jsx: { runtime: 'automatic' } } })
  const server = await startServer(path.join(host, 'dist'))
  try {
    await visit(server.address, chromium, seesTheCall)
  } finally {
    await server.stop()
  }
}

/** What a newcomer copies. */
export function readmeExample() {
  const example = /```tsx\n(import .*?)```/s.exec(readFileSync(path.join(root, 'README.md'), 'utf8'))
  if (example === null) throw new Error('the README has no example')
  return example[1]
}
