import type { SavedFile, SavedRole } from '../../shared/model/saved-file.ts'
import type { Failure } from '../../shared/bridge/reply.ts'
import type {
  RemoteItem,
  RemoteItemKind,
  RemoteItemPage,
  RemoteItemVersion,
} from '../../shared/model/remote-item.ts'

/** A row of what is read back; `asked` is what the question names beside the id. */
export interface RemoteItemRecord extends RemoteItem {
  readonly asked: Readonly<Record<string, unknown>>
  /** The user gave the title: a new reading leaves it. */
  readonly named: boolean
  /** Questions in a row that brought no answer. */
  readonly failures: number
  readonly intervalMs: number
}

/** What may change of one. */
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
  /** All that is searched of it. */
  readonly words?: string
}

/** A version with the id of its reply. */
export interface RemoteItemVersionRecord extends RemoteItemVersion {
  readonly replyId: string
}

/** What was read back from the service by its id, with every reading that differed. Removed ones are seen by `restore` and `purge` alone. */
export interface RemoteItemStore {
  create(item: RemoteItemRecord): void
  get(id: string): RemoteItemRecord | undefined
  find(kind: RemoteItemKind, accountId: string, remoteId: string): RemoteItemRecord | undefined
  /** Returns the row after the change; undefined when there is none. */
  update(id: string, patch: RemoteItemPatch, at: number): RemoteItemRecord | undefined
  /** Newest first; `query` is looked for in title, id, model and words. */
  list(query: {
    kind: RemoteItemKind
    query: string
    before: string | null
    limit: number
  }): RemoteItemPage
  unfinished(): readonly RemoteItemRecord[]
  /** Newest first. */
  versions(id: string): readonly RemoteItemVersionRecord[]
  /** Adds a reading as the newest version, and returns its number. */
  addVersion(id: string, version: { replyId: string; status: string | null; at: number }): number
  /** Puts a reading in the place of the newest version; the reply that one had goes. */
  replaceNewest(id: string, version: { replyId: string; status: string | null; at: number }): void
  /** Leaves the first version and the newest ones, `most` in all. Returns media that nothing uses any more. */
  trim(id: string, max: number): readonly string[]
  remove(id: string, at: number): void
  /** Brings a removed one back; undefined when there is none. */
  restore(id: string): RemoteItemRecord | undefined
  /** Deletes for good what was removed before a moment, with versions, replies and rows of files. Returns media that nothing uses any more. */
  purge(before: number): readonly string[]
}

/** A file that a reply names. */
export interface WantedFile {
  readonly role: SavedRole
  readonly place: number
  /** Where it lies; `inline:` and what follows when the reply itself holds it. */
  readonly address: string
  readonly name: string
}

/** One that is to be fetched. */
export interface WaitingFile extends WantedFile {
  readonly ownerId: string
  readonly accountId: string
  readonly attempts: number
  readonly nextTryAt: number | null
}

/** Files that replies name, as rows that outlive a crash (rule 8). */
export interface SavedFileStore {
  /** Wants files for an owner. One that is kept stays; one that is not is tried anew under the address it has now. */
  want(ownerId: string, accountId: string, files: readonly WantedFile[]): void
  of(ownerId: string): readonly SavedFile[]
  /** Says under which addresses the same files are named now, kept ones too. */
  readdress(ownerId: string, files: readonly WantedFile[]): void
  /** Not kept and not given up, whose time has come by `at` (Unix ms), oldest first. */
  waiting(at: number, limit: number): readonly WaitingFile[]
  /** False when nobody wants it any more. */
  put(file: WaitingFile, mediaId: string): boolean
  /** `retryAt` (Unix ms): null gives it up. */
  fail(file: WaitingFile, error: Failure, retryAt: number | null): void
  /** Tries again what is not kept. */
  retry(ownerId: string): void
  /** Forgets the files of an owner. Returns media that nothing uses any more. */
  remove(ownerId: string): readonly string[]
}
