/**
 * The font of a log, measured. In a fixed grid every character has to take whole columns, but a browser takes what a font
 * lacks from another, whose characters are as wide as they are: those get a box of their own.
 */
export class CellFont {
  /** The width of a column in px. */
  readonly columnWidth: number
  readonly #context: CanvasRenderingContext2D | undefined
  /** By code point: whether it is as wide as its columns by itself. */
  readonly #fits = new Map<number, boolean>()

  /** Measures a font, in the words of CSS; without a canvas, in tests, it guesses. */
  constructor(font: string, fontSize: string) {
    const context = typeof OffscreenCanvas === 'function' ? canvasContext() : undefined
    if (context) context.font = font
    this.#context = context
    this.columnWidth = context
      ? context.measureText('0'.repeat(64)).width / 64
      : Number.parseFloat(fontSize) * 0.6 || 7.2
  }

  /** Whether a character is as wide as so many columns by itself. */
  fits(character: string, columns: number): boolean {
    const code = character.codePointAt(0) as number
    let fits = this.#fits.get(code)
    if (fits === undefined) {
      const width = this.#context?.measureText(character).width
      fits = width === undefined ? columns === 1 : Math.abs(width - columns * this.columnWidth) < 0.02
      this.#fits.set(code, fits)
    }
    return fits
  }
}

const known = new Map<string, CellFont>()

/** The font of an element, measured once for all. */
export function fontOf(element: HTMLElement): CellFont {
  const { fontStyle, fontWeight, fontSize, fontFamily } = getComputedStyle(element)
  const font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`
  let measured = known.get(font)
  if (measured === undefined) {
    measured = new CellFont(font, fontSize)
    known.set(font, measured)
  }
  return measured
}

/** Measures anew: a font has been loaded that stands behind its name now. */
export function forgetFonts(): void {
  known.clear()
}

function canvasContext(): CanvasRenderingContext2D | undefined {
  return (new OffscreenCanvas(1, 1).getContext('2d') as CanvasRenderingContext2D | null) ?? undefined
}
