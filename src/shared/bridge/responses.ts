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

/** Routes of stored Responses (service-notes 13): read by id, kept with every reading that differed, readable with no network. */
export const responses = {
  /** Reads them and keeps them; known ones are read again. */
  fetch: route<readonly RemoteItem[]>()(
    z.strictObject({
      ids: z.array(remoteId).min(1).max(50),
      /** The active account when absent. */
      accountId: z.string().min(1).max(64).optional(),
    }),
  ),
  /** Newest first. */
  list: route<RemoteItemPage>()(remoteItemQuery),
  /** With a reading, the newest unless `version` says otherwise; null as long as nothing came. */
  get: route<{
    readonly remoteItem: RemoteItem
    readonly versions: readonly RemoteItemVersion[]
    readonly version: number | null
    readonly response: StoredResponse | null
    readonly usage: ResponseUsage | null
  }>()(versionOf),
  /** A reading as it was received. */
  raw: route<{ readonly reply: RawBody | null }>()(versionOf),
  /** Asks now, and answers when the answer is stored. */
  refresh: route<RemoteItem>()(onlyRemoteItem),
  rename: route<RemoteItem>()(remoteItemTitle),
  remove: route<Record<string, never>>()(onlyRemoteItem),
  restore: route<RemoteItem>()(onlyRemoteItem),
}
