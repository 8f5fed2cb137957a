// Builds dist/: JavaScript and declarations by tsc, one file out for each file in, and one style sheet.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ensureReady, root, run, tools } from './setup.mjs'

ensureReady()
const dist = path.join(root, 'dist')
rmSync(dist, { recursive: true, force: true })
if (!run(process.execPath, [tools.tsc, '-p', 'src'])) process.exit(1)
writeFileSync(path.join(dist, 'styles.css'), styleSheet(path.join(root, 'src/styles')))
// TypeScript 6 and later look for a declaration when a style sheet is imported for its side effect.
writeFileSync(path.join(dist, 'styles.css.d.ts'), 'export {}\n')

/** The text of index.css with the sheets that it imports in their places; every sheet of the folder must be among them. */
function styleSheet(folder) {
  const left = new Set(readdirSync(folder).filter((name) => name.endsWith('.css') && name !== 'index.css'))
  const text = readFileSync(path.join(folder, 'index.css'), 'utf8').replace(
    /^@import '\.\/([\w-]+\.css)';$/gm,
    (_, name) => {
      left.delete(name)
      return readFileSync(path.join(folder, name), 'utf8')
    },
  )
  if (/^\s*@import/m.test(text)) throw new Error("A style sheet's imports are only followed as `@import './name.css';`")
  if (left.size > 0) throw new Error(`src/styles/index.css does not import ${[...left].join(', ')}`)
  return text
}
