// What the library has: AppendLog with a log of createLog, its bar and line numbers included.
import { createRoot } from 'react-dom/client'
import { AppendLog, createLog } from '../../../../dist/index.js'
import '../../../../dist/styles.css'

export default (box, height) => {
  const log = createLog()
  const style = { blockSize: height, margin: 0, '--tcd-text-sm': '13px' }
  createRoot(box).render(<AppendLog log={log} maxLines={Infinity} style={style} />)
  return { append: (chunk) => log.append(chunk), isIdle: () => log.pendingLength === 0 }
}
