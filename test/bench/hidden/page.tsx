import { createRoot } from 'react-dom/client'
import { createToolCallStore, ToolCallDetail, ToolCallProvider } from '../../../src/index.js'
import { connectSocket } from '../../../src/socket/index.js'
import '../../../src/styles/index.css'

const url = new URLSearchParams(location.search).get('server') ?? ''
const store = createToolCallStore()
const { socket } = connectSocket(store, { url, conversationId: 'c-1' })
let heard = 0
socket.on('run_event', () => {
  heard += 1
})

/** What the script asks for over the protocol. */
Object.assign(window, {
  measure() {
    store.flush()
    const run = store.getState().calls.get('run-1')
    const steps = run?.story?.confirmed.length ?? 0
    return { heard, steps, status: run?.status, resumes: run?.timings.resumes, visibility: document.visibilityState }
  },
})
createRoot(document.getElementById('root') as HTMLElement).render(
  <ToolCallProvider store={store}>
    <ToolCallDetail callId="run-1" />
  </ToolCallProvider>,
)
