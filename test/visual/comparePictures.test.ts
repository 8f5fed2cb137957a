import { expect, test } from 'vitest'
import { comparePictures } from './comparePictures.js'

const width = 100
const picture = (changed = 0, steps = 0, height = 10) => ({
  metadata: { width, height },
  data: new Uint8Array(width * height * 4)
    .fill(100)
    .map((value, i) => (i % 4 === 0 && i < changed * 4 ? value + steps : value)),
})
const passes = (changed: number, steps: number, allowedRatio?: number) =>
  comparePictures(picture(), picture(changed, steps), { createDiff: false, ...(allowedRatio && { allowedRatio }) }).pass

test('[F4] a picture differs by one pixel that can be seen', () => {
  expect(passes(0, 0)).toBe(true)
  expect(passes(1, 9)).toBe(false)
})

test('[F4] faint differences are those of edges, unless they are many', () => {
  expect(passes(300, 8)).toBe(true)
  expect(passes(301, 1)).toBe(false)
})

test('[F4] another browser may draw a share of the pixels differently', () => {
  expect(passes(1, 200, 0.001)).toBe(true)
  expect(passes(2, 200, 0.001)).toBe(false)
})

test('[F4] a picture of another size differs, and the differences of others are an image', () => {
  const options = { createDiff: true }
  expect(comparePictures(picture(), picture(0, 0, 11), options)).toMatchObject({ pass: false, diff: null })
  const { diff } = comparePictures(picture(), picture(1, 9), options)
  expect([...(diff ?? [])].slice(0, 8)).toEqual([255, 0, 0, 255, 216, 216, 216, 255])
})
