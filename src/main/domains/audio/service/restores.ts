import { setImmediate as turn } from 'node:timers/promises'
import type { Media } from '../../../../shared/model/library.ts'
import type { Clock, Ids, Log } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { contentId } from '../../../platform/files/content-id.ts'
import type { Store } from '../../../library-database/store.ts'
import { displayTitle } from '../../../platform/text/display-title.ts'
import { persist } from '../../../platform/database/persist.ts'
import type { Announcer } from '../../../platform/bridge/announcer.ts'
import type { JsonFile } from '../exports/json-file.ts'
import type { MeetingExports } from '../exports/exports.ts'

/** Dependencies of importing Lectern JSON. */
interface RestoresDeps {
  readonly store: Store
  readonly exports: Pick<MeetingExports, 'openJson'>
  readonly announcer: Announcer
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  activeAccountId(): string
  onLibrary(ids: readonly string[]): void
  fail(id: string, error: unknown, signal: AbortSignal): Promise<void>
  /** Called when the text is imported and the library has the file of its audio. */
  onAudio(id: string): void
}

/** Imports meetings from Lectern JSON, step by step, so that main is never blocked. */
interface Restores {
  /**
   * Resolves when the meeting is complete, or failed after it was started. Throws an error code if the file is not a Lectern
   * file.
   */
  start(media: Media, title: string | undefined): Promise<{ readonly id: string }>
  /** Whether a meeting's file is JSON that has not been imported, or not completely. */
  owns(id: string): boolean
  /** Restarts the import that an earlier attempt left unfinished. */
  again(id: string): void
  forget(ids: readonly string[]): Promise<void>
  busy(): boolean
  shutdown(): Promise<void>
}

/** Media type of Lectern JSON. */
export const jsonMime = 'application/json'
/** Milliseconds between two progress reports. */
const reportMs = 1000

/** Creates the imports; each JSON file is read separately. */
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
        deps.log.warn('failed to save a meeting, will retry', { code: error.code }),
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

  /** The audio file of a JSON file, if the library has it; never JSON itself. */
  const audioOf = (sha256: string | null): string | null => {
    const media = sha256 === null ? undefined : store.media.get(contentId(sha256))
    return media && media.mime !== jsonMime ? media.id : null
  }

  /** Fills a meeting in state `importing`; `opened` if its JSON was already opened. */
  const run = async (id: string, opened: JsonFile | null, signal: AbortSignal): Promise<void> => {
    let json = opened
    try {
      const mediaId = meetings.get(id)?.originalMediaId ?? null
      if (json === null && mediaId === null) return
      json ??= await deps.exports.openJson(mediaId ?? '')
      await fill(id, json, signal)
    } catch (error) {
      // Stopped by the end of the app or by Trash: restarted when it returns.
      if (signal.aborted || !meetings.get(id)) return
      await deps.fail(id, error, signal)
    } finally {
      await json?.close()
    }
  }

  const track = (id: string, opened: JsonFile | null): Promise<void> => {
    const abort = new AbortController()
    const done = run(id, opened, abort.signal)
      .catch((error: unknown) => deps.log.error('failed to import JSON', { error }))
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
      // Dropped twice: the first drop imports it.
      const known = meetings.byMedia(media.id)
      if (closed || known !== undefined) await json.close()
      if (closed) throw new AppError('CANCELLED', 'Lectern is quitting')
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
      // A meeting in Trash is imported when it is restored.
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
