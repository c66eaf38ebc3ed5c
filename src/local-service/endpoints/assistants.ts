import { engineNames } from '../../shared/provider/engine-names.ts'
import { engineNotices } from '../../shared/provider/engine-notices.ts'
import { limits } from '../../shared/provider/limits.ts'
import { attachedFiles, readAttachments } from '../assistants/attachments.ts'
import { readAssistant, readChat, type ChatOrder } from '../assistants/chat-request.ts'
import { conversationStore } from '../assistants/conversations.ts'
import { usageOf } from '../assistants/count-tokens.ts'
import { languageOf } from '../assistants/language.ts'
import { assistantRows } from '../assistants/predefined.ts'
import type { SkillAnswer } from '../assistants/skill.ts'
import { answerAs } from '../assistants/skills.ts'
import type { ServiceContext, Route, Handler } from '../context.ts'
import { ServiceError, publicError } from '../errors.ts'
import { fieldMissing, maxImageJsonBytes, readJsonBody } from '../json-body.ts'
import { integerOf, textsOf } from '../json-fields.ts'
import { retentionDays } from '../retention-days.ts'
import { eventStream, jsonReply, endEvent, jsonEvent } from '../http.ts'

const engine = engineNames.assistants

/** Default number of conversations per page (service-notes 8). */
const defaultPage = 5

/** Common fields of every chunk (service-notes 8). */
interface ChunkHead {
  readonly id: string
  readonly conversation_id: string
  readonly assistant_id: string
  /** Unix seconds. */
  readonly created: number
  readonly model: string
  readonly request_id: string
}

/** Characters of one text chunk. */
const chunkChars = 24

const chunksOf = (text: string): readonly string[] =>
  text.match(new RegExp(`[^]{1,${chunkChars}}`, 'gu')) ?? []

/** Yields the chunks of an answer: its tool calls, its text in chunks, a last one with usage, then `[DONE]`. */
function* answerChunks(head: ChunkHead, answer: SkillAnswer, usage: object): Generator<string> {
  const chunk = (delta: object): string =>
    jsonEvent({
      ...head,
      status: 'in_progress',
      choices: [{ index: 0, delta, finish_reason: null, metadata: {} }],
    })
  for (const call of answer.toolCalls)
    yield chunk({ type: 'tool_calls', role: 'tool', tool_calls: [call] })
  for (const content of chunksOf(answer.text))
    yield chunk({ type: 'content', role: 'assistant', content })
  yield jsonEvent({
    ...head,
    status: 'completed',
    choices: [
      {
        index: 0,
        delta: { type: 'content', role: 'assistant', content: '' },
        finish_reason: 'stop',
        metadata: {},
      },
    ],
    usage,
    engine: answer.engine,
    ...(answer.notice !== undefined && { notice: answer.notice }),
  })
  yield endEvent
}

/** The last chunk of an answer that failed after its stream started; no `[DONE]` follows (service-notes 1). */
const failedChunk = (head: ChunkHead, error: { code: string; message: string }): string =>
  jsonEvent({
    ...head,
    status: 'failed',
    last_error: error,
    choices: [{ index: 0, delta: {}, finish_reason: 'network_error', metadata: {} }],
    engine: engineNames.assistants,
    notice: error.message,
  })

/**
 * Returns the conversation to continue, or a new one. Throws 404 if it does not exist, 1214 if it belongs to another
 * assistant.
 */
function conversationOf(order: ChatOrder, { state, clock, ids }: ServiceContext): string {
  const conversations = conversationStore(state)
  if (order.conversationId === null) {
    const id = `conversation-${ids()}`
    conversations.begin(id, order.assistantId, clock())
    return id
  }
  const known = conversations.get(order.conversationId)
  if (!known)
    throw new ServiceError(
      'notFound',
      `Conversation not found. Conversations are stored for ${retentionDays.conversations} days`,
    )
  if (known.assistantId !== order.assistantId)
    throw new ServiceError('fieldIllegal', 'conversation_id belongs to another assistant')
  return known.id
}

/** `POST /paas/v4/assistant` (service-notes 8): a stream unless the request turns streaming off. */
const chat: Handler = async (request, context) => {
  const { signal } = request
  const { state, clock, ids } = context
  const body = await readJsonBody(request.incoming, maxImageJsonBytes)
  const order = readChat(body)
  const attached = await attachedFiles(body, context)
  const head: ChunkHead = {
    id: `chat-${ids()}`,
    conversation_id: conversationOf(order, context),
    assistant_id: order.assistantId,
    created: Math.floor(clock() / 1000),
    model: order.model,
    request_id: order.requestId ?? ids(),
    ...(order.metadata && { metadata: order.metadata }),
  }
  const answer = async (): Promise<SkillAnswer> => {
    const { question } = order
    const attachments = await readAttachments(attached, context, signal)
    const ask = { question, language: languageOf(question), attachments, context, signal }
    return answerAs(order.purpose, ask, order.extras)
  }
  const counted = ({ text }: SkillAnswer): ReturnType<typeof usageOf> => {
    const usage = usageOf(order.prompt, text)
    conversationStore(state).answered(head.conversation_id, usage, clock())
    return usage
  }
  if (order.stream) return eventStream(streamed(head, answer, counted))
  const { toolCalls, ...rest } = await answer()
  const calls = toolCalls.length > 0 && { tool_calls: toolCalls }
  const message = { role: 'assistant', content: rest.text, ...calls }
  return jsonReply({
    ...head,
    status: 'completed',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage: counted({ ...rest, toolCalls }),
    engine: rest.engine,
    ...(rest.notice !== undefined && { notice: rest.notice }),
  })
}

async function* streamed(
  head: ChunkHead,
  answer: () => Promise<SkillAnswer>,
  counted: (answer: SkillAnswer) => object,
): AsyncGenerator<string> {
  try {
    const found = await answer()
    yield* answerChunks(head, found, counted(found))
  } catch (error) {
    yield failedChunk(head, { code: '1200', message: publicError(error).message })
  }
}

/** `POST /paas/v4/assistant/list` (service-notes 8): without IDs, lists all assistants. Their texts follow `Accept-Language`. */
const listAssistants: Handler = async ({ incoming }) => {
  const ids = textsOf(await readJsonBody(incoming), 'assistant_id_list')
  if (!ids) throw fieldMissing('assistant_id_list')
  const isChinese = /^\s*zh\b/i.test(incoming.headers['accept-language'] ?? '')
  const all = assistantRows(isChinese ? 'zh' : 'en')
  const data = ids.length === 0 ? all : all.filter(({ assistant_id }) => ids.includes(assistant_id))
  const notice = engineNotices.assistantsSimple
  return jsonReply({ success: true, code: 200, msg: 'success', data, engine, notice })
}

/** `POST /paas/v4/assistant/conversation/list` (service-notes 8), newest first. */
const listConversations: Handler = async ({ incoming }, { state }) => {
  const body = await readJsonBody(incoming)
  const { assistantId } = readAssistant(body)
  const page = integerOf(body, 'page', { min: 1 }) ?? 1
  const size = integerOf(body, 'page_size', { min: 1, max: limits.list.pageSize }) ?? defaultPage
  // Requests one more than the page size to find out whether there are more.
  const found = conversationStore(state).list(assistantId, (page - 1) * size, size + 1)
  const conversation_list = found.slice(0, size).map((one) => ({
    id: one.id,
    assistant_id: one.assistantId,
    create_time: new Date(one.createdAt).toISOString(),
    update_time: new Date(one.updatedAt).toISOString(),
    usage: {
      prompt_tokens: one.promptTokens,
      completion_tokens: one.completionTokens,
      total_tokens: one.promptTokens + one.completionTokens,
    },
  }))
  const data = { assistant_id: assistantId, conversation_list, has_more: found.length > size }
  return jsonReply({ success: true, code: 200, msg: 'success', data, engine })
}

export const assistantsRoutes: readonly Route[] = [
  ['POST', '/paas/v4/assistant', chat],
  ['POST', '/paas/v4/assistant/list', listAssistants],
  ['POST', '/paas/v4/assistant/conversation/list', listConversations],
]
