import type { SavedFile, SavedRole } from '../../../../shared/model/saved-file.ts'
import type { Failure } from '../../../../shared/contract/reply.ts'
import type {
  RemoteItem,
  RemoteItemKind,
  RemoteItemPage,
  RemoteItemVersion,
} from '../../../../shared/model/remote-item.ts'

/** A row of a remote item; `asked` are the request parameters other than the ID. */
export interface RemoteItemRecord extends RemoteItem {
  readonly asked: Readonly<Record<string, unknown>>
  /** Whether the user set the title: a new snapshot does not change it. */
  readonly named: boolean
  /** Number of consecutive requests without a response. */
  readonly failures: number
  readonly intervalMs: number
}

/** Changeable fields of a remote item. */
export type RemoteItemPatch = Partial<
  Pick<
    RemoteItemRecord,
    | 'asked'
    | 'title'
    | 'named'
    | 'model'
    | 'status'
    | 'state'
    | 'attempts'
    | 'failures'
    | 'intervalMs'
    | 'nextPollAt'
    | 'error'
    | 'engine'
    | 'notice'
    | 'fetchedAt'
  >
> & {
  /** Its searchable text. */
  readonly words?: string
}

/** A version with the ID of its response. */
export interface RemoteItemVersionRecord extends RemoteItemVersion {
  readonly replyId: string
}

/**
 * Store of items fetched from the provider by ID, with every differing snapshot. Only `restore` and `purge` see removed ones.
 */
export interface RemoteItemStore {
  create(item: RemoteItemRecord): void
  get(id: string): RemoteItemRecord | undefined
  find(kind: RemoteItemKind, accountId: string, remoteId: string): RemoteItemRecord | undefined
  /** Returns the changed row; undefined when there is none. */
  update(id: string, patch: RemoteItemPatch, at: number): RemoteItemRecord | undefined
  /** Newest first; `query` is searched in title, ID, model and words. */
  list(query: {
    kind: RemoteItemKind
    query: string
    before: string | null
    limit: number
  }): RemoteItemPage
  unfinished(): readonly RemoteItemRecord[]
  /** Newest first. */
  versions(id: string): readonly RemoteItemVersionRecord[]
  /** Adds a snapshot as the newest version and returns its number. */
  addVersion(id: string, version: { replyId: string; status: string | null; at: number }): number
  /** Replaces the newest version with a snapshot and deletes its response. */
  replaceNewest(id: string, version: { replyId: string; status: string | null; at: number }): void
  /** Deletes all but the first and the newest versions, `most` in total. Returns media that are no longer used. */
  trim(id: string, max: number): readonly string[]
  remove(id: string, at: number): void
  /** Restores a removed item; undefined when there is none. */
  restore(id: string): RemoteItemRecord | undefined
  /**
   * Permanently deletes items removed before a time, with versions, responses and file rows. Returns media that are no longer
   * used.
   */
  purge(before: number): readonly string[]
}

/** A file referenced by a response. */
export interface WantedFile {
  readonly role: SavedRole
  readonly place: number
  /** URL of the file; starts with `inline:` when the response itself contains it. */
  readonly address: string
  readonly name: string
}

/** A file to fetch. */
export interface WaitingFile extends WantedFile {
  readonly ownerId: string
  readonly accountId: string
  readonly attempts: number
  readonly nextTryAt: number | null
}

/** Store of files referenced by responses, as rows that survive a crash (rule 8). */
export interface SavedFileStore {
  /** Requests files for an owner. Saved ones stay; others are retried under their current URL. */
  want(ownerId: string, accountId: string, files: readonly WantedFile[]): void
  of(ownerId: string): readonly SavedFile[]
  /** Updates the URLs of the same files, including saved ones. */
  readdress(ownerId: string, files: readonly WantedFile[]): void
  /** Returns files that are neither saved nor given up and are due at `at` (Unix ms), oldest first. */
  waiting(at: number, limit: number): readonly WaitingFile[]
  /** When the next file is due after `after`; null if none waits (both Unix ms). */
  nextTime(after: number): number | null
  /** Returns false when the file is no longer wanted. */
  put(file: WaitingFile, mediaId: string): boolean
  /** `retryAt` (Unix ms): null gives up. */
  fail(file: WaitingFile, error: Failure, retryAt: number | null): void
  /** Retries files that are not saved. */
  retry(ownerId: string): void
  /** Deletes the file rows of an owner. Returns media that are no longer used. */
  remove(ownerId: string): readonly string[]
}

/** Metadata of a fetched item. */
export interface RemoteItemContent {
  /** Start of its content; empty if there is none suitable as a title. */
  readonly title: string
  readonly model: string | null
  readonly status: string | null
  /** Whether the provider is still processing it. */
  readonly goesOn: boolean
  /** Its searchable text. */
  readonly words: string
  readonly files: readonly WantedFile[]
}
