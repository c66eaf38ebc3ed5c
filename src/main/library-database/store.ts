import type { StorageNotice } from '../../shared/contract/app.ts'
import type { Failure } from '../../shared/contract/reply.ts'
import type { BackupLabel } from './backup.ts'
import type { ChatStore } from '../domains/chats/store/chats-types.ts'
import type { DocumentsStore } from '../domains/documents/store/documents-types.ts'
import type { HighlightStore } from '../domains/documents/store/highlights-store.ts'
import type { HandoverStore } from '../domains/documents/store/document-pushes.ts'
import type { SpeechStore } from '../domains/voices/store/speech-types.ts'
import type { KnowledgeStore } from '../domains/knowledge/store/knowledge-store.ts'
import type {
  SavedFileStore,
  RemoteItemStore,
} from '../domains/playground/store/remote-items-types.ts'
import type { FileJobStore } from '../domains/library/store/file-jobs-store.ts'
import type { EntryStore } from '../domains/library/store/library-entries.ts'
import type { MeetingStore } from '../domains/audio/store/meetings-types.ts'
import type { RetrievalRunStore, TestSetStore } from '../domains/knowledge/store/retrieval-types.ts'
import type { RunStore, TaskStore } from '../domains/playground/store/runs-types.ts'
import type { SemanticStore } from '../domains/library/store/semantic-store.ts'
import type { SliceStore } from '../domains/knowledge/store/slices-types.ts'
import type { VectorStore } from '../domains/knowledge/store/vectors.ts'
import type { VoiceSampleStore } from '../domains/voices/store/voice-samples.ts'
import type { VoiceStore } from '../domains/voices/store/voices-store.ts'
import type { EmbeddingStore } from '../domains/knowledge/store/embeddings-store.ts'
import type { RerankStore } from '../domains/knowledge/store/rerank-store-types.ts'
import type { AccountStore, MediaStore, ItemStore, ReplyStore, ActivityStore } from './types.ts'
import type { EntrySearchReply } from '../../shared/model/library-entry.ts'
import type { SearchReply } from '../../shared/model/library.ts'
import type { EntrySearchQuery } from '../domains/library/store/search-entries.ts'
import type { SearchQuery } from '../domains/library/store/search-run.ts'
import type { SettingsStore } from '../domains/settings/store/settings-store.ts'

/** Database: everything Lectern ever received. One writer (main); searches run in a worker. */
export interface Store {
  readonly notice: StorageNotice
  /**
   * False if a database of a newer version, a read-only disk or a failed repair allows only reading. Writes then throw READ_ONLY.
   */
  readonly writable: boolean
  readonly settings: SettingsStore
  readonly accounts: AccountStore
  readonly media: MediaStore
  readonly items: ItemStore
  /** All saved entries, items and others, in one order. */
  readonly entries: EntryStore
  readonly meetings: MeetingStore
  readonly documents: DocumentsStore
  readonly highlights: HighlightStore
  readonly handovers: HandoverStore
  /** Knowledge bases listed by providers, as of the last fetch. */
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
  readonly replies: ReplyStore
  readonly tasks: TaskStore
  readonly runs: RunStore
  readonly rerank: RerankStore
  readonly remoteItems: RemoteItemStore
  readonly savedFiles: SavedFileStore
  readonly fileJobs: FileJobStore
  readonly embeddings: EmbeddingStore
  readonly activity: ActivityStore
  readonly search: SearchIndex
  /** Runs all writes inside as one transaction. */
  transaction<T>(work: () => T): T
  /** Closes the database for `work` and opens the one that is there afterward; see `LibraryFile.exchange`. */
  exchange<T>(work: () => Promise<T>, ready: () => void): Promise<T>
  /**
   * Creates a checked online copy in the backups folder (the two newest stay, labeled ones 30 days). Returns its path or the
   * failure.
   */
  backup(
    label?: BackupLabel,
  ): Promise<
    { readonly ok: true; readonly path: string } | { readonly ok: false; readonly error: Failure }
  >
  /** Returns the bytes of the database with its WAL, and of the backups. */
  size(): { readonly database: number; readonly backups: number }
  /** Deletes all rows of everything the user created or received, and the backups. */
  erase(): void
  /** Checkpoints and closes; safe to call twice. */
  close(): Promise<void>
}

/** Full-text search on a worker thread with a read-only connection. */
export interface SearchIndex {
  search(query: SearchQuery): Promise<SearchReply>
  /** Searches saved entries other than items. */
  entries(query: EntrySearchQuery): Promise<EntrySearchReply>
}
