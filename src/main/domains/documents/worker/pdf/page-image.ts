import type { Box, PageSize } from '../../../../../shared/model/document.ts'
import { fittingScale, onCanvas, onDrawnPage, type Cut } from './canvas.ts'
import { decodedImage } from './decoded-images.ts'
import { pageOf, type PdfDocument } from './library.ts'

/** Maximum number of pixels of a drawn page; posters and plans are drawn with fewer dots per inch. */
export const maxDrawnPixels = 25_000_000

/** JPEG quality of the saved image of a page, and of its thumbnail. */
const pageQuality = 85
const stripQuality = 75
const stripWidth = 320

const qualityOf = (width: number): number => (width > stripWidth ? pageQuality : stripQuality)

/** Renders a page of a PDF as displayed to a JPEG of at most this width in pixels. */
export async function pageImage(
  document: PdfDocument,
  number: number,
  width: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const page = await pageOf(document, number)
  const size = page.getViewport({ scale: 1 })
  const scale = fittingScale(size, width / Math.max(1, size.width), maxDrawnPixels)
  return onDrawnPage(page, scale, null, async (canvas) =>
    owned(await canvas.encode('jpeg', qualityOf(width))),
  )
}

/** Renders part of a page of a PDF to a PNG. */
export async function pageCrop(
  document: PdfDocument,
  number: number,
  box: Box,
  dpi: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const page = await pageOf(document, number)
  const size = page.getViewport({ scale: 1 })
  const share = cutOf(box, size)
  const scale = fittingScale(share, dpi / 72, maxDrawnPixels)
  const cut = cutOf(box, { width: size.width * scale, height: size.height * scale })
  return onDrawnPage(page, scale, whole(cut), async (canvas) => owned(await canvas.encode('png')))
}

/** Converts an image to a JPEG of this width; it is never enlarged. */
export async function imageScaled(path: string, width: number): Promise<Uint8Array<ArrayBuffer>> {
  const { image } = await decodedImage(path)
  const scale = fittingScale(image, Math.min(1, width / image.width), maxDrawnPixels)
  const size = { width: image.width * scale, height: image.height * scale }
  return onCanvas(size, async (canvas) => {
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height)
    return owned(await canvas.encode('jpeg', qualityOf(width)))
  })
}

/** Crops part of an image to a PNG, pixel for pixel. */
export async function imageCrop(path: string, box: Box): Promise<Uint8Array<ArrayBuffer>> {
  const { image } = await decodedImage(path)
  const cut = whole(cutOf(box, image))
  return onCanvas(cut, async (canvas) => {
    canvas.getContext('2d').drawImage(image, -cut.left, -cut.top)
    return owned(await canvas.encode('png'))
  })
}

function cutOf([left, top, right, bottom]: Box, { width, height }: PageSize): Cut {
  return {
    left: left * width,
    top: top * height,
    width: (right - left) * width,
    height: (bottom - top) * height,
  }
}

/** Expands a cut to whole pixels so that it loses nothing. */
function whole({ left, top, width, height }: Cut): Cut {
  const x = Math.floor(left)
  const y = Math.floor(top)
  return {
    left: x,
    top: y,
    width: Math.max(1, Math.ceil(left + width) - x),
    height: Math.max(1, Math.ceil(top + height) - y),
  }
}

/** Copies bytes into their own memory, which can be transferred to another thread. */
const owned = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes)
