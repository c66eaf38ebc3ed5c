import { AppError } from '../errors.ts'
import type { ChatStore } from './chats-types.ts'
import type { Connection } from './connection.ts'

/**
 * Handles a read-only library of an older schema, which contains no chats: lists are empty, and methods with an ID throw
 * NOT_FOUND. Everything else is passed to `store`.
 */
export function withoutChats(connection: Connection, store: ChatStore): ChatStore {
  // A writable library was migrated to this schema; only others are checked, each time, because the file may be
  // replaced.
  const none = (): boolean =>
    !connection.writable &&
    connection.get(`SELECT 1 FROM sqlite_schema WHERE name = 'conversations'`) === undefined
  const orElse =
    <Args extends unknown[], Result>(read: (...args: Args) => Result, other: Result) =>
    (...args: Args): Result =>
      none() ? other : read(...args)
  const orMissing =
    <Args extends unknown[], Result>(read: (...args: Args) => Result) =>
    (...args: Args): Result => {
      if (none()) throw new AppError('NOT_FOUND', 'Chat not found')
      return read(...args)
    }

  return {
    ...store,
    list: orElse(store.list, { conversations: [], next: null, total: 0 }),
    get: orElse(store.get, undefined),
    message: orElse(store.message, undefined),
    temporary: orElse(store.temporary, []),
    folders: orElse(store.folders, []),
    facets: orElse(store.facets, { whos: [], tags: [] }),
    unfinished: orElse(store.unfinished, []),
    prompts: orElse(store.prompts, []),
    assistants: orElse(store.assistants, { assistants: [], at: null }),
    pushedFrom: orElse(store.pushedFrom, undefined),
    namedDocument: orElse(store.namedDocument, undefined),
    search: (query) =>
      none() ? Promise.resolve({ hits: [], more: false, tookMs: 0 }) : store.search(query),
    find: (id, query) =>
      none() ? Promise.resolve({ places: [], more: false }) : store.find(id, query),
    window: orMissing(store.window),
    more: orMissing(store.more),
    turnsBefore: orMissing(store.turnsBefore),
    attempts: orMissing(store.attempts),
    sessionOf: orMissing(store.sessionOf),
    holderOf: orMissing(store.holderOf),
    sessionGoesOn: orMissing(store.sessionGoesOn),
    events: orMissing(store.events),
    textAt: orMissing(store.textAt),
    parts: orMissing(store.parts),
    branch: orMissing(store.branch),
    all: orMissing(store.all),
  }
}
