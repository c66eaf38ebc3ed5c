import type { AnswerEvent } from '../../../../shared/chats/answer.ts'
import type {
  ChatSettings,
  TokenUse,
  AgentSettings,
  AssistantSettings,
} from '../../../../shared/model/chat.ts'
import type { Answered, ServiceTarget } from '../../../provider-client/types.ts'
import type { ChatMessage as QuestionMessage } from '../../../provider-client/chat-messages.ts'
import type { Api } from '../../../provider-client/api.ts'
import type { Usage } from '../../../provider-client/usage.ts'
import type { AgentEvent, AgentRequest } from '../../../provider-client/agent-chat.ts'
import type { AssistantRequest } from '../../../provider-client/assistants.ts'
import type { AssistantEvent } from '../../../provider-client/assistant-events.ts'
import type { AssistantTool } from '../../../../shared/chats/answer-step.ts'
import { createCallList } from '../../../provider-client/assistant-merge.ts'

/** A question as it is sent to the provider. */
interface ServiceQuestion<S extends ChatSettings = ChatSettings> {
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
  readonly resentTurns?: number
}

/** Metadata that every response reports. */
const replyMetaOf = ({
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

/**
 * Sends a question to the retrieval agent (service-notes 6) and emits its events as answer events. Throws as
 * `agentChat.chat`.
 */
export async function askAgent(question: ServiceQuestion<AgentSettings>): Promise<ServiceAnswer> {
  const { api, target, settings, message, sessionId, signal, now, emit } = question
  let text = ''
  const onEvent = (event: AgentEvent): void => {
    if (event.type === 'answer') text += event.text
    const converted = answerEvent(event, now(), text)
    if (converted) emit(converted)
  }
  const request: AgentRequest = {
    messages: [message],
    ...agentParameters(settings),
    ...(sessionId !== null && { sessionId }),
  }
  const answer = await api.agentChat.chat(target, request, {
    signal,
    onEvent,
    omitRawResponse: true,
  })
  const { value } = answer
  return {
    ...replyMetaOf(answer),
    sessionId: value.sessionId ?? sessionId,
    serviceMessageId: value.messageId,
    model: settings.model,
    finishReason: value.finishReason,
  }
}

/** Returns the settings as request fields; omits those left to the provider. */
function agentParameters(settings: AgentSettings): Omit<AgentRequest, 'messages'> {
  const { knowledgeIds, topK, topN, rerank, similarityThreshold } = settings
  const { model, temperature, maxSteps, thinking } = settings
  return {
    retrieval: {
      knowledgeIds,
      rerank,
      ...(topK !== null && { topK }),
      ...(topN !== null && { topN }),
      ...(similarityThreshold !== null && { similarityThreshold }),
    },
    thinking,
    ...(model !== null && { model }),
    ...(temperature !== null && { temperature }),
    ...(maxSteps !== null && { maxSteps }),
  }
}

/** Converts an agent event to an answer event; null where it adds nothing. `text` is the answer received so far. */
function answerEvent(event: AgentEvent, at: number, text: string): AnswerEvent | null {
  switch (event.type) {
    case 'session_created':
      return event.sessionId === '' ? null : { t: 'session', id: event.sessionId, at }
    case 'answer':
      return { t: 'text', text: event.text, at }
    case 'reasoning':
    case 'thought':
      return { t: event.type, text: event.text, at }
    case 'tool_call':
      return { t: 'call', callId: event.callId, tool: event.tool, arguments: event.arguments, at }
    case 'tool_result': {
      const { callId, tool, result, status, durationMs } = event
      return { t: 'result', callId, tool, result, status, durationMs, at }
    }
    case 'done':
      return event.answer === null || event.answer === text
        ? null
        : { t: 'whole', text: event.answer, at }
    case 'unknown':
      return { t: 'unknown', name: event.name, data: event.data, at }
  }
}

/** A question to an assistant, and the function that saves the images it draws. */
interface AssistantQuestion extends ServiceQuestion<AssistantSettings> {
  /** Saves drawn images to the library; resolves with the calls, in which each image has its outcome. */
  saveDrawings(calls: readonly AssistantTool[]): Promise<readonly AssistantTool[]>
}

/** Sends a question to an assistant (service-notes 8) and emits its events as answer events. Throws as `assistants.chat`. */
export async function askAssistant(question: AssistantQuestion): Promise<ServiceAnswer> {
  const { api, target, settings, signal, now, emit, sessionId } = question
  const tools = createCallList()
  const onEvent = (event: AssistantEvent): void => {
    const at = now()
    if (event.type === 'tool_calls') {
      const { calls, ids } = event
      tools.add(calls.map((call, nth) => ({ id: ids?.[nth] ?? null, call })))
      for (const { place, call } of tools.takeChanges()) emit({ t: 'tool', place, call, at })
      return
    }
    if (event.type === 'conversation') return emit({ t: 'session', id: event.conversationId, at })
    if (event.type === 'unknown') return emit({ t: 'unknown', name: '', data: event.data, at })
    if (event.type !== 'text') return
    emit({ t: 'text', text: event.text, at })
  }
  const keep = async (): Promise<void> => {
    const { calls } = tools
    const saved = await question.saveDrawings(calls)
    for (const [place, call] of saved.entries())
      if (call !== calls[place]) emit({ t: 'tool', place, call, whole: true, at: now() })
  }
  const answer = await api.assistants
    .chat(target, requestOf(question), { signal, onEvent, omitRawResponse: true })
    .catch(async (error: unknown) => {
      // Images drawn before the interruption are saved too.
      await keep()
      throw error
    })
  const { value } = answer
  await keep()
  return {
    ...replyMetaOf(answer),
    sessionId: value.conversationId ?? sessionId,
    serviceMessageId: null,
    model: value.model ?? settings.model,
    finishReason: value.finishReason,
  }
}

function requestOf({ settings, message, files, sessionId }: AssistantQuestion): AssistantRequest {
  const { assistantId, model, doSample, translate } = settings
  return {
    assistantId,
    messages: [message],
    ...(model !== null && { model }),
    ...(doSample !== null && { doSample }),
    ...(translate && { translate }),
    ...(files.length > 0 && { attachments: files }),
    ...(sessionId !== null && { conversationId: sessionId }),
  }
}
