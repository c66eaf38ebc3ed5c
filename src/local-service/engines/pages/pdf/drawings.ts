import type { Rule } from '../content.ts'
import { type Box, boxAround, heightOf, widthOf } from '../geometry.ts'
import type { PdfLibrary } from './library.ts'
import { asMatrix, mapBox, multiply, type Matrix, apply } from './matrix.ts'

/** Non-text content of a page, in pixels. */
export interface Drawings {
  readonly images: readonly Box[]
  readonly rules: readonly Rule[]
  /** Boxes of filled rectangles. */
  readonly areas: readonly Box[]
  /** Boxes of curves and slanted lines. */
  readonly inks: readonly Box[]
}

/** Operators of a page as the library lists them. */
export interface OperatorList {
  readonly fnArray: readonly number[]
  readonly argsArray: readonly unknown[]
}

/** Number of shapes above which a page is treated as a drawing: maps have hundreds of thousands. */
const maxShapes = 20_000

const unit: Box = [0, 0, 1, 1]

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Returns the positions of copies of one image, given as pairs of numbers. */
function repeated(scale: readonly number[], positions: unknown): Matrix[] {
  const [a = 1, b = 0, c = 0, d = 1] = scale
  const places = Array.from((positions ?? []) as ArrayLike<unknown>, Number)
  const found: Matrix[] = []
  for (let i = 0; i + 1 < places.length; i += 2)
    found.push([a, b, c, d, places[i] ?? 0, places[i + 1] ?? 0])
  return found
}

const transforms = (group: unknown): Matrix[] =>
  listOf(group).flatMap((entry) => {
    const matrix = asMatrix((entry as { transform?: unknown } | null)?.transform)
    return matrix ? [matrix] : []
  })

/** Extracts drawings from the operators of a page. `view` maps page points to pixels. */
export function drawingsOf(library: PdfLibrary, list: OperatorList, view: Matrix): Drawings {
  const { OPS } = library
  const strokes = new Set([
    OPS.stroke,
    OPS.closeStroke,
    OPS.fillStroke,
    OPS.eoFillStroke,
    OPS.closeFillStroke,
    OPS.closeEOFillStroke,
  ])
  const fills = new Set([OPS.fill, OPS.eoFill, ...strokes])
  const images: Box[] = []
  const rules: Rule[] = []
  const areas: Box[] = []
  const inks: Box[] = []
  const stack: Matrix[] = []
  let matrix = view
  const paint = (places: readonly Matrix[]): void => {
    for (const place of places) images.push(mapBox(multiply(matrix, place), unit))
  }
  const identity: Matrix = [1, 0, 0, 1, 0, 0]

  const drawPath = (args: readonly unknown[]): void => {
    const [operator, path] = args
    const data: unknown = listOf(path)[0]
    if (typeof operator !== 'number' || !fills.has(operator)) return
    if (!(data instanceof Float32Array) || inks.length + areas.length + rules.length > maxShapes)
      return
    const shapes = pathShapes(data, matrix, strokes.has(operator))
    rules.push(...shapes.rules)
    areas.push(...shapes.areas)
    inks.push(...shapes.inks)
  }

  for (const [i, operator] of list.fnArray.entries()) {
    const args = listOf(list.argsArray[i])
    if (operator === OPS.save) stack.push(matrix)
    else if (operator === OPS.restore || operator === OPS.paintFormXObjectEnd)
      matrix = stack.pop() ?? view
    else if (operator === OPS.transform) matrix = multiply(matrix, asMatrix(args) ?? identity)
    else if (operator === OPS.paintFormXObjectBegin) {
      stack.push(matrix)
      matrix = multiply(matrix, asMatrix(args[0]) ?? identity)
    } else if (operator === OPS.constructPath) drawPath(args)
    else if (
      operator === OPS.paintImageXObject ||
      operator === OPS.paintInlineImageXObject ||
      operator === OPS.paintImageMaskXObject
    )
      paint([identity])
    else if (operator === OPS.paintImageXObjectRepeat)
      paint(repeated([Number(args[1]), 0, 0, Number(args[2])], args[3]))
    else if (operator === OPS.paintImageMaskXObjectRepeat)
      paint(repeated(args.slice(1, 5).map(Number), args[5]))
    else if (operator === OPS.paintInlineImageXObjectGroup) paint(transforms(args[1]))
    else if (operator === OPS.paintImageMaskXObjectGroup) paint(transforms(args[0]))
  }
  return { images, rules, areas, inks }
}

/** Lines and other shapes of a path, in pixels. */
interface PathShapes {
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
function pathShapes(data: Float32Array, matrix: Matrix, stroked: boolean): PathShapes {
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
