import { mkdir, open, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { discard, moveFile, removal } from '../../system/file-moves.ts'
import type { Media } from '../../shared/model/library.ts'
import type { Clock } from '../deps.ts'
import { AppError } from '../errors.ts'
import { systemCode } from '../../system/system-code.ts'
import { fromFileSystem } from '../store/file-errors.ts'
import type { Store } from '../store/types.ts'
import { contentId, contentIdPattern } from './content-id.ts'
import { displayName } from './display-name.ts'
import { receive, type Received } from './intake.ts'
import { refuse } from './media-response.ts'
import { respondWithFile } from './respond.ts'
import { treeBytes } from './tree-bytes.ts'
import { createTurns } from './intake-queue.ts'

/** Milliseconds for which a file dropped once more waits for its item, though the last item that used it goes at this moment. */
const claimMs = 5000

/** What kept files need. */
export interface MediaFilesOptions {
  readonly home: string
  readonly clock: Clock
  readonly store: Pick<Store, 'media' | 'items' | 'writable'>
  /** Largest file taken, in bytes; 8 GiB when absent. */
  readonly maxBytes?: number
}

/** Who made a file: the user's own, a page that Lectern wrote as HTML, somebody else (a pack of such files), or anything else (the provider, documents, Lectern). */
export type FileOrigin = 'imported' | 'ownPage' | 'received' | 'foreign'

/** Files by content hash, below `home/media/<ab>/<id>`: the same content is kept once, whatever it was called. */
export interface MediaFiles {
  /**
   * Takes a file in. Throws EMPTY_FILE, FILE_TOO_LARGE, DISK_FULL, READ_ONLY or CANCELLED, and then keeps nothing.
   * `duration` of a new one is null. A file that the user imports has the name that the user gave it from then on, whoever sent the
   * same content before.
   */
  intake(
    stream: ReadableStream<Uint8Array> | null,
    name: string,
    declaredBytes?: number,
    signal?: AbortSignal,
    origin?: FileOrigin,
  ): Promise<Media>
  /** Whether it was taken in as a page that Lectern wrote, since the start. */
  isOwnPage(id: string): boolean
  /** Whether it came from a provider. */
  isReceived(id: string): boolean
  /** The name of a file that the user imported; null for what came from anywhere else. */
  importedName(id: string): string | null
  /** Answers `/media/<id>`: GET and HEAD with Range (206, 416), 404 for what is not known. */
  respond(request: Request, id: string): Promise<Response>
  /** Where a file lies, for main's own use. Throws NOT_FOUND or FILE_MISSING. */
  path(id: string): Promise<string>
  /**
   * Forgets a file that no item uses, bin included: its row first, then its bytes. One that is used, or was dropped again just now,
   * stays; when nothing comes to use it, it is among the orphans later.
   */
  remove(id: string): Promise<void>
  /**
   * Forgets every file that nothing uses, that came before `before` (Unix ms) and that nobody asked for since: a page may still be
   * asking what to do with it, or fetching what was made for it.
   */
  sweep(before: number): Promise<void>
  /** Files that somebody asked for since `at` (Unix ms). */
  requestedSince(at: number): readonly string[]
  /** Deletes the bytes of a file that has no row, as an earlier crash may leave them. One that arrived meanwhile has one, and stays. */
  removeStray(id: string): Promise<void>
  /** Bytes on disk, unfinished ones included. */
  bytes(): Promise<number>
  /** Deletes every kept file; the rows are the store's to erase. */
  erase(): Promise<void>
}

/** Kept files over a folder and the store's rows. What an earlier crash left half received is removed. */
export function createMediaFiles(options: MediaFilesOptions): MediaFiles {
  const { store, clock } = options
  const folder = join(options.home, 'media')
  const incoming = join(folder, 'incoming')
  const maxBytes = options.maxBytes ?? 8 * 1024 ** 3
  // Keeping and removing the same content take turns: between the two a row would be left without its file.
  const inTurn = createTurns()
  /** Until when (Unix ms) a wish to remove a content comes from before somebody dropped it. */
  const awaited = new Map<string, number>()
  /** When (Unix ms) each file was last asked for. */
  const requestedAt = new Map<string, number>()
  const ownPages = new Set<string>()
  // Nothing is being received yet, so whatever lies there is from before.
  const cleaned = store.writable ? rm(incoming, removal).catch(() => undefined) : Promise.resolve()

  const placeOf = (id: string): string => join(folder, id.slice(0, 2), id)

  function known(id: string): Media {
    const media = contentIdPattern.test(id) ? store.media.get(id) : undefined
    if (!media) throw new AppError('NOT_FOUND', 'There is no such file')
    requestedAt.set(id, clock())
    return media
  }

  async function path(id: string): Promise<string> {
    const place = placeOf(known(id).id)
    if (!(await isFile(place)))
      throw new AppError('FILE_MISSING', 'The file is not where it was kept')
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
      // Dropped again, a file that nothing uses is as young as a new one: it must not be swept while the page asks what to do.
      createdAt: before && store.items.byMedia(id) ? before.createdAt : now,
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
        if (!store.writable) throw new AppError('READ_ONLY', 'The library is open for reading only')
        await cleaned
        await mkdir(incoming, { recursive: true, mode: 0o700 })
        const arrived = await receive(stream, { folder: incoming, maxBytes, declaredBytes, signal })
        try {
          const id = contentId(arrived.sha256)
          if (origin === 'ownPage') ownPages.add(id)
          return await inTurn(id, () => keep(id, arrived, name, origin))
        } finally {
          // What stays is removed at the next start.
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
      // Those that stay are few: each round must free one, or it was the last.
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

/** Gives a flushed file its name, and flushes the folder, so that both survive a power cut. */
async function putInPlace(from: string, place: string): Promise<void> {
  await mkdir(dirname(place), { recursive: true, mode: 0o700 })
  await moveFile(from, place)
  // Windows has no handle of a folder to flush.
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
