import type { Clock, Log } from '../../deps.ts'
import { AppError, toFailure } from '../../errors.ts'
import type { MediaFiles } from '../../media/files.ts'
import type { WaitingPicture } from '../../store/slices-types.ts'
import type { Store } from '../../store/types.ts'
import { fetchPicture, type FetchPictureDeps } from '../documents/fetch-picture.ts'
import { isStoreTrouble } from '../transcribe/persist.ts'

/** What fetching pictures of slices needs. */
export interface SlicePicturesDeps extends FetchPictureDeps {
  readonly store: Pick<Store, 'accounts' | 'slices'>
  readonly files: Pick<MediaFiles, 'intake' | 'remove'>
  readonly clock: Clock
  readonly log: Log
  after(ms: number, work: () => void): () => void
  onPicture(lookupId: string): void
}

/** Brings pictures that slices name into the library, once each, before their addresses expire. */
export interface SlicePictures {
  /** There may be something to fetch. */
  kick(): void
  busy(): boolean
  shutdown(): Promise<void>
}

/** Tries of one picture, and the first pause between two, in milliseconds. What never left this computer is tried as long again. */
const tries = 6
const triesOffline = 60
const firstPauseMs = 5_000
const longestPauseMs = 600_000
/** Pictures among which the next one's time is looked for. */
const mostLookedAt = 500

/** Builds it: one picture at a time, by the rules for addresses that content names. */
export function createSlicePictures(deps: SlicePicturesDeps): SlicePictures {
  const { clock, log } = deps
  const store = deps.store.slices
  const closing = new AbortController()
  let active: Promise<void> | null = null
  let callOff: (() => void) | null = null

  const kick = (): void => {
    if (active || closing.signal.aborted) return
    callOff?.()
    active = Promise.resolve()
      .then(fetchAll)
      .catch((error: unknown) => {
        if (!isStoreTrouble(error) && !closing.signal.aborted)
          log.error('pictures of slices', { error })
      })
      .then(() => {
        active = null
        if (!closing.signal.aborted) planNext()
      })
  }
  const fetchAll = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      const [picture] = store.picturesWaiting(clock(), 1)
      if (!picture) return
      await bring(picture)
    }
  }
  const planNext = (): void => {
    const waiting = store.picturesWaiting(Number.MAX_SAFE_INTEGER, mostLookedAt)
    const now = clock()
    const times = waiting.map(({ nextTryAt }) => (nextTryAt ?? now) - now)
    if (times.length > 0) callOff = deps.after(Math.max(1000, Math.min(...times)), kick)
  }
  const bring = async ({ lookupId, accountId, url, attempts }: WaitingPicture): Promise<void> => {
    try {
      const bytes = await fetchPicture(deps, url, new Set([accountId]), closing.signal)
      const stream = new Blob([Buffer.from(bytes)]).stream()
      const media = await deps.files.intake(stream, 'slice', bytes.byteLength, closing.signal)
      if (media.mime.startsWith('image/')) store.keepPicture(lookupId, url, media.id)
      else {
        await deps.files.remove(media.id)
        throw new AppError('UNSUPPORTED_FORMAT', 'Not a picture')
      }
    } catch (thrown) {
      if (closing.signal.aborted || isStoreTrouble(thrown)) throw thrown
      const known = thrown instanceof AppError
      if (!known) log.error('a picture of a slice', { error: thrown })
      const error = known ? thrown : new AppError('INTERNAL', 'Internal error')
      const passes = error.code === 'OFFLINE' || error.code === 'TIMEOUT' || isBusy(error)
      const most = error.code === 'OFFLINE' ? triesOffline : tries
      const pauseMs = Math.min(firstPauseMs * 2 ** Math.min(attempts, 10), longestPauseMs)
      const retryAt = passes && attempts + 1 < most ? clock() + pauseMs : null
      store.failPicture(lookupId, url, toFailure(error, clock()), retryAt)
    }
    deps.onPicture(lookupId)
  }

  return {
    kick,
    busy: () => active !== null,
    async shutdown() {
      closing.abort()
      callOff?.()
      await active
    },
  }
}

const isBusy = (error: AppError): boolean =>
  error.code === 'SERVICE_FAILED' && (error.service?.status ?? 0) >= 500
