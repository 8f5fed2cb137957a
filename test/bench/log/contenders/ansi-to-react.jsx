// ansi-to-react around the whole text, once a frame.
import * as Package from 'ansi-to-react'
import { useLayoutEffect, useRef } from 'react'
import { createRoot } from 'react-dom/client'
import { framedStore, useFramed } from '../framedStore.js'

const Ansi = Package.default?.default ?? Package.default

function Output({ store, text, height }) {
  useFramed(store)
  const box = useRef(null)
  useLayoutEffect(() => {
    box.current.scrollTop = box.current.scrollHeight
  })
  return (
    <div ref={box} className="log" style={{ blockSize: height }}>
      <Ansi useClasses>{text()}</Ansi>
    </div>
  )
}

export default (box, height) => {
  let text = ''
  const store = framedStore((chunk) => (text += chunk))
  createRoot(box).render(<Output store={store} text={() => text} height={height} />)
  return store
}
