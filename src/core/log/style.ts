/** A colour as the sender named it: an index of the 256-colour palette (0 to 15 are the theme's own), or `#rrggbb`. */
export type Color = number | `#${string}`

/** How a piece of output looks. Equal styles of one log are the same object. */
export interface Style {
  /** Absent: the default colour of text. */
  readonly color?: Color
  /** Absent: none. */
  readonly background?: Color
  readonly bold: boolean
  readonly dim: boolean
  readonly italic: boolean
  readonly underline: boolean
  /** Colour and background change places. */
  readonly inverse: boolean
  /** The sender asked for the text not to be seen (SGR 8). */
  readonly conceal: boolean
  readonly strike: boolean
  readonly overline: boolean
  /** Where the text leads to: http, https or mailto, checked (H2). */
  readonly link?: string
}

/** A stretch of a line in one style, in UTF-16 units of its text. Plain text has no run. */
export interface StyleRun {
  readonly from: number
  readonly to: number
  readonly style: Style
}

/** The number of the plain style: default colours, nothing set. */
export const PLAIN = 0

const BOLD = 1
const DIM = 2
const ITALIC = 4
const UNDERLINE = 8
const INVERSE = 16
const CONCEAL = 32
const STRIKE = 64
const OVERLINE = 128

const DEFAULT = -1
/** Values from here on are true colours: this plus 0xrrggbb. Below: palette indices. */
const TRUE_COLOR = 256

/** What a style number stands for. */
interface Attributes {
  readonly color: number
  readonly background: number
  readonly flags: number
  readonly link: string
}

/**
 * Past so many different styles colours are left out: each of them costs more memory than the escape sequence that asks
 * for it (H3).
 */
const MAX_STYLES = 65_536
/** Steps of the automaton are remembered for the styles below this number, 512 bytes each. */
const MAX_REMEMBERED = 4_096

/** Parameters of one sequence that are read, as in xterm.js. */
const MAX_PARAMETERS = 32

/**
 * The styles of one log, each known by a number, and what SGR sequences make of them: an automaton from style and
 * parameter to style that is filled in as parameters are met. Meaning of the parameters as in ECMA-48 and
 * https://invisible-island.net/xterm/ctlseqs/ctlseqs.html
 */
export class Styles {
  #attributes: Attributes[] = []
  #styles: (Style | undefined)[] = []
  #ids = new Map<string, number>()
  /** At `style << 7 | parameter`: the style that follows, plus 1; 0 where not known yet. */
  #steps = new Uint32Array(1 << 11)

  constructor() {
    this.#intern({ color: DEFAULT, background: DEFAULT, flags: 0, link: '' })
  }

  /** What the style with that number looks like. */
  style(id: number): Style {
    return (this.#styles[id] ??= toStyle(this.#attributes[id] as Attributes))
  }

  /** The same style leading to `link`; '' for nowhere. */
  withLink(id: number, link: string): number {
    const attributes = this.#attributes[id] as Attributes
    return attributes.link === link ? id : this.#intern({ ...attributes, link })
  }

  /** The style after the SGR parameters that stand in `text` from `from` to `to`. None at all is a reset. */
  select(style: number, text: string, from: number, to: number): number {
    let i = from
    for (let count = 0; count < MAX_PARAMETERS; count++) {
      let parameter = 0
      let unit = 0
      for (; i < to && (unit = text.charCodeAt(i)) >= 0x30 && unit <= 0x39; i++) {
        parameter = Math.min(parameter * 10 + unit - 0x30, 9_999)
      }
      if (i < to && unit === 0x3a) {
        let end = i
        while (end < to && text.charCodeAt(end) !== 0x3b) end++
        style = this.#colon(style, parameter, text.slice(i + 1, end).split(':'))
        i = end
      } else if (parameter === 38 || parameter === 48 || parameter === 58) {
        // The parameters that belong to it follow it: 5 and an index, or 2 and three parts.
        const rest = text.slice(i + 1, to).split(';', 4)
        const own = rest[0] === '5' ? 2 : rest[0] === '2' ? 4 : 1
        style = this.#setColor(style, parameter, rest.slice(1, own))
        for (let k = 0; k < own && i < to; k++) {
          i++
          while (i < to && text.charCodeAt(i) !== 0x3b) i++
        }
      } else if (parameter < 128) {
        style = this.#step(style, parameter)
      }
      if (i >= to) break
      i++
    }
    return style
  }

  #step(style: number, parameter: number): number {
    const index = (style << 7) | parameter
    if (style < MAX_REMEMBERED) {
      if (index >= this.#steps.length) {
        const longer = new Uint32Array(Math.max(this.#steps.length * 2, index + 128))
        longer.set(this.#steps)
        this.#steps = longer
      }
      const known = this.#steps[index] as number
      if (known > 0) return known - 1
    }
    const next = this.#intern(withParameter(this.#attributes[style] as Attributes, parameter))
    if (style < MAX_REMEMBERED) this.#steps[index] = next + 1
    return next
  }

  /** Parameters with parts, such as 4:3 or 38:2::255:0:0. */
  #colon(style: number, parameter: number, parts: readonly string[]): number {
    if (parameter === 4) return this.#step(style, parts[0] === '0' ? 24 : 4)
    // The part after 2 names a colour space; it is never left out here, as in xterm.js.
    const values = parts[0] === '5' ? parts.slice(1, 2) : parts[0] === '2' ? [...parts.slice(2, 5), '', '', ''] : []
    return parameter === 38 || parameter === 48 ? this.#setColor(style, parameter, values.slice(0, 3)) : style
  }

  /** With one value an index of the palette, with three a true colour, else no change. */
  #setColor(style: number, parameter: number, values: readonly string[]): number {
    if (values.length === 0 || parameter === 58) return style
    const [a = 0, b = 0, c = 0] = values.map((value) => Number.parseInt(value, 10) & 255)
    const color = values.length === 1 ? a : TRUE_COLOR + ((a << 16) | (b << 8) | c)
    const attributes = this.#attributes[style] as Attributes
    return this.#intern(parameter === 38 ? { ...attributes, color } : { ...attributes, background: color })
  }

  #intern(attributes: Attributes): number {
    const { color, background, flags, link } = attributes
    const key = `${color},${background},${flags},${link}`
    const known = this.#ids.get(key)
    if (known !== undefined) return known
    if (this.#attributes.length >= MAX_STYLES && (color >= 0 || background >= 0 || link !== '')) {
      return this.#intern({ color: DEFAULT, background: DEFAULT, flags, link: '' })
    }
    this.#ids.set(key, this.#attributes.push(attributes) - 1)
    return this.#attributes.length - 1
  }
}

/** What a parameter sets, and what another takes away. */
const flagsSet: Readonly<Record<number, number>> = {
  1: BOLD,
  2: DIM,
  3: ITALIC,
  4: UNDERLINE,
  7: INVERSE,
  8: CONCEAL,
  9: STRIKE,
  21: UNDERLINE,
  53: OVERLINE,
}
const flagsTaken: Readonly<Record<number, number>> = {
  22: BOLD | DIM,
  23: ITALIC,
  24: UNDERLINE,
  27: INVERSE,
  28: CONCEAL,
  29: STRIKE,
  55: OVERLINE,
}

function withParameter(attributes: Attributes, parameter: number): Attributes {
  const digit = parameter % 10
  if (digit < 8) {
    const tens = (parameter - digit) / 10
    if (tens === 3 || tens === 9) return { ...attributes, color: tens === 3 ? digit : digit + 8 }
    if (tens === 4 || tens === 10) return { ...attributes, background: tens === 4 ? digit : digit + 8 }
  }
  if (parameter === 0) return { ...attributes, color: DEFAULT, background: DEFAULT, flags: 0 }
  if (parameter === 39) return { ...attributes, color: DEFAULT }
  if (parameter === 49) return { ...attributes, background: DEFAULT }
  return { ...attributes, flags: (attributes.flags | (flagsSet[parameter] ?? 0)) & ~(flagsTaken[parameter] ?? 0) }
}

function toStyle({ color, background, flags, link }: Attributes): Style {
  const has = (flag: number) => (flags & flag) > 0
  return Object.freeze({
    color: toColor(color),
    background: toColor(background),
    bold: has(BOLD),
    dim: has(DIM),
    italic: has(ITALIC),
    underline: has(UNDERLINE),
    inverse: has(INVERSE),
    conceal: has(CONCEAL),
    strike: has(STRIKE),
    overline: has(OVERLINE),
    link: link || undefined,
  })
}

const toColor = (value: number): Color | undefined => {
  if (value < TRUE_COLOR) return value < 0 ? undefined : value
  return `#${(value - TRUE_COLOR).toString(16).padStart(6, '0')}`
}
