// The floor with colours: the same, with an element for each stretch of colour.
import { tailOf } from '../tail.js'

export default (box, height) =>
  tailOf(box, height, (element, lines) => {
    const nodes = []
    for (const part of lines.join('\n').split(/(?=\x1b\[[\d;]*m)/)) {
      const [, code, text] = /^(?:\x1b\[([\d;]*)m)?([^]*)$/.exec(part)
      if (!code || code === '0') nodes.push(text)
      else {
        const span = document.createElement('span')
        span.style.color = ['red', 'green', 'olive', 'blue', 'purple', 'teal', 'gray'][(Number(code) - 31) % 7]
        span.textContent = text
        nodes.push(span)
      }
    }
    element.replaceChildren(...nodes)
  })
