import type { AssistantSettings } from '../../../shared/model/chat.ts'
import type { AssistantEvent, AssistantRequest } from '../../api/assistants.ts'
import type { AssistantTool } from '../../../shared/chat/answer.ts'
import { replyMetaOf } from './service-answer.ts'
import type { ServiceAnswer, ServiceQuestion } from './service-answer.ts'
import { createToolList } from './tool-list.ts'

/** A question to an assistant, and the function that saves the images it draws. */
export interface AssistantQuestion extends ServiceQuestion<AssistantSettings> {
  /** Saves drawn images to the library; resolves with the calls, in which each image has its outcome. */
  keepDrawings(calls: readonly AssistantTool[]): Promise<readonly AssistantTool[]>
}

/** Sends a question to an assistant (service-notes 8) and emits its events as answer events. Throws as `assistants.chat`. */
export async function askAssistant(question: AssistantQuestion): Promise<ServiceAnswer> {
  const { api, target, settings, signal, now, emit, sessionId } = question
  let text = ''
  let calls: readonly AssistantTool[] = []
  const tools = createToolList(
    (now_) => {
      calls = now_
      emit({ t: 'tools', calls, at: now() })
    },
    now,
    signal,
  )
  const onEvent = (event: AssistantEvent): void => {
    const at = now()
    if (event.type === 'tool_calls') return tools.add(event)
    if (event.type === 'conversation') return emit({ t: 'session', id: event.conversationId, at })
    if (event.type === 'unknown') return emit({ t: 'unknown', name: '', data: event.data, at })
    if (event.type !== 'text') return
    // Text that follows a call is placed after it.
    tools.flush()
    text += event.text
    emit({ t: 'text', text: event.text, at })
  }
  const keep = async (): Promise<void> => {
    tools.end()
    const saved = await question.keepDrawings(calls)
    if (saved !== calls) emit({ t: 'tools', calls: saved, at: now() })
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
  if (value.text !== text) emit({ t: 'whole', text: value.text, at: now() })
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
