import type Database from 'better-sqlite3'
import type { SearchReply } from '../../../../shared/model/library.ts'
import type { EntrySearchReply } from '../../../../shared/model/library-entry.ts'
import type { MessageQuery } from '../../chats/store/index.ts'
import { searchEntries, type EntrySearchQuery } from './search-entries.ts'
import { findOnBranch, type FindReply } from './search-find.ts'
import { searchMessages, type MessageSearchReply } from './search-messages.ts'
import { runSearch, type SearchQuery } from './search-run.ts'

/** Requests to the search worker. */
export type SearchRequest =
  | ({ readonly in: 'library' } & SearchQuery)
  | ({ readonly in: 'entries' } & EntrySearchQuery)
  | ({ readonly in: 'messages' } & MessageQuery)
  /** All matches on the shown branch of a chat. */
  | { readonly in: 'conversation'; readonly id: string; readonly query: string }

/** Responses to each request. */
export type SearchAnswer = SearchReply | EntrySearchReply | MessageSearchReply | FindReply

/**
 * Returns whether the newer request continues or shortens the query of the older one: its answer is no longer needed. The
 * same query again belongs to another caller, who does need it; an empty query only starts the worker in advance.
 */
export function isTypedOn(newer: SearchRequest, older: SearchRequest): boolean {
  if (newer.in !== older.in || newer.query === older.query) return false
  if (newer.query === '' || older.query === '') return false
  if (newer.in === 'conversation' && older.in === 'conversation' && newer.id !== older.id)
    return false
  return newer.query.startsWith(older.query) || older.query.startsWith(newer.query)
}

/** Handles a request in small steps, so that the worker can switch to a newer one in between. */
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
