import { createCanvas } from '@napi-rs/canvas'
import type { Canvas } from '@napi-rs/canvas'
import { areaOf, coveredPart, heightOf, mergeBoxes, widthOf } from '../geometry.ts'
import type { Box } from '../geometry.ts'

/** Maximum side length in pixels of the small copy on which image areas are detected. */
const smallSide = 240

/** Minimum difference in brightness or color from the paper for a pixel to count as printed. */
const contrast = 36

/** Minimum fraction of the page that an image covers, and minimum printed fraction of its box. */
const minPart = 0.012
const minFilled = 0.3

/** Returns the most common brightness of the page, which is its paper. */
function paperOf(pixels: Uint8ClampedArray): number {
  const counts = new Uint32Array(32)
  for (let i = 0; i < pixels.length; i += 4) {
    const bin = ((pixels[i] ?? 0) + (pixels[i + 1] ?? 0) + (pixels[i + 2] ?? 0)) / 24
    counts[Math.min(31, bin | 0)] = (counts[Math.min(31, bin | 0)] ?? 0) + 1
  }
  return counts.indexOf(Math.max(...counts)) * 8 + 4
}

function isPrinted(pixels: Uint8ClampedArray, at: number, paper: number): boolean {
  const red = pixels[at] ?? 0
  const green = pixels[at + 1] ?? 0
  const blue = pixels[at + 2] ?? 0
  const colour = Math.max(red, green, blue) - Math.min(red, green, blue)
  return Math.abs((red + green + blue) / 3 - paper) > contrast || colour > 1.5 * contrast
}

/** Detects images among the text of a raster: larger printed areas that contain hardly any text boxes. */
export function imageAreas(page: Canvas, texts: readonly Box[]): Box[] {
  const scale = Math.min(1, smallSide / Math.max(page.width, page.height))
  const width = Math.max(1, Math.round(page.width * scale))
  const height = Math.max(1, Math.round(page.height * scale))
  const small = createCanvas(width, height)
  const context = small.getContext('2d')
  context.imageSmoothingQuality = 'medium'
  context.drawImage(page, 0, 0, width, height)
  const pixels = context.getImageData(0, 0, width, height).data
  const paper = paperOf(pixels)
  const textMask = new Uint8Array(width * height)
  for (const [left, top, right, bottom] of texts)
    for (let y = Math.max(0, Math.floor(top * scale) - 1); y < bottom * scale + 1; y++)
      textMask.fill(
        1,
        Math.min(textMask.length, y * width + Math.max(0, Math.floor(left * scale) - 1)),
        Math.min(textMask.length, y * width + Math.min(width, Math.ceil(right * scale) + 1)),
      )
  const runs: Box[] = []
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const start = x
      while (
        x < width &&
        textMask[y * width + x] === 0 &&
        isPrinted(pixels, 4 * (y * width + x), paper)
      )
        x++
      if (x - start >= 2) runs.push([start, y, x, y + 1])
    }
  const filled = (box: Box): number =>
    runs.reduce((sum, run) => sum + (coveredPart(run, box) > 0.5 ? areaOf(run) : 0), 0)
  return mergeBoxes(runs, 2)
    .filter((box) => areaOf(box) > minPart * width * height)
    .filter((box) => Math.min(widthOf(box), heightOf(box)) > 0.04 * smallSide)
    .filter((box) => filled(box) > minFilled * areaOf(box))
    .map((box): Box => [box[0] / scale, box[1] / scale, box[2] / scale, box[3] / scale])
}
