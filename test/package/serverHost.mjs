import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import { endedCall, startServer } from './hostServer.mjs'
import { seesTheCall, visit } from './page.mjs'

const app = `
import { createToolCallStore, ToolCallDetail, ToolCallNode, ToolCallProvider } from 'tool-call-detail'
import { ru } from 'tool-call-detail/messages'
import 'tool-call-detail/styles.css'

const store = createToolCallStore()
store.receive('chat_event', ${JSON.stringify(endedCall)})
store.flush()

export const App = () => (
  <ToolCallProvider store={store} locale="ru" messages={ru}>
    <ToolCallNode callId="evt-1" />
    <ToolCallDetail callId="evt-1" />
  </ToolCallProvider>
)
`

/**
 * A page in Russian that is rendered on a server and hydrated in Chromium: by React's development build, which says what
 * differs.
 */
export async function serverHost(host, chromium) {
  writeFileSync(path.join(host, 'app.jsx'), app)
  writeFileSync(
    path.join(host, 'client.jsx'),
    "import { hydrateRoot } from 'react-dom/client'\nimport { App } from './app.jsx'\nhydrateRoot(document.body.firstElementChild, <App />)\n",
  )
  writeFileSync(
    path.join(host, 'server.jsx'),
    "import { renderToString } from 'react-dom/server'\nimport { App } from './app.jsx'\nexport const render = () => renderToString(<App />)\n",
  )
  const common = {
    root: host,
    configFile: false,
    logLevel: 'error',
    mode: 'development',
    oxc: { jsx: { runtime: 'automatic' } },
  }
  await build({
    ...common,
    build: { ssr: 'server.jsx', outDir: 'server', rolldownOptions: { output: { entryFileNames: 'server.mjs' } } },
    ssr: { external: ['tool-call-detail'] },
  })
  await build({
    ...common,
    define: { 'process.env.NODE_ENV': '"development"' },
    build: {
      minify: false,
      rolldownOptions: {
        input: path.join(host, 'client.jsx'),
        output: { entryFileNames: 'client.js', assetFileNames: '[name][extname]' },
      },
    },
  })
  const { render } = await import(pathToFileURL(path.join(host, 'server/server.mjs')).href)
  const css = readFileSync(path.join(host, 'node_modules/tool-call-detail/dist/styles.css'), 'utf8')
  const page = () => {
    const html = render()
    if (!html.includes('the file as it is')) throw new Error(`the server rendered no call: ${html}`)
    return `<!doctype html><html lang="ru"><meta charset="utf-8"><title>Host</title><style>${css}</style><body><main>${html}</main><script type="module" src="/client.js"></script>`
  }
  const server = await startServer(path.join(host, 'dist'), page)
  try {
    await visit(server.address, chromium, async (browserPage) => {
      await seesTheCall(browserPage)
      // Hydrated: the fold answers.
      const toggle = browserPage.getByRole('button', { name: /^Аргументы/ })
      await browserPage.waitForFunction(() => Object.keys(document.querySelector('main')).length > 0)
      await toggle.click()
      await browserPage.getByText('"a.txt"').waitFor()
    })
  } finally {
    await server.stop()
  }
}
