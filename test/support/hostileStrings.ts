/** A text that somebody might send to do harm, and what it tries. */
export interface HostileString {
  readonly tries: string
  readonly text: string
}

/** What code in a text would set on the global object, were it ever run. */
export const ranFlag = 'hostileTextRan'

const run = `globalThis.${ranFlag}=true`
const url = (scheme: string, rest: string) => `${scheme}:${rest}`
const tags = Array.from('hidden', (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')

/** Texts that a reader or a page could be deceived, broken or taken over by, each of one sort. */
export const hostileStrings: readonly HostileString[] = [
  { tries: 'a script', text: `<script>${run}</script>` },
  { tries: 'an event handler', text: `<img src=x onerror="${run}"><svg onload=${run}>` },
  { tries: 'a style', text: '<style>*{display:none}</style><p style="position:fixed;inset:0">' },
  {
    tries: 'a frame',
    text: `<iframe srcdoc="<script>parent.${ranFlag}=true</script>"></iframe><base href=//evil.test>`,
  },
  { tries: 'to close what surrounds it', text: '"\'></pre></div></template><!-- ]]> --><plaintext>' },
  { tries: 'markup behind entities', text: `&lt;script&gt;${run}&lt;/script&gt;&#x3c;b&#x3e;` },
  { tries: 'a template', text: `\${${run}}{{constructor.constructor("${run}")()}}<%= x %>` },
  { tries: 'a Markdown link', text: `[click](${url('javascript', run)}) ![x](https://evil.test/x.png)` },
  { tries: 'a script as an address', text: url('javascript', run) },
  { tries: 'a script as an address, disguised', text: ` \tJaVa\nScRiPt\r:${run}//https://ok.test/` },
  { tries: 'a page as an address', text: url('data', `text/html,<script>${run}</script>`) },
  { tries: 'an address that names another host', text: 'https://ok.test@evil.test/#https://ok.test' },
  { tries: 'an address without a scheme', text: '//evil.test/\\evil.test' },
  { tries: 'a link of a terminal', text: `\u001b]8;;${url('javascript', run)}\u0007ok\u001b]8;;\u0007` },
  {
    tries: 'to take over a terminal',
    text: '\u001b[2J\u001b[H\u001b]0;title\u0007\u001b[?1049h\u009b31m\u0090x\u009c\b\b\b',
  },
  { tries: 'to turn the text around', text: 'a\u202Egpj.exe\u202C b\u2066c\u2069\u202D\u2067\u2068\u202A\u202B' },
  { tries: 'to hide a text', text: 'pay\u200Bload\u2060 \uFEFFx\u200B\u00AD' },
  { tries: 'joiners and selectors between blanks', text: '- \u200D \u200C \uFE0F \u200E \u200F \u061C \u{E0101} -' },
  { tries: 'a text in tag characters', text: `ok${tags}\u{E007F}` },
  { tries: 'control characters', text: 'a\u0000b\u0001\u0008\u000B\u000C\u001F\u007F\u0085\u0099z' },
  { tries: 'breaks of lines that are none', text: 'one\rtwo\u2028three\u2029four\n\n\nfive' },
  { tries: 'half a character', text: 'a\uD800b\uDC00c\uDBFF' },
  { tries: 'a pile of accents', text: `Z${'\u0300\u0336\u035F'.repeat(60)}` },
  { tries: 'another script, from right to left', text: 'اسم ٣ שלום (a) 1-2' },
  { tries: 'letters that look like others', text: '\u0440\u0430\u0443\u0440\u0430l \u0261oogle' },
  { tries: 'the name of a prototype', text: '__proto__' },
  { tries: 'the name of a constructor', text: 'constructor' },
  { tries: 'the name of a method', text: 'hasOwnProperty' },
  { tries: 'a value as JSON', text: '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}' },
  { tries: 'a replacement pattern', text: "$& $1 $` $' # {0} %s" },
  { tries: 'nothing but blanks', text: ' \t\u00A0\u3000 ' },
  { tries: 'sheer length', text: 'long '.repeat(4_000) },
  { tries: 'one long word', text: 'w'.repeat(9_000) },
]
