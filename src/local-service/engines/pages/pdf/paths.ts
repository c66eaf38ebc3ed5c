import type { Rule } from '../content.ts'
import { boxAround, heightOf, widthOf } from '../geometry.ts'
import type { Box } from '../geometry.ts'
import { apply } from './matrix.ts'
import type { Matrix } from './matrix.ts'

/** Lines and other shapes of a path, in pixels. */
export interface PathShapes {
  readonly rules: readonly Rule[]
  /** Boxes of filled rectangles: chart bars, or cell backgrounds. */
  readonly areas: readonly Box[]
  /** Boxes of curves and slanted lines, which only drawings have. */
  readonly inks: readonly Box[]
}

type Point = readonly [x: number, y: number]

interface Subpath {
  readonly points: Point[]
  curved: boolean
  closed: boolean
}

/** Number of operands of each drawing code of the library: move, line, curve, quadratic curve, close. */
const operands = [2, 2, 6, 4, 0]

function subpaths(data: Float32Array, matrix: Matrix): Subpath[] {
  const found: Subpath[] = []
  for (let i = 0; i < data.length;) {
    const code = data[i] ?? 0
    const count = operands[code] ?? 0
    if (code === 0 || found.length === 0) found.push({ points: [], curved: false, closed: false })
    const path = found.at(-1)
    if (!path) break
    if (code === 4) path.closed = true
    else if (code > 1) path.curved = true
    for (let k = i + 1; k + 1 <= i + count; k += 2)
      path.points.push(apply(matrix, data[k] ?? 0, data[k + 1] ?? 0))
    i += count + 1
  }
  return found
}

/** Maximum thickness in pixels of a filled shape that counts as a line, and minimum length of a line. */
const thin = 6
const shortest = 12

const ruleOf = (box: Box): Rule | undefined => {
  const across = widthOf(box)
  const down = heightOf(box)
  if (Math.min(across, down) > thin || Math.max(across, down) < shortest) return undefined
  if (across > down) {
    const y = (box[1] + box[3]) / 2
    return { direction: 'across', box: [box[0], y, box[2], y] }
  }
  const x = (box[0] + box[2]) / 2
  return { direction: 'down', box: [x, box[1], x, box[3]] }
}

const segmentBox = ([ax, ay]: Point, [bx, by]: Point): Box =>
  boxAround([
    [ax, ay, ax, ay],
    [bx, by, bx, by],
  ])

/** Returns the straight segments of a stroked path; undefined if one of them is slanted. */
function strokedRules({ points, closed }: Subpath): Rule[] | undefined {
  const ends = closed && points[0] ? [...points, points[0]] : points
  const rules: Rule[] = []
  for (const [i, to] of ends.entries()) {
    const from = ends[i - 1]
    if (!from) continue
    const box = segmentBox(from, to)
    if (Math.min(widthOf(box), heightOf(box)) > 2) return undefined
    const rule = ruleOf(box)
    if (rule) rules.push(rule)
  }
  return rules
}

/** Returns whether all segments of a path are parallel to the axes. */
const isRectangle = ({ points, curved }: Subpath): boolean =>
  !curved &&
  points.every((to, i) => {
    const from = points.at(i - 1) ?? to
    return Math.min(Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1])) < 2
  })

/** Returns the shapes of a path, from the library's drawing codes. */
export function pathShapes(data: Float32Array, matrix: Matrix, stroked: boolean): PathShapes {
  const rules: Rule[] = []
  const areas: Box[] = []
  const inks: Box[] = []
  for (const path of subpaths(data, matrix)) {
    if (path.points.length < 2) continue
    const box = boxAround(path.points.map(([x, y]) => [x, y, x, y] as const))
    const whole = path.curved ? undefined : ruleOf(box)
    const own = whole ? [whole] : stroked && !path.curved ? strokedRules(path) : undefined
    if (own) rules.push(...own)
    else if (isRectangle(path)) areas.push(box)
    else inks.push(box)
  }
  return { rules, areas, inks }
}
