import type { ItemLink } from '../links.ts'
import type { ActivityCall } from '../model/activity.ts'
import type { ArchiveJob } from '../model/archive.ts'
import type { ChatMessage, Conversation } from '../model/chat.ts'
import type { ConnectionState } from '../model/connection.ts'
import type { DocumentNews, ParsedPage } from '../model/document.ts'
import type { RemoteItem, RemoteItemKind } from '../model/remote-item.ts'
import type { Line, Meeting, Segment } from '../model/meeting.ts'
import type { EmbeddingRun } from '../model/embeddings.ts'
import type { RankingSummary } from '../model/rerank.ts'
import type { RetrievalRow, RetrievalRun } from '../model/retrieval.ts'
import type { EventBatch, RunSummary } from '../model/run.ts'
import type { ChunkRequest } from '../model/slices.ts'
import type { SemanticIndex } from '../model/semantic.ts'
import type { Speech, SpeechSegment } from '../model/speech.ts'
import type { Task } from '../model/task.ts'
import type { UpdateState } from '../model/updates.ts'
import type { SelfTestRun } from '../self-test/checks.ts'
import type { StorageNotice } from './app.ts'
import type { Failure } from './reply.ts'
import type { PageCheckRequest } from './selfTest.ts'
import type { Settings } from './settings.ts'

/** Command to the page from a menu, a shortcut or a second launch. */
export type PageCommand =
  | 'palette'
  | 'settings'
  | 'import'
  | 'search'
  | 'toggle-inspector'
  | 'toggle-list'
  | 'shortcuts'
  /** Starts a recording with the settings of the last one, or stops the current one. */
  | 'record-start'
  | 'record-stop'
  /** The computer resumed from sleep: interrupted sending is retried. */
  | 'record-awake'

/** Event pushed by main to every page. Main is trusted: events are typed, not parsed. */
export type AppEvent =
  | { readonly type: 'library.changed'; readonly itemIds: readonly string[] }
  /** Stars, folders or tags changed, or which items have them: lists load their filters again. */
  | { readonly type: 'library.organized' }
  /** An export started or ended. */
  | { readonly type: 'work.changed' }
  /** Progress or result of an archive export or import. */
  | { readonly type: 'archive.changed'; readonly job: ArchiveJob | null }
  /** The page now shows another library: everything must be reloaded. */
  | { readonly type: 'library.exchanged' }
  | { readonly type: 'meeting.changed'; readonly meeting: Meeting }
  | {
      readonly type: 'meeting.lines'
      readonly id: string
      readonly lines: readonly Line[]
      readonly removed: readonly string[]
      readonly segments: readonly Segment[]
    }
  | {
      /** Text of an answer in progress; empty when it is finished. */
      readonly type: 'meeting.partial'
      readonly id: string
      readonly segmentId: string
      readonly text: string
    }
  | {
      /** Text of the speech of a channel that has not ended, transcribed on this computer; empty for none. */
      readonly type: 'meeting.preview'
      readonly id: string
      readonly channel: number
      readonly startMs: number
      readonly text: string
    }
  | {
      /** About once a second during recording: what main has written, and the audio level. */
      readonly type: 'meeting.recording'
      readonly id: string
      readonly writtenMs: number
      readonly levels: readonly {
        readonly peak: number
        readonly rms: number
        readonly zero: boolean
      }[]
      readonly freeBytes: number | null
    }
  | { readonly type: 'document.changed'; readonly document: DocumentNews }
  | {
      /** Pages of a version whose state changed. */
      readonly type: 'document.pages'
      readonly id: string
      readonly versionId: string
      readonly pages: readonly ParsedPage[]
    }
  | { readonly type: 'run.changed'; readonly run: RunSummary }
  /** A chat was created or changed: title, state, position, branch. Also sent when it is moved to Trash or restored. */
  | { readonly type: 'chat.changed'; readonly conversation: Conversation }
  /** Chats were deleted permanently. */
  | { readonly type: 'chat.removed'; readonly ids: readonly string[] }
  /** A message started, ended or changed its state; the text of a running answer is received through its stream. */
  | { readonly type: 'chat.message'; readonly message: ChatMessage }
  /** The pushes of a document to knowledge bases changed. */
  | { readonly type: 'document.pushes'; readonly id: string }
  /** Highlights of a document were added, changed, removed or restored. */
  | { readonly type: 'document.highlights'; readonly id: string }
  /** The voices of an account were listed again, or their saved data changed. */
  | { readonly type: 'voices.changed'; readonly accountId: string }
  /** A cloned voice was created or changed: its sample, text or clones. */
  | { readonly type: 'voice.changed'; readonly id: string }
  /** Saved data of an account's knowledge bases changed: of one, or of the list if `baseId` is null. */
  | {
      readonly type: 'knowledge.changed'
      readonly accountId: string
      readonly baseId: string | null
    }
  | { readonly type: 'speech.changed'; readonly speech: Speech }
  /** Segments changed; null: they were replaced and must be reloaded. */
  | {
      readonly type: 'speech.segments'
      readonly id: string
      readonly segments: readonly SpeechSegment[] | null
    }
  | { readonly type: 'runs.removed'; readonly ids: readonly string[] }
  /** Embeddings were created or changed; also sent when they are moved to Trash or restored. */
  | { readonly type: 'embeddings.changed'; readonly run: EmbeddingRun }
  /** A reranking was created or changed; also sent when it is moved to Trash or restored. */
  | { readonly type: 'rerank.changed'; readonly ranking: RankingSummary }
  /** A retrieval run, with the row that changed, if any. */
  | {
      readonly type: 'retrieval.changed'
      readonly run: RetrievalRun
      readonly row: RetrievalRow | null
    }
  | { readonly type: 'retrieval.removed'; readonly ids: readonly string[] }
  /** An image of a knowledge base document, or the list of its images, was received. */
  | {
      readonly type: 'knowledge.images'
      readonly accountId: string
      readonly documentId: string
    }
  /** A test set, its questions, or ratings of passages changed. */
  | { readonly type: 'retrieval.set'; readonly id: string }
  /** Also sent when one of the images was received. */
  | { readonly type: 'slices.changed'; readonly positionRequest: ChunkRequest }
  /** A semantic index of the Library changed or was removed; `isAutomatic`: the one that no user started. */
  | { readonly type: 'semantic.changed'; readonly isAutomatic: boolean }
  /** Progress of the automatic index, sometimes: its other numbers are the same as before. */
  | ({ readonly type: 'semantic.progress' } & Pick<
      SemanticIndex,
      'id' | 'done' | 'waiting' | 'failed' | 'chunks'
    >)
  | { readonly type: 'task.changed'; readonly task: Task }
  | { readonly type: 'task.forgotten'; readonly id: string }
  /** A remote item changed, or was removed from the lists. */
  | { readonly type: 'remoteItem.changed'; readonly remoteItem: RemoteItem }
  | { readonly type: 'remoteItem.removed'; readonly kind: RemoteItemKind; readonly id: string }
  /** A file that a response refers to was saved, or could not be fetched; `ownerId`: task, or remote item ID with version. */
  | { readonly type: 'files.changed'; readonly ownerId: string }
  | { readonly type: 'activity.added'; readonly call: ActivityCall }
  | { readonly type: 'connection.changed'; readonly state: ConnectionState }
  | { readonly type: 'storage.changed'; readonly notice: StorageNotice }
  /** Settings after a change; null when the page may have missed changes and has to load them. */
  | { readonly type: 'settings.changed'; readonly settings: Settings | null }
  | { readonly type: 'updates.changed'; readonly state: UpdateState }
  /** Check to run in a page; answered by `selfTest.answer`. */
  | { readonly type: 'self-test.ask'; readonly ask: PageCheckRequest }
  | { readonly type: 'self-test.changed'; readonly run: SelfTestRun }
  | { readonly type: 'accounts.changed' }
  | { readonly type: 'page.command'; readonly command: PageCommand }
  /** To the main window: open an item by its link; null: the link has no target. */
  | { readonly type: 'page.link'; readonly link: ItemLink | null }
  /** To the main window: continue this chat. */
  | { readonly type: 'page.open'; readonly conversationId: string }
  /** To the main window: show this recording. */
  | { readonly type: 'page.recording'; readonly id: string }
  /** To the main window: show the opened archive before anything is imported. */
  | { readonly type: 'page.archive' }
  /** To the window that started a download itself (menu of a media player): save this media under this name. */
  | { readonly type: 'page.save'; readonly media: string; readonly name: string }
  /** To the page that is saving: written fraction of a long copy, 0 to 1, and the name chosen by the user. */
  | {
      readonly type: 'save.progress'
      readonly callId: string
      readonly name: string
      readonly fraction: number
    }

/**
 * Message of a stream. `seq` counts from 0 without gaps within a stream. Exactly one terminal event (`end` or `error`)
 * closes a stream; a canceled stream ends in `error` with CANCELLED.
 */
export type StreamEvent =
  | {
      readonly streamId: string
      readonly seq: number
      readonly type: 'events'
      readonly batch: EventBatch
    }
  | { readonly streamId: string; readonly seq: number; readonly type: 'end' }
  | {
      readonly streamId: string
      readonly seq: number
      readonly type: 'error'
      readonly error: Failure
    }

/** Result of re-attaching to a stream: its position, and the `seq` of the next message. */
export interface StreamSnapshot {
  readonly streamId: string
  readonly nextSeq: number
  /** Number of events so far, if the stream has any: earlier ones are read with `runs.events`. */
  readonly nextEvent?: number
  /** Set when the stream is finished. */
  readonly outcome?: { readonly type: 'end' } | { readonly type: 'error'; readonly error: Failure }
}
