// xterm.js with its default of 1,000 lines kept, drawn as elements.
import { Terminal } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'

export default (box, height) => {
  const terminal = new Terminal({ cols: 110, rows: Math.floor(height / 18), fontSize: 13, convertEol: true })
  terminal.open(box)
  return { append: (chunk) => terminal.write(chunk) }
}
