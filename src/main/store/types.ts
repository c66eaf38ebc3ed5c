import type { EntrySearchReply } from '../../shared/model/library-entry.ts'
import type { ItemPage } from '../../shared/bridge/library.ts'
import type { StorageNotice } from '../../shared/bridge/app.ts'
import type { Failure } from '../../shared/bridge/reply.ts'
import type { TranscriptionOptions } from '../../shared/bridge/transcriptions.ts'
import type { ActivityCall, ActivityQuery, UsageRow } from '../../shared/model/activity.ts'
import type { Job, JobState } from '../../shared/model/job.ts'
import type {
  ItemKind,
  ItemSummary,
  Media,
  RecordingItem,
  SearchReply,
  Transcript,
} from '../../shared/model/library.ts'
import type { Settings } from '../../shared/model/settings.ts'
import type { BackupLabel } from './backup.ts'
import type { ChatStore } from './chats-types.ts'
import type { DocumentsStore } from './documents-types.ts'
import type { HandoverStore } from './document-pushes.ts'
import type { SpeechStore } from './speech-types.ts'
import type { KnowledgeStore } from './knowledge-types.ts'
import type { SavedFileStore, RemoteItemStore } from './remote-items-types.ts'
import type { EntryStore } from './library-entries.ts'
import type { MeetingStore } from './meetings-types.ts'
import type { RetrievalRunStore, TestSetStore } from './retrieval-types.ts'
import type { RunStore, TaskStore } from './runs-types.ts'
import type { SemanticStore } from './semantic.ts'
import type { SliceStore } from './slices-types.ts'
import type { VectorStore } from './vectors.ts'
import type { VoiceSampleStore } from './voice-samples.ts'
import type { VoiceStore } from './voices.ts'
import type { EmbeddingStore } from './embeddings.ts'
import type { RerankStore } from './rerank-types.ts'
import type { Account } from '../../shared/service/profiles.ts'
import type { EntrySearchQuery } from './search-entries.ts'
import type { SearchQuery } from './search-run.ts'

export type * from './runs-types.ts'

/** A new call for Activity, before the database numbers it. */
export type NewActivityCall = Omit<ActivityCall, 'id'>

/** A job with what only main needs. */
export interface JobRecord extends Job {
  readonly options: TranscriptionOptions
  /** The transcript this run writes to; null until the first words or the end came. */
  readonly transcriptId: string | null
}

/** Fields a job changes while it lives. */
export type JobPatch = Partial<
  Pick<
    JobRecord,
    | 'state'
    | 'progress'
    | 'streamId'
    | 'attempts'
    | 'error'
    | 'nextTryAt'
    | 'transcriptId'
    | 'accountId'
  >
>

/** The settings, one row. */
export interface SettingsStore {
  get(): Settings
  update(patch: Partial<Settings>): Settings
}

/** The accounts, without their keys: those are in the keychain. */
export interface AccountStore {
  list(): readonly Account[]
  get(id: string): Account | undefined
  put(account: Account): void
  remove(id: string): void
  /** Whose is what an account begins at the service: the account's, under the key it has now. `newKey`: it gets another one. */
  holder(id: string): string
  newKey(id: string): void
}

/**
 * Where a kept file came from: the user gave it, or anybody else did (`foreign`: an archive or a reply brought it, whatever names it); the
 * latter may have a name that a program is started by.
 */
export type MediaOrigin = 'imported' | 'received' | 'foreign'

/** What is known of each media file; the bytes lie in the media folder under the same id. */
export interface MediaStore {
  get(id: string): Media | undefined
  /** Writes all but the origin: a new row is `received`, an older one keeps its own. */
  put(media: Media): void
  /** Notes that the user gave this file, under the name of its row. */
  markImported(id: string): void
  /** Notes that others wrote this file, unless the user gave it. */
  markForeign(id: string): void
  /** The name of a file that the user imported; null for all others. */
  importedName(id: string): string | null
  /** The 200 oldest media that no item (bin included) refers to and that are older than `before` (Unix ms). */
  orphans(before: number): readonly Media[]
  /** Forgets media that no item uses, bin included. False when one does; then it stays. */
  remove(id: string): boolean
  /** Whether it is a file that a provider answered with, a reply named or an archive brought, and none of the user's own. */
  isReceived(id: string): boolean
}

/** The items of the library, bin included. Times are Unix milliseconds. */
export interface ItemStore {
  create(item: { id: string; kind: ItemKind; title: string; mediaId?: string; at: number }): void
  /** The newest recording outside the bin with this content. */
  byMedia(mediaId: string): string | undefined
  list(query: {
    kinds?: readonly ItemKind[]
    bin: boolean
    cursor?: string
    limit: number
  }): ItemPage
  summary(id: string): ItemSummary | undefined
  get(id: string): RecordingItem | undefined
  rename(id: string, title: string, at: number): void
  remove(ids: readonly string[], at: number): void
  restore(ids: readonly string[], at: number): void
  /** Deletes for good, with transcripts, jobs, replies and search rows. Returns the media ids that nothing uses any more. */
  purge(ids: readonly string[]): readonly string[]
  /** Items binned before this moment (Unix ms). */
  binnedBefore(at: number): readonly string[]
}

/** The transcripts of items; an item may have several, one per version. */
export interface TranscriptStore {
  /** Inserts or replaces one transcript whole (a growing one is rewritten) and keeps the search index in the same transaction. */
  put(transcript: Transcript): void
  /** Rewrites the text of a growing transcript and nothing else: microseconds, whatever its length. `put` brings the index up to date. */
  grow(id: string, text: string): void
  get(id: string): Transcript | undefined
}

/** The jobs, as rows that outlive a crash (rule 8). */
export interface JobStore {
  create(job: JobRecord): void
  get(id: string): JobRecord | undefined
  /** Returns the job after the change. */
  update(id: string, patch: JobPatch, at: number): JobRecord
  byState(states: readonly JobState[]): readonly JobRecord[]
  byItem(itemId: string): readonly JobRecord[]
  dismiss(id: string): void
}

/** A reply of the service as it was received. */
export interface StoredReply {
  readonly id: string
  readonly operation: string
  readonly status: number
  readonly contentType: string
  readonly body: string
  readonly at: number
}

/** The raw replies of the service, kept as received (rule 6). */
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

/** The record of calls to the service: never bodies, never keys. */
export interface ActivityStore {
  add(call: NewActivityCall): ActivityCall
  list(query: ActivityQuery): { readonly calls: readonly ActivityCall[]; readonly more: boolean }
  /** Calls and tokens since a day (`YYYY-MM-DD`), by day and model, oldest first. Kept for good, unlike the calls. */
  usage(since: string, accountId?: string): readonly UsageRow[]
}

/** Full-text search, answered beside the main thread by a read-only connection. */
export interface SearchIndex {
  search(query: SearchQuery): Promise<SearchReply>
  /** The same over what is kept beside items. */
  entries(query: EntrySearchQuery): Promise<EntrySearchReply>
}

/** The database: everything Lectern ever received. One writer (main); searches run in a worker. */
export interface Store {
  readonly notice: StorageNotice
  /** False when a database from the future, a read-only disk or a failed repair only lets us look. Writes then throw READ_ONLY. */
  readonly writable: boolean
  readonly settings: SettingsStore
  readonly accounts: AccountStore
  readonly media: MediaStore
  readonly items: ItemStore
  /** Everything that is kept, items and the rest, in one order. */
  readonly entries: EntryStore
  readonly meetings: MeetingStore
  readonly documents: DocumentsStore
  readonly handovers: HandoverStore
  /** What services list of knowledge bases, as it was seen last. */
  readonly knowledge: KnowledgeStore
  readonly chats: ChatStore
  readonly speech: SpeechStore
  readonly voices: VoiceStore
  readonly samples: VoiceSampleStore
  readonly vectors: VectorStore
  readonly semantic: SemanticStore
  readonly testSets: TestSetStore
  readonly retrievalRuns: RetrievalRunStore
  readonly slices: SliceStore
  readonly transcripts: TranscriptStore
  readonly jobs: JobStore
  readonly replies: ReplyStore
  readonly tasks: TaskStore
  readonly runs: RunStore
  readonly rerank: RerankStore
  readonly remoteItems: RemoteItemStore
  readonly savedFiles: SavedFileStore
  readonly embeddings: EmbeddingStore
  readonly activity: ActivityStore
  readonly search: SearchIndex
  /** Runs all writes inside as one transaction. */
  transaction<T>(work: () => T): T
  /** Closes the database for `work` and opens what lies there then; see `LibraryFile.exchange`. */
  exchange<T>(work: () => Promise<T>, ready: () => void): Promise<T>
  /** A checked online copy in the backups folder (the two newest stay, those with a label 30 days). Returns its path, or the failure. */
  backup(
    label?: BackupLabel,
  ): Promise<
    { readonly ok: true; readonly path: string } | { readonly ok: false; readonly error: Failure }
  >
  /** Bytes of the database with its WAL, and of the backups. */
  size(): { readonly database: number; readonly backups: number }
  /** Deletes every row of everything the user made or received, and the backups. */
  erase(): void
  /** Checkpoints and closes; safe to call twice. */
  close(): Promise<void>
}
