import { shallowReactive } from 'vue'
import type { PageSize } from '../../../../../shared/model/document.ts'
import type { PageSource } from './page-source.ts'

/** Sources of thumbnails. */
interface ThumbnailOptions {
  readonly count: number
  /** Returns the URLs of the stored thumbnails of pages `first` to `last`, by page. */
  readonly stored: (first: number, last: number) => Promise<ReadonlyMap<number, string>>
  /** Returns the URL of a page's thumbnail that was not stored before; null when there is none. */
  readonly made: (page: number) => Promise<string | null>
  /** Returns an image's bytes; null when it is missing. */
  readonly load: (address: string, signal: AbortSignal) => Promise<Blob | null>
  /** Decodes an image at a very small size: it is drawn within the frame in which its page appears. */
  readonly sketch: (image: Blob) => Promise<ImageBitmap | null>
}

/** A page's thumbnail as the bytes of its file, and decoded at a very small size if possible. */
export interface SmallPage {
  readonly image: Blob
  readonly sketch: ImageBitmap | null
}

/** Thumbnails of a document's pages, cached as the bytes of their files. */
export interface Thumbnails {
  /** Returns a page's thumbnail, null until there is one; reactive, so that its readers are updated. */
  small(page: number): SmallPage | null
  /** Requests pages around this one next. */
  near(page: number): void
  /**
   * Called when the current pages are drawn: more distant pages are requested too, and large images are no longer needed.
   */
  far(): void
  /** Returns the URL of a large image that is shown instead of the thumbnail; null for most. */
  large(page: number): string | null
  /** Sets a large image of a page, for as long as nothing is drawn. */
  putLarge(page: number, address: string): void
  /** Returns the pages in a strip that have no stored thumbnail and need to be drawn. */
  missing(): readonly number[]
  /** Sets the pages that a strip shows. */
  show(pages: readonly number[]): void
  /** Stores a thumbnail made from a page that was drawn anyway. */
  put(page: number, image: Blob): void
  /** Reports that the thumbnail of a page cannot be drawn either. */
  giveUp(page: number): void
  close(): void
}

/**
 * Number of pages on each side whose thumbnails are prefetched, about 8 kB each; and while the current page is not drawn
 * yet.
 */
const farReach = 1000
const nearReach = 4
/** Number of parallel requests for thumbnails: a single one would wait for its response most of the time. */
const lanes = 4
/** Number of pages whose URLs are requested at a time. */
const batchSize = 100

/** Fetches thumbnails, nearest first, so that a column always has something to show during fast scrolling. */
export function createThumbnails(options: ThumbnailOptions): Thumbnails {
  const { count } = options
  const images = shallowReactive(new Map<number, SmallPage>())
  const largeOnes = shallowReactive(new Map<number, string>())
  /** Pages known to have no stored thumbnail. */
  const absent = shallowReactive(new Set<number>())
  const hopeless = new Set<number>()
  const pending = new Set<number>()
  const batches = new Map<number, Promise<ReadonlyMap<number, string>>>()
  const stop = new AbortController()
  let shown: readonly number[] = []
  let middle = 1
  let busy = 0
  let reach = nearReach
  let isDrawn = false

  async function put(page: number, image: Blob): Promise<void> {
    if (stop.signal.aborted || images.has(page)) return
    const sketch = await options.sketch(image).catch(() => null)
    if (stop.signal.aborted || images.has(page)) sketch?.close()
    else images.set(page, { image, sketch })
  }
  const open = (page: number): boolean =>
    page >= 1 && page <= count && !images.has(page) && !absent.has(page) && !pending.has(page)
  function nearest(): number | null {
    const found = shown.find(open)
    if (found !== undefined) return found
    for (let away = 0; away <= reach; away++) {
      if (open(middle + away)) return middle + away
      if (open(middle - away)) return middle - away
    }
    return null
  }
  function addresses(page: number): Promise<ReadonlyMap<number, string>> {
    const first = page - ((page - 1) % batchSize)
    const known = batches.get(first)
    if (known) return known
    const request = options.stored(first, Math.min(count, first + batchSize - 1))
    batches.set(first, request)
    return request
  }
  async function imageOf(page: number): Promise<Blob | null> {
    const address = (await addresses(page)).get(page) ?? (await options.made(page))
    return address === null ? null : options.load(address, stop.signal)
  }
  async function loadPages(): Promise<void> {
    for (let page = nearest(); page !== null && !stop.signal.aborted; page = nearest()) {
      pending.add(page)
      const found = await imageOf(page).catch(() => null)
      if (found) await put(page, found)
      else absent.add(page)
      pending.delete(page)
    }
    busy -= 1
  }
  function fetchAll(): void {
    while (busy < lanes && nearest() !== null && !stop.signal.aborted) {
      busy += 1
      void loadPages()
    }
  }

  return {
    small: (page) => images.get(page) ?? null,
    large: (page) => largeOnes.get(page) ?? null,
    near(page) {
      middle = page
      fetchAll()
    },
    missing: () =>
      shown.filter((page) => absent.has(page) && !images.has(page) && !hopeless.has(page)),
    far() {
      isDrawn = true
      largeOnes.clear()
      if (reach === farReach) return
      reach = farReach
      fetchAll()
    },
    putLarge(page, address) {
      if (!isDrawn && !stop.signal.aborted) largeOnes.set(page, address)
    },
    show(pages) {
      shown = pages
      fetchAll()
    },
    put: (page, image) => void put(page, image),
    giveUp: (page) => void hopeless.add(page),
    close() {
      stop.abort()
      for (const { sketch } of images.values()) sketch?.close()
      images.clear()
      largeOnes.clear()
    },
  }
}

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
