/** Positions of a row and the viewport in the scrolled list, in pixels. */
export interface FollowPlace {
  readonly top: number
  readonly bottom: number
  readonly scrollTop: number
  readonly viewport: number
}

/** Part of the viewport that the spoken row may be in before the list scrolls. */
const comfortZone = { from: 0.12, to: 0.72 } as const
/** Relative position of the row after scrolling. */
const rest = 0.3

/** Returns the scroll position that keeps the spoken row readable; null if no scrolling is needed. */
export function followTo({ top, bottom, scrollTop, viewport }: FollowPlace): number | null {
  const upper = scrollTop + viewport * comfortZone.from
  const lower = scrollTop + viewport * comfortZone.to
  const tall = bottom - top > viewport * (comfortZone.to - comfortZone.from)
  if (top >= upper && (bottom <= lower || (tall && top <= lower))) return null
  const to = Math.max(0, Math.round(top - viewport * rest))
  return Math.abs(to - scrollTop) < 2 ? null : to
}
