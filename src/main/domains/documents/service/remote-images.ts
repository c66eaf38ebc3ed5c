import { readFile, writeFile } from 'node:fs/promises'
import type { DocumentWorker } from '../worker/work.ts'
import { discard } from '../../../../system/file-moves.ts'
import type { MediaFiles } from '../../../platform/files/files.ts'
import { modestImage } from '../../../platform/files/bounded-image.ts'
import type { RemoteDeps } from '../../../platform/security/remote-fetch.ts'
import type { RemoteImage } from '../store/documents-types.ts'
import type { Accounts } from '../../settings/index.ts'
import { AppError } from '../../../errors.ts'
import { addDownloads, fetchFailure, fetchImage, ownHost } from '../../playground/index.ts'
import { isStoreProblem } from '../../../platform/database/persist.ts'
import type { PartFiles } from './part-files.ts'
import type { Context } from '../../../context.ts'

export interface RemoteImagesDeps extends Pick<Context, 'store' | 'clock' | 'log' | 'workQueue'> {
  readonly parts: Pick<PartFiles, 'freePath'>
  readonly files: Pick<MediaFiles, 'intake' | 'path' | 'remove'>
  readonly work: Pick<DocumentWorker, 'convert'>
  readonly accounts: Pick<Accounts, 'target'>
  readonly remote: RemoteDeps
  onImage(documentId: string): void
}

/**
 * Saves images that responses reference to the library, each once: automatically those that a provider put into its
 * response and stores on its own host, before their URLs expire; any other on request.
 */
export interface RemoteImages {
  /** Called when there may be something to fetch. */
  kick(): void
  /**
   * Fetches an image referenced by a response of the document, once, and returns its media ID. Throws NOT_FOUND, and as
   * `fetchRemote`.
   */
  load(documentId: string, address: string): Promise<string>
  busy(): boolean
  shutdown(): Promise<void>
}

/** Number of images fetched at a time: they are on one host, and no one waits for them. */
const atOnce = 2
/** Maximum size in bytes of a converted image. */
const convertedBytes = 10 * 1024 * 1024

/** Creates the fetching. Requests follow the rules for URLs in content; only the user's own provider may be private. */
export function createRemoteImages(deps: RemoteImagesDeps): RemoteImages {
  const store = deps.store.documents
  const closing = new AbortController()
  /** Images that were requested. */
  const loading = new Map<string, Promise<string>>()

  const nameOf = ({ documentId, address }: Pick<RemoteImage, 'documentId' | 'address'>): string =>
    `${documentId} ${address}`
  const parsedBy = (documentId: string): ReadonlySet<string> =>
    new Set(store.versions(documentId).map(({ accountId }) => accountId))

  const fetchAndSave = async (
    { documentId, address }: Pick<RemoteImage, 'documentId' | 'address'>,
    isRequested: boolean,
    signal: AbortSignal,
  ): Promise<string> => {
    const by = parsedBy(documentId)
    const mediaId = await keep(await fetchImage(deps, address, by, signal, isRequested))
    store.putRemote(documentId, address, mediaId)
    return mediaId
  }
  const keep = async (bytes: Uint8Array): Promise<string> => {
    const media = await deps.files.intake(streamOf(bytes), 'picture', bytes.byteLength)
    if (media.mime === 'image/png' || media.mime === 'image/jpeg')
      return (await modestImage(deps.files, media)).id
    await deps.files.remove(media.id)
    // Its header specified an image; a decoder verifies that, off the main thread.
    const from = await deps.parts.freePath()
    const to = await deps.parts.freePath()
    try {
      await writeFile(from, bytes)
      await deps.work.convert({ path: from, to, maxBytes: convertedBytes })
      return (await deps.files.intake(streamOf(await readFile(to)), 'picture')).id
    } finally {
      await discard(from, deps.log)
      await discard(to, deps.log)
    }
  }

  const load = async (documentId: string, address: string): Promise<string> => {
    const known = store.remoteImages(documentId).find((one) => one.address === address)
    if (!known) throw new AppError('NOT_FOUND', 'No response references this image')
    if (known.mediaId !== null) return known.mediaId
    try {
      return await fetchAndSave(known, true, closing.signal)
    } catch (thrown) {
      if (!closing.signal.aborted && !isStoreProblem(thrown))
        store.failRemote(documentId, address, fetchFailure(thrown, deps), null)
      throw thrown
    }
  }

  const downloads = addDownloads<RemoteImage>(deps, {
    about: 'image of a response',
    size: atOnce,
    id: nameOf,
    due: (at, limit) => store.remoteWaiting(at, limit),
    async fetch(image, signal) {
      const { documentId, address } = image
      // No document can make Lectern call a host that the user gave no key to.
      if (!(await ownHost(deps, address, parsedBy(documentId))))
        return store.restRemote(documentId, address)
      await fetchAndSave(image, false, signal)
      deps.onImage(documentId)
    },
    failed: ({ documentId, address }, error, retryAt) =>
      store.failRemote(documentId, address, error, retryAt),
  })

  return {
    kick: () => downloads.kick(),
    load(documentId, address) {
      const name = nameOf({ documentId, address })
      const known = loading.get(name)
      if (known) return known
      const done = load(documentId, address).finally(() => loading.delete(name))
      loading.set(name, done)
      return done
    },
    busy: () => downloads.busy() || loading.size > 0,
    async shutdown() {
      closing.abort()
      await Promise.allSettled([downloads.shutdown(), ...loading.values()])
    },
  }
}

const streamOf = (bytes: Uint8Array): ReadableStream<Uint8Array> =>
  new Blob([Buffer.from(bytes)]).stream()
