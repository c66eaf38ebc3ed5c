import type { PageSize } from '../../../../../shared/model/document.ts'
import { gap, type PageLayout } from './page-layout.ts'

/** How large pages are shown: as wide as the column, whole, or at a scale (1 is 100 %). */
export type Zoom =
  | { readonly kind: 'width' }
  | { readonly kind: 'page' }
  | { readonly kind: 'scale'; readonly scale: number }

/** Smallest and largest scale. */
export const scales = { min: 0.1, max: 8 } as const

/** Browsers draw no element higher than this many CSS pixels. */
const highest = 30_000_000

/** Steps of the two zoom buttons. */
const steps = [0.1, 0.25, 0.5, 0.67, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 5, 6, 8]

/** The scale of a zoom for a column that is seen through `view` with `page` in it. */
export function scaleOf(zoom: Zoom, layout: PageLayout, view: PageSize, page: number): number {
  if (zoom.kind === 'scale') return within(zoom.scale, layout)
  const size = layout.size(page)
  const across = Math.max(view.width - 2 * gap, 1)
  if (zoom.kind === 'width') return within(across / (layout.widest || across), layout)
  const down = Math.max(view.height - 2 * gap, 1)
  return within(Math.min(across / (size.width || across), down / (size.height || down)), layout)
}

/** A scale that can be shown. */
export function within(scale: number, layout: PageLayout): number {
  const gaps = gap * (layout.count + 1)
  const tall = layout.height(1) - gaps
  const max = Math.min(scales.max, tall > 0 ? (highest - gaps) / tall : scales.max)
  return Math.min(Math.max(scale, Math.min(scales.min, max)), max)
}

/** The next step up (1) or down (-1) from a scale. */
export function nextScale(scale: number, direction: 1 | -1): number {
  // A fitted scale a hair away from a step counts as on it.
  const near = 0.005
  const next =
    direction > 0
      ? steps.find((step) => step > scale * (1 + near))
      : steps.findLast((step) => step < scale * (1 - near))
  return next ?? (direction > 0 ? scales.max : scales.min)
}

/** The scale after the wheel turned by `delta` pixels with the zoom key held. */
export function wheelScale(scale: number, delta: number): number {
  // One notch of a usual wheel (100) is a fifth; a trackpad's small steps add up to the same.
  return scale * 2 ** (-Math.max(-200, Math.min(200, delta)) / 380)
}
