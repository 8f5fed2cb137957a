import type { LogLine } from '../../core/index.js'

type Style = LogLine['runs'][number]['style']
type Color = NonNullable<Style['color']>

/** What the 16 colours of a theme are called, in the order of their numbers: `--tcd-log-red` and so on. */
const names = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white']

const known = new WeakMap<Style, string>()

/**
 * A style of a log as CSS declarations. The 16 colours are the theme's; those of the palette of 256 and true colours
 * are as the sender named them.
 */
export function styleText(style: Style): string {
  let text = known.get(style)
  if (text === undefined) {
    text = toText(style)
    known.set(style, text)
  }
  return text
}

function toText(style: Style): string {
  const { inverse } = style
  const own = style.color === undefined ? undefined : cssColor(style.color)
  const behind = style.background === undefined ? undefined : cssColor(style.background)
  const color = inverse ? (behind ?? 'var(--tcd-color-log-surface)') : own
  const background = inverse ? (own ?? 'var(--tcd-color-log-ink)') : behind
  const lines = [style.underline && 'underline', style.strike && 'line-through', style.overline && 'overline']
  const decoration = lines.filter(Boolean).join(' ')
  return [
    color && `color:${color}`,
    background && `background-color:${background}`,
    style.bold && 'font-weight:700',
    style.dim && 'opacity:.7',
    style.italic && 'font-style:italic',
    decoration && `text-decoration:${decoration}`,
    // What the sender concealed can be found, selected and copied like everything else, and marked shows up.
    style.conceal && 'color:transparent',
  ]
    .filter(Boolean)
    .join(';')
}

function cssColor(color: Color): string {
  if (typeof color === 'string') return color
  if (color < 16) return `var(--tcd-log-${color < 8 ? '' : 'bright-'}${names[color % 8]})`
  if (color >= 232) return gray(8 + (color - 232) * 10)
  const index = color - 16
  return rgb(level(Math.floor(index / 36)), level(Math.floor(index / 6) % 6), level(index % 6))
}

/** The levels of xterm's 6 × 6 × 6 cube, https://invisible-island.net/xterm/ */
const level = (step: number) => (step === 0 ? 0 : 55 + step * 40)
const rgb = (red: number, green: number, blue: number) => `rgb(${red} ${green} ${blue})`
const gray = (value: number) => rgb(value, value, value)
