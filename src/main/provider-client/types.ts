import type { Limits } from '../../shared/provider/limits.ts'
import type { Profile } from '../../shared/provider/profiles.ts'
import type { NewActivityCall } from '../library-database/types.ts'
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

/** Target of a call. Created for each call, so that a changed key or profile is used at once. */
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

/** Options of every call in addition to its own request. */
export interface CallOptions {
  readonly signal?: AbortSignal
  /** 6 to 64 characters; generated when absent, and the same for all retries of a call. */
  readonly requestId?: string
  /** Set when the raw response is not needed: only the beginning of a stream is stored. */
  readonly unkept?: true
}

/**
 * An audio file to transcribe (service-notes 4), on disk or in memory. `bytes` and `seconds` were read by
 * `media/audio-header.ts`, or are known.
 */
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
  /** ID of the end user (service-notes 16), for the provider's abuse handling. */
  readonly userId?: string
}

/** Result of a transcription, streamed or not (service-notes 4). */
export interface TranscriptionResult {
  readonly text: string
  /** Whether the provider found no speech: an empty text, or one of the sentences that describe silence. */
  readonly noSpeech: boolean
  /**
   * Source of the transcript: the engine named in the response (the local service does), otherwise the model ID.
   */
  readonly model: string
  readonly requestId: string | null
  /** Top-level `notice` text of the response (the local service reports the limitations of its engine there). */
  readonly notice: string | null
  /** Raw response body: JSON, or the text of the event stream. */
  readonly raw: { readonly status: number; readonly contentType: string; readonly body: string }
}

export interface ApiDeps {
  readonly clock: Clock
  readonly ids: Ids
  /** Called once for each attempt, whatever its outcome. Must not throw. */
  record(call: NewActivityCall): void
  /** `http://host:port` of the proxy for this URL, or null for a direct connection. */
  proxyFor(url: string): Promise<string | null>
  /** PEM texts trusted in addition to the built-in and system authorities. */
  extraCa(): Promise<readonly string[]>
}

/** The service client: one family per file. */
export interface Api {
  readonly transcriptions: {
    /**
     * `POST /paas/v4/audio/transcriptions` (service-notes 4). `onDelta` receives each text delta on arrival when `stream` is
     * set. Throws AppError; when text was received before a cut, the error is `TranscriptionCut`, which carries it.
     */
    create(
      target: ServiceTarget,
      request: TranscriptionRequest,
      options: CallOptions & { onDelta?: (delta: string) => void },
    ): Promise<TranscriptionResult>
  }
  readonly agentChat: AgentChatApi // service-notes 6
  readonly assistants: AssistantsApi // service-notes 8
  readonly documents: DocumentsApi // service-notes 7
  readonly embeddings: EmbeddingsApi // service-notes 15
  readonly files: FilesApi // service-notes 2
  readonly knowledge: KnowledgeApi // service-notes 7
  readonly layout: LayoutApi // service-notes 12
  readonly rerank: RerankApi // service-notes 5
  readonly responses: ResponsesApi // service-notes 13
  readonly slices: SlicesApi // service-notes 11
  readonly slides: SlidesApi // service-notes 10
  readonly speech: SpeechApi // service-notes 3
  readonly tasks: TasksApi // service-notes 9
  readonly voices: VoicesApi // service-notes 3
  readonly connection: {
    /**
     * Sends one cheap request that needs a key and changes nothing (the embedding of one word would cost; the voice list is
     * free).
     */
    check(target: ServiceTarget, options: CallOptions): Promise<{ readonly ms: number }>
  }
  /** Ends all connections. */
  close(): Promise<void>
}
