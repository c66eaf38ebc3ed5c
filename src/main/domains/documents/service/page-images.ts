import type { DocumentWorker } from '../worker/work.ts'
import { AppError } from '../../../errors.ts'
import type { MediaFiles } from '../../../platform/files/files.ts'
import type { Media } from '../../../../shared/model/library.ts'
import { isStoreProblem } from '../../../platform/database/persist.ts'
import type { ImageWidth } from './document-service-types.ts'
import type { Context } from '../../../context.ts'

interface PageImagesDeps extends Pick<Context, 'store' | 'log' | 'after'> {
  readonly files: Pick<MediaFiles, 'intake' | 'path'>
  readonly work: Pick<DocumentWorker, 'pageImage'>
  readonly passwords: ReadonlyMap<string, string>
  /** Whether parts are being prepared: they have priority, because they use the same worker. */
  isBusy(): boolean
}

/** Page images saved in the library: thumbnails at once, and large ones for when the original is gone. */
interface PageImages {
  /** Returns the image of a page; draws it if needed. Throws NOT_FOUND, FILE_MISSING, REFUSED while locked. */
  get(id: string, page: number, width: ImageWidth): Promise<Media>
  /** Called when there may be pages to draw. */
  kick(id: string): void
  forget(ids: readonly string[]): void
  shutdown(): Promise<void>
}

/** Maximum numbers of thumbnails and of large images (about 0.4 MB each) drawn in advance; others are drawn on demand. */
const maxThumbnails = 5_000
const maxPages = 500
/** Delay while parts are written, in milliseconds. */
const yieldMs = 1_000
/** Delay before each large image, about as long as drawing it: no one waits for it, and the user may be reading. */
const restMs = 250
/** Consecutive pages that cannot be drawn, after which the others are skipped. */
const maxFailures = 3
/** Number of images requested from the store at a time. */
const window = 100

/** Draws one page after the other, with requested pages in between. */
export function createPageImages(deps: PageImagesDeps): PageImages {
  const store = deps.store.documents
  const waiting = new Set<string>()
  const pending = new Map<string, Promise<Media>>()
  let closed = false
  let cancelTimer: (() => void) | null = null
  let running: Promise<void> | null = null
  let current: string | null = null

  const stored = (id: string, page: number, width: number): Media | undefined => {
    const [image] = store.pageImages(id, { first: page, last: page, width })
    return image && deps.store.media.get(image.mediaId)
  }

  const draw = async (id: string, page: number, width: ImageWidth): Promise<Media> => {
    const document = store.head(id)
    if (!document) throw new AppError('NOT_FOUND', 'Document not found')
    const { mediaId } = document
    const facts = store.facts(id)
    if (!facts || page > facts.sizes.length) throw new AppError('NOT_FOUND', 'Page not found')
    if (mediaId === null) throw new AppError('FILE_MISSING', 'The original file no longer exists')
    const path = await deps.files.path(mediaId)
    const password = deps.passwords.get(id) ?? null
    const bytes = await deps.work.pageImage({ path, password, page, width })
    const name = `page-${page}.jpg`
    const media = await deps.files.intake(new Blob([bytes]).stream(), name, bytes.byteLength)
    const size = facts.sizes[page - 1]
    const height = size ? Math.round((width * size.height) / size.width) : width
    store.putPageImage(id, { page, mediaId: media.id, width, height })
    return media
  }

  const get: PageImages['get'] = (id, page, width) => {
    const known = stored(id, page, width)
    if (known) return Promise.resolve(known)
    const name = `${id} ${page} ${width}`
    const before = pending.get(name)
    if (before) return before
    const made = draw(id, page, width).finally(() => pending.delete(name))
    pending.set(name, made)
    return made
  }

  /** Returns pages without an image of this width, starting from the first one; at most {@link window}. */
  const missing = (id: string, pages: readonly number[], width: number): readonly number[] => {
    const first = pages[0]
    const last = pages.at(-1)
    if (first === undefined || last === undefined) return []
    const there = new Set(store.pageImages(id, { first, last, width }).map(({ page }) => page))
    return pages.filter((page) => !there.has(page))
  }

  const drawAll = async (id: string): Promise<void> => {
    const facts = store.facts(id)
    // Files that contain their text have no page images.
    if (!facts || facts.sizes.length === 0) return
    if (facts.locked === 'user' && !deps.passwords.has(id)) return
    let failures = 0
    const passes: readonly (readonly [ImageWidth, number])[] = [
      [160, maxThumbnails],
      [1240, maxPages],
    ]
    for (const [width, limit] of passes) {
      const end = Math.min(limit, facts.pages)
      for (let first = 1; first <= end; first += window) {
        const last = Math.min(end, first + window - 1)
        for (const page of missing(id, wanted(id, first, last, width), width)) {
          if (deps.isBusy()) await pause(yieldMs)
          else if (width === 1240) await pause(restMs)
          if (closed || current !== id) return
          failures = (await isDrawn(id, page, width)) ? 0 : failures + 1
          if (failures >= maxFailures) return
        }
      }
    }
  }

  /** Whether a page was drawn. A page that cannot be drawn fails nothing: it is tried again when it is shown. */
  const isDrawn = async (id: string, page: number, width: ImageWidth): Promise<boolean> => {
    try {
      await get(id, page, width)
      return true
    } catch (error) {
      if (!(error instanceof AppError))
        deps.log.warn('failed to render a page image', { id, error })
      return false
    }
  }

  /** Thumbnails are drawn for every page; large images only for parsed pages. */
  const wanted = (id: string, first: number, last: number, width: number): readonly number[] =>
    width === 160
      ? Array.from({ length: last - first + 1 }, (_, at) => first + at)
      : store
          .pages(id, { first, last })
          .filter(({ state }) => state === 'returned')
          .map(({ page }) => page)

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      cancelTimer = deps.after(ms, resolve)
    })

  const run = async (): Promise<void> => {
    // A document requested again while it is drawn is processed once more.
    for (const id of waiting) {
      if (closed) return
      waiting.delete(id)
      current = id
      try {
        if (deps.store.items.summary(id)?.deletedAt === null) await drawAll(id)
      } catch (error) {
        if (!isStoreProblem(error)) deps.log.warn('failed to render page images', { id, error })
      }
      current = null
    }
  }

  const begin = (): void => {
    running ??= Promise.resolve()
      .then(run)
      .then(() => {
        running = null
        // Requested between the last check and now.
        if (waiting.size > 0 && !closed) begin()
      })
  }

  return {
    get,
    kick(id) {
      if (closed) return
      waiting.add(id)
      begin()
    },
    forget(ids) {
      for (const id of ids) waiting.delete(id)
      if (current !== null && ids.includes(current)) current = null
    },
    async shutdown() {
      closed = true
      cancelTimer?.()
      await Promise.allSettled(pending.values())
    },
  }
}
