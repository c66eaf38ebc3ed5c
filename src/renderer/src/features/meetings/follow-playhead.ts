/** Where a row and the window lie in the scrolled list, in pixels. */
export interface FollowPlace {
  readonly top: number
  readonly bottom: number
  readonly scrollTop: number
  readonly viewport: number
}

/** Part of the window that the spoken row may be in before the list moves. */
const comfortZone = { from: 0.12, to: 0.72 } as const
/** Where the row is put when it moves. */
const rest = 0.3

/** Where the list scrolls so that the spoken row stays readable; null while it lies well. */
export function followTo({ top, bottom, scrollTop, viewport }: FollowPlace): number | null {
  const upper = scrollTop + viewport * comfortZone.from
  const lower = scrollTop + viewport * comfortZone.to
  const tall = bottom - top > viewport * (comfortZone.to - comfortZone.from)
  if (top >= upper && (bottom <= lower || (tall && top <= lower))) return null
  const to = Math.max(0, Math.round(top - viewport * rest))
  return Math.abs(to - scrollTop) < 2 ? null : to
}
