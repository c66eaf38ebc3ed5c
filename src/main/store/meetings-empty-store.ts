import { AppError } from '../errors.ts'
import type { Connection } from './connection.ts'
import type { MeetingStore } from './meetings-types.ts'

/**
 * Wraps the store for a read-only library with an older schema, which has no meetings: lists are empty, and IDs throw
 * NOT_FOUND. Everything else goes to `store`.
 */
export function withoutMeetings(connection: Connection, store: MeetingStore): MeetingStore {
  // A writable library has been migrated to this schema. Others are checked each time, since the file may be exchanged.
  const none = (): boolean =>
    !connection.writable &&
    connection.get(`SELECT 1 FROM sqlite_schema WHERE name = 'meetings'`) === undefined
  const orEmpty =
    <Args extends unknown[], Row>(read: (...args: Args) => readonly Row[]) =>
    (...args: Args): readonly Row[] =>
      none() ? [] : read(...args)
  const orUndefined =
    <Args extends unknown[], Row>(read: (...args: Args) => Row | undefined) =>
    (...args: Args): Row | undefined =>
      none() ? undefined : read(...args)
  const orMissing =
    <Args extends unknown[], Result>(read: (...args: Args) => Result) =>
    (...args: Args): Result => {
      if (none()) throw new AppError('NOT_FOUND', 'Meeting not found')
      return read(...args)
    }

  return {
    ...store,
    get: orUndefined(store.get),
    segment: orUndefined(store.segment),
    version: orUndefined(store.version),
    byMedia: orUndefined(store.byMedia),
    inState: orEmpty(store.inState),
    unlooked: orEmpty(store.unlooked),
    withWork: orEmpty(store.withWork),
    templates: orEmpty(store.templates),
    runningSummaries: orEmpty(store.runningSummaries),
    analysed: orMissing(store.analysed),
    segments: orMissing(store.segments),
    work: orMissing(store.work),
    before: orMissing(store.before),
    versions: orMissing(store.versions),
    lines: orMissing(store.lines),
    find: orMissing(store.find),
    corrections: orMissing(store.corrections),
    undo: orMissing(store.undo),
    redo: orMissing(store.redo),
    addBookmark: orMissing(store.addBookmark),
    putSummary: orMissing(store.putSummary),
  }
}
