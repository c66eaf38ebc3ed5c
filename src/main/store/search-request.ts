import type Database from 'better-sqlite3'
import type { SearchReply } from '../../shared/model/library.ts'
import type { EntrySearchReply } from '../../shared/model/library-entry.ts'
import type { MessageQuery } from './chats-types.ts'
import { searchEntries, type EntrySearchQuery } from './search-entries.ts'
import { findOnBranch, type FindReply } from './search-find.ts'
import { searchMessages, type MessageSearchReply } from './search-messages.ts'
import { runSearch, type SearchQuery } from './search-run.ts'

/** What the search worker can be asked. */
export type SearchRequest =
  | ({ readonly in: 'library' } & SearchQuery)
  | ({ readonly in: 'entries' } & EntrySearchQuery)
  | ({ readonly in: 'messages' } & MessageQuery)
  /** Every place on the shown branch of a conversation. */
  | { readonly in: 'conversation'; readonly id: string; readonly query: string }

/** What each request is answered with. */
export type SearchAnswer = SearchReply | EntrySearchReply | MessageSearchReply | FindReply

/**
 * Whether whoever asked the older one has typed on since, or taken letters back: nobody waits for its answer any more. The same query
 * asked again is of somebody else, who does; one for nothing is asked to begin the worker before it is needed.
 */
export function isTypedOn(newer: SearchRequest, older: SearchRequest): boolean {
  if (newer.in !== older.in || newer.query === older.query) return false
  if (newer.query === '' || older.query === '') return false
  if (newer.in === 'conversation' && older.in === 'conversation' && newer.id !== older.id)
    return false
  return newer.query.startsWith(older.query) || older.query.startsWith(newer.query)
}

/** Answers a request in small steps, so that the worker can turn to a newer one in between. */
export function answerSearch(
  db: Database.Database,
  request: SearchRequest,
): Generator<undefined, SearchAnswer> {
  switch (request.in) {
    case 'library':
      return runSearch(db, request)
    case 'entries':
      return searchEntries(db, request)
    case 'messages':
      return searchMessages(db, request)
    case 'conversation':
      return findOnBranch(db, request.id, request.query)
  }
}
