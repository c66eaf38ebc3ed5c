import type { AnswerPart } from '../../../../shared/chats/shown-answer.ts'
import type { MessageState } from '../../../../shared/model/chat.ts'
import type {
  BlockKind,
  BoxRegime,
  PageState,
  VersionState,
} from '../../../../shared/model/document.ts'
import type { EmbeddingSet, EmbeddingState } from '../../../../shared/model/embeddings.ts'
import type { PushState } from '../../../../shared/model/document-transfer.ts'
import type { JobKind, JobState } from '../../../../shared/model/job.ts'
import type { SavedRole } from '../../../../shared/model/saved-file.ts'
import type * as knowledge from '../../../../shared/model/knowledge.ts'
import type { ItemKind, Transcript } from '../../../../shared/model/library.ts'
import type { RemoteItemKind, RemoteItemState } from '../../../../shared/model/remote-item.ts'
import type * as meeting from '../../../../shared/model/meeting.ts'
import type { RankingState } from '../../../../shared/model/rerank.ts'
import type { RetrievalRowState, RetrievalRunState } from '../../../../shared/model/retrieval.ts'
import type { RunState } from '../../../../shared/model/run.ts'
import type { CloneState } from '../../../../shared/model/sample.ts'
import type { ChunkRequestState, SliceImage } from '../../../../shared/model/slices.ts'
import type { SegmentState } from '../../../../shared/model/speech.ts'
import type { TaskKind, TaskState } from '../../../../shared/model/task.ts'
import type { PartState } from '../../documents/store/index.ts'
import type { MediaOrigin } from '../../../library-database/types.ts'

/** Returns all values of a union type; the compiler requires each of them and no others. */
const words = <T extends string>(all: Readonly<Record<T, 1>>): readonly string[] => Object.keys(all)

/** Columns with a fixed set of values; no version writes any other. */
export const wordsOf: Readonly<Record<string, readonly string[]>> = {
  'items.kind': [
    ...words<ItemKind>({
      recording: 1,
      meeting: 1,
      document: 1,
      conversation: 1,
      retrieval: 1,
      voice: 1,
      speech: 1,
    }),
    'temporary',
  ],
  'media.origin': words<MediaOrigin>({ imported: 1, received: 1, foreign: 1 }),
  'transcripts.state': words<Transcript['state']>({ complete: 1, partial: 1, 'no-speech': 1 }),
  'jobs.kind': words<JobKind>({ transcription: 1 }),
  'jobs.state': words<JobState>({
    done: 1,
    failed: 1,
    cancelled: 1,
    queued: 1,
    running: 1,
    waiting: 1,
  }),
  'meetings.source': words<meeting.MeetingBrief['source']>({ recording: 1, import: 1 }),
  'meetings.state': words<meeting.MeetingState>({
    stopped: 1,
    recording: 1,
    paused: 1,
    interrupted: 1,
    importing: 1,
    'import-failed': 1,
  }),
  'meeting_segments.state': words<meeting.SegmentState>({
    done: 1,
    pending: 1,
    inflight: 1,
    silent: 1,
    failed: 1,
    flagged: 1,
  }),
  'meeting_readings.state': words<meeting.SegmentVersion['state']>({
    current: 1,
    proposed: 1,
    declined: 1,
    older: 1,
  }),
  'meeting_gaps.reason': words<meeting.Gap['reason']>({
    device: 1,
    suspended: 1,
    overload: 1,
    lost: 1,
    muted: 1,
  }),
  'meeting_summaries.state': words<meeting.MeetingSummaryText['state']>({
    done: 1,
    running: 1,
    failed: 1,
  }),
  'document_versions.state': words<VersionState>({
    done: 1,
    waiting: 1,
    running: 1,
    partial: 1,
    failed: 1,
    cancelled: 1,
  }),
  'document_parts.state': words<PartState>({
    done: 1,
    queued: 1,
    sent: 1,
    split: 1,
    failed: 1,
    cancelled: 1,
  }),
  'document_pages.state': words<PageState>({
    returned: 1,
    waiting: 1,
    sent: 1,
    failed: 1,
    cancelled: 1,
  }),
  'document_pages.regime': words<BoxRegime>({ fractions: 1, pixels: 1, thousandths: 1, none: 1 }),
  'document_blocks.kind': words<BlockKind>({
    text: 1,
    title: 1,
    table: 1,
    formula: 1,
    figure: 1,
    other: 1,
  }),
  'document_pushes.state': words<PushState>({
    done: 1,
    sending: 1,
    working: 1,
    refused: 1,
    failed: 1,
  }),
  'messages.role': ['user', 'assistant'],
  'messages.state': words<MessageState>({
    done: 1,
    queued: 1,
    waiting: 1,
    running: 1,
    stopped: 1,
    failed: 1,
    broken: 1,
  }),
  'message_bodies.role': ['user', 'assistant'],
  'message_parts.kind': words<AnswerPart['kind']>({ text: 1, steps: 1 }),
  'voice_clones.state': words<CloneState>({
    done: 1,
    waiting: 1,
    uploading: 1,
    cloning: 1,
    asking: 1,
    failed: 1,
    unknown: 1,
  }),
  'voice_clones.preview_kind': ['service', 'spoken'],
  'voices.preview_kind': ['service', 'spoken'],
  'speech_pieces.state': words<SegmentState>({
    done: 1,
    idle: 1,
    queued: 1,
    speaking: 1,
    checking: 1,
    failed: 1,
    stale: 1,
    silent: 1,
  }),
  'retrieval_runs.state': words<RetrievalRunState>({ done: 1, running: 1, stopped: 1 }),
  'retrieval_rows.state': words<RetrievalRowState>({
    done: 1,
    queued: 1,
    running: 1,
    waiting: 1,
    failed: 1,
    stopped: 1,
  }),
  'runs.state': words<RunState>({ done: 1, running: 1, failed: 1, cancelled: 1, broken: 1 }),
  'tasks.kind': words<TaskKind>({ chat: 1, video: 1, image: 1 }),
  'tasks.state': words<TaskState>({
    succeeded: 1,
    processing: 1,
    waiting: 1,
    refused: 1,
    failed: 1,
  }),
  'lookups.kind': words<RemoteItemKind>({ response: 1, slides: 1 }),
  'lookups.state': words<RemoteItemState>({
    over: 1,
    asking: 1,
    watching: 1,
    waiting: 1,
    refused: 1,
  }),
  'kept_files.role': words<SavedRole>({ file: 1, video: 1, cover: 1, image: 1, audio: 1, page: 1 }),
  'slice_lookups.state': words<ChunkRequestState>({ done: 1, asking: 1, failed: 1 }),
  'slice_pictures.state': words<SliceImage['state']>({ kept: 1, waiting: 1, failed: 1 }),
  'knowledge_pictures.state': words<SliceImage['state']>({ kept: 1, waiting: 1, failed: 1 }),
  'rankings.state': words<RankingState>({
    done: 1,
    running: 1,
    failed: 1,
    cancelled: 1,
    broken: 1,
  }),
  'embedding_runs.state': words<EmbeddingState>({
    done: 1,
    running: 1,
    waiting: 1,
    failed: 1,
    cancelled: 1,
  }),
  'embedding_sets.state': words<EmbeddingSet['state']>({
    done: 1,
    waiting: 1,
    running: 1,
    partial: 1,
  }),
  'knowledge_bases.gone_why': words<knowledge.GoneReason>({ deleted: 1, unlisted: 1 }),
  'knowledge_documents.gone_why': words<knowledge.GoneReason>({ deleted: 1, unlisted: 1 }),
  'knowledge_documents.state': words<knowledge.EmbeddingState>({
    done: 1,
    running: 1,
    failed: 1,
    unknown: 1,
  }),
  'knowledge_uploads.kind': words<knowledge.KnowledgeUpload['kind']>({ file: 1, url: 1 }),
  'knowledge_uploads.state': words<knowledge.UploadState>({
    taken: 1,
    queued: 1,
    sending: 1,
    waiting: 1,
    refused: 1,
    failed: 1,
  }),
}
