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

/** What the slides agent is asked for beside the conversation (service-notes 10); sizes in centimetres. */
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

/** What was asked for beside the conversation. */
export type SlidesVariables = z.infer<typeof slidesVariables>

/** Routes of conversations with the slides agent (service-notes 10): read by id, their pages and files kept before the addresses expire. */
export const slides = {
  /** Reads one and keeps it; a known one is read again, with these variables. */
  fetch: route<RemoteItem>()(
    z.strictObject({
      conversationId: remoteId,
      variables: slidesVariables.optional(),
      /** The active account when absent. */
      accountId: z.string().min(1).max(64).optional(),
    }),
  ),
  /** Newest first. */
  list: route<RemoteItemPage>()(remoteItemQuery),
  /** With a reading, the newest unless `version` says otherwise, and its files; null as long as nothing came. */
  get: route<{
    readonly remoteItem: RemoteItem
    readonly variables: SlidesVariables
    readonly versions: readonly RemoteItemVersion[]
    readonly version: number | null
    readonly conversation: SlidesConversation | null
    readonly files: readonly SavedFile[]
  }>()(versionOf),
  /** A reading as it was received. */
  raw: route<{ readonly reply: RawBody | null }>()(versionOf),
  /** Asks now, and answers when the answer is stored. */
  refresh: route<RemoteItem>()(onlyRemoteItem),
  /** Tries again to fetch what is missing of a reading. */
  retry: route<Record<string, never>>()(versionOf),
  /** What is kept of its files as one archive, to be saved. */
  pack: route<{ readonly mediaId: string; readonly name: string }>()(versionOf),
  rename: route<RemoteItem>()(remoteItemTitle),
  remove: route<Record<string, never>>()(onlyRemoteItem),
  restore: route<RemoteItem>()(onlyRemoteItem),
}
