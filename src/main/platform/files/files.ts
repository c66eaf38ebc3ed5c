import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, rm, stat, statfs, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Media } from '../../../shared/model/library.ts'
import { discard, moveFile, removal } from '../../../system/file-moves.ts'
import { systemCode } from '../../../system/system-code.ts'
import type { Clock } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { fromFileSystem } from '../database/file-errors.ts'
import type { Store } from '../../library-database/store.ts'
import { contentId, contentIdPattern } from './content-id.ts'
import { displayName } from './display-name.ts'
import { createTurns } from './intake-queue.ts'
import { refuse, respondWithFile } from './media-response.ts'
import { sniff, sniffBytes } from './sniff.ts'
import { treeBytes } from './tree-bytes.ts'

/**
 * Milliseconds for which a file dropped again waits for its item, even if its last item is deleted at the same moment.
 */
const claimMs = 5000

interface MediaFilesOptions {
  readonly home: string
  readonly clock: Clock
  readonly store: Pick<Store, 'media' | 'meetings' | 'writable'>
  /** Maximum file size in bytes; defaults to 8 GiB. */
  readonly maxBytes?: number
}

/**
 * Origin of a file: the user's own, an HTML page that Lectern wrote, another person (an archive of such files), or anything
 * else (the provider, documents, Lectern).
 */
type FileOrigin = 'imported' | 'ownPage' | 'received' | 'foreign'

/** Files by content hash, below `home/media/<ab>/<id>`: the same content is stored once, whatever its name. */
export interface MediaFiles {
  /**
   * Imports a file. Throws EMPTY_FILE, FILE_TOO_LARGE, DISK_FULL, READ_ONLY or CANCELLED, and then stores nothing. `duration`
   * of a new one is null. A file that the user imports gets the user's name from then on, whoever sent the same content before.
   */
  intake(
    stream: ReadableStream<Uint8Array> | null,
    name: string,
    declaredBytes?: number,
    signal?: AbortSignal,
    origin?: FileOrigin,
  ): Promise<Media>
  /** Returns whether it was imported since the start as a page that Lectern wrote. */
  isOwnPage(id: string): boolean
  /** Returns whether it was received from a provider. */
  isReceived(id: string): boolean
  /** Returns the name of a file that the user imported; null for files of other origins. */
  importedName(id: string): string | null
  /** Serves `/media/<id>`: GET and HEAD with Range (206, 416), 404 for unknown IDs. */
  respond(request: Request, id: string): Promise<Response>
  /** Returns the path of a file, for internal use in main. Throws NOT_FOUND or FILE_MISSING. */
  path(id: string): Promise<string>
  /**
   * Deletes a file that no item uses, including those in Trash: its row first, then its bytes. One that is in use, or was just
   * dropped again, stays; if nothing uses it later, it is among the orphans.
   */
  remove(id: string): Promise<void>
  /**
   * Deletes every file that nothing uses, that was imported before `before` (Unix ms) and was not requested since: a page may
   * still be asking the user what to do with it, or fetching what was created for it.
   */
  sweep(before: number): Promise<void>
  /** Returns the files requested since `at` (Unix ms). */
  requestedSince(at: number): readonly string[]
  /**
   * Deletes the bytes of a file without a row, as an earlier crash may leave them. A file imported meanwhile has a row, and
   * stays.
   */
  removeStray(id: string): Promise<void>
  /** Returns the number of bytes on disk, including unfinished files. */
  bytes(): Promise<number>
  /** Deletes every stored file; the store erases the rows. */
  erase(): Promise<void>
}

/**
 * Creates the media files of a folder and the store's rows. Partially received files of an earlier crash are removed.
 */
export function createMediaFiles(options: MediaFilesOptions): MediaFiles {
  const { store, clock } = options
  const folder = join(options.home, 'media')
  const incoming = join(folder, 'incoming')
  const maxBytes = options.maxBytes ?? 8 * 1024 ** 3
  // Storing and removing the same content run in turn: interleaved, a row could be left without its file.
  const inTurn = createTurns()
  /** Times (Unix ms) before which requested removals of a content are ignored, because it was imported again. */
  const awaited = new Map<string, number>()
  /** Time (Unix ms) of the last request of each file. */
  const requestedAt = new Map<string, number>()
  const ownPages = new Set<string>()
  // Nothing is being received yet, so any file there is from an earlier run.
  const cleaned = store.writable ? rm(incoming, removal).catch(() => undefined) : Promise.resolve()

  const placeOf = (id: string): string => join(folder, id.slice(0, 2), id)

  function known(id: string): Media {
    const media = contentIdPattern.test(id) ? store.media.get(id) : undefined
    if (!media) throw new AppError('NOT_FOUND', 'File not found')
    requestedAt.set(id, clock())
    return media
  }

  async function path(id: string): Promise<string> {
    const place = placeOf(known(id).id)
    if (!(await isFile(place))) throw new AppError('FILE_MISSING', 'The file is missing')
    return place
  }

  async function keep(
    id: string,
    arrived: Received,
    name: string,
    origin: FileOrigin,
  ): Promise<Media> {
    const place = placeOf(id)
    if ((await sizeOf(place)) !== arrived.bytes) await putInPlace(arrived.path, place)
    const before = store.media.get(id)
    const { sha256, bytes, mime } = arrived
    const now = clock()
    const isNewlyImported = origin === 'imported' && store.media.importedName(id) === null
    const media: Media = {
      id,
      sha256,
      bytes,
      mime,
      name: before && !isNewlyImported ? before.name : displayName(name),
      duration: before?.duration ?? null,
      // An unused file that is dropped again counts as new: it must not be swept while the page asks what to do with it.
      createdAt: before && store.meetings.byMedia(id) ? before.createdAt : now,
    }
    store.media.put(media)
    if (isNewlyImported) store.media.markImported(id)
    if (origin === 'foreign') store.media.markForeign(id)
    for (const [each, until] of awaited) if (until < now) awaited.delete(each)
    awaited.set(id, before ? now + claimMs : now)
    return media
  }

  async function forget(id: string, wishedAt: number): Promise<void> {
    if (wishedAt < (awaited.get(id) ?? 0)) return
    if (store.media.remove(id)) await rm(placeOf(id), removal)
  }

  async function remove(id: string): Promise<void> {
    if (!contentIdPattern.test(id)) return
    const wishedAt = clock()
    await inTurn(id, () => forget(id, wishedAt))
  }

  return {
    path,
    isOwnPage: (id) => ownPages.has(id),
    isReceived: (id) => contentIdPattern.test(id) && store.media.isReceived(id),
    importedName: (id) => store.media.importedName(id),
    async intake(stream, name, declaredBytes, signal, origin = 'received') {
      try {
        if (!store.writable) throw new AppError('READ_ONLY', 'The library is read-only')
        await cleaned
        await mkdir(incoming, { recursive: true, mode: 0o700 })
        const arrived = await receive(stream, { folder: incoming, maxBytes, declaredBytes, signal })
        try {
          const id = contentId(arrived.sha256)
          if (origin === 'ownPage') ownPages.add(id)
          return await inTurn(id, () => keep(id, arrived, name, origin))
        } finally {
          // A file that remains is removed at the next start.
          await discard(arrived.path)
        }
      } catch (error) {
        throw fromFileSystem(error)
      }
    },
    async respond(request, id) {
      const media = contentIdPattern.test(id) ? store.media.get(id) : undefined
      if (media) requestedAt.set(id, clock())
      return media ? respondWithFile(request, media, placeOf(media.id)) : refuse(404, 'NOT_FOUND')
    },
    remove,
    async sweep(before) {
      for (const [id, at] of requestedAt) if (at < before) requestedAt.delete(id)
      // Few remain: each round must free one, or it was the last.
      for (let left = store.media.orphans(before); left.length > 0;) {
        for (const { id } of left) if (!requestedAt.has(id)) await remove(id)
        const next = store.media.orphans(before)
        const stays = next.every(({ id }) => left.some((one) => one.id === id))
        left = stays ? [] : next
      }
    },
    requestedSince: (at) => [...requestedAt].filter(([, last]) => last >= at).map(([id]) => id),
    async removeStray(id) {
      if (!contentIdPattern.test(id)) return
      await inTurn(id, async () => {
        if (!store.media.get(id)) await rm(placeOf(id), removal)
      })
    },
    async bytes() {
      return treeBytes(folder)
    },
    async erase() {
      await rm(folder, removal)
    },
  }
}

/** Renames a flushed file to its final path, and flushes the folder, so that both survive a power failure. */
async function putInPlace(from: string, place: string): Promise<void> {
  await mkdir(dirname(place), { recursive: true, mode: 0o700 })
  await moveFile(from, place)
  // Windows has no folder handle to flush.
  if (process.platform === 'win32') return
  const folder = await open(dirname(place), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null
    throw error
  }
}

const isFile = async (path: string): Promise<boolean> => (await sizeOf(path)) !== null

/** A completely received file, flushed under a temporary name. */
interface Received {
  readonly path: string
  readonly sha256: string
  readonly bytes: number
  readonly mime: string
}

/** Facts known about a file before it arrives. */
interface Arrival {
  readonly folder: string
  readonly maxBytes: number
  readonly declaredBytes: number | undefined
  readonly signal: AbortSignal | undefined
}

/**
 * Chunk size of hashing. SHA-256 of this many bytes takes about 40 µs (64 KB in 42 µs, 1.5 GB/s), far below a frame, and
 * every chunk is followed by an asynchronous write: so the hash is computed on the main thread while the file arrives,
 * instead of sending each chunk to a worker. Larger chunks are split.
 */
const chunkBytes = 64 * 1024

/**
 * Writes a stream to disk and hashes it on arrival, no faster than the disk. Throws EMPTY_FILE, FILE_TOO_LARGE, DISK_FULL,
 * CANCELLED (aborted, or ended before its declared length); then nothing of it remains.
 */
async function receive(
  stream: ReadableStream<Uint8Array> | null,
  arrival: Arrival,
): Promise<Received> {
  if (!stream) throw empty()
  try {
    await checkRoom(arrival)
    const path = join(arrival.folder, randomUUID())
    try {
      return await receiveInto(path, stream, arrival)
    } catch (error) {
      await rm(path, removal)
      throw error
    }
  } catch (error) {
    // Stops the sender: the file may have gigabytes.
    await stream.cancel(error).catch(() => undefined)
    throw error
  }
}

async function receiveInto(
  path: string,
  stream: ReadableStream<Uint8Array>,
  arrival: Arrival,
): Promise<Received> {
  const file = await open(path, 'wx', 0o600)
  const reader = stream.getReader()
  try {
    const hash = createHash('sha256')
    const head: Uint8Array[] = []
    let bytes = 0
    for (let next = await read(reader, arrival); next; next = await read(reader, arrival)) {
      for (let at = 0; at < next.length; at += chunkBytes) {
        const chunk = next.subarray(at, at + chunkBytes)
        if (bytes < sniffBytes) head.push(chunk.slice(0, sniffBytes - bytes))
        bytes += chunk.length
        if (bytes > arrival.maxBytes) throw tooLarge(bytes, arrival.maxBytes)
        hash.update(chunk)
        await writeAll(file, chunk)
      }
    }
    if (bytes === 0) throw empty()
    if (arrival.declaredBytes !== undefined && bytes < arrival.declaredBytes) throw brokenOff()
    await file.sync()
    return { path, sha256: hash.digest('hex'), bytes, mime: sniff(Buffer.concat(head), bytes) }
  } finally {
    reader.releaseLock()
    await file.close()
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

async function read(reader: Reader, { signal }: Arrival): Promise<Uint8Array | null> {
  if (signal?.aborted) throw brokenOff()
  const stop = (): void => void reader.cancel(signal?.reason).catch(() => undefined)
  signal?.addEventListener('abort', stop, { once: true })
  try {
    const { done, value } = await reader.read()
    if (signal?.aborted) throw brokenOff()
    return done ? null : value
  } catch (error) {
    // Whatever ended the stream early, the file is incomplete.
    throw error instanceof AppError ? error : brokenOff(error)
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length;) {
    const { bytesWritten } = await file.write(chunk, at, chunk.length - at)
    at += bytesWritten
  }
}

/** Refuses a file that cannot fit immediately, instead of after gigabytes. */
async function checkRoom({ folder, declaredBytes, maxBytes }: Arrival): Promise<void> {
  if (declaredBytes === undefined) return
  if (declaredBytes > maxBytes) throw tooLarge(declaredBytes, maxBytes)
  const disk = await statfs(folder).catch(() => null)
  if (disk && declaredBytes > disk.bavail * disk.bsize)
    throw new AppError('DISK_FULL', 'There is not enough disk space for this file', {
      retriable: true,
      params: { bytes: declaredBytes, free: disk.bavail * disk.bsize },
    })
}

const empty = (): AppError => new AppError('EMPTY_FILE', 'The file is empty')

const tooLarge = (value: number, limit: number): AppError =>
  new AppError('FILE_TOO_LARGE', 'The file exceeds the size limit of the Library', {
    params: { value, limit },
  })

const brokenOff = (cause?: unknown): AppError =>
  new AppError('CANCELLED', 'The file is truncated', { retriable: true, cause })
