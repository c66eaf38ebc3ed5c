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
import type {
  ServiceTarget,
  CallOptions,
  TranscriptionRequest,
  TranscriptionResult,
} from './types.ts'

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
     * free, as is the file list of a provider without voices).
     */
    check(target: ServiceTarget, options: CallOptions): Promise<{ readonly ms: number }>
  }
  /** Ends all connections. */
  close(): Promise<void>
}
