import { z } from 'zod'
import type { SavedFile } from '../model/saved-file.ts'
import type { RemoteItem, RemoteItemPage, RemoteItemVersion } from '../model/remote-item.ts'
import type { RawBody } from '../model/raw-body.ts'
import type { SlidesConversation } from '../model/slides.ts'
import { route } from './contract.ts'
import {
  remoteItemQuery,
  remoteItemTitle,
  onlyRemoteItem,
  remoteId,
  versionOf,
} from './remote-items.ts'

/**
 * Variables of a slides agent request in addition to the conversation (service-notes 10); sizes in centimeters.
 */
export const slidesVariables = z.strictObject({
  includePdf: z.boolean().exactOptional(),
  pages: z
    .array(
      z.strictObject({
        position: z.number().int().min(1).max(1000),
        width: z.number().positive().max(1000),
        height: z.number().positive().max(1000),
      }),
    )
    .max(1000)
    .exactOptional(),
})

/** Variables of a request in addition to the conversation. */
export type SlidesVariables = z.infer<typeof slidesVariables>

/**
 * Routes of slides agent conversations (service-notes 10): read by ID, with pages and files stored before their URLs
 * expire.
 */
export const slides = {
  /** Fetches and saves one; a known one is fetched again with these variables. */
  fetch: route<RemoteItem>()(
    z.strictObject({
      conversationId: remoteId,
      variables: slidesVariables.optional(),
      /** Defaults to the active account. */
      accountId: z.string().min(1).max(64).optional(),
    }),
  ),
  /** Newest first. */
  list: route<RemoteItemPage>()(remoteItemQuery),
  /**
   * Includes the newest version, or the one given by `version`, with its files; null until one was received.
   */
  get: route<{
    readonly remoteItem: RemoteItem
    readonly variables: SlidesVariables
    readonly versions: readonly RemoteItemVersion[]
    readonly version: number | null
    readonly conversation: SlidesConversation | null
    readonly files: readonly SavedFile[]
  }>()(versionOf),
  raw: route<{ readonly reply: RawBody | null }>()(versionOf),
  /** Fetches it now; resolves when the response is stored. */
  refresh: route<RemoteItem>()(onlyRemoteItem),
  /** Retries fetching missing files of a version. */
  retry: route<Record<string, never>>()(versionOf),
  /** Returns the stored files as one archive, to be saved. */
  pack: route<{ readonly mediaId: string; readonly name: string }>()(versionOf),
  rename: route<RemoteItem>()(remoteItemTitle),
  remove: route<Record<string, never>>()(onlyRemoteItem),
  restore: route<RemoteItem>()(onlyRemoteItem),
}
