import { z } from 'zod'
import type { RemoteItem, RemoteItemPage, RemoteItemVersion } from '../model/remote-item.ts'
import type { RawBody } from '../model/raw-body.ts'
import type { ResponseUsage, StoredResponse } from '../model/response.ts'
import { route } from './contract.ts'
import {
  remoteItemQuery,
  remoteItemTitle,
  onlyRemoteItem,
  remoteId,
  versionOf,
} from './remote-items.ts'

/**
 * Routes of stored Responses (service-notes 13): read by ID, saved with every version that differed, readable offline.
 */
export const responses = {
  /** Fetches and saves them; known ones are fetched again. */
  fetch: route<readonly RemoteItem[]>()(
    z.strictObject({
      ids: z.array(remoteId).min(1).max(50),
      /** Defaults to the active account. */
      accountId: z.string().min(1).max(64).optional(),
    }),
  ),
  /** Newest first. */
  list: route<RemoteItemPage>()(remoteItemQuery),
  /** Includes the newest version, or the one given by `version`; null until one was received. */
  get: route<{
    readonly remoteItem: RemoteItem
    readonly versions: readonly RemoteItemVersion[]
    readonly version: number | null
    readonly response: StoredResponse | null
    readonly usage: ResponseUsage | null
  }>()(versionOf),
  raw: route<{ readonly reply: RawBody | null }>()(versionOf),
  /** Fetches it now; resolves when the response is stored. */
  refresh: route<RemoteItem>()(onlyRemoteItem),
  rename: route<RemoteItem>()(remoteItemTitle),
  remove: route<Record<string, never>>()(onlyRemoteItem),
  restore: route<RemoteItem>()(onlyRemoteItem),
}
