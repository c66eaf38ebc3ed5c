import { createCanvas, loadImage } from '@napi-rs/canvas'
import type { Canvas } from '@napi-rs/canvas'
import { JobProblem } from '../../worker-port.ts'
import { imageHeader } from './header.ts'

/** Pixels a picture may have: unpacked each takes four bytes, and a small file can hold a very large picture. */
export const maxPixels = 64_000_000

/** Pixels of the raster that a picture is read on; a larger one is scaled down to it. */
const maxRasterPixels = 16_000_000

/** Gives the pixels of a canvas back at once: garbage collection sees only the small object before them. */
export function freeCanvas(canvas: Canvas): void {
  canvas.width = 0
  canvas.height = 0
}

/** The white page that a picture stands on, upright and at most {@link maxRasterPixels} large. Throws `damaged`. */
export async function imageRaster(
  bytes: Uint8Array<ArrayBuffer>,
  kind: 'png' | 'jpeg',
): Promise<Canvas> {
  const header = imageHeader(bytes, kind)
  if (!header || header.width === 0 || header.height === 0)
    throw new JobProblem<'damaged'>('damaged', 'The image header can’t be read')
  const { width, height } = header
  if (width * height > maxPixels)
    throw new JobProblem<'damaged'>(
      'damaged',
      `The image has ${width} × ${height} pixels; the maximum is ${maxPixels / 1e6} million`,
    )
  const image = await loadImage(bytes).catch(() => {
    throw new JobProblem<'damaged'>('damaged', 'The image can’t be decoded')
  })
  const scale = Math.min(1, Math.sqrt(maxRasterPixels / (image.width * image.height)))
  const canvas = createCanvas(
    Math.max(1, Math.round(image.width * scale)),
    Math.max(1, Math.round(image.height * scale)),
  )
  const context = canvas.getContext('2d')
  // What is see-through is printed on white.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas
}
