import { createCanvas, type Canvas } from '@napi-rs/canvas'
import type { PageSize } from '../../../../../shared/model/document.ts'
import { damagedPage, type PdfPage } from './library.ts'

type RenderTarget = Parameters<PdfPage['render']>[0]['canvas']

/** Part of a page to draw, in pixels at the scale it is drawn at. */
export interface Cut {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/**
 * Runs work on a white canvas and releases its pixels immediately afterwards: garbage collection sees only the small
 * object that owns them.
 */
export async function onCanvas<T>(
  { width, height }: PageSize,
  work: (canvas: Canvas) => Promise<T>,
): Promise<T> {
  const canvas = createCanvas(Math.max(1, Math.round(width)), Math.max(1, Math.round(height)))
  try {
    const context = canvas.getContext('2d')
    context.fillStyle = '#fff'
    context.fillRect(0, 0, canvas.width, canvas.height)
    return await work(canvas)
  } finally {
    canvas.width = 0
    canvas.height = 0
  }
}

/** Draws a page, or a part of it, and passes it on. Throws DAMAGED_FILE with `params.page`. */
export async function onDrawnPage<T>(
  page: PdfPage,
  scale: number,
  cut: Cut | null,
  work: (canvas: Canvas) => Promise<T>,
): Promise<T> {
  const whole = page.getViewport({ scale })
  const { left, top, width, height } = cut ?? { left: 0, top: 0, ...sizeOf(whole) }
  const viewport = page.getViewport({ scale, offsetX: -left, offsetY: -top })
  return onCanvas({ width, height }, async (canvas) => {
    try {
      // The library expects a canvas of a web page, but uses only what ours has too.
      const target = canvas as unknown as RenderTarget
      await page.render({ canvas: target, viewport, intent: 'print' }).promise
    } catch (error) {
      throw damagedPage(page.pageNumber, error)
    } finally {
      page.cleanup()
    }
    return work(canvas)
  })
}

const sizeOf = ({ width, height }: PageSize): PageSize => ({ width, height })

/**
 * Maximum side length of a drawing in pixels: JPEG encoders end at 65,500, and a page can be extremely narrow.
 */
const maxSide = 30_000

/**
 * Returns the largest scale up to `wanted` at which a page of this size stays within the limits of pixels and side
 * length.
 */
export const fittingScale = (
  { width, height }: PageSize,
  wanted: number,
  maxPixels: number,
): number =>
  Math.min(
    wanted,
    Math.sqrt(maxPixels / Math.max(1, width * height)),
    maxSide / Math.max(1, width, height),
  )
