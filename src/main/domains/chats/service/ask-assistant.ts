import type { AssistantSettings } from '../../../../shared/model/chat.ts'
import type { AssistantRequest } from '../../../provider-client/assistants.ts'
import type { AssistantEvent } from '../../../provider-client/assistant-events.ts'
import type { AssistantTool } from '../../../../shared/chats/answer-step.ts'
import { createCallList } from '../../../provider-client/assistant-merge.ts'
import { replyMetaOf } from './service-answer.ts'
import type { ServiceAnswer, ServiceQuestion } from './service-answer.ts'

/** A question to an assistant, and the function that saves the images it draws. */
export interface AssistantQuestion extends ServiceQuestion<AssistantSettings> {
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
    .chat(target, requestOf(question), { signal, onEvent, unkept: true })
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
