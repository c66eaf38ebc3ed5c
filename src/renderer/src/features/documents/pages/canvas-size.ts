/** Pixels of one canvas: beyond this the part that is seen is drawn alone. */
export const maxPixels = 16_000_000

/** Sharper than this nobody sees, and it costs the square. */
const sharpest = 2

/** A rectangle in CSS pixels of a page. */
export interface Part {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** What is drawn of a page, in pixels of the device; `part` tells where it lies in CSS pixels, null for the whole page. */
export interface CanvasPlan {
  readonly width: number
  readonly height: number
  readonly clip: Part | null
  readonly part: Part | null
}

/**
 * How a page of `width` by `height` CSS pixels is drawn when `seen` of it is in view. A page that fits into one canvas is
 * drawn whole; of a larger one the seen part is, with a margin, so that a small step does not need a new drawing.
 */
export function planCanvas(width: number, height: number, dpr: number, seen: Part): CanvasPlan {
  const ratio = Math.min(dpr, sharpest)
  const whole = { width: pixels(width * ratio), height: pixels(height * ratio) }
  if (whole.width * whole.height <= maxPixels) return { ...whole, clip: null, part: null }
  const part = grown(seen, width, height, ratio)
  const clip = {
    x: Math.round(part.x * ratio),
    y: Math.round(part.y * ratio),
    width: pixels(part.width * ratio),
    height: pixels(part.height * ratio),
  }
  return { ...whole, clip, part }
}

/** Whether what was drawn still shows all that is seen. */
export function covers(part: Part | null, seen: Part): boolean {
  if (!part) return true
  const slack = 1
  return (
    part.x <= seen.x + slack &&
    part.y <= seen.y + slack &&
    part.x + part.width >= seen.x + seen.width - slack &&
    part.y + part.height >= seen.y + seen.height - slack
  )
}

/** The seen part with up to half of it on each side, as far as the page goes and the pixels last. */
function grown(seen: Part, width: number, height: number, ratio: number): Part {
  for (const share of [0.5, 0.25, 0.1, 0]) {
    const x = Math.max(0, seen.x - seen.width * share)
    const y = Math.max(0, seen.y - seen.height * share)
    const part = {
      x,
      y,
      width: Math.min(width, seen.x + seen.width * (1 + share)) - x,
      height: Math.min(height, seen.y + seen.height * (1 + share)) - y,
    }
    if (part.width * part.height * ratio * ratio <= maxPixels) return part
  }
  return seen
}

function pixels(length: number): number {
  return Math.max(1, Math.round(length))
}
