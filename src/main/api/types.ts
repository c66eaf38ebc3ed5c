import type { Limits } from '../../shared/service/limits.ts'
import type { Profile } from '../../shared/service/profiles.ts'
import type { NewActivityCall } from '../store/types.ts'
import type { Clock, Ids } from '../deps.ts'
import type { AgentChatApi } from './agent-chat.ts'
import type { AssistantsApi } from './assistants.ts'
import type { DocumentsApi } from './documents.ts'
import type { EmbeddingsApi } from './embeddings.ts'
import type { FilesApi } from './files.ts'
import type { KnowledgeApi } from './knowledge.ts'
import type { LayoutApi } from './layout.ts'
import type { RerankApi } from './rerank.ts'
import type { ResponsesApi } from './responses.ts'
import type { SlicesApi } from './slices.ts'
import type { SlidesApi } from './slides.ts'
import type { SpeechApi } from './speech.ts'
import type { TasksApi } from './tasks.ts'
import type { VoicesApi } from './voices.ts'

/** Whom a call goes to. Made fresh for each call, so that a changed key or profile is used at once. */
export interface ServiceTarget {
  readonly accountId: string
  readonly accountName: string
  /** Without trailing slash. */
  readonly baseUrl: string
  /** The bearer key. Never logged, never part of an error. */
  readonly key: string
  readonly profile: Profile
  readonly limits: Limits
}

/** What every call takes beside its own request. */
export interface CallOptions {
  readonly signal?: AbortSignal
  /** 6 to 64 characters; made when absent, and the same for all retries of a call. */
  readonly requestId?: string
  /** Nobody asks for the reply as it was received: of a stream only the beginning is kept. */
  readonly unkept?: true
}

/** A sound file to transcribe (service-notes 4), on disk or in memory. `bytes` and `seconds` were read by `media/audio-header.ts`, or are known. */
export interface TranscriptionRequest {
  readonly file: ({ readonly path: string } | { readonly content: Uint8Array }) & {
    readonly bytes: number
    readonly name: string
    readonly mime: 'audio/wav' | 'audio/mpeg'
    readonly seconds: number
  }
  readonly prompt: string
  readonly hotwords: readonly string[]
  readonly stream: boolean
  /** The end user (service-notes 16), for the service's abuse intervention. */
  readonly userId?: string
}

/** What a transcription gives, streamed or not (service-notes 4). */
export interface TranscriptionResult {
  readonly text: string
  /** The service heard no words: an empty text, or one of the sentences that describe silence. */
  readonly noSpeech: boolean
  /** Who heard it: the reply's own words about its engine where it names one (this computer does), else the model's id. */
  readonly model: string
  readonly requestId: string | null
  /** Unknown top-level `notice` text of the reply (the local service says there what its engine cannot do). */
  readonly notice: string | null
  /** The body as received: JSON, or the event stream's text. */
  readonly raw: { readonly status: number; readonly contentType: string; readonly body: string }
}

/** What the client needs from outside. */
export interface ApiDeps {
  readonly clock: Clock
  readonly ids: Ids
  /** Called once for each attempt that was made, whatever came of it. Must not throw. */
  record(call: NewActivityCall): void
  /** `http://host:port` of the proxy for this URL, or null for a direct connection. */
  proxyFor(url: string): Promise<string | null>
  /** PEM texts trusted beside the built-in and system authorities. */
  extraCa(): Promise<readonly string[]>
}

/** The service client: one family per file. */
export interface Api {
  readonly transcriptions: {
    /**
     * `POST /paas/v4/audio/transcriptions` (service-notes 4). `onDelta` gets each piece of text as it comes when `stream` is set.
     * Throws AppError; when text had come before a cut, the error is `TranscriptionCut`, which carries it.
     */
    create(
      target: ServiceTarget,
      request: TranscriptionRequest,
      options: CallOptions & { onDelta?: (delta: string) => void },
    ): Promise<TranscriptionResult>
  }
  readonly agentChat: AgentChatApi // 4.5
  readonly assistants: AssistantsApi // 4.16, 4.17
  readonly documents: DocumentsApi // service-notes 7
  readonly embeddings: EmbeddingsApi // 4.13
  readonly files: FilesApi // service-notes 2
  readonly knowledge: KnowledgeApi // 4.7 to 4.11
  readonly layout: LayoutApi // 4.18
  readonly rerank: RerankApi // 4.4
  readonly responses: ResponsesApi // 4.1
  readonly slices: SlicesApi // 4.12
  readonly slides: SlidesApi // 4.6
  readonly speech: SpeechApi // service-notes 3
  readonly tasks: TasksApi // 4.15
  readonly voices: VoicesApi // 4.2, 4.3
  readonly connection: {
    /** One cheap call that needs a key and changes nothing (embeddings of one word would cost: the voice list is free). */
    check(target: ServiceTarget, options: CallOptions): Promise<{ readonly ms: number }>
  }
  /** Ends all connections. */
  close(): Promise<void>
}
