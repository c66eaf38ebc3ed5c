import type { AnswerEvent } from '../../../../shared/chats/answer.ts'
import type { ChatSettings, TokenUse } from '../../../../shared/model/chat.ts'
import type { Answered, ServiceTarget } from '../../../provider-client/types.ts'
import type { ChatMessage as QuestionMessage } from '../../../provider-client/chat-messages.ts'
import type { Api } from '../../../provider-client/api.ts'
import type { Usage } from '../../../provider-client/usage.ts'

/** A question as it is sent to the provider. */
export interface ServiceQuestion<S extends ChatSettings = ChatSettings> {
  readonly api: Pick<Api, 'agentChat' | 'assistants'>
  readonly target: ServiceTarget
  readonly settings: S
  readonly message: QuestionMessage
  /** IDs of uploaded files. */
  readonly files: readonly string[]
  /** Session or conversation at the provider that is continued. */
  readonly sessionId: string | null
  readonly signal: AbortSignal
  now(): number
  emit(event: AnswerEvent): void
}

/** Data of an answer apart from its events. Null where the provider did not report it. */
export interface ServiceAnswer {
  readonly sessionId: string | null
  readonly serviceMessageId: string | null
  readonly model: string | null
  readonly finishReason: string | null
  readonly engine: string | null
  readonly notice: string | null
  readonly requestId: string | null
  readonly usage: TokenUse | null
  /** Number of earlier turns sent again after a session was refused. */
  readonly retold?: number
}

/** Metadata that every response reports. */
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

/** Token usage as it is stored; null when nothing was reported. */
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
