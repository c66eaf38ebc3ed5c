import type { AnswerEvent } from '../../../shared/chat/answer.ts'
import type { ChatSettings, TokenUse } from '../../../shared/model/chat.ts'
import type { Answered } from '../../api/answer.ts'
import type { ChatMessage as QuestionMessage } from '../../api/agent-chat.ts'
import type { Api, ServiceTarget } from '../../api/types.ts'
import type { Usage } from '../../api/usage.ts'

/** One question as it goes to the service. */
export interface ServiceQuestion<S extends ChatSettings = ChatSettings> {
  readonly api: Pick<Api, 'agentChat' | 'assistants'>
  readonly target: ServiceTarget
  readonly settings: S
  readonly message: QuestionMessage
  /** Ids of uploaded files. */
  readonly files: readonly string[]
  /** Session or conversation at the service that is gone on with. */
  readonly sessionId: string | null
  readonly signal: AbortSignal
  now(): number
  emit(event: AnswerEvent): void
}

/** What is known of an answer beside its events. Null where the service did not say. */
export interface ServiceAnswer {
  readonly sessionId: string | null
  readonly serviceMessageId: string | null
  readonly model: string | null
  readonly finishReason: string | null
  readonly engine: string | null
  readonly notice: string | null
  readonly requestId: string | null
  readonly usage: TokenUse | null
  /** Earlier turns that it was told in the end, where a session was refused. */
  readonly retold?: number
}

/** What every reply tells beside its meaning. */
export const replyMetaOf = ({
  engine,
  notice,
  requestId,
  usage,
}: Answered<unknown>): Pick<ServiceAnswer, 'engine' | 'notice' | 'requestId' | 'usage'> => ({
  engine,
  notice,
  requestId: requestId || null,
  usage: useOf(usage),
})

/** Tokens as they are kept; null when nothing at all was said. */
function useOf(usage: Usage): TokenUse | null {
  const use = {
    prompt: usage.promptTokens,
    completion: usage.completionTokens,
    total: usage.totalTokens,
    reasoning: usage.reasoningTokens ?? null,
    cached: usage.cachedTokens ?? null,
  }
  return Object.values(use).some((count) => count !== null) ? use : null
}
