import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { root, tools } from '../../.ci/setup.mjs'
import { readmeExample } from './browserHost.mjs'

/** The README's example and an import of every entry, compiled with the declarations of everything checked, too. */
export function typedHost(host) {
  const { exports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const entries = Object.keys(exports).filter((name) => !name.endsWith('.json'))
  writeFileSync(path.join(host, 'area.tsx'), readmeExample())
  writeFileSync(
    path.join(host, 'entries.ts'),
    entries.map((entry) => `import '${path.posix.join('tool-call-detail', entry)}'\n`).join(''),
  )
  for (const [module, moduleResolution] of [
    ['esnext', 'bundler'],
    ['nodenext', 'nodenext'],
  ]) {
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
      jsx: 'react-jsx',
      target: 'es2022',
      lib: ['es2023', 'dom', 'dom.iterable'],
      types: [],
      module,
      moduleResolution,
    }
    writeFileSync(path.join(host, 'package.json'), JSON.stringify({ type: 'module', private: true }))
    writeFileSync(
      path.join(host, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['area.tsx', 'entries.ts'] }),
    )
    const { status, stdout } = spawnSync(process.execPath, [path.join(root, tools.tsc), '-p', host], {
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`${moduleResolution}: ${stdout}`)
  }
}
