import type { SavedFile } from '../../../shared/model/saved-file.ts'
import type { Clock, Log } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { MediaFiles } from '../../media/files.ts'
import { modestImage } from '../../media/bounded-image.ts'
import type { WaitingFile, WantedFile } from '../../store/remote-items-types.ts'
import type { Store } from '../../store/types.ts'
import type { FetchImageDeps } from '../documents/fetch-image.ts'
import { isStoreProblem } from '../transcribe/persist.ts'
import { checkFound, openFile } from './fetch-file.ts'
import { createRest, fetchFailure } from './fetch-retries.ts'

/** What keeping files is built from. */
export interface SavedFilesDeps extends FetchImageDeps {
  readonly store: Store
  readonly files: Pick<MediaFiles, 'intake' | 'path' | 'remove'>
  readonly clock: Clock
  readonly log: Log
  /** Runs `work` after `ms`; the returned function calls it off. */
  after(ms: number, work: () => void): () => void
  /** The bytes of a file that the reply of its owner holds itself; null when there are none. */
  inline(ownerId: string, place: number): Uint8Array | null
  /** Told when a file of an owner stands otherwise. */
  onFiles(ownerId: string): void
  /** Largest file fetched, in bytes; {@link maxBytes} when absent. */
  readonly maxBytes?: number
  /** Bytes of all files of one reply; {@link maxReplyBytes} when absent. */
  readonly maxReplyBytes?: number
}

/** Brings files that replies name here before their addresses expire, over restarts and outages. */
export interface SavedFiles {
  /** Wants files for an owner; in the transaction that stores the reply. */
  want(ownerId: string, accountId: string, files: readonly WantedFile[]): void
  /** There may be something to fetch. */
  kick(): void
  of(ownerId: string): readonly SavedFile[]
  /** Tries again what is not kept. */
  retry(ownerId: string): void
  /** Media that nothing uses any more; their bytes go. */
  drop(mediaIds: readonly string[]): Promise<void>
  busy(): boolean
  /** Ends what is on its way; what is wanted stays wanted. */
  stopAll(): Promise<void>
  shutdown(): Promise<void>
}

/** Largest file that is fetched on a reply's word: an hour of video at 4 Mbit/s. */
export const maxBytes = 2 * 1024 ** 3
/** All files of one reply together: a reply that names hundreds must not fill the disk. */
export const maxReplyBytes = 8 * 1024 ** 3
/**
 * A file comes at this many bytes a second on the average, after the first minutes (in milliseconds): one that drips holds up those
 * behind it for as long as its host likes.
 */
const minBytesPerSecond = 4096
const slowStartMs = 120_000
/** Files fetched at a time. */
const lanes = 3
/** The address of a file that the reply itself holds. */
export const inlineAddress = 'inline:'

/** Builds it. */
export function createSavedFiles(deps: SavedFilesDeps): SavedFiles {
  const { clock, log } = deps
  const store = deps.store.savedFiles
  const limitOf = (ownerId: string): number => {
    const here = store.of(ownerId).reduce((sum, { bytes }) => sum + (bytes ?? 0), 0)
    const room = (deps.maxReplyBytes ?? maxReplyBytes) - here
    return Math.max(0, Math.min(deps.maxBytes ?? maxBytes, room))
  }
  let stopping = new AbortController()
  const rest = createRest(clock)
  const active = new Map<string, Promise<void>>()
  let callOff: (() => void) | null = null
  let planned = false
  let closed = false

  const kick = (): void => {
    if (planned || closed) return
    planned = true
    queueMicrotask(() => {
      planned = false
      try {
        pump()
      } catch (error) {
        if (!isStoreProblem(error)) log.error('files of replies', { error })
        rest.begin()
        later(rest.left())
      }
    })
  }
  const later = (ms: number): void => {
    if (closed) return
    callOff?.()
    callOff = deps.after(ms, kick)
  }
  const nameOf = ({ ownerId, role, place }: WaitingFile): string => `${ownerId} ${role} ${place}`

  const pump = (): void => {
    if (closed || active.size >= lanes) return
    if (rest.left() > 0) return later(rest.left())
    for (const file of store.waiting(clock(), lanes * 2)) {
      if (active.size >= lanes) return
      const name = nameOf(file)
      if (active.has(name)) continue
      const done = Promise.resolve()
        .then(() => bring(file, stopping.signal))
        .then(
          () => true,
          (error: unknown) => {
            if (!isStoreProblem(error) && !stopping.signal.aborted)
              log.error('a file of a reply', { error })
            return false
          },
        )
        .then((isSettled) => {
          active.delete(name)
          if (isSettled) rest.end()
          else rest.begin()
          kick()
        })
      active.set(name, done)
    }
    if (active.size === 0) planNext()
  }
  /** Wakes up for the next one whose time comes, also of those that an earlier run left. */
  const planNext = (): void => {
    const now = clock()
    const times = store
      .waiting(Number.MAX_SAFE_INTEGER, 1000)
      .map(({ nextTryAt }) => (nextTryAt ?? now) - now)
    if (times.length > 0) later(Math.max(0, Math.min(...times)))
  }

  const bring = async (file: WaitingFile, signal: AbortSignal): Promise<void> => {
    try {
      const mediaId = await take(file, signal)
      if (!store.put(file, mediaId)) await deps.files.remove(mediaId)
    } catch (thrown) {
      if (signal.aborted) throw thrown
      const { error, retryAt } = fetchFailure(thrown, file.attempts, deps, mayPass)
      store.fail(file, error, retryAt)
    }
    deps.onFiles(file.ownerId)
  }

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
      // What broke it off may be the limit, which stands in the cause.
      if (error.cause instanceof AppError) throw error.cause
      throw new AppError('OFFLINE', 'The file broke off before its end', { retriable: true })
    }
  }

  return {
    want: (ownerId, accountId, files) => {
      if (files.length > 0) store.want(ownerId, accountId, files)
    },
    kick,
    of: (ownerId) => store.of(ownerId),
    retry(ownerId) {
      store.retry(ownerId)
      kick()
    },
    async drop(mediaIds) {
      for (const id of mediaIds)
        await deps.files
          .remove(id)
          .catch((error: unknown) => log.warn('a file of a reply is not removed', { error }))
    },
    busy: () => active.size > 0,
    async stopAll() {
      stopping.abort()
      await Promise.all(active.values())
      stopping = new AbortController()
    },
    async shutdown() {
      closed = true
      callOff?.()
      stopping.abort()
      await Promise.all(active.values())
    },
  }
}

/** Answers of a host that may be others in a minute: a file that was just made is often not everywhere yet, where 410 is for good. */
const early: ReadonlySet<number> = new Set([403, 404, 408, 425, 429])
const mayPass = (status: number): boolean => status >= 500 || early.has(status)

const tooLarge = (value: number, limit: number): AppError =>
  new AppError('FILE_TOO_LARGE', 'The file is larger than what is fetched by itself', {
    params: { value, limit },
  })

/** Ends a stream with FILE_TOO_LARGE as soon as it is longer than `most` bytes, whatever its header said, and with TIMEOUT when it drips. */
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
        controller.error(new AppError('TIMEOUT', 'The host took too long', { retriable: true }))
      else controller.enqueue(chunk)
    },
  })
  return body?.pipeThrough(meter) ?? null
}

/** Bytes that a reply holds itself, as something to read. */
function inline(bytes: Uint8Array | null): {
  readonly body: ReadableStream<Uint8Array> | null
  readonly bytes: number
} {
  const held = Buffer.from(bytes ?? [])
  return { body: new Blob([held]).stream(), bytes: held.byteLength }
}
