import type { Rule } from '../content.ts'
import type { Box } from '../geometry.ts'
import type { PdfLibrary } from './library.ts'
import { asMatrix, mapBox, multiply } from './matrix.ts'
import type { Matrix } from './matrix.ts'
import { pathShapes } from './paths.ts'

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
