import type { ConversationBrief } from './chat.ts'
import type { DocumentBrief } from './document.ts'
import type { Job } from './job.ts'
import type { MeetingBrief } from './meeting.ts'
import type { SpeechBrief } from './speech.ts'

/** Kinds of things kept in the Library; more come with later domains. */
export type ItemKind =
  | 'recording'
  | 'meeting'
  | 'document'
  | 'conversation'
  | 'retrieval'
  | 'voice'
  | 'speech'

/** A file kept by content hash. Reached by the page as `/media/<id>`, never by a path. */
export interface Media {
  /** Opaque: 26 characters of base32, from the content's SHA-256. */
  readonly id: string
  /** Lower-case hex SHA-256 of the content. */
  readonly sha256: string
  readonly bytes: number
  /** Told from the content, never from the name. */
  readonly mime: string
  /** The name the file had when it was dropped. */
  readonly name: string
  /** Seconds, for sound. */
  readonly duration: number | null
  /** Unix milliseconds. */
  readonly createdAt: number
}

/** A row of the list. */
export interface ItemSummary {
  readonly id: string
  readonly kind: ItemKind
  readonly title: string
  /** First words of the text. */
  readonly excerpt: string
  readonly duration: number | null
  readonly job: Job | null
  /** Set for meetings. */
  readonly meeting: MeetingBrief | null
  /** Set for documents. */
  readonly document: DocumentBrief | null
  /** Set for conversations. */
  readonly conversation: ConversationBrief | null
  /** Set for texts that were spoken. */
  readonly speech: SpeechBrief | null
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly updatedAt: number
  readonly deletedAt: number | null
}

/** One transcript of a recording; a re-run makes a new version, older ones stay. */
export interface Transcript {
  readonly id: string
  readonly itemId: string
  readonly text: string
  /** `partial`: a cut stream or a stop left it unfinished; `no-speech`: the service heard no words. */
  readonly state: 'partial' | 'complete' | 'no-speech'
  /** Which engine heard it, in its own words (the model id of the reply). */
  readonly model: string
  readonly accountId: string
  readonly accountName: string
  readonly requestId: string | null
  /** What the service or engine said beside the text, for example that the language is not its own. */
  readonly notice: string | null
  readonly createdAt: number
}

/** A whole recording item. */
export interface RecordingItem extends ItemSummary {
  readonly media: Media
  /** Newest first. */
  readonly transcripts: readonly Transcript[]
}

/** Where a hit was found. Offsets are UTF-16 units in `snippet`. */
export interface SearchHit {
  readonly itemId: string
  readonly kind: ItemKind
  readonly title: string
  /** Where the words stand; `partId` is the id of the transcript, of the line in a meeting, of the block in a document, of the message in a conversation, of the piece in a speech, of the question in a test set. */
  readonly field: 'title' | 'transcript' | 'block' | 'message' | 'piece' | 'question'
  readonly partId: string | null
  /** Of the document, from 1; absent for a title and for other kinds. */
  readonly page?: number
  readonly snippet: string
  readonly ranges: readonly (readonly [start: number, end: number])[]
  /** UTF-16 offset of the first match in the whole text, for opening at the hit. */
  readonly offset: number
  /** Of the item; of the message, where one was found. */
  readonly createdAt: number
}

/** Newest first, at most `limit`; `more` says whether others exist. */
export interface SearchReply {
  readonly hits: readonly SearchHit[]
  readonly more: boolean
  /** Milliseconds the query took, shown in the palette's foot. */
  readonly tookMs: number
}
