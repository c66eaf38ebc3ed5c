/** Maximum number of pixels of one canvas: above it only the visible part is drawn. */
export const maxPixels = 16_000_000

/** Maximum pixel ratio: more is not visible, and the cost is quadratic. */
const sharpest = 2

/** A rectangle in CSS pixels of a page. */
export interface Part {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/**
 * Planned drawing of a page, in device pixels; `part` is its position in CSS pixels, null for the whole page.
 */
export interface CanvasPlan {
  readonly width: number
  readonly height: number
  readonly clip: Part | null
  readonly part: Part | null
}

/**
 * Plans the drawing of a page of `width` by `height` CSS pixels when `seen` of it is in view. A page that fits into one
 * canvas is drawn completely; of a larger one only the visible part with a margin, so that a small scroll needs no new
 * drawing.
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

/** Whether a drawing still covers the visible part. */
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

/** Returns the visible part with up to half of it on each side, within the page and the pixel limit. */
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
