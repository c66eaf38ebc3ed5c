import type { Context } from '../../../../context.ts'
import type { SavedFile } from '../../../../../shared/model/saved-file.ts'
import { AppError } from '../../../../errors.ts'
import type { MediaFiles } from '../../../../platform/files/files.ts'
import { modestImage } from '../../../../platform/files/bounded-image.ts'
import type { WaitingFile, WantedFile } from '../../store/remote-items-types.ts'
import type { Store } from '../../../../library-database/store.ts'
import type { FetchImageDeps } from './fetch-image.ts'
import type { Clock } from '../../../../deps.ts'
import { addDownloads, type Downloads, type DownloadsDeps } from './downloads.ts'
import { checkFound, openFile } from './fetch-file.ts'

/** Dependencies of saved files. */
interface SavedFilesDeps extends FetchImageDeps, DownloadsDeps, Pick<Context, 'emit'> {
  readonly store: Store
  readonly files: Pick<MediaFiles, 'intake' | 'path' | 'remove'>
  /** The bytes of a file that is embedded in its owner's response; null if there are none. */
  inline(ownerId: string, place: number): Uint8Array | null
  /** Maximum size of a fetched file, in bytes; defaults to {@link maxBytes}. */
  readonly maxBytes?: number
  /** Maximum total size of the files of one response, in bytes; defaults to {@link maxReplyBytes}. */
  readonly maxReplyBytes?: number
}

/** Downloads files referenced in responses before their URLs expire, across restarts and outages. */
export interface SavedFiles extends Downloads {
  /** Requests files for an owner, in the transaction that stores the response. */
  want(ownerId: string, accountId: string, files: readonly WantedFile[]): void
  of(ownerId: string): readonly SavedFile[]
  /** Retries files that are not saved. */
  retry(ownerId: string): void
  /** Deletes the bytes of media that are no longer used. */
  drop(mediaIds: readonly string[]): Promise<void>
}

/** Maximum size of a file that a response refers to: an hour of video at 4 Mbit/s. */
const maxBytes = 2 * 1024 ** 3
/** Maximum total size of the files of one response: a response with hundreds must not fill the disk. */
const maxReplyBytes = 8 * 1024 ** 3
/**
 * Minimum average speed of a download in bytes per second, after the first minutes (in milliseconds): a very slow one would block
 * the downloads queued behind it for as long as its host likes.
 */
const minBytesPerSecond = 4096
const slowStartMs = 120_000
/** Maximum number of parallel downloads. */
const atOnce = 3
/** URL prefix of a file that is embedded in the response. */
export const inlineAddress = 'inline:'

export function createSavedFiles(deps: SavedFilesDeps): SavedFiles {
  const { clock } = deps
  const store = deps.store.savedFiles
  const limitOf = (ownerId: string): number => {
    const here = store.of(ownerId).reduce((sum, { bytes }) => sum + (bytes ?? 0), 0)
    const room = (deps.maxReplyBytes ?? maxReplyBytes) - here
    return Math.max(0, Math.min(deps.maxBytes ?? maxBytes, room))
  }
  const downloads = addDownloads<WaitingFile>(deps, {
    about: 'file of a response',
    size: atOnce,
    id: ({ ownerId, role, place }) => `${ownerId} ${role} ${place}`,
    due: (at, limit) => store.waiting(at, limit),
    nextTime: (after) => store.nextTime(after),
    async fetch(file, signal) {
      const mediaId = await take(file, signal)
      if (!store.put(file, mediaId)) await deps.files.remove(mediaId)
    },
    failed: (file, error, retryAt) => store.fail(file, error, retryAt),
    settled: ({ ownerId }) => deps.emit({ type: 'files.changed', ownerId }),
    mayPass,
  })

  const take = async (file: WaitingFile, signal: AbortSignal): Promise<string> => {
    const { body, bytes } =
      file.address === inlineAddress
        ? inline(deps.inline(file.ownerId, file.place))
        : await openFile(deps, file, signal)
    const limit = limitOf(file.ownerId)
    if (bytes !== null && bytes > limit) {
      await body?.cancel()
      throw tooLarge(bytes, limit)
    }
    const media = await receiveFile(capped(body, limit, clock), file.name, bytes, signal)
    try {
      checkFound(file.role, media.mime)
    } catch (error) {
      await deps.files.remove(media.id)
      throw error
    }
    return file.role === 'file' ? media.id : (await modestImage(deps.files, media)).id
  }
  const receiveFile = async (
    body: ReadableStream<Uint8Array> | null,
    name: string,
    bytes: number | null,
    signal: AbortSignal,
  ) => {
    try {
      return await deps.files.intake(body, name, bytes ?? undefined, signal)
    } catch (error) {
      const brokeOff = error instanceof AppError && error.code === 'CANCELLED' && !signal.aborted
      if (!brokeOff) throw error
      // The cause may be the limit that aborted it.
      if (error.cause instanceof AppError) throw error.cause
      throw new AppError('OFFLINE', 'The file is truncated', { retriable: true })
    }
  }

  return {
    ...downloads,
    want: (ownerId, accountId, files) => {
      if (files.length > 0) store.want(ownerId, accountId, files)
    },
    of: (ownerId) => store.of(ownerId),
    retry(ownerId) {
      store.retry(ownerId)
      downloads.kick()
    },
    async drop(mediaIds) {
      for (const id of mediaIds)
        await deps.files
          .remove(id)
          .catch((error: unknown) =>
            deps.log.warn('failed to remove a file of a response', { error }),
          )
    },
  }
}

/** Statuses that may be temporary: a new file is often not available everywhere yet, whereas 410 is permanent. */
const early: ReadonlySet<number> = new Set([403, 404, 408, 425, 429])
const mayPass = (status: number): boolean => status >= 500 || early.has(status)

const tooLarge = (value: number, limit: number): AppError =>
  new AppError('FILE_TOO_LARGE', 'The file is too large to load automatically', {
    params: { value, limit },
  })

/**
 * Aborts a stream with FILE_TOO_LARGE as soon as it exceeds `most` bytes, whatever its header said, and with TIMEOUT if it is too
 * slow.
 */
function capped(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
  clock: Clock,
): ReadableStream<Uint8Array> | null {
  const started = clock()
  let total = 0
  const meter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      total += chunk.byteLength
      const dueMs = slowStartMs + (total / minBytesPerSecond) * 1000
      if (total > limit) controller.error(tooLarge(total, limit))
      else if (clock() - started > dueMs)
        controller.error(
          new AppError('TIMEOUT', 'The host did not respond in time', { retriable: true }),
        )
      else controller.enqueue(chunk)
    },
  })
  return body?.pipeThrough(meter) ?? null
}

/** Bytes embedded in a response, as a readable body. */
function inline(bytes: Uint8Array | null): {
  readonly body: ReadableStream<Uint8Array> | null
  readonly bytes: number
} {
  const held = Buffer.from(bytes ?? [])
  return { body: new Blob([held]).stream(), bytes: held.byteLength }
}
