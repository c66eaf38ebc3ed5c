import type { ItemPage } from '../../shared/contract/library.ts'
import type { ActivityCall, ActivityQuery, UsageRow } from '../../shared/model/activity.ts'
import type { ItemKind, ItemSummary, Media } from '../../shared/model/library.ts'
import type { Account } from '../../shared/provider/profiles.ts'

export type * from '../domains/playground/store/runs-types.ts'

/** New Activity entry, before the database assigns its ID. */
export type NewActivityCall = Omit<ActivityCall, 'id'>

/** Accounts without their keys: those are in the keychain. */
export interface AccountStore {
  list(): readonly Account[]
  get(id: string): Account | undefined
  put(account: Account): void
  remove(id: string): void
  /** Owner of provider-side work that an account starts: the account with its current key. `newKey`: it gets another one. */
  holder(id: string): string
  newKey(id: string): void
}

/**
 * Origin of a saved file: imported by the user, or received from others (`foreign`: from an archive or a reply, whatever
 * references it); the latter may have a name that would start a program.
 */
export type MediaOrigin = 'imported' | 'received' | 'foreign'

/** Metadata of each media file; the bytes are in the media folder under the same ID. */
export interface MediaStore {
  get(id: string): Media | undefined
  /** Writes everything except the origin: a new row is `received`, an existing one keeps its own. */
  put(media: Media): void
  /** Marks this file as imported by the user, under the name of its row. */
  markImported(id: string): void
  /** Marks this file as written by others, unless the user imported it. */
  markForeign(id: string): void
  /** Returns the name of a file that the user imported; null for all others. */
  importedName(id: string): string | null
  /** Returns the 200 oldest media that no item (including Trash) references and that are older than `before` (Unix ms). */
  orphans(before: number): readonly Media[]
  /** Deletes the row of media that no item uses, including Trash. Returns false if one does; then it stays. */
  remove(id: string): boolean
  /** Whether the file came from a provider, a reply or an archive, and is not one of the user's own. */
  isReceived(id: string): boolean
}

/** Items of the library, including Trash. Times are Unix milliseconds. */
export interface ItemStore {
  create(item: { id: string; kind: ItemKind; title: string; mediaId?: string; at: number }): void
  list(query: {
    kinds?: readonly ItemKind[]
    bin: boolean
    starred?: true
    /** Null: in no folder. */
    folderId?: string | null
    tag?: string
    starredFirst?: boolean
    cursor?: string
    limit: number
  }): ItemPage
  summary(id: string): ItemSummary | undefined
  rename(id: string, title: string, at: number): void
  remove(ids: readonly string[], at: number): void
  restore(ids: readonly string[], at: number): void
  /** Deletes permanently, with its replies and search rows. Returns the media IDs that are no longer used. */
  purge(ids: readonly string[]): readonly string[]
  /** Returns the items moved to Trash before this time (Unix ms). */
  binnedBefore(at: number): readonly string[]
}

/** Raw reply of the provider. */
export interface StoredReply {
  readonly id: string
  readonly operation: string
  readonly status: number
  readonly contentType: string
  readonly body: string
  readonly at: number
}

/** Raw replies of the provider, saved as received (rule 6). */
export interface ReplyStore {
  add(reply: {
    id: string
    itemId: string | null
    operation: string
    status: number
    contentType: string
    body: string
    at: number
  }): void
  get(id: string): StoredReply | undefined
  byItem(itemId: string): readonly StoredReply[]
  remove(id: string): void
}

/** Log of requests to the provider: never bodies, never keys. */
export interface ActivityStore {
  add(call: NewActivityCall): ActivityCall
  list(query: ActivityQuery): { readonly calls: readonly ActivityCall[]; readonly more: boolean }
  /** Returns calls and tokens since a day (`YYYY-MM-DD`), by day and model, oldest first. Kept permanently, unlike the calls. */
  usage(since: string, accountId?: string): readonly UsageRow[]
}
