import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson, hashText, plainValue } from '../../src/core/index.js'

describe('canonical JSON', () => {
  test('[A6] is the same for equal values, whatever the order of their keys', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.gen(), (value, gen) => {
        const keys = gen(fc.shuffledSubarray, Object.keys(value), { minLength: Object.keys(value).length })
        const reordered = Object.fromEntries(keys.map((key) => [key, value[key]]))

        expect(canonicalJson(reordered)).toBe(canonicalJson(value))
      }),
    )
  })

  test('[A6] differs for values that differ', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  test('[H1] survives cycles, depth and what JSON can not hold', () => {
    const cycle: unknown[] = []
    cycle.push(cycle)
    let deep: unknown = 0
    for (let i = 0; i < 100_000; i++) deep = { deep }

    expect(canonicalJson(cycle)).toBe('[null]')
    expect(canonicalJson(deep).length).toBeLessThan(2_000)
    expect(canonicalJson({ a: undefined, b: Number.NaN, c: () => 1, d: -0 })).toBe('{"b":null,"d":0}')
    expect(canonicalJson(undefined)).toBe('null')
  })
})

describe('plain values', () => {
  test('[H1] are equal to what they were made from', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(plainValue(value, 1_000)).toEqual({ value: JSON.parse(JSON.stringify(value)), cut: false })
      }),
    )
  })

  test('[H1] are without what is undefined', () => {
    const { value } = plainValue({ seq: undefined, ids: [undefined, 1], inside: { at: undefined } }, 10)
    expect(Object.keys(value as object)).toEqual(['ids', 'inside'])
    expect(value).toStrictEqual({ ids: [null, 1], inside: {} })
  })

  test('[H1] are bounded in depth, number and length, and say so', () => {
    let deep: unknown = 0
    for (let i = 0; i < 100_000; i++) deep = [deep]

    expect(plainValue(deep, 10).cut).toBe(true)
    expect(
      plainValue(
        Array.from({ length: 60_000 }, () => 0),
        10,
      ).cut,
    ).toBe(true)
    expect(plainValue('12345678901', 10)).toEqual({ value: '1234567890…', cut: true })
  })
})

test('[A3] texts that differ have different short names', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      expect(hashText(a) === hashText(b)).toBe(a === b)
    }),
  )
})
