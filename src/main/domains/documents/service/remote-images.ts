import { readFile, writeFile } from 'node:fs/promises'
import type { Clock, Log } from '../../../deps.ts'
import type { DocumentWorker } from '../worker/work.ts'
import { discard } from '../../../../system/file-moves.ts'
import type { MediaFiles } from '../../../platform/files/files.ts'
import { modestImage } from '../../../platform/files/bounded-image.ts'
import type { RemoteDeps } from '../../../platform/security/remote-fetch.ts'
import type { RemoteImage } from '../store/documents-types.ts'
import type { Store } from '../../../library-database/store.ts'
import type { Accounts } from '../../settings/index.ts'
import { AppError } from '../../../errors.ts'
import { createRest, fetchFailure, fetchImage, ownHost } from '../../playground/index.ts'
import { isStoreProblem } from '../../../platform/database/persist.ts'
import type { PartFiles } from './part-files.ts'

export interface RemoteImagesDeps {
  readonly parts: Pick<PartFiles, 'freePath'>
  readonly store: Store
  readonly files: Pick<MediaFiles, 'intake' | 'path' | 'remove'>
  readonly work: Pick<DocumentWorker, 'convert'>
  readonly accounts: Pick<Accounts, 'target'>
  readonly remote: RemoteDeps
  readonly clock: Clock
  readonly log: Log
  after(ms: number, work: () => void): () => void
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
const lanes = 2
/** Maximum number of images inspected to find the time of the next one. */
const maxInspected = 1_000
/** Maximum size in bytes of a converted image. */
const convertedBytes = 10 * 1024 * 1024

/** Creates the fetching. Requests follow the rules for URLs in content; only the user's own provider may be private. */
export function createRemoteImages(deps: RemoteImagesDeps): RemoteImages {
  const { clock, log } = deps
  const store = deps.store.documents
  const closing = new AbortController()
  const rest = createRest(clock)
  const active = new Map<string, Promise<void>>()
  /** Images that were requested. */
  const loading = new Map<string, Promise<string>>()
  let callOff: (() => void) | null = null
  let planned = false

  const kick = (): void => {
    if (planned || closing.signal.aborted) return
    planned = true
    queueMicrotask(() => {
      planned = false
      try {
        pump()
      } catch (error) {
        if (!isStoreProblem(error)) log.error('failed to load images of responses', { error })
        rest.begin()
        later(rest.left())
      }
    })
  }
  const later = (ms: number): void => {
    if (closing.signal.aborted) return
    callOff?.()
    callOff = deps.after(ms, kick)
  }
  const nameOf = ({ documentId, address }: Pick<RemoteImage, 'documentId' | 'address'>): string =>
    `${documentId} ${address}`

  const pump = (): void => {
    if (closing.signal.aborted || active.size >= lanes) return
    if (rest.left() > 0) return later(rest.left())
    for (const image of store.remoteWaiting(clock(), lanes * 2)) {
      if (active.size >= lanes) return
      const name = nameOf(image)
      if (active.has(name)) continue
      const done = Promise.resolve()
        .then(() => bring(image))
        .then(
          () => true,
          (error: unknown) => {
            if (!isStoreProblem(error))
              log.error('failed to load an image of a response', { error })
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

  /** Schedules a wake-up for the next due image, including those that an earlier run left. */
  const planNext = (): void => {
    const now = clock()
    const times = store
      .remoteWaiting(Number.MAX_SAFE_INTEGER, maxInspected)
      .map(({ nextTryAt }) => (nextTryAt ?? now) - now)
    if (times.length > 0) later(Math.max(0, Math.min(...times)))
  }

  const parsedBy = (documentId: string): ReadonlySet<string> =>
    new Set(store.versions(documentId).map(({ accountId }) => accountId))

  const fetchAndSave = async (
    { documentId, address }: Pick<RemoteImage, 'documentId' | 'address'>,
    isRequested: boolean,
  ): Promise<string> => {
    const by = parsedBy(documentId)
    const mediaId = await keep(await fetchImage(deps, address, by, closing.signal, isRequested))
    store.putRemote(documentId, address, mediaId)
    return mediaId
  }
  const bring = async (image: RemoteImage): Promise<void> => {
    const { documentId, address, attempts } = image
    // No document can make Lectern call a host that the user gave no key to.
    if (!(await ownHost(deps, address, parsedBy(documentId))))
      return store.restRemote(documentId, address)
    try {
      await fetchAndSave(image, false)
      deps.onImage(documentId)
    } catch (thrown) {
      if (closing.signal.aborted) throw thrown
      const { error, retryAt } = fetchFailure(thrown, attempts, deps)
      store.failRemote(documentId, address, error, retryAt)
    }
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
      await discard(from, log)
      await discard(to, log)
    }
  }

  const load = async (documentId: string, address: string): Promise<string> => {
    const known = store.remoteImages(documentId).find((one) => one.address === address)
    if (!known) throw new AppError('NOT_FOUND', 'No response references this image')
    if (known.mediaId !== null) return known.mediaId
    try {
      return await fetchAndSave(known, true)
    } catch (thrown) {
      if (closing.signal.aborted) throw thrown
      const { error } = fetchFailure(thrown, 0, deps)
      store.failRemote(documentId, address, error, null)
      throw thrown
    }
  }

  return {
    kick,
    load(documentId, address) {
      const name = nameOf({ documentId, address })
      const known = loading.get(name)
      if (known) return known
      const done = load(documentId, address).finally(() => loading.delete(name))
      loading.set(name, done)
      return done
    },
    busy: () => active.size > 0 || loading.size > 0,
    async shutdown() {
      closing.abort()
      callOff?.()
      await Promise.allSettled([...active.values(), ...loading.values()])
    },
  }
}

const streamOf = (bytes: Uint8Array): ReadableStream<Uint8Array> =>
  new Blob([Buffer.from(bytes)]).stream()
