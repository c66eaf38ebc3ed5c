import type { PageSize } from '../../../../../shared/model/document.ts'
import { gap, type PageLayout } from './page-layout.ts'

/** Zoom of pages: fit to the column's width, fit to the view, or a scale (1 is 100%). */
export type Zoom =
  | { readonly kind: 'width' }
  | { readonly kind: 'page' }
  | { readonly kind: 'scale'; readonly scale: number }

/** Minimum and maximum scale. */
export const scales = { min: 0.1, max: 8 } as const

/** Maximum height in CSS pixels of an element that browsers can display. */
const highest = 30_000_000

/** Steps of the two zoom buttons. */
const steps = [0.1, 0.25, 0.5, 0.67, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 5, 6, 8]

/** Returns the scale of a zoom for a column with this `view` and `page` in it. */
export function scaleOf(zoom: Zoom, layout: PageLayout, view: PageSize, page: number): number {
  if (zoom.kind === 'scale') return within(zoom.scale, layout)
  const size = layout.size(page)
  const across = Math.max(view.width - 2 * gap, 1)
  if (zoom.kind === 'width') return within(across / (layout.widest || across), layout)
  const down = Math.max(view.height - 2 * gap, 1)
  return within(Math.min(across / (size.width || across), down / (size.height || down)), layout)
}

/** Limits a scale to the supported range. */
export function within(scale: number, layout: PageLayout): number {
  const gaps = gap * (layout.count + 1)
  const tall = layout.height(1) - gaps
  const max = Math.min(scales.max, tall > 0 ? (highest - gaps) / tall : scales.max)
  return Math.min(Math.max(scale, Math.min(scales.min, max)), max)
}

/** Returns the next step up (1) or down (-1) from a scale. */
export function nextScale(scale: number, direction: 1 | -1): number {
  // A fitted scale very near a step counts as being on it.
  const near = 0.005
  const next =
    direction > 0
      ? steps.find((step) => step > scale * (1 + near))
      : steps.findLast((step) => step < scale * (1 - near))
  return next ?? (direction > 0 ? scales.max : scales.min)
}

/** Returns the scale after the wheel moved by `delta` pixels with the zoom key pressed. */
export function wheelScale(scale: number, delta: number): number {
  // One notch of a common wheel (100) is a fifth; the small steps of a trackpad add up to the same.
  return scale * 2 ** (-Math.max(-200, Math.min(200, delta)) / 380)
}
