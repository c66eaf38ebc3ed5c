import type { ItemLink } from '../links.ts'
import type { ActivityCall } from '../model/activity.ts'
import type { ArchiveJob } from '../model/archive.ts'
import type { ChatMessage, Conversation } from '../model/chat.ts'
import type { ConnectionState } from '../model/connection.ts'
import type { DocumentNews, ParsedPage } from '../model/document.ts'
import type { Job } from '../model/job.ts'
import type { RemoteItem, RemoteItemKind } from '../model/remote-item.ts'
import type { Line, Meeting, Segment } from '../model/meeting.ts'
import type { EmbeddingRun } from '../model/embeddings.ts'
import type { RankingSummary } from '../model/rerank.ts'
import type { RetrievalRow, RetrievalRun } from '../model/retrieval.ts'
import type { EventBatch, RunSummary } from '../model/run.ts'
import type { ChunkRequest } from '../model/slices.ts'
import type { Speech, SpeechSegment } from '../model/speech.ts'
import type { Task } from '../model/task.ts'
import type { UpdateState } from '../model/updates.ts'
import type { SelfTestRun } from '../self-test/checks.ts'
import type { StorageNotice } from './app.ts'
import type { Failure } from './reply.ts'
import type { PageCheckRequest } from './selfTest.ts'

/** Command to the page from a menu, a shortcut or a second launch. */
export type PageCommand =
  | 'palette'
  | 'settings'
  | 'import'
  | 'search'
  | 'toggle-inspector'
  | 'toggle-list'
  | 'shortcuts'
  /** Starts a recording as the last one was made, or stops the running one. */
  | 'record-start'
  | 'record-stop'
  /** The computer woke: what stood still is looked after. */
  | 'record-awake'

/** Event pushed by main to every page. Main is trusted: events are typed, not parsed. */
export type AppEvent =
  | { readonly type: 'job.changed'; readonly job: Job }
  | { readonly type: 'library.changed'; readonly itemIds: readonly string[] }
  /** An archive goes or comes: how far it is, and how it ended. */
  | { readonly type: 'archive.changed'; readonly job: ArchiveJob | null }
  /** Another library lies behind the page now: everything it holds is to be read anew. */
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
  /** A conversation is there or is another one: its title, state, place, branch. Also told when it went to the bin or came back. */
  | { readonly type: 'chat.changed'; readonly conversation: Conversation }
  /** Conversations went for good. */
  | { readonly type: 'chat.removed'; readonly ids: readonly string[] }
  /** A message began, ended, or stands otherwise; words of a running answer come by its stream. */
  | { readonly type: 'chat.message'; readonly message: ChatMessage }
  /** What was added of a document to knowledge bases is another one, or stands otherwise. */
  | { readonly type: 'document.pushes'; readonly id: string }
  /** The voices of an account were listed anew, or what is kept of them is another. */
  | { readonly type: 'voices.changed'; readonly accountId: string }
  /** An own voice is there or is another one: its sample, its words, what was cloned of it. */
  | { readonly type: 'voice.changed'; readonly id: string }
  /** What is kept of an account's knowledge bases is another: of one base, or of the list where `baseId` is null. */
  | {
      readonly type: 'knowledge.changed'
      readonly accountId: string
      readonly baseId: string | null
    }
  | { readonly type: 'speech.changed'; readonly speech: Speech }
  /** Pieces stand otherwise; null: they are others now and are to be read anew. */
  | {
      readonly type: 'speech.segments'
      readonly id: string
      readonly segments: readonly SpeechSegment[] | null
    }
  | { readonly type: 'runs.removed'; readonly ids: readonly string[] }
  /** Embeddings are there or stand otherwise; also told when they went to the bin or came back. */
  | { readonly type: 'embeddings.changed'; readonly run: EmbeddingRun }
  /** A ranking is there or stands otherwise; also told when it went to the bin or came back. */
  | { readonly type: 'rerank.changed'; readonly ranking: RankingSummary }
  /** A look of questions into knowledge bases, with the row that changed, if one did. */
  | {
      readonly type: 'retrieval.changed'
      readonly run: RetrievalRun
      readonly row: RetrievalRow | null
    }
  | { readonly type: 'retrieval.removed'; readonly ids: readonly string[] }
  /** A picture of a document of a knowledge base came, or its list. */
  | {
      readonly type: 'knowledge.images'
      readonly accountId: string
      readonly documentId: string
    }
  /** A test set, its questions, or what was said of passages. */
  | { readonly type: 'retrieval.set'; readonly id: string }
  /** Also when one of its pictures came. */
  | { readonly type: 'slices.changed'; readonly positionRequest: ChunkRequest }
  /** An index of the Library by meaning stands otherwise, or one is gone. */
  | { readonly type: 'semantic.changed' }
  | { readonly type: 'task.changed'; readonly task: Task }
  | { readonly type: 'task.forgotten'; readonly id: string }
  /** What was read back from the service stands otherwise, or is not in the lists any more. */
  | { readonly type: 'remoteItem.changed'; readonly remoteItem: RemoteItem }
  | { readonly type: 'remoteItem.removed'; readonly kind: RemoteItemKind; readonly id: string }
  /** A file that a reply names was kept, or could not be had; `ownerId`: the task, or the id of what was read back with its version. */
  | { readonly type: 'files.changed'; readonly ownerId: string }
  | { readonly type: 'activity.added'; readonly call: ActivityCall }
  | { readonly type: 'connection.changed'; readonly state: ConnectionState }
  | { readonly type: 'storage.changed'; readonly notice: StorageNotice }
  | { readonly type: 'settings.changed' }
  | { readonly type: 'updates.changed'; readonly state: UpdateState }
  /** A check that a page is to run: answered by `selfTest.answer`. */
  | { readonly type: 'self-test.ask'; readonly ask: PageCheckRequest }
  | { readonly type: 'self-test.changed'; readonly run: SelfTestRun }
  | { readonly type: 'accounts.changed' }
  | { readonly type: 'page.command'; readonly command: PageCommand }
  /** To the main window: open an item by its link; null: the link leads nowhere. */
  | { readonly type: 'page.link'; readonly link: ItemLink | null }
  /** To the main window: go on with this conversation. */
  | { readonly type: 'page.open'; readonly conversationId: string }
  /** To the main window: show this recording. */
  | { readonly type: 'page.recording'; readonly id: string }
  /** To the main window: show the archive that was opened, before anything of it is imported. */
  | { readonly type: 'page.archive' }
  /** To the window that began a download by itself (a player's own menu): save this media under this name. */
  | { readonly type: 'page.save'; readonly media: string; readonly name: string }
  /** To the page that saves: how much of a long copy is written, 0 to 1, and the name that the user chose. */
  | {
      readonly type: 'save.progress'
      readonly callId: string
      readonly name: string
      readonly fraction: number
    }

/**
 * Message of a stream. `seq` counts from 0 without gaps within a stream; deltas and events are batched about every 30
 * ms. Exactly one terminal event (`end` or `error`) closes a stream; a canceled stream ends in `error` with CANCELLED.
 */
export type StreamEvent =
  | {
      readonly streamId: string
      readonly seq: number
      readonly type: 'delta'
      readonly text: string
    }
  | {
      readonly streamId: string
      readonly seq: number
      readonly type: 'events'
      readonly batch: EventBatch
    }
  | { readonly streamId: string; readonly seq: number; readonly type: 'end'; readonly text: string }
  | {
      readonly streamId: string
      readonly seq: number
      readonly type: 'error'
      readonly error: Failure
    }

/** Result of re-attaching to a stream: the text so far, and the `seq` of the next event. */
export interface StreamSnapshot {
  readonly streamId: string
  readonly text: string
  readonly nextSeq: number
  /** Number of events so far, if the stream has any: earlier ones are read with `runs.events`. */
  readonly nextEvent?: number
  /** Set when the stream is finished. */
  readonly outcome?: { readonly type: 'end' } | { readonly type: 'error'; readonly error: Failure }
}
