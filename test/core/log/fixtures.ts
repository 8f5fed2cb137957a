import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../fixtures/logs')
const read = (name: string) => readFileSync(path.join(folder, name), 'utf8')

/** A recording of real output. Where it is from and its licence: `test/fixtures/logs/INDEX.md`. */
export interface Recording {
  readonly name: string
  /** What was output, as pieces in order: the events of an asciicast, else the whole. */
  readonly input: string
  /** The text that a terminal ends with. */
  readonly expected: string
  readonly lfImpliesCr: boolean
  /** By row: first column, column behind the last, and "color,background,flags". Absent for large files. */
  readonly styles?: {
    readonly cols: number
    readonly rowsOut: readonly [number, readonly [number, number, string][]][]
  }
}

export function recordings(): Recording[] {
  const files = readdirSync(folder)
  return files
    .filter((name) => files.includes(`${name}.expected.txt`))
    .map((name) => {
      const raw = read(name)
      const [header, , , ...lines] = read(`${name}.expected.txt`).split('\n')
      const apcBel = `${name}.expected-apcbel.txt`
      return {
        name,
        input: name.endsWith('.cast') ? eventsOf(raw).join('') : raw,
        expected: files.includes(apcBel) ? read(apcBel).split('\n').slice(2).join('\n') : lines.join('\n'),
        lfImpliesCr: (header ?? '').includes('convertEol=true'),
        styles: files.includes(`${name}.styles.json`) ? JSON.parse(read(`${name}.styles.json`)) : undefined,
      }
    })
}

const eventsOf = (cast: string): string[] =>
  cast
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as [number, string, string])
    .filter(([, kind]) => kind === 'o')
    .map(([, , text]) => text)

/** A short input with the rows that a terminal of 40 columns and 10 rows shows of it. */
export interface EdgeVector {
  readonly name: string
  readonly input: string
  readonly expected: { readonly rows: readonly EdgeRow[] }
}

export type EdgeRow =
  | string
  | { readonly t: string; readonly wrapped?: boolean; readonly runs?: [number, number, string][] }

export const edgeVectors = (): EdgeVector[] => JSON.parse(read('edge-vectors.json')).vectors
