// The floor: the last 60 lines as the text of one element, once a frame. No scrolling back, colours left out.
import { tailOf } from '../tail.js'

export default (box, height) =>
  tailOf(box, height, (element, lines) => (element.textContent = lines.join('\n').replace(/\x1b\[[\d;]*m/g, '')))
