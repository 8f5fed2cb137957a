import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }

test('[F1] zustand comes with the package; React and, where it is used, Socket.IO are the host’s own', () => {
  expect(Object.keys(manifest.dependencies)).toEqual(['zustand'])
  expect(Object.keys(manifest.peerDependencies).toSorted()).toEqual(['react', 'react-dom', 'socket.io-client'])
  expect(manifest.peerDependenciesMeta).toEqual({ 'socket.io-client': { optional: true } })
})

test('[F1] the repository has few places, and beside them only what tools look for there', ({ skip }) => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const { status, stdout } = spawnSync('git', ['ls-files', '--cached'], { cwd: root, encoding: 'utf8' })
  skip(status !== 0, 'these files are not a checkout')

  const places = ['src', 'stories', 'test', '.storybook', 'package.json', 'tsconfig.json']
  const toolsPlaces = ['.ci', '.github', '.gitignore', '.npmrc', 'package-lock.json', 'vitest.config.ts']
  const readers = ['CHANGELOG.md', 'LICENSE', 'README.md']
  const here = stdout.split('\n').flatMap((file) => (file === '' ? [] : file.split('/', 1)))
  expect([...new Set(here)].toSorted()).toEqual([...places, ...toolsPlaces, ...readers].toSorted())
})
