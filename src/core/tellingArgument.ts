import type { ToolCall } from './call.js'
import { JsonContainer, type JsonNode, JsonText } from './jsonNode.js'

/** What kind of thing an argument names; `text` says itself what it is about. */
export type TellingKind = 'command' | 'path' | 'query' | 'url' | 'text'

/** The argument that tells best what a call is about. */
export interface TellingArgument {
  readonly kind: TellingKind
  /** Its first line, cut to 500 UTF-16 code units. */
  readonly text: string
}

const names: Readonly<Record<TellingKind, readonly string[]>> = {
  command: ['command', 'cmd', 'script'],
  path: ['path', 'file_path', 'filepath', 'file', 'filename', 'directory'],
  query: ['query', 'search', 'pattern', 'q'],
  url: ['url', 'uri', 'href'],
  text: ['message', 'prompt', 'task', 'goal', 'question', 'instructions', 'description', 'text', 'title', 'name'],
}
const kinds = new Map(
  (Object.keys(names) as TellingKind[]).flatMap((kind) => names[kind].map((name) => [name, kind] as const)),
)

/** How many arguments are looked at: what tells something stands at the beginning. */
const maxLooked = 50
const maxLength = 500

/**
 * The first argument by whose name the call can be told from others of its tool, as far as it has arrived; undefined
 * while there is none. It is the first in their order, so that it stays the same while more arrive. Arguments that are no
 * JSON but a text tell it by their first line.
 */
export function tellingArgument(call: ToolCall): TellingArgument | undefined {
  const json = call.parsedArgs
  if (json === undefined) return undefined
  const { root } = json
  if (root === undefined) return json.brokenAt === undefined ? undefined : fromText(call.args ?? '')
  if (!(root instanceof JsonContainer) || root.kind === 'array') return undefined
  for (let index = 0; index < Math.min(root.length, maxLooked); index++) {
    const kind = kinds.get(root.keyAt(index).toLowerCase())
    const text = kind && firstLine(root.valueAt(index))
    if (kind && text) return { kind, text }
  }
  return undefined
}

/** The argument that a shell will run, with its key; undefined where there is none. */
export function commandArgument(
  root: JsonNode | undefined,
): { readonly key: string; readonly text: string } | undefined {
  if (!(root instanceof JsonContainer) || root.kind === 'array') return undefined
  for (let index = 0; index < Math.min(root.length, maxLooked); index++) {
    const [key, value] = [root.keyAt(index), root.valueAt(index)]
    if (kinds.get(key.toLowerCase()) !== 'command') continue
    if (typeof value === 'string' || value instanceof JsonText) return { key, text: String(value) }
  }
  return undefined
}

/** Arguments that are not JSON by design tell it themselves; what only failed to be JSON does not. */
function fromText(args: string): TellingArgument | undefined {
  const text = /^\s*[{["]/.test(args.slice(0, maxLength)) ? undefined : firstLine(args)
  return text ? { kind: 'text', text } : undefined
}

function firstLine(node: JsonNode): string | undefined {
  if (typeof node !== 'string' && !(node instanceof JsonText)) return undefined
  const head = (typeof node === 'string' ? node.slice(0, maxLength) : node.head(maxLength)).trimStart()
  const end = head.search(/[\r\n]/)
  const line = end < 0 ? head : head.slice(0, end)
  return line.length < head.trimEnd().length || node.length > maxLength ? `${line}…` : line
}
