import type { Failure } from '../../../../../shared/contract/reply.ts'
import { AppError } from '../../../../errors.ts'
import type { MediaFiles } from '../../../../platform/files/files.ts'
import { modestImage } from '../../../../platform/files/bounded-image.ts'
import type { WaitingImage } from '../../store/slices-types.ts'
import {
  addDownloads,
  fetchImage,
  type Downloads,
  type DownloadsDeps,
  type FetchImageDeps,
} from '../../../playground/index.ts'

/** Database rows of images that responses refer to. */
interface ImageRows {
  /** Returns the images that are due (`now` in Unix ms), the longest overdue first. */
  waiting(now: number, limit: number): readonly WaitingImage[]
  /** When the next image is due after `after`; null if none waits (both Unix ms). */
  nextTime(after: number): number | null
  fetched(image: WaitingImage, mediaId: string): void
  /** `retryAt` null: no further automatic retries. */
  failed(image: WaitingImage, error: Failure, retryAt: number | null): void
}

/** Dependencies of fetching chunk images. */
export interface ImageFetchingDeps extends FetchImageDeps, DownloadsDeps {
  readonly files: Pick<MediaFiles, 'intake' | 'path' | 'remove'>
}

/**
 * Downloads images of chunks into the library, once each, before their URLs expire: one at a time, following the rules for URLs
 * named by content. `settled` is called after each attempt, successful or not.
 */
export const addChunkImages = (
  deps: ImageFetchingDeps,
  rows: ImageRows,
  settled: (image: WaitingImage) => void,
): Downloads =>
  addDownloads<WaitingImage>(deps, {
    about: 'image of chunks',
    size: 1,
    id: ({ accountId, owner, url }) => `${accountId} ${owner} ${url}`,
    due: (at, limit) => rows.waiting(at, limit),
    nextTime: (after) => rows.nextTime(after),
    async fetch(image, signal) {
      const bytes = await fetchImage(deps, image.url, new Set([image.accountId]), signal)
      const stream = new Blob([Buffer.from(bytes)]).stream()
      const media = await deps.files.intake(stream, 'slice', bytes.byteLength, signal)
      if (!media.mime.startsWith('image/')) {
        await deps.files.remove(media.id)
        throw new AppError('UNSUPPORTED_FORMAT', 'Not an image')
      }
      rows.fetched(image, (await modestImage(deps.files, media)).id)
    },
    failed: (image, error, retryAt) => rows.failed(image, error, retryAt),
    settled,
  })
