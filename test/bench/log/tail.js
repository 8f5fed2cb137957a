/** A log that shows its last lines, written by `show` once a frame. All text is kept, as an array of chunks. */
export function tailOf(box, height, show) {
  const element = document.createElement('div')
  element.className = 'log'
  element.style.blockSize = `${height}px`
  box.append(element)
  const kept = []
  let isDue = false
  return {
    append(chunk) {
      kept.push(chunk)
      if (isDue) return
      isDue = true
      requestAnimationFrame(() => {
        isDue = false
        let end = ''
        for (let i = kept.length; i > 0 && end.length < 20_000; ) end = kept[--i].slice(-20_000) + end
        const lines = end.split('\n').slice(-61)
        show(
          element,
          lines.map((line) => line.replace(/\r$/, '').replace(/^.*\r/, '')),
        )
        element.scrollTop = element.scrollHeight
      })
    },
  }
}
