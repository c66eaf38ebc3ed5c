import type { Drawing, PageSource } from './page-source.ts'

/** Source of page images. */
export interface PageImages {
  /** Returns the media URL of a page's image; null when there is none. */
  readonly url: (page: number) => Promise<string | null> | string | null
  /** CSS pixels per unit of the page sizes at 100%: 1 for an image, 96/72 for images of pages in points. */
  readonly unit: number
}

/** Number of images that remain decoded; going back a page or rotating it draws immediately. */
const maxDecoded = 3

/**
 * Creates a source of pages that are images: a photo or a scan, or the stored images of a document whose file is
 * missing.
 */
export function imageSource({ url, unit }: PageImages): PageSource {
  const decoded = new Map<string, Promise<HTMLImageElement>>()

  function loadImage(address: string): Promise<HTMLImageElement> {
    const known = decoded.get(address)
    const loading = known ?? load(address)
    // Marks it as the most recently used one.
    decoded.delete(address)
    decoded.set(address, loading)
    loading.catch(() => decoded.delete(address))
    for (const old of decoded.keys()) {
      if (decoded.size <= maxDecoded) break
      decoded.delete(old)
    }
    return loading
  }

  async function draw(drawing: Drawing, signal: AbortSignal): Promise<void> {
    const address = await url(drawing.page)
    signal.throwIfAborted()
    if (address === null) throw new Error('There is no image of this page')
    const image = await loadImage(address)
    signal.throwIfAborted()
    paint(image, drawing)
  }

  return { unit, draw, rest: () => decoded.clear() }
}

async function load(address: string): Promise<HTMLImageElement> {
  const image = new Image()
  image.crossOrigin = 'anonymous'
  image.src = address
  await image.decode()
  return image
}

function paint(image: HTMLImageElement, { canvas, turn, width, height, clip }: Drawing): void {
  canvas.width = clip?.width ?? width
  canvas.height = clip?.height ?? height
  const context = canvas.getContext('2d', { alpha: false })
  if (!context) throw new Error('The canvas has no 2D context')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.imageSmoothingQuality = 'high'
  const sideways = turn % 180 !== 0
  context.translate(width / 2 - (clip?.x ?? 0), height / 2 - (clip?.y ?? 0))
  context.rotate((turn * Math.PI) / 180)
  const across = sideways ? height : width
  const down = sideways ? width : height
  context.drawImage(image, -across / 2, -down / 2, across, down)
}
