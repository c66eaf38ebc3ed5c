import type { PageSize } from '../../../../../shared/model/document.ts'
import type { PageSource } from './page-source.ts'
import type { Thumbnails } from './thumbnails.ts'

/** Width of a thumbnail in pixels, the same as for stored ones. */
const wide = 160

/** Creates a page's thumbnail from its large image, which is much cheaper than drawing it again. */
export async function thumbnailOf(
  thumbnails: Thumbnails,
  page: number,
  canvas: HTMLCanvasElement,
): Promise<void> {
  if (thumbnails.small(page) !== null || canvas.width === 0) return
  const small = new OffscreenCanvas(
    wide,
    Math.max(1, Math.round((wide * canvas.height) / canvas.width)),
  )
  const context = small.getContext('2d', { alpha: false })
  if (!context) return
  context.imageSmoothingQuality = 'high'
  context.drawImage(canvas, 0, 0, small.width, small.height)
  const image = await small.convertToBlob({ type: 'image/jpeg', quality: 0.8 }).catch(() => null)
  if (image) thumbnails.put(page, image)
}

/** Draws a thumbnail that is not stored; one that cannot be drawn is not requested again. */
export async function drawThumbnail(
  source: PageSource,
  thumbnails: Thumbnails,
  { width, height }: PageSize,
  page: number,
  signal: AbortSignal,
): Promise<void> {
  const canvas = document.createElement('canvas')
  const high = Math.max(1, Math.round((wide * height) / Math.max(1, width)))
  try {
    await source.draw({ canvas, page, turn: 0, width: wide, height: high }, signal)
    await thumbnailOf(thumbnails, page, canvas)
  } catch (error) {
    if (!signal.aborted) thumbnails.giveUp(page)
    throw error
  } finally {
    canvas.width = 0
  }
}
