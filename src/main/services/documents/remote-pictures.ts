import { readFile, rm, writeFile } from 'node:fs/promises'
import type { Clock, Log } from '../../deps.ts'
import type { DocumentWorker } from '../../documents/work.ts'
import { AppError, toFailure } from '../../errors.ts'
import type { MediaFiles } from '../../media/files.ts'
import type { RemoteDeps } from '../../security/remote-fetch.ts'
import type { RemotePicture } from '../../store/documents-types.ts'
import type { Store } from '../../store/types.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { isStoreTrouble } from '../transcribe/persist.ts'
import { fetchPicture } from './fetch-picture.ts'
import type { PartFiles } from './part-files.ts'

/** What fetching pictures needs. */
export interface RemotePicturesDeps {
  readonly parts: Pick<PartFiles, 'freePath'>
  readonly store: Store
  readonly files: Pick<MediaFiles, 'intake' | 'remove'>
  readonly work: Pick<DocumentWorker, 'convert'>
  readonly accounts: Pick<Accounts, 'target'>
  readonly remote: RemoteDeps
  readonly clock: Clock
  readonly log: Log
  after(ms: number, work: () => void): () => void
  onPicture(documentId: string): void
}

/** Brings pictures that replies name into the library, once each, before their addresses expire. */
export interface RemotePictures {
  /** There may be something to fetch. */
  kick(): void
  busy(): boolean
  shutdown(): Promise<void>
}

/** Pictures fetched at a time: they come from one host, and nobody waits for them. */
const lanes = 2
/** Tries of one picture; addresses are short-lived. What never left this computer is tried as long again. */
const tries = 6
const triesOffline = 100
/** First and longest pause between two tries, in milliseconds. */
const firstPauseMs = 5_000
const longestPauseMs = 600_000
/** Pictures among which the next one's time is looked for. */
const mostLookedAt = 1_000
/** Largest picture made of one that has to be written anew. */
const convertedBytes = 10 * 1024 * 1024

/** Builds it. What a reply names goes through the rules for addresses that content names; only the user's own service may be private. */
export function createRemotePictures(deps: RemotePicturesDeps): RemotePictures {
  const { clock, log } = deps
  const store = deps.store.documents
  const closing = new AbortController()
  const active = new Map<string, Promise<void>>()
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
        if (!isStoreTrouble(error)) log.error('pictures of replies', { error })
        later(firstPauseMs)
      }
    })
  }
  const later = (ms: number): void => {
    if (closing.signal.aborted) return
    callOff?.()
    callOff = deps.after(ms, kick)
  }
  const nameOf = ({ documentId, address }: RemotePicture): string => `${documentId} ${address}`

  const pump = (): void => {
    if (closing.signal.aborted || active.size >= lanes) return
    for (const picture of store.remoteWaiting(clock(), lanes * 2)) {
      if (active.size >= lanes) return
      const name = nameOf(picture)
      if (active.has(name)) continue
      const done = Promise.resolve()
        .then(() => bring(picture))
        .then(
          () => true,
          (error: unknown) => {
            if (!isStoreTrouble(error)) log.error('a picture of a reply', { error })
            return false
          },
        )
        .then((isSettled) => {
          active.delete(name)
          // What could not even be written down would be the next one again, at once.
          if (isSettled) kick()
          else later(firstPauseMs)
        })
      active.set(name, done)
    }
    if (active.size === 0) planNext()
  }

  /** Wakes up for the next one whose time comes, also of those that an earlier run left. */
  const planNext = (): void => {
    const now = clock()
    const times = store
      .remoteWaiting(Number.MAX_SAFE_INTEGER, mostLookedAt)
      .map(({ nextTryAt }) => (nextTryAt ?? now) - now)
    if (times.length > 0) later(Math.max(0, Math.min(...times)))
  }

  const bring = async (picture: RemotePicture): Promise<void> => {
    const { documentId, address, attempts } = picture
    try {
      const parsedBy = new Set(store.versions(documentId).map(({ accountId }) => accountId))
      const mediaId = await keep(await fetchPicture(deps, address, parsedBy, closing.signal))
      store.putRemote(documentId, address, mediaId)
      deps.onPicture(documentId)
    } catch (thrown) {
      if (closing.signal.aborted || isStoreTrouble(thrown)) throw thrown
      if (!(thrown instanceof AppError)) throw thrown
      const most = thrown.code === 'OFFLINE' ? triesOffline : tries
      const passes = thrown.code === 'OFFLINE' || thrown.code === 'TIMEOUT' || isBusy(thrown)
      const pauseMs = Math.min(firstPauseMs * 2 ** Math.min(attempts, 10), longestPauseMs)
      const retryAt = passes && attempts + 1 < most ? clock() + pauseMs : null
      store.failRemote(documentId, address, toFailure(thrown, clock()), retryAt)
    }
  }

  const keep = async (bytes: Uint8Array): Promise<string> => {
    const media = await deps.files.intake(streamOf(bytes), 'picture', bytes.byteLength)
    if (media.mime === 'image/png' || media.mime === 'image/jpeg') return media.id
    await deps.files.remove(media.id)
    // Its header said picture; whether it is one, a decoder says, beside the main thread.
    const from = await deps.parts.freePath()
    const to = await deps.parts.freePath()
    try {
      await writeFile(from, bytes)
      await deps.work.convert({ path: from, to, maxBytes: convertedBytes })
      return (await deps.files.intake(streamOf(await readFile(to)), 'picture')).id
    } finally {
      await rm(from, { force: true })
      await rm(to, { force: true })
    }
  }

  return {
    kick,
    busy: () => active.size > 0,
    async shutdown() {
      closing.abort()
      callOff?.()
      await Promise.all(active.values())
    },
  }
}

const isBusy = (error: AppError): boolean =>
  error.code === 'SERVICE_FAILED' && (error.service?.status ?? 0) >= 500

const streamOf = (bytes: Uint8Array): ReadableStream<Uint8Array> =>
  new Blob([Buffer.from(bytes)]).stream()
