import { type ReactNode, useMemo, useState } from 'react'
import './theming.css'
import { type Token, tokens } from './tokens.js'

/** All tokens, each to be changed; what is inside follows at once. The changed ones are shown as CSS to copy. */
export function TokenTable({ children }: { readonly children: ReactNode }) {
  const [changed, setChanged] = useState<Readonly<Record<string, string>>>({})
  const change = ({ name }: Token, value: string) => setChanged({ ...changed, [name]: value })
  const css = `:root {\n${Object.entries(changed)
    .map(([name, value]) => `  ${name}: ${value};\n`)
    .join('')}}\n`
  return (
    <div className="theming">
      <div className="theming-preview" style={changed}>
        {children}
      </div>
      <div className="theming-result">
        <label htmlFor="theming-css">Your theme: what you have changed, as CSS</label>
        <textarea id="theming-css" readOnly rows={Math.max(4, Object.keys(changed).length + 2)} value={css} />
        <button type="button" onClick={() => void navigator.clipboard.writeText(css)}>
          Copy CSS
        </button>
        <button type="button" disabled={Object.keys(changed).length === 0} onClick={() => setChanged({})}>
          Start again
        </button>
      </div>
      <Groups changed={changed} onChange={change} />
    </div>
  )
}

interface GroupsProps {
  readonly changed: Readonly<Record<string, string>>
  readonly onChange: (token: Token, value: string) => void
}

function Groups({ changed, onChange }: GroupsProps) {
  const [query, setQuery] = useState('')
  const shown = tokens.filter(({ name, meaning }) => `${name} ${meaning}`.toLowerCase().includes(query.toLowerCase()))
  const groups = useMemo(() => [...new Set(tokens.map(({ group }) => group))], [])
  return (
    <div className="theming-tokens">
      <label>
        Find a token <input type="search" value={query} onChange={(event) => setQuery(event.target.value)} />
      </label>
      {groups.map((group) => {
        const rows = shown.filter((token) => token.group === group)
        return (
          rows.length > 0 && (
            <table key={group}>
              <caption>{group}</caption>
              <tbody>
                {rows.map((token) => (
                  <Row key={token.name} token={token} value={changed[token.name]} onChange={onChange} />
                ))}
              </tbody>
            </table>
          )
        )
      })}
    </div>
  )
}

interface RowProps {
  readonly token: Token
  /** What it was changed to. */
  readonly value: string | undefined
  readonly onChange: GroupsProps['onChange']
}

function Row({ token, value, onChange }: RowProps) {
  const current = value ?? currentValue(token)
  const isColour = /^#[\da-f]{6}$/i.test(current)
  return (
    <tr data-changed={value !== undefined || undefined}>
      <th scope="row">
        <code>{token.name}</code>
      </th>
      <td>{token.meaning}</td>
      <td>
        <input
          type={isColour ? 'color' : 'text'}
          aria-label={token.name}
          value={current}
          onChange={(event) => onChange(token, event.target.value)}
        />
        {isColour && <code>{current}</code>}
      </td>
    </tr>
  )
}

/** The value that the page's theme gives to a token. */
function currentValue({ name, value }: Token): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim() || value
}
