import type { AgentSettings } from '../../../../shared/model/chat.ts'
import type { AgentRequest } from '../../../provider-client/agent-chat.ts'
import type { AgentEvent } from '../../../provider-client/agent-events.ts'
import type { AnswerEvent } from '../../../../shared/chats/answer.ts'
import { replyMetaOf } from './service-answer.ts'
import type { ServiceAnswer, ServiceQuestion } from './service-answer.ts'

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
  const answer = await api.agentChat.chat(target, request, { signal, onEvent, unkept: true })
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
export function agentParameters(settings: AgentSettings): Omit<AgentRequest, 'messages'> {
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
