import type { Run } from '../content.ts'
import { areaOf, boxAround, coveredPart, heightOf, mergeBoxes, widthOf } from '../geometry.ts'
import type { Box } from '../geometry.ts'
import type { Drawings } from './drawings.ts'

/** Maximum distance in pixels between the parts of one drawing. */
const reach = 14

/** Maximum number of shapes that are compared one by one; a page with more is one drawing. */
const maxParts = 1500

/** Minimum width and height of an image in pixels: smaller ones are symbols and ornaments. */
const minSide = 32

const lettersIn = (runs: readonly Run[], box: Box): number =>
  runs.reduce((sum, run) => sum + (coveredPart(run.box, box) > 0.6 ? run.text.length : 0), 0)

/**
 * Finds figures drawn with lines and areas that contain only a few words; others are the background of text.
 */
function drawnFigures({ inks, areas, rules }: Drawings, runs: readonly Run[]): Box[] {
  const parts = [...inks, ...areas]
  if (parts.length < 3) return []
  const shapes = parts.length > maxParts ? [boxAround(parts)] : mergeBoxes(parts, reach)
  return shapes
    .filter((box) => widthOf(box) > 3 * minSide && heightOf(box) > 1.5 * minSide)
    .flatMap((box) => {
      const count = parts.filter((part) => coveredPart(part, box) > 0.9).length
      const lines = rules.map((rule) => rule.box).filter((rule) => touches(rule, box))
      const figure = boxAround([box, ...lines])
      const text = runs
        .filter((run) => coveredPart(run.box, figure) > 0.6)
        .reduce((sum, run) => sum + areaOf(run.box), 0)
      return count + lines.length >= 3 && text < 0.25 * areaOf(figure) ? [figure] : []
    })
}

const touches = (rule: Box, [left, top, right, bottom]: Box): boolean =>
  rule[0] < right && rule[2] > left && rule[1] < bottom && rule[3] > top

/** Returns the images of a page, embedded and drawn, cropped to its edges. */
export function figuresOf(
  drawings: Drawings,
  runs: readonly Run[],
  width: number,
  height: number,
): Box[] {
  const page: Box = [0, 0, width, height]
  const shown = mergeBoxes(drawings.images, 2).filter((box) => {
    const ground = coveredPart(page, box) > 0.5 && lettersIn(runs, box) > 80
    return !ground && widthOf(box) >= minSide && heightOf(box) >= minSide
  })
  return mergeBoxes([...shown, ...drawnFigures(drawings, runs)], 2)
    .map(([left, top, right, bottom]): Box => [
      Math.max(0, left),
      Math.max(0, top),
      Math.min(width, right),
      Math.min(height, bottom),
    ])
    .filter((box) => widthOf(box) >= minSide && heightOf(box) >= minSide)
}
