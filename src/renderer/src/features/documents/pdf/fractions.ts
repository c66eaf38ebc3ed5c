import type { Box } from '../../../../../shared/model/document.ts'

/** Required properties of pdf.js's viewport. */
export interface Viewed {
  readonly width: number
  readonly height: number
  convertToViewportPoint(x: number, y: number): unknown[]
}

/**
 * Returns a rectangle in PDF units as fractions of the page as displayed; null when it is outside the page.
 */
export function fractionsOf(viewport: Viewed, rect: readonly number[]): Box | null {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = rect
  const a = viewport.convertToViewportPoint(x1, y1)
  const b = viewport.convertToViewportPoint(x2, y2)
  const across = [Number(a[0]), Number(b[0])].map((x) => clamp(x / viewport.width))
  const down = [Number(a[1]), Number(b[1])].map((y) => clamp(y / viewport.height))
  const box = [Math.min(...across), Math.min(...down), Math.max(...across), Math.max(...down)]
  const [left = 0, top = 0, right = 0, bottom = 0] = box
  return right > left && bottom > top ? [left, top, right, bottom] : null
}

function clamp(value: number): number {
  return Number.isFinite(value) ? Math.min(Math.max(value, 0), 1) : 0
}
