/** Visible part of the plane: the point at the center of the canvas, and pixels per unit. */
export interface PlaneView {
  readonly x: number
  readonly y: number
  readonly scale: number
}

/** Returns the view that shows every point with a margin. */
export function fitPoints(points: Float32Array, width: number, height: number): PlaneView {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity]
  for (let at = 0; at + 1 < points.length; at += 2) {
    const [x, y] = [points[at] ?? 0, points[at + 1] ?? 0]
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  if (left > right) return { x: 0, y: 0, scale: 1 }
  const room = 0.88
  const scale = Math.min(
    (width * room) / Math.max(1e-6, right - left),
    (height * room) / Math.max(1e-6, bottom - top),
  )
  return { x: (left + right) / 2, y: (top + bottom) / 2, scale }
}

/** Whether a point is inside a drawn line, which is treated as closed (even-odd rule). */
export function isInside(
  x: number,
  y: number,
  line: readonly (readonly [x: number, y: number])[],
): boolean {
  let inside = false
  for (const [at, [bx, by]] of line.entries()) {
    const [ax, ay] = line.at(at - 1) ?? [0, 0]
    if (ay > y !== by > y && x < ((ax - bx) * (y - by)) / (ay - by) + bx) inside = !inside
  }
  return inside
}
