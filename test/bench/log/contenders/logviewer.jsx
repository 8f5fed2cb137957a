// react-logviewer, which is given the whole text: once a frame, and following.
import { LazyLog } from '@melloware/react-logviewer'
import { createRoot } from 'react-dom/client'
import { framedStore, useFramed } from '../framedStore.js'

function Viewer({ store, text, height }) {
  useFramed(store)
  return <LazyLog text={text() || ' '} follow height={height} width={900} rowHeight={18} />
}

export default (box, height) => {
  let text = ''
  const store = framedStore((chunk) => (text += chunk))
  createRoot(box).render(<Viewer store={store} text={() => text} height={height} />)
  return store
}
