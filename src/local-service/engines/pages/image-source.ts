import { createCanvas, loadImage, type Canvas } from '@napi-rs/canvas'
import type { PageSource } from './source.ts'
import { imageHeader } from '../../../shared/documents/image-header.ts'
import { JobProblem } from '../worker-port.ts'

/** Opens an image as a file with one page. Throws `damaged`. */
export async function openImage(
  bytes: Uint8Array<ArrayBuffer>,
  kind: 'png' | 'jpeg',
): Promise<PageSource> {
  const canvas = await imageRaster(bytes, kind)
  const { width, height } = canvas
  return {
    pageCount: 1,
    page: () =>
      Promise.resolve({
        content: {
          width,
          height,
          runs: [],
          turned: [],
          images: [],
          rules: [],
          inks: [],
          ocr: true,
        },
        scanned: true,
        raster: () => Promise.resolve(canvas),
        close: () => Promise.resolve(),
      }),
    text: () => Promise.resolve({ runs: [], height }),
    close: () => Promise.resolve(freeCanvas(canvas)),
  }
}

/**
 * Maximum pixels of an image: each takes four bytes when unpacked, and a small file can contain a very large image.
 */
const maxPixels = 64_000_000

/** Maximum pixels of the raster used for reading; larger images are scaled down to it. */
const maxRasterPixels = 16_000_000

/** Frees the pixels of a canvas immediately: garbage collection sees only the small wrapper object. */
export function freeCanvas(canvas: Canvas): void {
  canvas.width = 0
  canvas.height = 0
}

/** Draws an image upright on a white page of at most {@link maxRasterPixels} pixels. Throws `damaged`. */
async function imageRaster(bytes: Uint8Array<ArrayBuffer>, kind: 'png' | 'jpeg'): Promise<Canvas> {
  const header = imageHeader(bytes)
  if (header?.type !== kind || header.width === 0 || header.height === 0)
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
  // Transparent parts are drawn on white.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas
}
