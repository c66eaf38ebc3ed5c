/** Rectangle that may be tilted. */
export interface Quad {
  /** Center. */
  readonly x: number
  readonly y: number
  /** Sizes along the text and across it. */
  readonly width: number
  readonly height: number
  /** Radians by which the text slopes down to the right, -π/4 to π/4. */
  readonly angle: number
}

type Point = readonly [x: number, y: number]

const cross = (o: Point, a: Point, b: Point): number =>
  (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])

/** Returns one side of the convex hull of points sorted from left to right. */
function chain(points: readonly Point[]): Point[] {
  const hull: Point[] = []
  for (const point of points) {
    for (;;) {
      const [a, b] = hull.slice(-2)
      if (!a || !b || cross(a, b, point) > 0) break
      hull.pop()
    }
    hull.push(point)
  }
  return hull
}

function hullOf(points: readonly Point[]): Point[] {
  const sorted = points.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])
  const lower = chain(sorted)
  const upper = chain(sorted.toReversed())
  return [...lower.slice(0, -1), ...upper.slice(0, -1)]
}

function quadAt(points: readonly Point[], angle: number): Quad {
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity]
  for (const [x, y] of points) {
    const along = x * cos + y * sin
    const down = y * cos - x * sin
    left = Math.min(left, along)
    right = Math.max(right, along)
    top = Math.min(top, down)
    bottom = Math.max(bottom, down)
  }
  const along = (left + right) / 2
  const down = (top + bottom) / 2
  return {
    x: along * cos - down * sin,
    y: along * sin + down * cos,
    width: right - left,
    height: bottom - top,
    angle,
  }
}

/** Returns the smallest rectangle around the points: one of its sides is on a side of their convex hull. */
export function smallestQuad(points: readonly Point[]): Quad {
  const hull = hullOf(points)
  let best = quadAt(points, 0)
  for (const [i, to] of hull.entries()) {
    const from = hull.at(i - 1)
    if (!from) continue
    let angle = Math.atan2(to[1] - from[1], to[0] - from[0])
    while (angle > Math.PI / 4) angle -= Math.PI / 2
    while (angle < -Math.PI / 4) angle += Math.PI / 2
    const quad = quadAt(hull, angle)
    // Jagged edges make slightly tilted rectangles marginally smaller, so upright ones are preferred.
    if (quad.width * quad.height < 0.97 * best.width * best.height) best = quad
  }
  return best
}
