import { setImmediate as turn } from 'node:timers/promises'
import type { Media } from '../../../shared/model/library.ts'
import type { Clock, Ids, Log } from '../../deps.ts'
import { AppError, toFailure } from '../../errors.ts'
import { contentId } from '../../media/content-id.ts'
import type { Store } from '../../store/types.ts'
import { displayTitle } from '../library/title.ts'
import { persist } from '../transcribe/persist.ts'
import type { Announcer } from './announce.ts'
import type { JsonFile } from './exports/json-file.ts'
import type { MeetingExports } from './parts.ts'

/** What reading our json in is built from. */
export interface RestoresDeps {
  readonly store: Store
  readonly exports: Pick<MeetingExports, 'openJson'>
  readonly announcer: Announcer
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  activeAccountId(): string
  onLibrary(ids: readonly string[]): void
  /** The text is there, and the library has the file its sound is read from. */
  onAudio(id: string): void
}

/** Meetings made of our own json, step by step, so that main is never held up. */
export interface Restores {
  /** Resolves when the meeting is whole, or has failed after it was begun. Throws by code for a file that is none of ours. */
  start(media: Media, title: string | undefined): Promise<{ readonly id: string }>
  /** True for a meeting whose file is a json that is not, or not wholly, read in. */
  owns(id: string): boolean
  /** Begins anew what an earlier try left. */
  again(id: string): void
  forget(ids: readonly string[]): Promise<void>
  busy(): boolean
  shutdown(): Promise<void>
}

/** The kind of file that our json is. */
export const jsonMime = 'application/json'
/** Milliseconds between two tellings of how far it is. */
const reportMs = 1000

/** Builds the use case; each json is read by itself. */
export function createRestores(deps: RestoresDeps): Restores {
  const { store, clock } = deps
  const { meetings } = store
  const running = new Map<
    string,
    { readonly abort: AbortController; readonly done: Promise<void> }
  >()
  let closed = false

  const report = (id: string): void => {
    deps.announcer.now(id)
    deps.onLibrary([id])
  }

  const fill = async (id: string, json: JsonFile, signal: AbortSignal): Promise<void> => {
    const step = async <T>(work: () => T): Promise<T> => {
      await turn()
      if (signal.aborted) throw new AppError('CANCELLED', 'Stopped')
      return persist(work, signal, (error) =>
        deps.log.warn('the store does not take a meeting now', { code: error.code }),
      )
    }
    const { head } = json
    const mediaId = meetings.get(id)?.originalMediaId ?? null
    const accountId = deps.activeAccountId()
    const restore = await step(() => meetings.restoring(id, head, { mediaId, accountId }))
    while (!(await step(() => restore.clear())));
    let rows = 0
    let reportedAt = clock()
    for (let page = await json.next(); page !== null; page = await json.next()) {
      const rest = page
      await step(() => restore.put(rest))
      rows += page.rows.length
      if (clock() - reportedAt < reportMs) continue
      reportedAt = clock()
      await step(() => meetings.update(id, { importProgress: rows / json.rows }))
      deps.announcer.now(id)
    }
    const original = audioOf(head.originalSha256)
    while (!(await step(() => restore.finish(original))));
  }

  /** The file that a json names, where the library has it; never one that is json itself. */
  const audioOf = (sha256: string | null): string | null => {
    const media = sha256 === null ? undefined : store.media.get(contentId(sha256))
    return media && media.mime !== jsonMime ? media.id : null
  }

  /** Fills a meeting that stands as `importing`; `opened` when its json was read already. */
  const run = async (id: string, opened: JsonFile | null, signal: AbortSignal): Promise<void> => {
    let json = opened
    try {
      const mediaId = meetings.get(id)?.originalMediaId ?? null
      if (json === null && mediaId === null) return
      json ??= await deps.exports.openJson(mediaId ?? '')
      await fill(id, json, signal)
    } catch (error) {
      // Stopped by the end of the app or for the bin: begun anew when it comes back.
      if (signal.aborted || !meetings.get(id)) return
      if (!(error instanceof AppError)) deps.log.error('a json could not be read in', { error })
      const known = error instanceof AppError ? error : new AppError('INTERNAL', 'Internal error')
      await persist(
        () =>
          meetings.update(id, {
            state: 'import-failed',
            importProgress: null,
            error: toFailure(known, clock()),
          }),
        signal,
        () => undefined,
      )
    } finally {
      await json?.close()
    }
  }

  const track = (id: string, opened: JsonFile | null): Promise<void> => {
    const abort = new AbortController()
    const done = run(id, opened, abort.signal)
      .catch((error: unknown) => deps.log.error('reading a json in', { error }))
      .finally(() => {
        running.delete(id)
        if (abort.signal.aborted) return
        report(id)
        if (meetings.get(id)?.state === 'importing') deps.onAudio(id)
      })
    running.set(id, { abort, done })
    return done
  }

  return {
    async start(media, title) {
      const json = await deps.exports.openJson(media.id)
      // Dropped twice: the first one reads it in.
      const known = meetings.byMedia(media.id)
      if (closed || known !== undefined) await json.close()
      if (closed) throw new AppError('CANCELLED', 'Lectern ends')
      if (known !== undefined) return { id: known }
      const id = deps.ids()
      const wanted = displayTitle(title?.trim() || json.head.title)
      try {
        const from = { mediaId: media.id, accountId: deps.activeAccountId() }
        meetings.restoring(id, { ...json.head, title: wanted }, from)
      } catch (error) {
        await json.close()
        throw error
      }
      report(id)
      await track(id, json)
      return { id }
    },
    owns(id) {
      const meeting = meetings.get(id)
      if (!meeting?.originalMediaId) return false
      return store.media.get(meeting.originalMediaId)?.mime === jsonMime
    },
    again(id) {
      // One in the bin is read in when it comes back.
      if (closed || running.has(id) || store.items.summary(id)?.deletedAt !== null) return
      void track(id, null)
    },
    async forget(ids) {
      const active = ids.flatMap((id) => running.get(id) ?? [])
      for (const { abort } of active) abort.abort()
      await Promise.all(active.map(({ done }) => done))
    },
    busy: () => running.size > 0,
    async shutdown() {
      closed = true
      for (const { abort } of running.values()) abort.abort()
      await Promise.all(Array.from(running.values(), ({ done }) => done))
    },
  }
}
