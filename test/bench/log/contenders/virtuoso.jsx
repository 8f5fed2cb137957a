// react-virtuoso for the rows and anser for the colours; lines are kept in an array, one state update a frame.
import Anser from 'anser'
import { createRoot } from 'react-dom/client'
import { Virtuoso } from 'react-virtuoso'
import { framedStore, useFramed } from '../framedStore.js'

function lineOf(text) {
  const parts = text.includes('\x1b') ? Anser.ansiToJson(text, { remove_empty: true }) : [{ content: text }]
  return (
    <div style={{ blockSize: 18, whiteSpace: 'pre' }}>
      {parts.map(({ content, fg }, i) => (
        <span key={i} style={{ color: fg && `rgb(${fg})` }}>
          {content}
        </span>
      ))}
    </div>
  )
}

function Lines({ store, lines, height }) {
  useFramed(store)
  const count = lines.length - (lines.at(-1) === '' ? 1 : 0)
  return (
    <Virtuoso
      style={{ blockSize: height }}
      totalCount={count}
      fixedItemHeight={18}
      followOutput={() => 'auto'}
      initialTopMostItemIndex={Math.max(0, count - 1)}
      itemContent={(index) => lineOf(lines[index])}
    />
  )
}

export default (box, height) => {
  const lines = ['']
  const store = framedStore((chunk) => {
    for (const part of (lines.pop() + chunk).split('\n')) lines.push(part.slice(part.lastIndexOf('\r') + 1))
  })
  createRoot(box).render(<Lines store={store} lines={lines} height={height} />)
  return store
}
