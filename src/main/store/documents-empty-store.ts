import { AppError } from '../errors.ts'
import type { Connection } from './connection.ts'
import type { DocumentsStore } from './documents-types.ts'

/**
 * Handles a read-only library of an older schema, which contains no documents: lists are empty, and methods with an ID
 * throw NOT_FOUND. Everything else is passed to `store`.
 */
export function withoutDocuments(connection: Connection, store: DocumentsStore): DocumentsStore {
  // A writable library was migrated to this schema; only others are checked, each time, because the file may be
  // replaced.
  const none = (): boolean =>
    !connection.writable &&
    connection.get(`SELECT 1 FROM sqlite_schema WHERE name = 'documents'`) === undefined
  const orElse =
    <Args extends unknown[], Result>(read: (...args: Args) => Result, other: Result) =>
    (...args: Args): Result =>
      none() ? other : read(...args)
  const orMissing =
    <Args extends unknown[], Result>(read: (...args: Args) => Result) =>
    (...args: Args): Result => {
      if (none()) throw new AppError('NOT_FOUND', 'Document not found')
      return read(...args)
    }

  return {
    ...store,
    get: orElse(store.get, undefined),
    head: orElse(store.head, undefined),
    facts: orElse(store.facts, null),
    byMedia: orElse(store.byMedia, undefined),
    version: orElse(store.version, undefined),
    part: orElse(store.part, undefined),
    block: orElse(store.block, undefined),
    next: orElse(store.next, undefined),
    nextTime: orElse(store.nextTime, null),
    unfinished: orElse(store.unfinished, []),
    known: orElse(store.known, []),
    remoteWaiting: orElse(store.remoteWaiting, []),
    versions: orMissing(store.versions),
    unplanned: orMissing(store.unplanned),
    parts: orMissing(store.parts),
    pages: orMissing(store.pages),
    coverage: orMissing(store.coverage),
    blocks: orMissing(store.blocks),
    find: orMissing(store.find),
    returned: orMissing(store.returned),
    rawReply: orMissing(store.rawReply),
    place: orMissing(store.place),
    pageImages: orMissing(store.pageImages),
    remoteImages: orMissing(store.remoteImages),
    setPlace: orMissing(store.setPlace),
    failRemote: orMissing(store.failRemote),
    restRemote: orMissing(store.restRemote),
    putRemote: orMissing(store.putRemote),
  }
}
