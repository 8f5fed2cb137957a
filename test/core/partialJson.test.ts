import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isComplete, JsonContainer, type JsonNode, JsonText, JsonToken, toPlainJson } from '../../src/core/jsonNode.js'
import { createPartialJson, type IsMasked } from '../../src/core/partialJson.js'

const readWhole = (text: string, isMasked?: IsMasked) => readPieces([text], isMasked)

function readPieces(pieces: readonly string[], isMasked?: IsMasked) {
  const reader = createPartialJson(isMasked)
  for (const piece of pieces) {
    reader.append(piece)
    reader.read()
  }
  return reader.read()
}

/** Everything a reader of the tree can see, written out. */
function seen(node: JsonNode | undefined): unknown {
  if (node instanceof JsonText) return { text: node.toString(), lines: node.lineCount }
  if (node instanceof JsonToken) return { token: node.text, complete: node.complete, masked: node.masked }
  if (!(node instanceof JsonContainer)) return node
  const entries = Array.from({ length: node.length }, (_, i) => [node.keyAt(i), seen(node.valueAt(i))])
  return { kind: node.kind, complete: node.complete, entries }
}

/** The texts of the tree's leaves in their order, the empty ones aside: what a reader has in view. */
function leaves(node: JsonNode | undefined): string[] {
  if (node === undefined) return []
  if (node instanceof JsonContainer)
    return Array.from({ length: node.length }, (_, i) => leaves(node.valueAt(i))).flat()
  const text = node instanceof JsonToken ? node.text : String(node)
  return text === '' ? [] : [text]
}

const piecesOf = (text: string, cuts: readonly number[]) => {
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b)
  return [...places, text.length].map((end, i) => text.slice(places[i - 1] ?? 0, end))
}
const cuts = fc.array(fc.nat(), { maxLength: 30 })

const space = fc.constantFrom('', '', ' ', '\n', '\t ', '\r\n')
/** A text as JSON may write it: some characters escaped that need not be. */
const writtenText = fc
  .string({ unit: 'binary' })
  .chain((text) =>
    fc
      .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
      .map((escaped) => `"${[...Array(text.length).keys()].map((i) => written(text[i]!, escaped[i]!)).join('')}"`),
  )
const written = (unit: string, isEscaped: boolean) =>
  isEscaped ? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}` : JSON.stringify(unit).slice(1, -1)
const writtenNumber = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.constantFrom('-0', '1.0', '1e999', '12345678901234567890', '0.1E+2', '-1e-7'),
)
/** JSON texts with white space, escapes and keys that come twice, as valid as `JSON.parse` has it. */
const jsonText: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('true', 'false', 'null'),
    writtenNumber,
    writtenText,
    fc
      .tuple(fc.array(tie('value'), { maxLength: 5 }), space)
      .map(([entries, gap]) => `[${gap}${entries.join(`${gap},${gap}`)}${gap}]`),
    fc
      .tuple(
        fc.array(fc.tuple(fc.oneof(fc.constantFrom('"a"', '"__proto__"', '"1"'), writtenText), tie('value')), {
          maxLength: 5,
        }),
        space,
      )
      .map(([entries, gap]) => `{${gap}${entries.map(([key, v]) => `${key}${gap}:${v}`).join(`${gap},${gap}`)}${gap}}`),
  ),
})).value

/** A text that was JSON until something happened to it. */
const nearlyJson = fc
  .tuple(jsonText, fc.nat(), fc.constantFrom('', '"', '}', ',', '\\', '0', 'x', '\n'))
  .map(
    ([text, at, noise]) =>
      `${text.slice(0, at % (text.length + 1))}${noise}${text.slice((at % (text.length + 1)) + 1)}`,
  )

/** Arguments as tools get them. */
const realArguments = [
  '{"path":"game.html","content":"<!DOCTYPE html>\\n<html lang=\\"en\\">\\n<canvas id=\\"board\\"></canvas>\\n</html>\\n"}',
  '{"command": "npm test -- --run", "timeout": 120000, "background": false}',
  '{"query":"\\u4f60\\u597d \\ud83d\\ude00 👩‍👩‍👧","filters":{"tags":["a","b"],"since":null},"limit":20}',
  '{"edits":[{"old":"a\\tb","new":"a  b"},{"old":"","new":"x"}],"dry_run":true,"ratio":-1.50e+3}',
  ' \n{ "message" : "Build the release and report what fails." }\n',
  '[]',
  '"only a text"',
]

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

describe('partial JSON', () => {
  test('[C3] reads the same in any pieces as in one', () => {
    fc.assert(
      fc.property(fc.oneof(jsonText, nearlyJson), fc.nat(), cuts, (text, end, places) => {
        const part = text.slice(0, end % (text.length + 1))

        const { root, complete, brokenAt } = readPieces(piecesOf(part, places))

        const whole = readWhole(part)
        expect({ root: seen(root), complete, brokenAt }).toEqual({
          ...whole,
          root: seen(whole.root),
          maskedText: undefined,
        })
      }),
      { numRuns: 2_000 },
    )
  })

  test('[C3] agrees with JSON.parse at the end on what is JSON and what it says', () => {
    fc.assert(
      fc.property(fc.oneof(jsonText, nearlyJson, fc.string()), cuts, (text, places) => {
        const reader = createPartialJson()
        for (const piece of piecesOf(text, places)) reader.append(piece)

        const { root, complete } = reader.read(true)

        const expected = parsed(text)
        expect(complete).toBe(expected !== undefined)
        if (expected === undefined) return
        expect(isComplete(root as JsonNode)).toBe(true)
        expect(toPlainJson(root as JsonNode)).toEqual(expected.value)
      }),
      { numRuns: 5_000 },
    )
  })

  test('[C3] what is shown never shrinks, blanks or changes while arguments arrive, wherever they are cut', () => {
    for (const text of realArguments) {
      const reader = createPartialJson()
      let before: string[] = []
      for (const unit of text.split('')) {
        reader.append(unit)
        const now = leaves(reader.read().root)
        expect(now.length).toBeGreaterThanOrEqual(before.length)
        before.forEach((leaf, i) => expect(now[i]?.startsWith(leaf)).toBe(true))
        before = now
      }
    }
  })

  test('[C3] a number or a word is not taken for complete before its end', () => {
    expect(seen(readWhole('{"a":tr').root)).toMatchObject({ entries: [['a', { token: 'tr', complete: false }]] })
    expect(seen(readWhole('{"a":12').root)).toMatchObject({ entries: [['a', { token: '12', complete: false }]] })
    expect(seen(readWhole('{"a":12,').root)).toMatchObject({ entries: [['a', 12]] })
    expect(toPlainJson(readWhole('{"a":12').root as JsonNode)).toEqual({})
  })

  test('[C3] a key shows as soon as it is complete, before anything of its value', () => {
    expect(seen(readWhole('{"pa').root)).toMatchObject({ entries: [] })
    expect(seen(readWhole('{"path"').root)).toMatchObject({ entries: [['path', { token: '', complete: false }]] })
  })

  test('[C3] numbers stand as they were written', () => {
    expect(leaves(readWhole('[12345678901234567890, 1.0, 1e3, 7]').root)).toEqual([
      '12345678901234567890',
      '1.0',
      '1e3',
      '7',
    ])
  })

  test('[C3] half of a surrogate pair waits for the other half', () => {
    const reader = createPartialJson()
    reader.append('["a\\ud83d')
    expect(leaves(reader.read().root)).toEqual(['a'])
    reader.append('\\ude00')
    expect(leaves(reader.read().root)).toEqual(['a😀'])
  })

  test('[C3] of equal keys the last counts, and the first stays in view until that is complete', () => {
    const reader = createPartialJson()
    reader.append('{"a":"first","b":1,"a":"sec')
    expect(leaves(reader.read().root)).toEqual(['first', '1'])
    reader.append('ond"}')
    expect(toPlainJson(reader.read().root as JsonNode)).toEqual({ a: 'second', b: 1 })
  })

  test('[H1] prototype keys are keys like any other', () => {
    const value = toPlainJson(readWhole('{"__proto__":{"polluted":true},"constructor":1}').root as JsonNode)

    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor'])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  test('[C3] says where a text stops being JSON', () => {
    const brokenAt = (text: string) => readPieces(text.split('')).brokenAt
    expect(brokenAt('{"a":1} trailing')).toBe(8)
    expect(brokenAt('{"a" 1}')).toBe(5)
    expect(brokenAt('{"a":01}')).toBe(5)
    expect(brokenAt('["line\nbreak"]')).toBe(6)
    expect(brokenAt("{'a':1}")).toBe(1)
    expect(brokenAt('ls -la')).toBe(0)
    expect(brokenAt('{"a":"unfinished')).toBeUndefined()
  })

  test('[H1] nesting is bounded, and deep or wide texts cost no more than their length', () => {
    const deep = readWhole('['.repeat(1_000_000))
    expect(deep.brokenAt).toBe(200)
    const wide = readWhole(`{${Array.from({ length: 100_000 }, (_, i) => `"key ${i}":${i}`).join(',')}}`)
    expect((wide.root as JsonContainer).length).toBe(100_000)
  })

  test('[C3] what is complete stays the same object while the rest arrives', () => {
    const reader = createPartialJson()
    reader.append('{"list":[1,{"x":2}],"text":"be')
    const first = reader.read().root as JsonContainer
    const [list, text] = [first.valueAt(0), first.valueAt(1)]
    expect(reader.read().root).toBe(first)
    reader.append('gin')
    const second = reader.read().root as JsonContainer

    expect(second).not.toBe(first)
    expect(second.valueAt(0)).toBe(list)
    expect(second.valueAt(1)).not.toBe(text)
  })

  // A fraction of a second; were the whole read again for each piece it would be many minutes, and time out.
  test('[C8] reading after each piece costs what is new: 1 MB in pieces of 16 characters, of one text and of many values', () => {
    const line = 'const answer = \\"forty-two\\";\\n'
    const oneText = `{"content":"${line.repeat(35_000)}"}`
    const manyValues = `[${Array.from({ length: 150_000 }, (_, i) => i).join(',')}]`
    for (const text of [oneText, manyValues]) {
      const reader = createPartialJson()
      for (let at = 0; at < text.length; at += 16) {
        reader.append(text.slice(at, at + 16))
        const { root } = reader.read()
        const last = (root as JsonContainer).valueAt((root as JsonContainer).length - 1)
        if (last instanceof JsonText) last.tail(2_000)
      }
      expect(toPlainJson(reader.read().root as JsonNode)).toEqual(JSON.parse(text))
    }
  })
})

describe('masked values', () => {
  const isMasked: IsMasked = (path) => path.at(-1) === 'token' || path.join('.') === 'auth.password'

  test('[C3] a masked value is neither in the tree nor in the text, however it arrives', () => {
    const text =
      '{"url":"x","auth":{"user":"me","password":"hunter2"},"list":[{"token":{"deep":"hunter2"}}],"token":17, "n":1}'
    fc.assert(
      fc.property(cuts, fc.nat(text.length), (places, end) => {
        const { root, maskedText } = readPieces(piecesOf(text.slice(0, end), places), isMasked)

        expect(JSON.stringify([seen(root)])).not.toMatch(/hunter|17/)
        expect(maskedText).not.toMatch(/hunter|17/)
      }),
    )
    expect(readWhole(text, isMasked).maskedText).toBe(
      '{"url":"x","auth":{"user":"me","password":"•••"},"list":[{"token":"•••"}],"token":"•••", "n":1}',
    )
  })

  test('[C3] a key written with escapes, or twice, is masked all the same', () => {
    const { root, maskedText } = readWhole('{"tok\\u0065n":"hunter2","token":"hunter3"}', isMasked)
    expect(JSON.stringify(seen(root))).not.toContain('hunter')
    expect(maskedText).not.toContain('hunter')
  })

  test('[C3] from where a text with keys is broken, all of it is masked; a text without keys is not', () => {
    expect(readWhole('{"a":1,token:"hunter2"}', isMasked).maskedText).toBe('{"a":1,"•••"')
    expect(readWhole('curl -I example.org', isMasked).maskedText).toBe('curl -I example.org')
  })

  test('[C3] the whole text can be masked', () => {
    const { root, maskedText } = readWhole('anything', () => true)
    expect(maskedText).toBe('"•••"')
    expect(root).toBeUndefined()
  })
})
