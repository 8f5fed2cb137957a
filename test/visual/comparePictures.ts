declare module 'vitest/browser' {
  interface ScreenshotComparatorRegistry {
    comparePictures: ComparePicturesOptions
  }
}

/** How a picture is compared. */
export interface ComparePicturesOptions extends Record<string, unknown> {
  /** The share of the pixels that may differ. Default 0. */
  readonly allowedRatio?: number
}

interface Picture {
  /** RGBA, 8 bits each. */
  readonly data: Uint8Array | Uint8ClampedArray
  readonly metadata: { readonly width: number; readonly height: number }
}

/** Chromium draws the edge of a rounded corner by up to 6 of 255 steps differently, by how its tiles were cut. */
const faintSteps = 8
/** Pixels of such edges in one picture; 240 were seen at most. A token that is one step off colours more. */
const allowedFaintPixels = 300

/**
 * Compares two pictures pixel by pixel. None may differ that a reader could see, and of the faint differences only as
 * many as edges make. The image of the differences is the reference, pale, with what differs in red.
 */
export function comparePictures(
  reference: Picture,
  actual: Picture,
  { createDiff, allowedRatio = 0 }: ComparePicturesOptions & { readonly createDiff: boolean },
) {
  const { width, height } = reference.metadata
  if (actual.metadata.width !== width || actual.metadata.height !== height)
    return {
      pass: false,
      diff: null,
      message: `It is ${actual.metadata.width} x ${actual.metadata.height} px, not ${width} x ${height}.`,
    }
  const diff = createDiff ? new Uint8Array(reference.data.length) : null
  let seen = 0
  let faint = 0
  for (let i = 0; i < reference.data.length; i += 4) {
    let steps = 0
    for (let channel = i; channel < i + 4; channel++) {
      const difference = Math.abs((reference.data[channel] ?? 0) - (actual.data[channel] ?? 0))
      if (difference > steps) steps = difference
      if (diff) diff[channel] = 255 - (255 - (reference.data[channel] ?? 0)) / 4
    }
    if (steps > faintSteps) seen++
    else if (steps > 0) faint++
    if (diff) diff.set(steps > 0 ? [255, 0, 0, 255] : [255], steps > 0 ? i : i + 3)
  }
  const allowed = allowedRatio * width * height
  const pass = seen <= allowed && faint <= Math.max(allowed, allowedFaintPixels)
  return { pass, diff, message: pass ? null : `${seen} pixels differ, and ${faint} faintly.` }
}
