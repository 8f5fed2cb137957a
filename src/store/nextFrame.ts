/** How long a page that draws no frames, because it is hidden, waits at most, in ms. */
const hiddenMs = 1_000

/**
 * Calls `callback` once: with the next animation frame, or after a second where no frame comes because the page is
 * hidden; outside a browser as soon as the current work is done. Returns what takes it back.
 */
export function nextFrame(callback: () => void): () => void {
  if (typeof requestAnimationFrame !== 'function') {
    const timer = setTimeout(callback, 0)
    return () => clearTimeout(timer)
  }
  const cancel = () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
  const run = () => {
    cancel()
    callback()
  }
  const frame = requestAnimationFrame(run)
  const timer = setTimeout(run, hiddenMs)
  return cancel
}
