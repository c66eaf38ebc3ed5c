import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { Clock, Log } from '../../../../deps.ts'
import { AppError } from '../../../../errors.ts'
import type { MediaFiles } from '../../../../platform/files/files.ts'
import { modestImage } from '../../../../platform/files/bounded-image.ts'
import type { WaitingImage } from '../../store/slices-types.ts'
import {
  fetchImage,
  type FetchImageDeps,
  createRest,
  fetchFailure,
} from '../../../playground/index.ts'
import { isStoreProblem } from '../../../../platform/database/persist.ts'

/** Database rows of images that responses refer to. */
export interface ImageRows {
  /** Returns the images that are due (`now` in Unix ms), the longest overdue first. */
  waiting(now: number, limit: number): readonly WaitingImage[]
  fetched(image: WaitingImage, mediaId: string): void
  /** `retryAt` null: no further automatic retries. */
  failed(image: WaitingImage, error: Failure, retryAt: number | null): void
}

/** Dependencies of fetching chunk images. */
export interface ImageFetchingDeps extends FetchImageDeps {
  readonly files: Pick<MediaFiles, 'intake' | 'path' | 'remove'>
  readonly clock: Clock
  readonly log: Log
  after(ms: number, work: () => void): () => void
}

/** Downloads images of chunks into the library, once each, before their URLs expire. */
export interface ImageFetching {
  /** Called when there may be something to download. */
  kick(): void
  busy(): boolean
  /** Resolves when no download is in progress. */
  idle(): Promise<void>
  shutdown(): Promise<void>
}

/** Maximum number of images inspected to find the next due time. */
const maxInspected = 500

/**
 * Creates the downloader: one image at a time, following the rules for URLs named by content. `told` is called after
 * each attempt, successful or not.
 */
export function createImageFetching(
  deps: ImageFetchingDeps,
  rows: ImageRows,
  onSettled: (image: WaitingImage) => void,
): ImageFetching {
  const { clock, log } = deps
  const closing = new AbortController()
  const rest = createRest(clock)
  let active: Promise<void> | null = null
  let callOff: (() => void) | null = null

  const kick = (): void => {
    if (active || closing.signal.aborted) return
    callOff?.()
    if (rest.left() > 0) return void (callOff = deps.after(rest.left(), kick))
    active = Promise.resolve()
      .then(fetchAll)
      .then(rest.end, (error: unknown) => {
        rest.begin()
        if (!isStoreProblem(error) && !closing.signal.aborted)
          log.error('failed to load images of chunks', { error })
      })
      .then(() => {
        active = null
        if (!closing.signal.aborted) planNext()
      })
  }
  const fetchAll = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      const [image] = rows.waiting(clock(), 1)
      if (!image) return
      await bring(image)
    }
  }
  const planNext = (): void => {
    const waiting = rows.waiting(Number.MAX_SAFE_INTEGER, maxInspected)
    const now = clock()
    const times = waiting.map(({ nextTryAt }) => (nextTryAt ?? now) - now)
    const soonest = Math.max(rest.left(), Math.min(...times))
    if (times.length > 0) callOff = deps.after(Math.max(1000, soonest), kick)
  }
  const bring = async (image: WaitingImage): Promise<void> => {
    const { accountId, url, attempts } = image
    try {
      const bytes = await fetchImage(deps, url, new Set([accountId]), closing.signal)
      const stream = new Blob([Buffer.from(bytes)]).stream()
      const media = await deps.files.intake(stream, 'slice', bytes.byteLength, closing.signal)
      if (media.mime.startsWith('image/'))
        rows.fetched(image, (await modestImage(deps.files, media)).id)
      else {
        await deps.files.remove(media.id)
        throw new AppError('UNSUPPORTED_FORMAT', 'Not an image')
      }
    } catch (thrown) {
      if (closing.signal.aborted) throw thrown
      const { error, retryAt } = fetchFailure(thrown, attempts, deps)
      rows.failed(image, error, retryAt)
    }
    onSettled(image)
  }

  return {
    kick,
    busy: () => active !== null,
    async idle() {
      await active
    },
    async shutdown() {
      closing.abort()
      callOff?.()
      await active
    },
  }
}
