import type { AssistantSettings } from '../../../shared/model/chat.ts'
import type { AssistantEvent, AssistantRequest } from '../../api/assistants.ts'
import type { AssistantTool } from '../../../shared/chat/answer.ts'
import { createCallList } from '../../api/assistant-merge.ts'
import { reportedAlongside } from './service-answer.ts'
import type { ServiceAnswer, ServiceQuestion } from './service-answer.ts'

/** A question to an assistant, and who looks after what it draws. */
export interface AssistantQuestion extends ServiceQuestion<AssistantSettings> {
  /** Brings drawings into the library: resolves with the calls, in which each drawing says whether it came. */
  keepDrawings(calls: readonly AssistantTool[]): Promise<readonly AssistantTool[]>
}

/** Asks an assistant (service-notes 8) and tells its events as those of an answer. Throws as `assistants.chat`. */
export async function askAssistant(question: AssistantQuestion): Promise<ServiceAnswer> {
  const { api, target, settings, signal, now, tell, sessionId } = question
  const tools = createCallList()
  const onEvent = (event: AssistantEvent): void => {
    const at = now()
    if (event.type === 'tool_calls') {
      const { calls, ids } = event
      tools.add(calls.map((call, nth) => ({ id: ids?.[nth] ?? null, call })))
      for (const { place, call } of tools.news()) tell({ t: 'tool', place, call, at })
      return
    }
    if (event.type === 'conversation') return tell({ t: 'session', id: event.conversationId, at })
    if (event.type === 'unknown') return tell({ t: 'unknown', name: '', data: event.data, at })
    if (event.type !== 'text') return
    tell({ t: 'text', text: event.text, at })
  }
  const keep = async (): Promise<void> => {
    const { calls } = tools
    const kept = await question.keepDrawings(calls)
    for (const [place, call] of kept.entries())
      if (call !== calls[place]) tell({ t: 'tool', place, call, whole: true, at: now() })
  }
  const answer = await api.assistants
    .chat(target, requestOf(question), { signal, onEvent, unkept: true })
    .catch(async (error: unknown) => {
      // What was drawn before it broke off is kept all the same.
      await keep()
      throw error
    })
  const { value } = answer
  await keep()
  return {
    ...reportedAlongside(answer),
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
