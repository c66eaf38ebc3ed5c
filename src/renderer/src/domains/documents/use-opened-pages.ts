import { onScopeDispose, shallowRef, watch } from 'vue'
import type { ReadingPosition } from '../../../../shared/contract/documents.ts'
import type { DocumentItem } from '../../../../shared/model/document.ts'
import { readMedia } from '../../lib/bridge/read-media.ts'
import { useClient } from '../../lib/bridge/use-client.ts'
import type { PageSource, Drawing } from './pages/page-source.ts'
import { createThumbnails, type Thumbnails } from './pages/thumbnails.ts'
import { pdfSource, openPdf, type PdfRefusal } from './pdf/open-pdf.ts'
import { readOutline, type OutlineEntry } from './pdf/outline.ts'
import { useDocument } from './documents-store.ts'

/** Width in pixels of the thumbnails of pages that are scrolled past quickly; 23 kB each. */
const sketchWidth = 64
/** CSS pixels per point. */
const pixelsOfPoint = 96 / 72

/** A document whose pages are shown. */
interface ShownDocument {
  readonly id: string | null
  readonly document: DocumentItem | null
  readonly password: string | null
  readonly place: Pick<ReadingPosition, 'page'> | null
  /** ID of the stored image of that page; it is requested if it is not given. */
  readonly preview?: string | null
}

/**
 * Sources of a document's pages (by default the opened one), its thumbnails and its table of contents; all are closed with
 * the view.
 */
export function useOpenedPages(document: ShownDocument = useDocument()) {
  const client = useClient()
  const source = shallowRef<PageSource | null>(null)
  const outline = shallowRef<readonly OutlineEntry[]>([])
  const thumbnails = shallowRef<Thumbnails | null>(null)
  /** Why the file itself cannot be shown; stored page images are used then. */
  const refusal = shallowRef<PdfRefusal | null>(null)
  let close = (): void => {}

  const stored = async (page: number, width: 160 | 1240): Promise<string | null> => {
    const { id } = document
    if (id === null) return null
    const reply = await client.request('documents.image', { id, page, width })
    return reply.ok ? client.mediaUrl(reply.data.media.id) : null
  }
  /** Returns the URLs of page images that are already stored. */
  const loadStored = async (
    first: number,
    last: number,
    width: 160 | 1240,
  ): Promise<ReadonlyMap<number, string>> => {
    const { id } = document
    if (id === null) return new Map()
    const reply = await client.request('documents.images', { id, first, last, width })
    const found = reply.ok ? reply.data.images : []
    return new Map(found.map(({ page, mediaId }) => [page, client.mediaUrl(mediaId)]))
  }
  const small = async (url: string, signal: AbortSignal): Promise<Blob | null> => {
    const bytes = signal.aborted ? null : await readMedia(url, 0, signal)
    return bytes && new Blob([bytes], { type: 'image/jpeg' })
  }
  /** Shows the page read last immediately, as a stored image: a long file takes a while to open. */
  const showLastPlace = async (on: Thumbnails): Promise<void> => {
    const page = document.place?.page ?? 1
    const { preview } = document
    if (preview) on.putLarge(page, client.mediaUrl(preview))
    if (preview !== undefined) return
    const address = (await loadStored(page, page, 1240)).get(page)
    if (address !== undefined) on.putLarge(page, address)
  }
  const storedPages = (): PageSource =>
    imageSource({ url: (page) => stored(page, 1240), unit: pixelsOfPoint })

  const openFile = (mediaId: string, bytes: number): void => {
    let tried = false
    const opening = openPdf({
      url: client.mediaUrl(mediaId),
      bytes,
      password: async () => {
        const known = tried ? null : document.password
        tried = true
        return known
      },
      onLost: () => (source.value = storedPages()),
    })
    let over = false
    close = () => {
      over = true
      opening.close()
    }
    void opening.opened.then(async (result) => {
      if (over) return
      if (!result.ok) {
        refusal.value = result.why
        // A file that this page cannot open may have been opened by main: with the password, or by its own parser.
        if (result.why !== 'closed') source.value = storedPages()
        return
      }
      source.value = pdfSource(result.open)
      const entries = await readOutline(result.open.pdf)
      if (!over) outline.value = entries
    })
  }
  const reset = (): void => {
    close()
    close = () => {}
    thumbnails.value?.close()
    thumbnails.value = null
    source.value = null
    outline.value = []
    refusal.value = null
  }

  watch(
    () => {
      const { document: opened, password } = document
      const facts = opened?.facts
      // Files that contain their text have no page images.
      if (!opened || !facts || facts.sizes.length === 0) return null
      const { id, mediaId } = opened
      const { mime, bytes, pages } = facts
      return { id, mediaId, mime, bytes, pages, password }
    },
    (now, before) => {
      if (JSON.stringify(now) === JSON.stringify(before)) return
      reset()
      if (!now) return
      const { mediaId } = now
      const created = createThumbnails({
        count: now.pages,
        stored: (first, last) => loadStored(first, last, 160),
        made: (page) => stored(page, 160),
        load: small,
        sketch: (image) => createImageBitmap(image, { resizeWidth: sketchWidth }),
      })
      thumbnails.value = created
      if (now.mime === 'application/pdf') void showLastPlace(created)
      if (mediaId === null) source.value = storedPages()
      else if (now.mime === 'application/pdf') openFile(mediaId, now.bytes)
      else source.value = imageSource({ url: () => client.mediaUrl(mediaId), unit: 1 })
    },
    { immediate: true },
  )
  onScopeDispose(reset)
  return { source, outline, thumbnails, refusal }
}

/** Source of page images. */
interface PageImages {
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
function imageSource({ url, unit }: PageImages): PageSource {
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
