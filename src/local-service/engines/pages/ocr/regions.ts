import { smallestQuad } from './quad.ts'
import type { Quad } from './quad.ts'

/** Minimum probability of a text pixel, and minimum mean probability of a text region. */
const pixelThreshold = 0.3
const regionThreshold = 0.6

/** The map shows text smaller than it is: regions grow by this factor times area divided by perimeter. */
const unclipRatio = 1.6

/** Minimum side length in map pixels; smaller regions are noise. */
const minSide = 3

interface Region {
  /** Both ends of each row, which are enough to compute the hull. */
  readonly edges: (readonly [x: number, y: number])[]
  readonly mean: number
}

/** Yields the connected components (four directions) of pixels above the threshold. */
function* components(map: Float32Array, width: number, height: number): Generator<Region> {
  const seen = new Uint8Array(map.length)
  const stack: number[] = []
  for (let seed = 0; seed < map.length; seed++) {
    if (seen[seed] === 1 || (map[seed] ?? 0) <= pixelThreshold) continue
    const rows = new Map<number, [left: number, right: number]>()
    let sum = 0
    let count = 0
    seen[seed] = 1
    stack.push(seed)
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      const x = at % width
      const y = (at - x) / width
      sum += map[at] ?? 0
      count++
      const row = rows.get(y)
      if (!row) rows.set(y, [x, x])
      else if (x < row[0]) row[0] = x
      else if (x > row[1]) row[1] = x
      const next = [
        x > 0 ? at - 1 : -1,
        x < width - 1 ? at + 1 : -1,
        y > 0 ? at - width : -1,
        y < height - 1 ? at + width : -1,
      ]
      for (const neighbour of next) {
        if (neighbour < 0 || seen[neighbour] === 1) continue
        if ((map[neighbour] ?? 0) <= pixelThreshold) continue
        seen[neighbour] = 1
        stack.push(neighbour)
      }
    }
    const edges = [...rows].flatMap(([y, [left, right]]) => [
      [left, y] as const,
      [right + 1, y] as const,
      [left, y + 1] as const,
      [right + 1, y + 1] as const,
    ])
    yield { edges, mean: sum / count }
  }
}

/** Finds text lines in a probability map (differentiable binarization), in map pixels. */
export function textQuads(map: Float32Array, width: number, height: number): Quad[] {
  const quads: Quad[] = []
  for (const { edges, mean } of components(map, width, height)) {
    if (mean < regionThreshold) continue
    const quad = smallestQuad(edges)
    if (Math.min(quad.width, quad.height) < minSide) continue
    const grow = (quad.width * quad.height * unclipRatio) / (2 * (quad.width + quad.height))
    quads.push({ ...quad, width: quad.width + 2 * grow, height: quad.height + 2 * grow })
  }
  return quads
}
